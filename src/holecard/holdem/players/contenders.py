"""Players as people name them: `smart`, `champion:paper`, a champion file, a run directory."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard.errors import FileProblem
from holecard.holdem.equities.equity import equity
from holecard.holdem.game.actions import Action
from holecard.holdem.game.view import VIEW, SeatView
from holecard.holdem.players.champion import CHAMPION, Champion
from holecard.holdem.players.lstm import pack
from holecard.holdem.players.minds import MIND, move_of, network_mind, rule_mind, start_session
from holecard.holdem.players.opponents import OPPONENTS, Opponent, RulePlayer, opponent_named

_SHIPPED: Final = "champion:"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Contender:
    """Somebody who can sit at a table of kernels."""

    name: str
    """What people call it."""
    mind: NDArray[Any]
    """A `MIND` record, shape (); copied for every table."""
    preset: str | None
    """The setting a champion was made for; None for rule players, who play in any."""

    @classmethod
    def of_opponent(cls, opponent: Opponent) -> Contender:
        """A rule player."""
        return cls(name=opponent.name, mind=rule_mind(opponent.player), preset=None)

    @classmethod
    def of_champion(cls, champion: Champion, name: str) -> Contender:
        """An evolved player."""
        network = pack(champion.genome[None], champion.layout)[0]
        return cls(name=name, mind=network_mind(network), preset=champion.layout.preset)


def contender_named(name: str) -> Contender:
    """The player of that name, champion file or run directory.

    >>> contender_named("smart").preset is None
    True
    """
    if name in OPPONENTS:
        return Contender.of_opponent(OPPONENTS[name])
    if name.startswith(_SHIPPED):
        return Contender.of_champion(Champion.shipped(name.removeprefix(_SHIPPED)), name)
    path = Path(name)
    if path.is_dir():
        if not (path / CHAMPION).exists():
            raise FileProblem(f"{path} has no {CHAMPION}: the run is not finished, or none")
        return Contender.of_champion(Champion.load(path / CHAMPION), name)
    if path.exists() or path.suffix == ".safetensors":
        return Contender.of_champion(Champion.load(path), name)
    return Contender.of_opponent(opponent_named(name))


class NetworkPlayer:
    """An evolved player at a table: sees its seat's view, acts, and says why; remembers one opponent."""

    def __init__(self, contender: Contender, *, buy_in: int) -> None:
        """`buy_in` is the session's starting stack."""
        self.name = contender.name
        self.last_reason = ""
        self._buy_in = buy_in
        self._minds = np.zeros(2, MIND)
        self._minds[0] = contender.mind
        start_session(self._minds)

    def act(self, view: SeatView, hand_number: int = 0) -> Action:
        """The action in this spot; `last_reason` says what the network answered."""
        assert view.legal is not None, "only the seat to act decides"
        p = equity(view.hole, view.board).equity
        views = np.zeros(1, VIEW)
        views[0] = view.record(hand_number=hand_number, buy_in=self._buy_in, equity=p)
        action = view.legal.of_move(int(move_of(self._minds, views)))
        self.last_reason = f"{action}: o {self._minds[0]['memory']['output']:+.3f}, p {p:.3f}"
        return action


def seated(name: str, *, seed: int, buy_in: int) -> RulePlayer | NetworkPlayer:
    """The player of that name at a table where a person sits too."""
    contender = contender_named(name)
    if contender.mind["is_network"]:
        return NetworkPlayer(contender, buy_in=buy_in)
    return RulePlayer(opponent_named(name), seed=seed, buy_in=buy_in)
