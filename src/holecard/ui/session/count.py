"""The count of a session at one step: what somebody who counts knows, who sees what lies face up."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final

from holecard.blackjack.counting.system import SYSTEMS, CountSystem, find_system
from holecard.blackjack.game.events import Dealt, Event, Revealed
from holecard.blackjack.game.shoe import Composition, cut_card
from holecard.errors import HolecardError
from holecard.ui.session.playback import Playback

_PREFIX: Final = "counter:"
_VALUES: Final = (*range(1, 10), 9, 9, 9, 0)
"""The place of a rank 2 … K, A among the tags."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCount:
    """The count at one step."""

    system: str
    """What is counted by."""
    running: Fraction
    """The running count, of all cards that lie or lay face up since the shuffle."""
    unseen: int
    """Cards that have not been seen, the hole card among them."""

    @property
    def true(self) -> float:
        """The running count per deck that is left."""
        return float(self.running) * 52 / max(self.unseen, 1)

    @property
    def lines(self) -> tuple[str, ...]:
        """What a small panel says: the count's name, running and true count, decks left."""
        return (
            self.system,
            f"running {float(self.running):+g}",
            f"true {self.true:+.1f}",
            f"{self.unseen / 52:.1f} decks",
        )


def system_of(agent: str) -> CountSystem:
    """The count that is shown beside an agent: its own where its name says so, else Hi-Lo.

    >>> system_of("counter:zen").name, system_of("mcts").name
    ('Zen', 'Hi-Lo')
    """
    if agent.startswith(_PREFIX):
        try:
            return find_system(agent.removeprefix(_PREFIX))
        except HolecardError:
            pass
    return SYSTEMS["Hi-Lo"]


def count_at(playback: Playback, at: int, system: CountSystem) -> SessionCount | None:
    """The count at a step; None where a shoe without end is dealt."""
    rules = playback.rules
    if rules.is_infinite:
        return None
    deck = Composition.of_rules(rules)
    cut = cut_card(deck, rules) if rules.shoe == "dealt" else deck.size
    now = playback.round_of(at)
    seen: list[int] = []
    for number in range(now):
        seen += _face_up(playback.rounds[number].events)
        if deck.size - len(seen) < cut or rules.shoe == "fresh":
            seen = []
    seen += _face_up(playback.events(at)[: playback.step(at).upto])
    tags = [system.tags[_VALUES[card >> 2]] for card in seen]
    running = sum(tags, start=system.starts_at(rules.packs))
    return SessionCount(system=system.name, running=running, unseen=max(deck.size - len(seen), 1))


@lru_cache(maxsize=8192)
def _face_up(events: tuple[Event, ...]) -> tuple[int, ...]:
    """The cards that can be seen after some events."""
    return tuple(event.card for event in events if isinstance(event, Dealt | Revealed) and event.card is not None)
