"""What the results say of a session: outcomes and their shares, the last rounds, the mistakes, a name for its file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from holecard.blackjack.arena.scene import scene_after
from holecard.blackjack.arena.watched import Mistake, WatchedRound, WatchedSession
from holecard.blackjack.game.rules import Rules
from holecard.cards import SUIT_SIGNS, card_sign

LAST_ROUNDS: Final = 15
"""Rounds listed."""
_LONGEST_NAME: Final = 40
"""Letters of an agent's name that a file's name takes, from its end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundLine:
    """A round in a line."""

    number: int
    hands: str
    """The player's hands, cards without their suits."""
    dealer: str
    """The dealer's hand."""
    net: float
    """Money won or lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What the results say of a session."""

    session: WatchedSession
    last: tuple[RoundLine, ...]
    """The last rounds, newest first."""
    mistakes: tuple[Mistake, ...]
    """Costliest first."""
    outcomes: tuple[int, int, int]
    """Rounds won, pushed and lost."""
    bankrolls: tuple[float, ...]
    """Before any round and after each."""

    @classmethod
    def of(cls, session: WatchedSession) -> Summary:
        """The summary of a session."""
        return cls(
            session=session,
            last=tuple(_line(each, session.rules) for each in reversed(session.rounds[-LAST_ROUNDS:])),
            mistakes=tuple(session.mistakes()),
            outcomes=(session.count("win"), session.count("push"), session.count("loss")),
            bankrolls=(session.bankroll, *(each.bankroll for each in session.rounds)),
        )

    def share(self, count: int) -> float:
        """A number of rounds as a share of all, 0 to 1."""
        return count / max(len(self.session.rounds), 1)


def free_path(session: WatchedSession, folder: Path = Path()) -> Path:
    """A file for a session, named after its agent and seed, that does not exist yet."""
    agent = "".join(letter if letter.isalnum() else "-" for letter in session.agent).strip("-")
    stem = f"holecard-{agent[-_LONGEST_NAME:]}-{session.seed}"
    path, number = folder / f"{stem}.json", 2
    while path.exists():
        path, number = folder / f"{stem}-{number}.json", number + 1
    return path


def _line(each: WatchedRound, rules: Rules) -> RoundLine:
    scene = scene_after(each.events, rules)
    hands = " | ".join(_cards(tuple(lying.card for lying in hand.cards)) for hand in scene.hands)
    dealer = _cards(tuple(lying.card for lying in scene.dealer.cards))
    return RoundLine(number=each.number, hands=hands, dealer=dealer, net=each.net)


def _cards(cards: tuple[int | None, ...]) -> str:
    """Cards without their suits, as they count: `10 6 5`."""
    return " ".join("?" if card is None else card_sign(card).rstrip(SUIT_SIGNS) for card in cards)
