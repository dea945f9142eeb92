"""Gymnasium and PettingZoo faces of the engine; importing this registers the Gymnasium environments.

| id or module                     | what                                                                   |
|----------------------------------|------------------------------------------------------------------------|
| `holecard/Blackjack-v0`          | blackjack under any rules, action masks                                |
| `holecard/ClassicBlackjack-v0`   | the game of Gymnasium's own Blackjack-v1, for agents written for it    |
| `holecard.envs.holdem_v0`        | heads-up no-limit hold'em, a PettingZoo AEC environment                |

Both Gymnasium ids have a native vector environment: `gymnasium.make_vec(id, num_envs=1024)`.
"""

from holecard._public import public_names
from holecard.envs.registration import register as _register

__all__, __getattr__, __dir__ = public_names(__name__, __file__)

_register()
