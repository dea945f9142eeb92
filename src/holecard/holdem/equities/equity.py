"""How often a hand wins: exactly, against a random hand, one hand or a range; by Monte Carlo for comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from math import sqrt
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from holecard._jit import Int, kernel, rule
from holecard.cards import cards_text
from holecard.errors import CardError
from holecard.executor import in_order
from holecard.holdem.equities import lookup
from holecard.holdem.equities.boards import SUIT_SWAPS
from holecard.holdem.equities.ranges import Hole, Range
from holecard.holdem.equities.tables import Progress, equity_tables
from holecard.holdem.game.rank_tables import ranking_tables
from holecard.holdem.game.strength import Cards, card_bit, strength_of_sum
from holecard.seeds import below, checked_seed, key_of

Ties = Literal["half", "win"]
"""What a split pot counts: ½, or 1 as the author of the evolved players counts it."""
_DEALS: Final = 1 << 20
"""Deals to a job of a Monte Carlo estimate: some 100 ms, so that progress shows and Ctrl-C is heard."""
_DEALS_AWAY: Final = 1 << 24
"""Deals to a job on an executor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Equity:
    """Wins, ties and losses over all that could happen, or over a sample of it.

    >>> Equity(win=6, tie=2, lose=2).equity
    0.7
    """

    win: int
    """Ways to win."""
    tie: int
    """Ways to split the pot."""
    lose: int
    """Ways to lose."""
    exact: bool = True
    """False for a sample."""
    ties: Ties = "half"
    """What a tie counts in `equity`."""

    @property
    def total(self) -> int:
        """All ways."""
        return self.win + self.tie + self.lose

    @property
    def equity(self) -> float:
        """The share of the pot, 0 … 1."""
        return (self.win + (self.tie if self.ties == "win" else self.tie / 2)) / self.total

    @property
    def stderr(self) -> float:
        """Standard error of `equity`: 0 when exact."""
        if self.exact:
            return 0.0
        tied = 1.0 if self.ties == "win" else 0.5
        mean = self.equity
        squares = (self.win + self.tie * tied * tied) / self.total
        return sqrt(max(squares - mean * mean, 0.0) / self.total)


def equity(
    hole: Sequence[int],
    board: Sequence[int] = (),
    *,
    against: Range | None = None,
    ties: Ties = "half",
    progress: Progress | None = None,
) -> Equity:
    """The exact equity of two hole cards on a board of 0, 3, 4 or 5 cards against a range (None: a random hand).

    >>> from holecard.cards import parse_cards
    >>> from holecard.holdem.equities.ranges import parse_range
    >>> equity(parse_cards("AhKh"), parse_cards("2c7h9s3dKc"), against=parse_range("QdQs"))
    Equity(win=1, tie=0, lose=0, exact=True, ties='half')
    """
    verify_spot(hole, board)
    if against is None or len(against.hands) == 1326:
        win, tie, total = _against_random(hole, board, progress)
    else:
        win, tie, total = _against_range(hole, board, _possible(hole, board, against))
    return Equity(win=win, tie=tie, lose=total - win - tie, ties=ties)


def monte_carlo(
    hole: Sequence[int],
    board: Sequence[int] = (),
    *,
    against: Range | None = None,
    samples: int,
    seed: int = 0,
    ties: Ties = "half",
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
) -> Equity:
    """The same by sampling opponents and boards; `stderr` says how good it is.

    The same seed gives the same result on any number of threads or on an `executor`. `progress` is told how many deals
    are done; Ctrl-C ends early with those, and `total` says how many they are.
    """
    verify_spot(hole, board)
    if samples < 1:
        raise CardError(f"a Monte Carlo estimate needs at least 1 sample; got {samples}")
    hands = _possible(hole, board, against) if against is not None else _unseen_hands(hole, board)
    deal = partial(_dealt, tuple(hole), tuple(board), np.array(hands, np.uint8), checked_seed(seed))
    win, tie, done = 0, 0, 0
    try:
        for part in in_order(deal, _pieces(samples, _DEALS_AWAY if executor else _DEALS), executor=executor):
            win, tie, done = win + part[0], tie + part[1], done + part[2]
            if progress:
                progress(done)
    except KeyboardInterrupt:
        if not done:
            raise
    return Equity(win=win, tie=tie, lose=done - win - tie, exact=False, ties=ties)


