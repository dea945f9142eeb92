"""Deck sets: the cards of a session, named by a seed and a number, and what is known of them before they are played.

The equities of a deck set, and the chances of its hands against each other, are computed once and serve every player
who is dealt it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.holdem.equities.lookup import RIVER_WORK, RiverWork, equity_vs_random
from holecard.holdem.equities.runout import HandChances, known_chances, sampled_half_wins
from holecard.holdem.equities.tables import EquityTables, equity_tables
from holecard.holdem.game.betting import BOARD, HAND, Hand, cards_dealt, deal
from holecard.holdem.players.rule_players import RulePlayer
from holecard.seeds import key_of

Equities: TypeAlias = NDArray[np.float64]
"""The chance of each seat to win against a random hand on each street, (hands, 2, 4)."""
Chances: TypeAlias = NDArray[np.int64]
"""The chance of seat 0 to beat the other's actual hand on each street, in millionths, (hands, 4)."""
Decks = Literal["shared", "fresh"]
"""Whether the whole population is dealt the same cards, or each individual its own."""
Luck = Literal["averaged", "dealt"]
"""Whether what the boards bring is averaged over, or counts as it was dealt."""

_NO_EQUITIES: Final = np.empty((0, 2, 4))
_NO_CHANCES: Final = np.empty((0, 4), np.int64)


class TiesLookedAt(NamedTuple):
    """Which equities somebody looks at."""

    half: bool
    """Those with a tie as half a win."""
    win: bool
    """Those with a tie as a win."""

    @classmethod
    def by(cls, networks: NDArray[Any], opponents: Sequence[RulePlayer]) -> TiesLookedAt:
        """By networks (n) NETWORK of one layout and by the rule players who look at equities at all."""
        looking = {player.ties_win for player in opponents if player.wants_equity} | {bool(networks["ties_win"][0])}
        return cls(half=False in looking, win=True in looking)


class DeckSet(NamedTuple):
    """The cards of a session, and what is known of them beforehand; enters kernels as it is."""

    seed: np.uint64
    number: int
    equities: Equities
    """(0, 2, 4) where they are computed when somebody looks at them."""
    chances: Chances
    """(0, 4) where the luck of the boards is not counted."""
    ties_win: Equities
    """The equities with a tie as a win; (0, 2, 4) where nobody looks at them, or they are computed then."""

    @classmethod
    def of(
        cls,
        seed: int,
        number: int,
        *,
        equities: Equities | None = None,
        chances: Chances | None = None,
        ties_win: Equities | None = None,
    ) -> DeckSet:
        """Deck set `number` of a seed, with what is known of it."""
        return cls(
            np.uint64(seed),
            number,
            _NO_EQUITIES if equities is None else equities,
            _NO_CHANCES if chances is None else chances,
            _NO_EQUITIES if ties_win is None else ties_win,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Dealing:
    """How a generation is dealt."""

    seed: int
    """Names the generation's cards."""
    deck_sets: int = 1
    """Deck sets against each opponent, two sessions each."""
    decks: Decks = "shared"
    """Whether everybody is dealt the same cards, or each individual its own."""
    samples: int = 0
    """Random deals behind each equity; 0: exact."""
    luck: Luck = "averaged"
    """Whether earnings leave out what boards bring beyond their average, or count it as it was dealt."""

    @property
    def is_shared(self) -> bool:
        """True if everybody is dealt the same cards."""
        return self.decks == "shared"

    @property
    def averages_luck(self) -> bool:
        """True if earnings leave out what boards bring."""
        return self.luck == "averaged"


@rule
def hand_key(seed: np.uint64, deck_set: int, hand_number: int) -> np.uint64:
    """The key of a hand of the deck set with that number."""
    return key_of(key_of(seed, np.uint64(deck_set)), np.uint64(hand_number))


@rule
def hand_chances(equity_tables: EquityTables, hand: Hand, key: np.uint64, chances: HandChances) -> None:
    """Deal the hand of a key and fill chances (4) int64 of seat 0 against seat 1."""
    deal(hand, key)
    known_chances(equity_tables["ranking"], hand["card"], ~key, chances)


@rule
def hand_equities(
    equity_tables: EquityTables,
    hand: Hand,
    work: RiverWork,
    key: np.uint64,
    samples: int,
    ties_win: bool,
    equities: NDArray[np.float64],
) -> None:
    """Deal the hand of a key and fill equities (2, 4) float64 by seat and street: exactly, or from so many samples."""
    deal(hand, key)
    cards = hand["card"]
    for seat in range(2):
        for street in range(4):
            dealt = cards_dealt(street)
            if samples == 0:
                a, b, board = cards[2 * seat], cards[2 * seat + 1], cards[BOARD:]
                equities[seat, street] = equity_vs_random(equity_tables, a, b, board, dealt, work, ties_win)
            else:
                own = ~key + np.uint64(4 * seat + street)
                won = sampled_half_wins(equity_tables["ranking"], cards, seat, dealt, ties_win, samples, own)
                equities[seat, street] = won / (2 * samples)


@kernel
def _deck_equities(
    equity_tables: NDArray[Any], seed: np.uint64, number: int, samples: int, ties_win: bool, equities: Equities
) -> None:
    """Fill equities (hands, 2, 4) float64 of a deck set; equity_tables (1) EQUITY."""
    hand, work = np.zeros(1, HAND), np.zeros(1, RIVER_WORK)
    for at in range(equities.shape[0]):
        hand_equities(equity_tables[0], hand[0], work[0], hand_key(seed, number, at), samples, ties_win, equities[at])


@kernel
def _deck_chances(equity_tables: NDArray[Any], seed: np.uint64, number: int, chances: Chances) -> None:
    """Fill chances (hands, 4) int64 of a deck set; equity_tables (1) EQUITY."""
    hand = np.zeros(1, HAND)
    for at in range(chances.shape[0]):
        hand_chances(equity_tables[0], hand[0], hand_key(seed, number, at), chances[at])


COMPILED: Final = (_deck_equities, _deck_chances)
"""The kernels of this module."""


def deck_equities(*, seed: int, number: int, hands: int, samples: int = 0, ties_win: bool = False) -> Equities:
    """The equities of a deck set, exact or from `samples` random deals each; a tie is ½, or a win."""
    equities = np.empty((hands, 2, 4))
    _deck_equities(equity_tables(), np.uint64(seed), number, samples, ties_win, equities)
    return equities


def deck_chances(*, seed: int, number: int, hands: int) -> Chances:
    """The chances of a deck set's hands against each other."""
    chances = np.empty((hands, 4), np.int64)
    _deck_chances(equity_tables(), np.uint64(seed), number, chances)
    return chances
