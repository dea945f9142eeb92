"""Sessions of players who each have a chart, a count and four bets: what is left of a bankroll after so many hands.

The true count is rounded as Python rounds, halves to the even number, and the shoe counts as half a deck at least.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import lean_kernel, rule
from holecard.blackjack.counting.kernels import PACK_SIZE, count_of_tags
from holecard.blackjack.game.dealing import begin_shoe, clear_stamps, collect, is_cut_card_out
from holecard.blackjack.game.round import UNLIMITED, Rounds, cards_on_table
from holecard.blackjack.game.rules import Rules, TableRules
from holecard.blackjack.game.shoe import Composition, check_deck, cut_card
from holecard.blackjack.play.kernels import Block, play_round
from holecard.blackjack.play.small_round import dealt_state
from holecard.errors import RulesError
from holecard.executor import in_order
from holecard.seeds import checked_seed, key_of

BAND_ENDS: Final = (-2, 1, 4)
"""The highest true count of each band of bets but the last: ≤ −2, −1 … +1, +2 … +4, ≥ +5."""
BANDS: Final = len(BAND_ENDS) + 1
_LEAST_CARDS: Final = PACK_SIZE // 2
"""The shoe counts as half a deck at least."""
_JOB: Final = 25
"""Sessions to a job."""


class Gamblers(NamedTuple):
    """Players, one to a row."""

    plays: NDArray[np.uint8]
    """(n, cells): their charts, see `Strategy.plays`."""
    tags: NDArray[np.int64]
    """(n, 13): what a seen card of a rank 2 … K, A adds to the count."""
    bets: NDArray[np.int64]
    """(n, 4): units by band of the true count."""

    def only(self, rows: slice) -> Gamblers:
        """Some of them."""
        return Gamblers(self.plays[rows], self.tags[rows], self.bets[rows])


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionTerms:
    """How long a session is and what it begins with."""

    hands: int
    """Hands at most."""
    bankroll: float
    """Units at the start; a session ends where nothing is left."""


class _Length(NamedTuple):
    """A session as the kernel takes it."""

    hands: int
    bankroll: float
    cut: int
    own_cards: bool
    """Every session has cards of its own, or all have the same."""


@rule
def true_count(running: int, left: int) -> int:
    """The running count per deck left, rounded with halves to the even number.

    >>> true_count(5, 104), true_count(7, 104), true_count(-5, 104), true_count(3, 10)
    (2, 4, -2, 6)
    """
    cards = max(left, _LEAST_CARDS)
    whole = running * PACK_SIZE // cards
    rest = 2 * (running * PACK_SIZE - whole * cards)
    if rest > cards or (rest == cards and whole % 2 != 0):
        whole += 1
    return whole


@rule
def band_of(count: int) -> int:
    """The band of bets of a true count.

    >>> [band_of(count) for count in (-7, -2, -1, 1, 2, 4, 5, 9)]
    [0, 0, 1, 1, 2, 2, 3, 3]
    """
    band = 0
    for end in BAND_ENDS:
        band += int(count > end)
    return band


@lean_kernel
def play_sessions(
    state: Rounds, block: Block, length: _Length, players: Gamblers, paths: NDArray[np.float64], rules: TableRules
) -> None:
    """A session for each player; `paths` float64 (n, hands + 1 or 2) receives the bankroll after every hand.

    With two columns it is the first and the last. Who has less than his bet bets what he has.
    """
    round = state[0]
    shoe = round["shoe"]
    keep_all = paths.shape[1] == length.hands + 1
    for at in range(block.n):
        key = key_of(block.seed, np.uint64(block.first + at if length.own_cards else 0))
        clear_stamps(shoe)
        money, hand = length.bankroll, 0
        paths[at, 0] = money
        while hand < length.hands and money > 0:
            if is_cut_card_out(shoe, length.cut):
                begin_shoe(shoe)
            running = count_of_tags(shoe, players.tags[at])
            units = players.bets[at, band_of(true_count(running, shoe["left"]))]
            bet = min(float(units), money)
            net = play_round(round, key_of(key, np.uint64(hand)), UNLIMITED, players.plays[at], rules)
            money += bet * net / rules.unit
            collect(shoe, cards_on_table(round, rules))
            hand += 1
            if keep_all:
                paths[at, hand] = money
        paths[at, paths.shape[1] - 1] = money
        if keep_all:
            for rest in range(hand + 1, length.hands):
                paths[at, rest] = money


@lean_kernel
def add_up_bands(
    seen: NDArray[np.int64],
    left: NDArray[np.int64],
    edge: NDArray[np.float64],
    tags: NDArray[np.int64],
    sums: NDArray[np.float64],
    moments: NDArray[np.float64],
) -> None:
    """Add rounds and their edges to `sums`, float64 (2, bands), by the band of the true count before each round.

    `seen` (rounds, 10) are cards seen of each value, `left` (rounds,) cards left, `tags` (10,) what a value counts.
    `moments` (3,) receives the sums of the true count, of its square and of its product with the edge.
    """
    for at in range(left.shape[0]):
        running = 0
        for value in range(tags.shape[0]):
            running += seen[at, value] * tags[value]
        count = true_count(running, left[at])
        sums[0, band_of(count)] += 1.0
        sums[1, band_of(count)] += edge[at]
        moments[0] += count
        moments[1] += count * count
        moments[2] += count * edge[at]


def bankrolls(
    players: Gamblers,
    rules: Rules,
    terms: SessionTerms,
    *,
    seed: int,
    own_cards: bool = True,
    threads: int | None = None,
    executor: Executor | None = None,
) -> NDArray[np.float64]:
    """(n,): what each player has left after a session, in units; the same on any number of threads.

    With `own_cards` session i has the cards of number i of the seed, else all have those of number 0.
    """
    parts = _played(players, rules, _length(rules, terms, own_cards), checked_seed(seed), 2, threads, executor)
    return np.concatenate([part[:, -1] for part in parts])


def bankroll_paths(players: Gamblers, rules: Rules, terms: SessionTerms, *, seed: int) -> NDArray[np.float64]:
    """(n, hands + 1): what each player has before the first hand and after every hand of the same sessions."""
    length = _length(rules, terms, own_cards=True)
    parts = _played(players, rules, length, checked_seed(seed), terms.hands + 1, 1, None)
    return np.concatenate(list(parts))


def _length(rules: Rules, terms: SessionTerms, own_cards: bool) -> _Length:
    if rules.shoe != "dealt" or rules.is_infinite:
        raise RulesError("counting needs a shoe that is dealt down; use --shoe dealt and 1 to 8 decks")
    deck = Composition.of_rules(rules)
    check_deck(deck, rules)
    return _Length(terms.hands, float(terms.bankroll), cut_card(deck, rules), own_cards)


def _played(
    players: Gamblers,
    rules: Rules,
    length: _Length,
    seed: int,
    columns: int,
    threads: int | None,
    executor: Executor | None,
) -> Iterator[NDArray[np.float64]]:
    jobs = [(first, players.only(slice(first, first + _JOB))) for first in range(0, len(players.bets), _JOB)]
    return in_order(partial(_session, rules, length, seed, columns), jobs, threads=threads, executor=executor)


def _session(rules: Rules, length: _Length, seed: int, columns: int, job: tuple[int, Gamblers]) -> NDArray[np.float64]:
    """The paths of some players, whose sessions begin at a number."""
    first, players = job
    paths = np.zeros((len(players.bets), columns))
    block = Block(np.uint64(seed), first, len(players.bets))
    play_sessions(dealt_state(Composition.of_rules(rules)), block, length, players, paths, rules.table())
    return paths
