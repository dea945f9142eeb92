"""Evolve card counters of 294 bits: a frozen configuration in, a run directory out.

Every generation is recorded as it was observed and as it may be expected to do (`counter_worth`), with the tags of its
observed best, so that luck can be told from progress.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.counting.bankrolls import Gamblers, SessionTerms, bankroll_paths, bankrolls
from holecard.blackjack.counting.system import SYSTEMS
from holecard.blackjack.strategy.charts import write_chart
from holecard.blackjack.strategy.strategy import GENOME_BITS
from holecard.device import chosen_device
from holecard.errors import SettingError
from holecard.estimate import Estimate
from holecard.evolve.engine import Evolution, Limits
from holecard.evolve.genetic import GeneticEngine, bits
from holecard.evolve.observer import Observer
from holecard.evolve.run_directory import RunDirectory, carry_on
from holecard.evolve.selection import Fitness
from holecard.studies.consensus import Consensus, consensus_of
from holecard.studies.counter_config import CounterConfig
from holecard.studies.counter_genome import BITS, Bits, Counter, bets_of, gamblers_of, letters_of, tags_of
from holecard.studies.counter_worth import CounterWorth
from holecard.studies.evolved import AGAIN, DEALING, EvolvedOutcome, card_seed
from holecard.studies.folder import configuration

FRESH_SESSIONS: Final = 10_000
"""Sessions on which a champion is played again."""
_PATHS: Final = 30
"""Sessions of the winner that are kept hand by hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CounterVerdict:
    """What a winner is worth, in units left after a session, beside others."""

    observed: float
    """The fitness that made it champion, guidance aside."""
    expected: float
    """What it may expect."""
    fresh: Estimate
    """What it had left in fresh sessions."""
    deviation: float
    """How far one session strays from their mean."""
    consensus: float
    """What the consensus of the last generation may expect."""
    flat: float
    """What the best chart may expect that always bets one unit."""
    optimum: float
    """What the best counter of this form that is known may expect."""
    play_ev: float
    """The exact EV of a bet by the winner's play."""
    best_play_ev: float
    """The exact EV of a bet by the best chart."""
    correlation: float
    """The betting correlation of the winner's tags."""

    @property
    def gap(self) -> float:
        """The winner's curse: by how much it looked better than it may expect."""
        return self.observed - self.expected

    def as_dict(self) -> dict[str, Any]:
        """The verdict as plain JSON."""
        names = ("observed", "expected", "deviation", "consensus", "flat", "optimum", "play_ev", "best_play_ev")
        return {
            **{name: getattr(self, name) for name in names},
            "fresh": self.fresh.as_json(),
            "gap": self.gap,
            "betting_correlation": self.correlation,
        }


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CounterOutcome(EvolvedOutcome[CounterConfig]):
    """How a study ended."""

    winner: Counter
    """The fittest of the last generation."""
    consensus: Consensus
    """What most of the last generation play."""
    most_common: Counter
    """The counter of the most common letters, tags and bets."""
    best: Counter
    """The best counter of this form that is known."""
    best_tags: tuple[int, ...]
    """The best tags −1, 0, +1 of a balanced count by betting correlation."""
    correlations: dict[str, float]
    """Betting correlations with this game: of the winner's tags, of Hi-Lo and of the best tags."""
    verdict: CounterVerdict
    """What the winner is worth."""
    paths: NDArray[np.float64]
    """(sessions, hands + 1): the winner's bankroll in fresh sessions."""


class CounterFitness:
    """The fitness function of a study."""

    def __init__(
        self, config: CounterConfig, worth: CounterWorth, threads: int | None = None, executor: Executor | None = None
    ) -> None:
        self.config, self.worth = config, worth
        self.threads, self.executor = threads, executor

    def __call__(self, population: Bits, generation: int) -> Fitness:
        """The fitness of every genome in that generation, the same on any number of threads."""
        if self.config.fitness == "expected":
            return self.worth.guided(population)
        return bankrolls(
            gamblers_of(population, self.config.encoding),
            self.config.game,
            terms_of(self.config),
            seed=card_seed(self.config.seed, generation, DEALING),
            own_cards=self.config.cards == "fresh",
            threads=self.threads,
            executor=self.executor,
        )


def terms_of(config: CounterConfig) -> SessionTerms:
    """The sessions of a study."""
    return SessionTerms(hands=config.hands, bankroll=float(config.bankroll))