def _pieces(total: int, size: int) -> Iterator[tuple[int, int]]:
    """(first, count) of jobs that cover 0 … total − 1."""
    for first in range(0, total, size):
        yield first, min(size, total - first)


def _dealt(
    hole: Sequence[int], board: Sequence[int], hands: NDArray[np.uint8], seed: int, piece: tuple[int, int]
) -> tuple[int, int, int]:
    """Wins, ties and deals of one piece of a sample."""
    first, count = piece
    win, tie = _sample(ranking_tables(), _array(hole), _array(board), hands, first, count, np.uint64(seed))
    return int(win), int(tie), count


def verify_spot(hole: Sequence[int], board: Sequence[int]) -> None:
    """Refuse hole cards and boards that cannot be."""
    if len(hole) != 2:
        raise CardError(f"a hold'em hand is 2 cards, such as AhKh; got {len(hole)}: {cards_text(hole)!r}")
    if len(board) not in (0, 3, 4, 5):
        raise CardError(f"a board is 0, 3, 4 or 5 cards; got {len(board)}: {cards_text(board)!r}")
    beyond = [card for card in (*hole, *board) if not 0 <= card < 52]
    if beyond:
        raise CardError(f"cards are 0 (2c) to 51 (As); got {beyond[0]}")
    twice = [card for card, times in Counter([*hole, *board]).items() if times > 1]
    if twice:
        raise CardError(
            f"{cards_text(twice[:1])} appears twice in {cards_text(hole)} on {cards_text(board) or 'no board'}"
        )


def _against_random(hole: Sequence[int], board: Sequence[int], progress: Progress | None) -> tuple[int, int, int]:
    tables = equity_tables(progress)[0]
    a, b = hole
    if len(board) == 0:
        return *_ints(lookup.preflop_counts(tables, a, b)), lookup.PREFLOP_TOTAL
    if len(board) == 3:
        return *_ints(lookup.flop_counts(tables, a, b, board)), lookup.FLOP_TOTAL
    if len(board) == 4:
        return *_ints(lookup.turn_counts(tables, a, b, board)), lookup.TURN_TOTAL
    work = np.zeros(1, lookup.RIVER_WORK)[0]
    return *_ints(lookup.river_counts(tables, a, b, board, work)), lookup.RIVER_TOTAL


def _ints(counts: tuple[int, int]) -> tuple[int, int]:
    return int(counts[0]), int(counts[1])


def _against_range(hole: Sequence[int], board: Sequence[int], hands: Sequence[Hole]) -> tuple[int, int, int]:
    """Sums over the range; hands alike up to a swap of suits that leaves hole and board as they are count once."""
    swaps = [swap for swap in SUIT_SWAPS if _fixes(swap, hole) and _fixes(swap, board)]
    alike = Counter(min(_renamed(hand, swap) for swap in swaps) for hand in hands)
    count = partial(_showdowns, ranking_tables(), _array(hole), _array(board))
    counts = list(in_order(count, [_array(hand) for hand in alike]))
    win = sum(times * int(found[0]) for times, found in zip(alike.values(), counts, strict=True))
    tie = sum(times * int(found[1]) for times, found in zip(alike.values(), counts, strict=True))
    total = sum(times * int(found[2]) for times, found in zip(alike.values(), counts, strict=True))
    return win, tie, total


def _renamed(cards: Sequence[int], swap: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted((card & 60) | swap[card & 3] for card in cards))


def _fixes(swap: tuple[int, ...], cards: Sequence[int]) -> bool:
    return _renamed(cards, swap) == tuple(sorted(cards))


def _possible(hole: Sequence[int], board: Sequence[int], against: Range) -> tuple[Hole, ...]:
    hands = against.without({*hole, *board})
    if not hands:
        raise CardError(f"no hand of {str(against)!r} is left: {cards_text([*hole, *board])} are already dealt")
    return hands


def _unseen_hands(hole: Sequence[int], board: Sequence[int]) -> list[Hole]:
    unseen = [card for card in range(52) if card not in {*hole, *board}]
    return [(high, low) for high in unseen for low in unseen if low < high]


def _array(cards: Sequence[int]) -> NDArray[np.uint8]:
    return np.array(cards, np.uint8)


