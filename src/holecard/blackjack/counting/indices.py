"""Indices: the counts at which one action overtakes another, by the exact EVs of shoes in play.

Shoes are drawn by chance at every depth, chosen so that all counts come up, and solved exactly. In every cell of the
chart the lead of one action over another is a smooth function of the count at the decision; where it crosses 0 is the
index. Errors are a jackknife over groups of shoes.
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
from holecard.blackjack.counting.strategy import HIGHEST, LOWEST, Departure, Word
from holecard.blackjack.counting.system import SYSTEMS, CountSystem
from holecard.blackjack.exact.hands import N_VALUES
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.play_value import value_of_play
from holecard.blackjack.exact.returns import NOT_ALLOWED
from holecard.blackjack.exact.solution import Solution, solve
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.strategy.cell import ROWS, Cell, Kind
from holecard.errors import SettingError

FAMILIES: Final[tuple[Word, ...]] = ("stand", "double", "split", "surrender")
"""What is compared with the best of the plainer actions: stand with hit, double with both, the others with all."""
GROUPS: Final = 10
SOLVED: Final = 1200
"""Shoes that are solved by default."""
_POOL: Final = 60
"""Shoes drawn for each one that is solved."""
_SPAN: Final = (-9.0, 11.0)
"""Hi-Lo counts that are to come up equally often; other counts follow."""
_HI_LO: Final = SYSTEMS["Hi-Lo"]
_CELLS: Final = len(Kind) * ROWS * N_VALUES


@dataclass(frozen=True, slots=True, kw_only=True)
class Index:
    """A cell that is played by the count."""

    departure: Departure
    """The cell, both actions and the whole index."""
    crossing: float
    """The count, not rounded, at which both actions are worth the same."""
    stderr: float
    """Of that."""
    frequency: float
    """How often the cell comes up in a round with this choice open."""
    gain: float
    """What the departure adds to the EV of a round, one unit bet at every count."""


class _Places(NamedTuple):
    """Decisions of unsplit hands: first hands by row and upcard, then later ones by hand and upcard."""

    cell: NDArray[np.int64]
    """(d,): the cell of a chart by total."""
    pair: NDArray[np.int64]
    """(d,): the pair's cell of a first hand that may be split, else −1."""
    weight: NDArray[np.float64]
    """(d,): how often it comes up with a full shoe."""
    held: NDArray[np.int64]
    """(d, 10): the cards of hand and upcard, by value."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SolvedShoes:
    """Shoes in play with the exact leads of their decisions: what the indices of every count are found from."""

    whole: Solution
    """The full shoe."""
    left: NDArray[np.int64]
    """(n, 10): cards left of each value before the round."""
    leads: NDArray[np.float64]
    """(n, families, cells): how much the action of a family leads; nan where there is no such choice."""
    held: NDArray[np.float64]
    """(families, cells, 10): the cards of hand and upcard, on average."""
    frequency: NDArray[np.float64]
    """(families, cells): how often the choice comes up in a round."""
    weight: NDArray[np.float64]
    """(n,): how many shoes each stands for, as chance has them."""
    natural: NDArray[np.int64]
    """(m, 10): cards left as chance has them, for what indices gain."""

    def weights(self, system: CountSystem) -> NDArray[np.float64]:
        """(n,): what shoes count for. They were chosen by Hi-Lo's count, which leaves its own averages as they are."""
        own = system.tags == _HI_LO.tags and system.used_as == "true"
        return np.ones_like(self.weight) if own else self.weight

    def at_decision(self, system: CountSystem) -> NDArray[np.float64]:
        """(n, families, cells): the count when the choice comes up."""
        tags = np.array([float(tag) for tag in system.tags])
        running = running_counts(system, self.whole.rules, self.left)[:, None, None] + self.held @ tags
        return used_count(system, running, self.left.sum(axis=1)[:, None, None] - self.held.sum(axis=2))


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
    places = _places(whole)
    natural = draw_shoes(rules, _POOL * shoes, seed)
    counts = used_count(_HI_LO, running_counts(_HI_LO, rules, natural), natural.sum(axis=1))
    chosen, weight = _spread_out(counts, shoes, seed)
    decks = [Composition.of_values(tuple(int(count) for count in natural[at])) for at in chosen]

    def leads_of_cells(solution: Solution) -> NDArray[np.float64]:
        found = _leads_of(solution.odds, solution.first_returns)
        return np.stack([_mean_by_cell(places, found, family, found[family]) for family in range(len(FAMILIES))])

    leads = solved_rows(decks, rules, leads_of_cells, threads=threads, executor=executor, progress=progress, kept=kept)
    full = _leads_of(whole.odds, whole.first_returns)
    families = range(len(FAMILIES))
    held = [[_mean_by_cell(places, full, family, places.held[:, v]) for v in range(N_VALUES)] for family in families]
    return SolvedShoes(
        whole=whole,
        left=natural[chosen],
        leads=leads,
        held=np.moveaxis(np.array(held), 1, 2),
        frequency=np.stack([_frequency(places, full, family) for family in families]),
        weight=weight,
        natural=natural,
    )