def run(
    config: CounterConfig | None,
    folder: Path,
    *,
    resume: bool = False,
    threads: int | None = None,
    executor: Executor | None = None,
    device: str = "auto",
    observer: Observer | None = None,
    command: Sequence[str] | None = None,
) -> CounterOutcome:
    """Run a study in `folder` to its end, or go on with the one that lies there; writes winner and consensus.

    A resumed run keeps the configuration it began with.
    """
    if chosen_device(device, worthwhile=False) == "cuda":
        raise SettingError("counters evolve on processors only; drop --device cuda")
    config = configuration(config, folder, CounterConfig, resume=resume)
    limits = Limits(generations=config.generations, stagnation=config.stagnation)
    evolution = Evolution(GeneticEngine(bits(BITS), config, _rates(config)), seed=config.seed, limits=limits)
    worth = CounterWorth(config, threads, executor)
    fitness = CounterFitness(config, worth, threads, executor)
    run = RunDirectory.open(folder) if resume else RunDirectory.create(folder, config.options(), command)
    carry_on(evolution, lambda: _step(evolution, fitness), run, steps=config.generations, observer=observer)
    outcome = _outcome(config, run, evolution, fitness)
    for name, counter in (("winner", outcome.winner), ("consensus", outcome.most_common)):
        run.write(f"{name}.txt", write_chart(counter.chart))
        run.write(f"{name}-counter.txt", counter.text())
    return outcome


def _rates(config: CounterConfig) -> NDArray[np.float64]:
    """(294,): the chance of each bit to change."""
    rates = np.full(BITS, config.mutation_rate)
    if config.count_mutation is not None:
        rates[GENOME_BITS:] = config.count_mutation
    return rates


def most_common(population: Bits) -> Counter:
    """The counter of the most common bits of play, tags and bets of a population; of equals the lower."""
    play = (2 * population[:, :GENOME_BITS].sum(axis=0, dtype=np.int64) > len(population)).astype(np.uint8)
    tags, bets = tags_of(population), bets_of(population)
    return Counter(
        chart=Counter.of(np.concatenate([play, np.zeros(BITS - GENOME_BITS, np.uint8)]), name="consensus").chart,
        tags=tuple(int(np.bincount(column + 1, minlength=3).argmax()) - 1 for column in tags.T),
        bets=tuple(int(np.bincount(column).argmax()) for column in bets.T),
    )


def _step(evolution: Evolution, fitness: CounterFitness) -> dict[str, Any]:
    """One generation: evaluate, record, breed."""
    worth, encoding = fitness.worth, fitness.config.encoding
    population = evolution.ask()
    told = fitness(population, evolution.generation)
    best = Counter.of(population[int(told.argmax())])
    record = evolution.tell(told)
    common = most_common(population)
    return {
        **record.as_dict(),
        "expected": worth.counter(best),
        "expected_consensus": worth.counter(common),
        "play_ev": float(worth.evs(best.genome()[None])[0]),
        "correlation": worth.correlation(best.tags),
        "tags": list(best.tags),
        "bets": list(best.bets),
        "mean_tags": [round(float(mean), 4) for mean in tags_of(population).mean(axis=0)],
        "mean_bets": [round(float(mean), 4) for mean in bets_of(population).mean(axis=0)],
        "consensus": consensus_of(letters_of(population), encoding).as_dict(),
    }


def _outcome(config: CounterConfig, run: RunDirectory, evolution: Evolution, fitness: CounterFitness) -> CounterOutcome:
    worth = fitness.worth
    assert evolution.fitness is not None
    winner = Counter.of(evolution.champion(), name="winner")
    common = most_common(evolution.population)
    again = card_seed(config.seed, evolution.generation, AGAIN)
    players = gamblers_of(winner.genome()[None], config.encoding)
    ends = bankrolls(
        _copies(players, FRESH_SESSIONS),
        config.game,
        terms_of(config),
        seed=again,
        threads=fitness.threads,
        executor=fitness.executor,
    )
    correlations = {
        "evolved": worth.correlation(winner.tags),
        "Hi-Lo": worth.correlation(tuple(int(tag) for tag in SYSTEMS["Hi-Lo"].tags)),
        "best": worth.correlation(worth.best_tags),
    }
    flat = Counter(chart=worth.best.chart, tags=worth.best.tags, bets=(1, 1, 1, 1))
    verdict = CounterVerdict(
        observed=float(evolution.fitness.max()) + float(worth.shortfall(evolution.champion()[None])[0]),
        expected=worth.counter(winner),
        fresh=Estimate.from_sums(float(ends.sum()), float((ends**2).sum()), len(ends)),
        deviation=float(ends.std(ddof=1)),
        consensus=worth.counter(common),
        flat=worth.counter(flat),
        optimum=worth.counter(worth.best),
        play_ev=float(worth.evs(winner.genome()[None])[0]),
        best_play_ev=float(worth.evs(flat.genome()[None])[0]),
        correlation=correlations["evolved"],
    )
    return CounterOutcome(
        config=config,
        run=run,
        generations=evolution.generation + 1,
        winner=winner,
        consensus=consensus_of(letters_of(evolution.population), config.encoding),
        most_common=common,
        best=worth.best,
        best_tags=worth.best_tags,
        correlations=correlations,
        verdict=verdict,
        paths=bankroll_paths(_copies(players, _PATHS), config.game, terms_of(config), seed=again),
    )


def _copies(player: Gamblers, n: int) -> Gamblers:
    """One player, so many times."""
    plays, tags, bets = player
    return Gamblers(np.repeat(plays, n, axis=0), np.repeat(tags, n, axis=0), np.repeat(bets, n, axis=0))
