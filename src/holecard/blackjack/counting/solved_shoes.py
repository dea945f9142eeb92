"""Shoes in play, solved: how much one action leads another in every cell of a chart, shoe by shoe.

Shoes are drawn by chance at every depth and chosen so that all counts come up. The hands of a cell are averaged by how
likely each is with the cards of the shoe: a hand that they do not make says nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.counting.compositions import NOT_KEPT, draw_shoes, running_counts, solved_rows, used_count
from holecard.blackjack.counting.kept import Kept
from holecard.blackjack.counting.strategy import Word
from holecard.blackjack.counting.system import SYSTEMS, CountSystem
from holecard.blackjack.exact.hands import N_VALUES
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.play_value import value_of_play
from holecard.blackjack.exact.returns import NOT_ALLOWED
from holecard.blackjack.exact.solution import Solution, solve
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.strategy.cell import ROWS, Kind
from holecard.errors import SettingError

FAMILIES: Final[tuple[Word, ...]] = ("stand", "double", "split", "surrender")
"""What is compared with the best of the plainer actions: stand with hit, double with both, the others with all."""
_SPLIT: Final = FAMILIES.index("split")
GROUPS: Final = 10
SOLVED: Final = 1200
"""Shoes that are solved by default."""
_POOL: Final = 60
"""Shoes drawn for each one that is solved."""
_SPAN: Final = (-9.0, 11.0)
"""Hi-Lo counts that are to come up equally often; other counts follow."""
_HI_LO: Final = SYSTEMS["Hi-Lo"]
CELLS: Final = len(Kind) * ROWS * N_VALUES


class Places(NamedTuple):
    """Decisions of unsplit hands: first hands by row and upcard, then later ones by hand and upcard."""

    cell: NDArray[np.int64]
    """(d,): the cell of a chart by total."""
    pair: NDArray[np.int64]
    """(d,): the pair's cell of a first hand that may be split, else −1."""
    sequences: NDArray[np.float64]
    """(hands, 10): sequences of cards that lead the full shoe's best play to a later hand."""
    held: NDArray[np.int64]
    """(d, 10): the cards of hand and upcard, by value."""

    def chances(self, odds: Odds) -> NDArray[np.float64]:
        """(d,): how likely each decision is in a round with these cards."""
        later = self.sequences * odds.sequence_probability
        return np.concatenate([odds.first_hands.probability.ravel(), later.ravel()])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SolvedShoes:
    """Shoes in play with the exact leads of their decisions: what the indices of every count are found from."""

    whole: Solution
    """The full shoe."""
    left: NDArray[np.int64]
    """(n, 10): cards left of each value before the round."""
    place: NDArray[np.int64]
    """(u,): the choices that a full shoe has, family · CELLS + cell."""
    lead: NDArray[np.float64]
    """(n, u): how much the action of the family leads; 0 where the shoe has no such choice."""
    chance: NDArray[np.float64]
    """(n, u): how likely the choice comes up in a round."""
    held: NDArray[np.float64]
    """(n, u, 10): the cards of hand and upcard, on average."""
    frequency: NDArray[np.float64]
    """(u,): how likely the choice comes up in a round with a full shoe."""
    weight: NDArray[np.float64]
    """(n,): how many shoes each stands for, as chance has them."""
    natural: NDArray[np.int64]
    """(m, 10): cards left as chance has them, for what indices gain."""

    def weights(self, system: CountSystem) -> NDArray[np.float64]:
        """(n,): what shoes count for. They were chosen by Hi-Lo's count, which leaves its own averages as they are."""
        own = system.tags == _HI_LO.tags and system.used_as == "true"
        return np.ones_like(self.weight) if own else self.weight

    def at_decision(self, system: CountSystem) -> NDArray[np.float64]:
        """(n, u): the count when the choice comes up."""
        tags = np.array([float(tag) for tag in system.tags])
        running = running_counts(system, self.whole.rules, self.left)[:, None] + self.held @ tags
        return used_count(system, running, self.left.sum(axis=1)[:, None] - self.held.sum(axis=2))


def solve_shoes(
    rules: Rules,
    *,
    shoes: int = SOLVED,
    seed: int = 0,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Callable[[int], None] | None = None,
    kept: Kept = NOT_KEPT,
) -> SolvedShoes:
    """Shoes in play, so many of them, so chosen that low and high counts come up as often as others, and solved."""
    if shoes < 10 * GROUPS:
        raise SettingError(f"indices take {10 * GROUPS} solved shoes or more; got {shoes}")
    whole = solve(rules)
    places = places_of(whole)
    natural = draw_shoes(rules, _POOL * shoes, seed)
    counts = used_count(_HI_LO, running_counts(_HI_LO, rules, natural), natural.sum(axis=1))
    chosen, weight = _spread_out(counts, shoes, seed)
    decks = [Composition.of_values(tuple(int(count) for count in natural[at])) for at in chosen]
    full = choices_in(places, whole)[:, :, 1]
    place = np.flatnonzero(full)

    def choices_of_shoe(solution: Solution) -> NDArray[np.float64]:
        return choices_in(places, solution).reshape(-1, 2 + N_VALUES)[place].astype(np.float32)

    rows = solved_rows(decks, rules, choices_of_shoe, threads=threads, executor=executor, progress=progress, kept=kept)
    return SolvedShoes(
        whole=whole,
        left=natural[chosen],
        place=place,
        lead=rows[:, :, 0],
        chance=rows[:, :, 1],
        held=rows[:, :, 2:],
        frequency=full.ravel()[place],
        weight=weight,
        natural=natural,
    )


