"""Gymnasium and PettingZoo faces of the engine; importing this registers the Gymnasium environments.

| id or module                     | what                                                                   |
|----------------------------------|------------------------------------------------------------------------|
| `holecard/Blackjack-v0`          | blackjack under any rules, action masks                                |
| `holecard/ClassicBlackjack-v0`   | the game of Gymnasium's own Blackjack-v1, for agents written for it    |
| `holecard.envs.holdem_v0`        | heads-up no-limit hold'em, a PettingZoo AEC environment                |

Both Gymnasium ids have a native vector environment: `gymnasium.make_vec(id, num_envs=1024)`.
"""

from __future__ import annotations

from holecard.errors import MissingExtra

try:
    import gymnasium
except ImportError:
    raise MissingExtra("the environments need Gymnasium: pip install 'holecard[envs]'") from None

__all__ = ["register"]


def register() -> None:
    """Register the Gymnasium environments, those that are not yet."""
    entries: dict[str, tuple[str, str, dict[str, bool]]] = {
        "holecard/Blackjack-v0": ("blackjack:BlackjackEnv", "blackjack:BlackjackVectorEnv", {}),
        "holecard/ClassicBlackjack-v0": (
            "classic:ClassicBlackjackEnv",
            "classic:ClassicBlackjackVectorEnv",
            {"natural": False, "sab": True},  # as Gymnasium registers its own
        ),
    }
    for name, (single, vector, defaults) in entries.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                id=name,
                entry_point=f"{__name__}.{single}",
                vector_entry_point=f"{__name__}.{vector}",
                kwargs=defaults,
            )


register()
