"""Evolve blackjack charts letter by letter: a frozen configuration in, a run directory out.

Every generation is recorded as it was observed and as it truly is: the exact fitness of its observed best and of its
consensus stand beside the observed figures, so that luck can be told from progress.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.exact import optimum, score_many
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.play.kernels import NET, PUSHES, WINS
from holecard.blackjack.play.simulate import simulate_many
from holecard.blackjack.strategy.charts import write_chart
from holecard.blackjack.strategy.strategy import Strategy
from holecard.device import Device
from holecard.evolve.engine import Evolution, Limits
from holecard.evolve.genetic import GeneticEngine
from holecard.evolve.observer import Observer
from holecard.evolve.run_directory import RunDirectory, carry_on
from holecard.evolve.selection import Fitness
from holecard.executor import in_order, job_size
from holecard.studies.consensus import Consensus, consensus_of
from holecard.studies.evolved import AGAIN, DEALING, EvolvedOutcome, card_seed
from holecard.studies.folder import configuration
from holecard.studies.game import Measure
from holecard.studies.genetic_config import GeneticConfig
from holecard.studies.genome import Genomes
from holecard.studies.sharing import evaluate_distinct
from holecard.studies.verdict import Verdict, exact_fitness, judged


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneticOutcome(EvolvedOutcome[GeneticConfig]):
    """How a study ended."""

    winner: Strategy
    """The fittest chart of the last generation."""
    consensus: Consensus
    """What most of the last generation play."""
    best: Strategy
    """The best chart there is of this form, found exactly."""
    verdict: Verdict
    """What the winner is worth."""


class GeneticFitness:
    """The fitness function of a study."""

    def __init__(
        self,
        config: GeneticConfig,
        threads: int | None = None,
        executor: Executor | None = None,
        device: Device = "cpu",
    ) -> None:
        self.config = config
        self.threads, self.executor, self.device = threads, executor, device
        self._known: dict[bytes, float] = {}

    def __call__(self, population: Genomes, generation: int) -> Fitness:
        """The fitness of every genome in that generation, the same on any number of threads and any device."""
        if self.config.fitness == "exact":
            return evaluate_distinct(population, self._exact, self._known)
        return self._sampled(population, generation)

    def _exact(self, genomes: Genomes) -> Fitness:
        encoding = self.config.encoding
        optimum(encoding.rules)  # solved once, before threads would each solve it
        parts = np.array_split(encoding.cells(genomes), -(-len(genomes) // _TABLES))
        size = job_size(len(parts), _PARTS, self.executor) if self.executor else 1
        jobs = [parts[at : at + size] for at in range(0, len(parts), size)]
        evs = in_order(partial(_exact_evs, encoding.rules), jobs, threads=self.threads, executor=self.executor)
        return np.asarray(self.config.measure.of_ev(np.concatenate(list(evs))))

    def _sampled(self, genomes: Genomes, generation: int) -> Fitness:
        config, rules = self.config, self.config.game
        tallies = simulate_many(
            config.encoding.plays(genomes),
            rules,
            config.hands,
            seed=card_seed(config.seed, generation, DEALING),
            own_cards=config.cards == "fresh",
            threads=self.threads,
            executor=self.executor,
            device=self.device,
        )
        if config.measure is Measure.POINTS:
            return np.asarray((tallies[:, WINS] + 0.5 * tallies[:, PUSHES]) / config.hands)
        return np.asarray(tallies[:, NET] / (rules.unit * config.hands))


_TABLES: Final = 64
"""Charts to a pass of exact evaluation: its lanes."""
_PARTS: Final = 8
"""Passes to a job on an executor at least, some 60 ms."""


def _exact_evs(rules: Rules, parts: Sequence[NDArray[np.uint8]]) -> Fitness:
    """The exact EVs of charts, pass after pass."""
    return np.concatenate([score_many(cells, rules).ev for cells in parts])


def run(
    config: GeneticConfig | None,
    folder: Path,
    *,
    resume: bool = False,
    threads: int | None = None,
    executor: Executor | None = None,
    device: str = "auto",
    observer: Observer | None = None,
    command: Sequence[str] | None = None,
) -> GeneticOutcome:
    """Run a study in `folder` to its end, or go on with the one that lies there; writes the winner and the consensus.

    Fitness is computed on threads here, or on an `executor`; either way the run is the same to the bit. A resumed run
    keeps the configuration it began with.
    """
    config = configuration(config, folder, GeneticConfig, resume=resume)
    limits = Limits(generations=config.generations, stagnation=config.stagnation)
    evolution = Evolution(GeneticEngine(config.encoding.alphabet, config), seed=config.seed, limits=limits)
    fitness = GeneticFitness(config, threads, executor, "cpu" if executor else config.device_for(device))
    run = RunDirectory.open(folder) if resume else RunDirectory.create(folder, config.options(), command)
    carry_on(evolution, lambda: _step(evolution, fitness), run, steps=config.generations, observer=observer)
    outcome = _outcome(config, run, evolution, threads)
    run.write("winner.txt", write_chart(outcome.winner))
    run.write("consensus.txt", write_chart(config.encoding.strategy(outcome.consensus.letters, name="consensus")))
    return outcome


def _step(evolution: Evolution, fitness: GeneticFitness) -> dict[str, Any]:
    """One generation: evaluate, record, breed."""
    config, encoding = fitness.config, fitness.config.encoding
    population = evolution.ask()
    told = fitness(population, evolution.generation)
    record = evolution.tell(told)
    consensus = consensus_of(population, encoding)
    best = encoding.strategy(population[int(told.argmax())])
    return {
        **record.as_dict(),
        "exact": exact_fitness(best, config.game, config.measure),
        "exact_consensus": exact_fitness(encoding.strategy(consensus.letters), config.game, config.measure),
        "consensus": consensus.as_dict(),
    }


def _outcome(config: GeneticConfig, run: RunDirectory, evolution: Evolution, threads: int | None) -> GeneticOutcome:
    encoding, rules = config.encoding, config.game
    assert evolution.fitness is not None
    winner = encoding.strategy(evolution.champion(), name="winner")
    consensus = consensus_of(evolution.population, encoding)
    best = optimum(rules).strategy()
    verdict = judged(
        winner,
        consensus=encoding.strategy(consensus.letters),
        best=best,
        rules=rules,
        measure=config.measure,
        observed=float(evolution.fitness.max()),
        seed=card_seed(config.seed, evolution.generation, AGAIN),
        threads=threads,
    )
    return GeneticOutcome(
        config=config,
        run=run,
        generations=evolution.generation + 1,
        winner=winner,
        consensus=consensus,
        best=best,
        verdict=verdict,
    )