def _spread_out(counts: NDArray[np.float64], shoes: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Shoes of the pool so that counts come up equally often where the pool has them, and how many each stands for."""
    low, high = _SPAN
    bins = np.clip(((counts - low) / (high - low) * 40).astype(np.int64), -1, 40)
    order = np.random.default_rng([seed, 1]).permutation(len(counts))
    rank = np.empty(len(counts))
    for each in range(40):
        members = order[bins[order] == each]
        rank[members] = np.arange(len(members))
    rank[(bins < 0) | (bins >= 40)] = np.inf
    chosen: NDArray[np.int64] = np.sort(np.argsort(rank, kind="stable")[:shoes])
    drawn = np.bincount(bins[bins >= 0], minlength=41)
    taken = np.maximum(np.bincount(bins[chosen], minlength=41), 1)
    return chosen, (drawn / taken)[bins[chosen]]


def places_of(whole: Solution) -> Places:
    """The decisions of a game, by its full shoe."""
    odds = whole.odds
    hands, first = odds.hands, odds.first_hands
    upcards = np.arange(N_VALUES)

    def of(hand: NDArray[np.int64], pair: NDArray[np.int64]) -> tuple[NDArray[np.int64], ...]:
        kind = np.where(hands.soft[hand], int(Kind.SOFT), int(Kind.HARD))
        cell = (kind * ROWS + hands.total[hand])[:, None] * N_VALUES + upcards
        pairs = (int(Kind.PAIR) * ROWS + 2 * (pair + 1))[:, None] * N_VALUES + upcards
        held = hands.cards[hand][:, None, :] + np.eye(N_VALUES, dtype=np.int64)
        return cell.ravel(), np.where(pair[:, None] >= 0, pairs, -1).ravel(), held.reshape(-1, N_VALUES)

    firsts = of(first.hand, first.pair)
    after = of(np.arange(len(hands.size)), np.full(len(hands.size), -1))
    cell, pair, held = (np.concatenate(both) for both in zip(firsts, after, strict=True))
    return Places(cell, pair, value_of_play(odds, whole.play).sequences, held)


def _leads_of(odds: Odds, first_returns: NDArray[np.float64]) -> NDArray[np.float64]:
    """(families, d): how much each family's action leads the best of the plainer ones; nan where it is not allowed."""
    first = first_returns.reshape(-1, first_returns.shape[2])
    hit, stand = first[:, Action.HIT], first[:, Action.STAND]
    plain = np.maximum(hit, stand)
    doubled = np.maximum(plain, first[:, Action.DOUBLE])
    every = np.maximum(doubled, first[:, Action.SPLIT])
    rows = [(stand, hit), (first[:, Action.DOUBLE], plain), (first[:, Action.SPLIT], doubled)]
    rows.append((first[:, Action.SURRENDER], every))
    with np.errstate(invalid="ignore"):  # both may be not allowed
        leads = np.stack([np.where((a != NOT_ALLOWED) & (b != NOT_ALLOWED), a - b, np.nan) for a, b in rows])
    later = np.where(odds.hands.size[:, None] > 2, odds.returns.stand - odds.returns.hit, np.nan)
    nothing = np.full((len(FAMILIES) - 1, later.size), np.nan)
    return np.concatenate([leads, np.concatenate([later.reshape(1, -1), nothing])], axis=1)


def choices_in(places: Places, solution: Solution) -> NDArray[np.float64]:
    """(families, cells, 12): lead, chance and mean cards held of every choice of a shoe; 0 where it has none."""
    leads, chance = _leads_of(solution.odds, solution.first_returns), places.chances(solution.odds)
    found = np.zeros((len(FAMILIES), CELLS, 2 + N_VALUES))
    for family in range(len(FAMILIES)):
        cell = places.pair if family == _SPLIT else places.cell
        open_ = ~np.isnan(leads[family]) & (chance > 0) & (cell >= 0)
        if family != _SPLIT:  # a pair that is split by its lead does not tell what its total should do
            open_ &= ~(leads[_SPLIT] > 0)
        at = np.flatnonzero(open_)
        if not len(at):
            continue
        cells, weight = cell[at], chance[at]
        total = np.bincount(cells, weight, CELLS)
        found[family, :, 1] = total
        for column, values in ((0, leads[family]), *((2 + v, places.held[:, v]) for v in range(N_VALUES))):
            means = np.bincount(cells, weight * values[at], CELLS)
            found[family, :, column] = np.divide(means, total, out=means, where=total > 0)
    return found