def find_indices(system: CountSystem, shoes: SolvedShoes) -> list[Index]:
    """The indices of every cell that has one, the most valuable first."""
    counts, weights = shoes.at_decision(system), shoes.weights(system)
    natural = used_count(system, running_counts(system, shoes.whole.rules, shoes.natural), shoes.natural.sum(axis=1))
    found = []
    for family in range(len(FAMILIES)):
        for cell in range(_CELLS):
            index = _crossing(shoes.leads[:, family, cell], counts[:, family, cell], weights)
            if index is not None:
                often = float(shoes.frequency[family, cell])
                found.append(_index(system, shoes.whole, (family, cell), index, natural, often))
    return sorted(found, key=lambda each: -each.gain)


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


def _places(whole: Solution) -> _Places:
    odds = whole.odds
    hands, first = odds.hands, odds.first_hands
    later = value_of_play(odds, whole.play).sequences * odds.sequence_probability
    upcards = np.arange(N_VALUES)

    def of(hand: NDArray[np.int64], pair: NDArray[np.int64], weight: NDArray[np.float64]) -> _Places:
        kind = np.where(hands.soft[hand], int(Kind.SOFT), int(Kind.HARD))
        cell = (kind * ROWS + hands.total[hand])[:, None] * N_VALUES + upcards
        pairs = (int(Kind.PAIR) * ROWS + 2 * (pair + 1))[:, None] * N_VALUES + upcards
        held = hands.cards[hand][:, None, :] + np.eye(N_VALUES, dtype=np.int64)
        return _Places(
            cell.ravel(), np.where(pair[:, None] >= 0, pairs, -1).ravel(), weight.ravel(), held.reshape(-1, N_VALUES)
        )

    firsts = of(first.hand, first.pair, first.probability)
    after = of(np.arange(len(hands.size)), np.full(len(hands.size), -1), later)
    return _Places(*(np.concatenate(both) for both in zip(firsts, after, strict=True)))


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


