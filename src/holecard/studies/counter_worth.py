"""What a counter may expect: the exact EV of its play, and the edges that its bets meet on common shoes.

Shoes are recorded round by round with the best chart. What the cards left add to the EV of a round is known from the
effects of removal, so that no luck of the cards is in it. A counter's bets meet these edges where its count says so:

    expected per round = mean bet · exact EV of its play + mean of bet · edge
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import Executor
from functools import cached_property, lru_cache, partial
from itertools import combinations_with_replacement, product

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.counting.bankrolls import BANDS, add_up_bands
from holecard.blackjack.counting.best import CountSetting, best_count
from holecard.blackjack.counting.correlation import correlation
from holecard.blackjack.counting.effects import Effects, effects_of
from holecard.blackjack.counting.perfect import linear_evs
from holecard.blackjack.counting.recorded import record_shoes
from holecard.blackjack.counting.system import SYSTEMS
from holecard.blackjack.exact import ev_of_strategy, optimum, score_many
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.strategy.strategy import Strategy
from holecard.evolve.selection import Fitness
from holecard.executor import in_order
from holecard.seeds import drawn_seed, stream
from holecard.studies.counter_config import CounterConfig
from holecard.studies.counter_genome import Bits, Counter, bets_of, letters_of, tags_of
from holecard.studies.sharing import evaluate_distinct

_CHARTS = 64
"""Charts to a pass of exact evaluation."""
_SHOES = 3
"""The place of the common shoes in the random numbers of a run."""
Tags = tuple[int, ...]


class CounterWorth:
    """The expectations of a study's counters; the same on any number of threads."""

    def __init__(self, config: CounterConfig, threads: int | None = None, executor: Executor | None = None) -> None:
        self.config, self.threads, self.executor = config, threads, executor
        self.best_chart: Strategy = optimum(config.fresh_game).strategy()
        shoes = record_shoes(self.best_chart, config.game, config.shoes, seed=drawn_seed(stream(config.seed, _SHOES)))
        whole = np.array(Composition.of_rules(config.game).values)
        self._seen = whole - shoes.left
        self._left = shoes.left.sum(axis=1)
        linear = linear_evs(config.fresh_game, shoes.left)
        self._edge = linear - linear.mean()
        self._edge_variance = float((self._edge**2).mean())
        self._sums: dict[Tags, tuple[NDArray[np.float64], NDArray[np.float64], float]] = {}
        self._evs: dict[bytes, float] = {}

    def __call__(self, genomes: Bits) -> Fitness:
        """(n,): the expected bankroll at the end of a session, in units, ruin aside."""
        return self.of(self.evs(genomes), tags_of(genomes), bets_of(genomes))

    def of(self, evs: Fitness, tags: NDArray[np.int64], bets: NDArray[np.int64]) -> Fitness:
        """The same from exact EVs of play, (n, 10) tags and (n, 4) bets."""
        bands = [self._band_sums(tuple(int(tag) for tag in row)) for row in tags]
        shares, edges = (np.array(part) for part in zip(*bands, strict=True))
        per_round = (bets * shares).sum(axis=1) * evs + (bets * edges).sum(axis=1)
        expected: Fitness = self.config.bankroll + self.config.hands * per_round
        return expected

    def evs(self, genomes: Bits) -> Fitness:
        """(n,): the exact EV of a bet by each one's play, from a fresh shoe."""
        return evaluate_distinct(letters_of(genomes), self._exact_evs, self._evs)

    def counter(self, counter: Counter) -> float:
        """The expected end of a session of one counter."""
        return float(self(counter.genome()[None])[0])

    def guided(self, genomes: Bits) -> Fitness:
        """(n,): the expectation less what a count is short of following the edges, so that the way to one is smooth."""
        return self(genomes) - self.shortfall(genomes)

    def shortfall(self, genomes: Bits) -> Fitness:
        """(n,): the guidance times what the correlation of true counts and edges lacks to 1."""
        follows = [self._sums_of(tuple(int(tag) for tag in row))[2] for row in tags_of(genomes)]
        short: Fitness = self.config.guidance * (1.0 - np.array(follows))
        return short

    def correlation(self, tags: Tags) -> float:
        """The betting correlation of tags with this game; 0 where they tell no cards apart."""
        return float(correlation(np.array(tags, np.float64), self.effects.betting))

    @cached_property
    def effects(self) -> Effects:
        """How the game moves with its cards."""
        return _effects(self.config.fresh_game)

    @cached_property
    def best_tags(self) -> Tags:
        """The tags −1, 0, +1 of the highest betting correlation of all that add up to 0 over a pack."""
        return tuple(int(tag) for tag in best_count(CountSetting(effects=self.effects), 1, balanced=True).tags)

    @cached_property
    def best(self) -> Counter:
        """The best counter that a climb finds: the best chart, and tags that no change of one or two betters.

        For given tags the best bets are exact: 8 units in bands whose rounds win on average, else 1.
        """
        starts = (self.best_tags, tuple(int(tag) for tag in SYSTEMS["Hi-Lo"].tags))
        found = max((self._climbed(tags) for tags in starts), key=self._with_best_bets)
        return Counter(chart=self.best_chart, tags=found, bets=self.best_bets(found))

    def best_bets(self, tags: Tags) -> tuple[int, ...]:
        """The best bets of a count with the best chart."""
        shares, edges = self._band_sums(tags)
        return tuple(8 if win > 0 else 1 for win in shares * self._best_ev + edges)

    @cached_property
    def _best_ev(self) -> float:
        return ev_of_strategy(self.best_chart, self.config.fresh_game)

    def _with_best_bets(self, tags: Tags) -> float:
        shares, edges = self._band_sums(tags)
        wins = shares * self._best_ev + edges
        return float(np.where(wins > 0, 8 * wins, wins).sum())

    def _climbed(self, tags: Tags) -> Tags:
        worth = self._with_best_bets(tags)
        while True:
            found = max(_neighbours(tags), key=self._with_best_bets)
            if self._with_best_bets(found) <= worth:
                return tags
            tags, worth = found, self._with_best_bets(found)

    def _band_sums(self, tags: Tags) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """By band of the true count: the share of rounds, and the mean over all rounds of the edges that lie in it."""
        shares, edges, _ = self._sums_of(tags)
        return shares, edges

    def _sums_of(self, tags: Tags) -> tuple[NDArray[np.float64], NDArray[np.float64], float]:
        """Shares and edges by band, and the correlation of the true count with the edge over all rounds."""
        if tags not in self._sums:
            sums, moments, rounds = np.zeros((2, BANDS)), np.zeros(3), len(self._edge)
            add_up_bands(self._seen, self._left, self._edge, np.array(tags, np.int64), sums, moments)
            mean, square, product = moments / rounds
            spread = (max(square - mean**2, 0.0) * self._edge_variance) ** 0.5
            shares, edges = sums / rounds
            self._sums[tags] = shares, edges, float(product / spread) if spread > 0 else 0.0
        return self._sums[tags]

    def _exact_evs(self, letters: NDArray[np.uint8]) -> Fitness:
        rules = self.config.fresh_game
        parts = np.array_split(self.config.encoding.cells(letters), -(-len(letters) // _CHARTS))
        evs = in_order(partial(_scores, rules), parts, threads=self.threads, executor=self.executor)
        return np.concatenate(list(evs))


@lru_cache(maxsize=4)
def _effects(rules: Rules) -> Effects:
    return effects_of(rules)


def _scores(rules: Rules, cells: NDArray[np.uint8]) -> Fitness:
    """The exact EVs of charts, in one pass."""
    return score_many(cells, rules).ev


def _neighbours(tags: Tags) -> Iterable[Tags]:
    """All tags −1, 0, +1 that differ in one or two places."""
    for first, second in combinations_with_replacement(range(len(tags)), 2):
        for one, other in product((-1, 0, 1), repeat=2):
            changed = list(tags)
            changed[first], changed[second] = one, other
            if tuple(changed) != tags:
                yield tuple(changed)