@kernel
def _showdowns(tables: NDArray[Any], hole: Cards, board: Cards, other: Cards) -> tuple[Int, Int, int]:
    """Wins, ties and boards of hole (2) against other (2) over every completion of board (0, 3, 4, 5), all uint8."""
    ranking = tables[0]
    keys = ranking["card_key"]
    seen, total, bits = np.uint64(0), np.uint64(0), np.uint64(0)
    for card in board:
        seen, total, bits = seen | np.uint64(1) << np.uint64(card), total + keys[card], bits | card_bit(card)
    mine, my_bits = total + keys[hole[0]] + keys[hole[1]], bits | card_bit(hole[0]) | card_bit(hole[1])
    theirs, their_bits = total + keys[other[0]] + keys[other[1]], bits | card_bit(other[0]) | card_bit(other[1])
    for at in range(2):
        seen |= np.uint64(1) << np.uint64(hole[at]) | np.uint64(1) << np.uint64(other[at])
    deck = np.empty(52, np.uint8)
    left = 0
    for card in range(52):
        if not (seen >> np.uint64(card)) & np.uint64(1):
            deck[left] = card
            left += 1
    missing = 5 - board.shape[0]
    if missing == 0:
        me, them = strength_of_sum(ranking, mine, my_bits), strength_of_sum(ranking, theirs, their_bits)
        return np.int64(me > them), np.int64(me == them), 1
    chosen = np.arange(missing - 1)
    win, tie, boards = 0, 0, 0
    while True:
        runout, runout_bits = np.uint64(0), np.uint64(0)
        for at in range(missing - 1):
            card = deck[chosen[at]]
            runout, runout_bits = runout + keys[card], runout_bits | card_bit(card)
        for last in range(chosen[-1] + 1 if missing > 1 else 0, left):
            card = deck[last]
            dealt, dealt_bits = runout + keys[card], runout_bits | card_bit(card)
            me = strength_of_sum(ranking, dealt + mine, dealt_bits | my_bits)
            them = strength_of_sum(ranking, dealt + theirs, dealt_bits | their_bits)
            win += me > them
            tie += me == them
            boards += 1
        if not _next_choice(chosen, left):
            return win, tie, boards


@rule
def _next_choice(chosen: NDArray[np.int64], n: int) -> bool:
    """Move to the next ascending choice out of n in place; False after the last."""
    k = chosen.shape[0]
    at = k - 1
    while at >= 0 and chosen[at] == n - k + at:
        at -= 1
    if at < 0:
        return False
    chosen[at] += 1
    for after in range(at + 1, k):
        chosen[after] = chosen[after - 1] + 1
    return True


@kernel
def _sample(
    tables: NDArray[Any], hole: Cards, board: Cards, hands: NDArray[np.uint8], first: int, samples: int, seed: np.uint64
) -> tuple[int, int]:
    """Wins and ties of hole (2) on board (n) against one of hands (m, 2) in deals first …, all uint8."""
    ranking = tables[0]
    keys = ranking["card_key"]
    win, tie = 0, 0
    for sample in range(first, first + samples):
        key = key_of(seed, np.uint64(sample))
        other = hands[below(key, np.uint64(0), np.uint64(hands.shape[0]))]
        seen = np.uint64(0)
        for at in range(2):
            seen |= np.uint64(1) << np.uint64(hole[at]) | np.uint64(1) << np.uint64(other[at])
        total, bits = np.uint64(0), np.uint64(0)
        for card in board:
            seen, total, bits = seen | np.uint64(1) << np.uint64(card), total + keys[card], bits | card_bit(card)
        counter, missing = np.uint64(1), 5 - board.shape[0]
        while missing > 0:
            drawn: Int = below(key, counter, np.uint64(52))
            counter += np.uint64(1)
            if not (seen >> drawn) & np.uint64(1):
                seen, total, bits = seen | np.uint64(1) << drawn, total + keys[drawn], bits | card_bit(drawn)
                missing -= 1
        me = strength_of_sum(
            ranking, total + keys[hole[0]] + keys[hole[1]], bits | card_bit(hole[0]) | card_bit(hole[1])
        )
        them = strength_of_sum(
            ranking, total + keys[other[0]] + keys[other[1]], bits | card_bit(other[0]) | card_bit(other[1])
        )
        win += me > them
        tie += me == them
    return win, tie