def _chosen_cells(
    places: _Places, leads: NDArray[np.float64], family: int
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The cell of every decision of a family, and which decisions belong to one."""
    splits = family == FAMILIES.index("split")
    cell = places.pair if splits else places.cell
    open_ = ~np.isnan(leads[family]) & (places.weight > 0) & (cell >= 0)
    if not splits:  # a pair that is split by its lead does not tell what its total should do
        split = leads[FAMILIES.index("split")]
        open_ &= ~(split > 0)
    return cell, open_


def _mean_by_cell(
    places: _Places, leads: NDArray[np.float64], family: int, values: NDArray[np.float64] | NDArray[np.int64]
) -> NDArray[np.float64]:
    """(cells,): the mean of a value over the decisions of a family in each cell, by how often they come up."""
    cell, open_ = _chosen_cells(places, leads, family)
    weight = np.bincount(cell[open_], places.weight[open_], _CELLS)
    total = np.bincount(cell[open_], places.weight[open_] * values[open_], _CELLS)
    mean: NDArray[np.float64] = np.divide(total, weight, out=np.full(_CELLS, np.nan), where=weight > 0)
    return mean


def _frequency(places: _Places, leads: NDArray[np.float64], family: int) -> NDArray[np.float64]:
    """(cells,): how often a choice comes up in a round."""
    cell, open_ = _chosen_cells(places, leads, family)
    often: NDArray[np.float64] = np.bincount(cell[open_], places.weight[open_], _CELLS).astype(np.float64)
    return often


class _Fit(NamedTuple):
    """The lead as a function of the count, and where it crosses 0."""

    crossing: float
    stderr: float
    rising: bool
    coefficients: NDArray[np.float64]


def _crossing(leads: NDArray[np.float64], counts: NDArray[np.float64], weights: NDArray[np.float64]) -> _Fit | None:
    """Where a lead crosses 0 within the counts seen; None if it does not."""
    known = ~np.isnan(leads) & ~np.isnan(counts)
    if known.sum() < 5 * GROUPS:
        return None
    x, y, w = counts[known], leads[known], np.sqrt(weights[known])
    whole = _root(x, y, w, None)
    if whole is None:
        return None
    group = np.arange(len(x)) % GROUPS
    others = [_root(x[group != each], y[group != each], w[group != each], whole[0]) for each in range(GROUPS)]
    roots = np.array([other[0] for other in others if other is not None])
    if len(roots) < GROUPS:
        return None
    spread = float(np.sqrt(((roots - roots.mean()) ** 2).sum() * (GROUPS - 1) / GROUPS))
    return _Fit(whole[0], spread, whole[1] > 0, whole[2])


def _root(
    x: NDArray[np.float64], y: NDArray[np.float64], w: NDArray[np.float64], near: float | None
) -> tuple[float, float, NDArray[np.float64]] | None:
    """Where a curve through the points crosses 0 (the crossing nearest to `near`, or to 0), and its slope there."""
    low, high = np.quantile(x, (0.01, 0.99))
    whole = np.polyfit(x, y, 3, w=w)
    roots = [float(root.real) for root in np.roots(whole) if abs(root.imag) < 1e-9 and low <= root.real <= high]
    if not roots:
        return None
    root = min(roots, key=lambda each: abs(each - (near or 0.0)))
    for _ in range(2):  # a straight line near the crossing says it better than a curve through everything
        close = np.abs(x - root) <= 0.2 * (high - low)
        if close.sum() < 20:
            break
        slope, at_zero = np.polyfit(x[close], y[close], 1, w=w[close])
        if slope == 0 or not low <= -at_zero / slope <= high:
            return None
        root = float(-at_zero / slope)
    return root, float(np.polyval(np.polyder(whole), root)), whole


def _index(
    system: CountSystem,
    whole: Solution,
    place: tuple[int, int],
    fit: _Fit,
    natural: NDArray[np.float64],
    frequency: float,
) -> Index:
    """A crossing as people use it: the whole count from which the action is taken."""
    family, number = place
    kind, row, upcard = (int(at) for at in np.unravel_index(number, (len(Kind), ROWS, N_VALUES)))
    cell = Cell(kind=Kind(kind), row=row, upcard=upcard)
    special, plain = FAMILIES[family], _plainer(whole, family, cell)
    half = 0.5 if system.used_as == "true" else 0.0  # a floored count of t stands for t to t + 1
    index = int(np.clip(np.ceil(fit.crossing - half), LOWEST, HIGHEST))
    action, otherwise = (special, plain) if fit.rising else (plain, special)
    usual = np.polyval(fit.coefficients, float(np.median(natural))) > 0
    lead = np.polyval(fit.coefficients, natural)
    gain = float(np.maximum(-lead if usual else lead, 0.0).mean()) * frequency
    return Index(
        departure=Departure(cell=cell, action=action, otherwise=otherwise, index=index),
        crossing=fit.crossing,
        stderr=fit.stderr,
        frequency=frequency,
        gain=gain,
    )


def _plainer(whole: Solution, family: int, cell: Cell) -> Word:
    """What the action of a family is compared with: the best of the plainer actions with a full shoe."""
    if FAMILIES[family] == "stand":
        return "hit"
    words: tuple[Word, ...] = ("hit", "stand") if FAMILIES[family] == "double" else ("hit", "stand", "double")
    hands, first = whole.odds.hands, whole.odds.first_hands
    total = np.zeros(len(words))
    for at, hand in enumerate(first.hand):
        is_here = (
            first.pair[at] >= 0 and 2 * (first.pair[at] + 1) == cell.row
            if cell.kind == Kind.PAIR
            else hands.total[hand] == cell.row and bool(hands.soft[hand]) == (cell.kind == Kind.SOFT)
        )
        if is_here and first.probability[at, cell.upcard] > 0:
            for number, word in enumerate(words):
                value = whole.first_returns[at, cell.upcard, Action[word.upper()]]
                total[number] += first.probability[at, cell.upcard] * (value if value != NOT_ALLOWED else -10.0)
    return words[int(total.argmax())]
