"""Evolve programs that vote: ten populations of trees, one per upcard, side by side.

A program is judged by the 72 letters it comes to, so that trees which play alike share one evaluation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np

from holecard.blackjack.exact import optimum
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import VALUES
from holecard.blackjack.play.simulate import CHUNK
from holecard.blackjack.players.programs import VOCABULARY, letters_of, shortened, strategy_of, write_programs
from holecard.blackjack.strategy.cell import UPCARDS
from holecard.blackjack.strategy.charts import write_chart
from holecard.blackjack.strategy.letters import LETTERS
from holecard.blackjack.strategy.strategy import Strategy
from holecard.device import Device
from holecard.evolve.engine import Evolution, Generation, Limits, observed
from holecard.evolve.lockstep import Lockstep
from holecard.evolve.observer import Observer
from holecard.evolve.run_directory import RunDirectory, carry_on
from holecard.evolve.selection import Fitness
from holecard.evolve.trees import Tree, TreeEngine, Trees, sizes_of
from holecard.executor import in_order, job_size
from holecard.seeds import drawn_seed, stream
from holecard.studies.evolved import AGAIN, BREEDING, DEALING, EvolvedOutcome, card_seed
from holecard.studies.folder import configuration
from holecard.studies.game import Measure
from holecard.studies.programs_config import ProgramConfig
from holecard.studies.sharing import evaluate_distinct, smallest_of_equals
from holecard.studies.upcard_columns import (
    SituationLetters,
    best_letters,
    exact_evs,
    sampled_evs,
    strategy_of_letters,
    upcard_weights,
)
from holecard.studies.verdict import Verdict, exact_fitness, judged


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramOutcome(EvolvedOutcome[ProgramConfig]):
    """How a study ended."""

    programs: tuple[Tree, ...]
    """The ten winners, shortened, the ace's first."""
    winner: Strategy
    """The chart they play together."""
    best: Strategy
    """The best chart by total, ace held and cards held."""
    verdict: Verdict
    """What the winner is worth."""


class ProgramFitness:
    """The fitness of all ten populations of a study."""

    def __init__(
        self,
        config: ProgramConfig,
        threads: int | None = None,
        executor: Executor | None = None,
        device: Device = "cpu",
    ) -> None:
        self.config = config
        self.threads, self.executor, self.device = threads, executor, device
        self._known: dict[str, dict[bytes, float]] = {name: {} for name in VALUES}

    def __call__(self, populations: Mapping[str, Trees], generation: int) -> dict[str, Fitness]:
        """The EV per bet of every program against its upcard, the same on any number of threads and any device."""
        optimum(self.config.game)  # solved once, before threads would each solve it

        def job(name: str) -> Fitness:
            upcard = VALUES.index(name)
            exact = self.config.fitness == "exact"

            def evaluate(letters: SituationLetters) -> Fitness:
                return self._evaluated(upcard, letters, generation)

            letters, known = letters_of(populations[name]), self._known[name] if exact else None
            fitness = evaluate_distinct(letters, evaluate, known)
            if not self.config.distinct:
                return fitness
            return np.where(smallest_of_equals(letters, sizes_of(populations[name])), fitness, np.nan)

        threads = 1 if self.device == "cuda" else self.threads
        if self.executor:
            threads = len(populations)  # they only wait
        return dict(zip(populations, in_order(job, populations, threads=threads), strict=True))

    def _evaluated(self, upcard: int, letters: SituationLetters, generation: int) -> Fitness:
        """The EVs of different programs against an upcard, piece by piece, here or on the executor."""
        config = self.config
        if config.fitness == "exact":
            evaluate, rows = partial(_exact_part, upcard, config.game), _EXACT_ROWS
        else:
            seed = card_seed(config.seed, generation, DEALING, upcard)
            evaluate = partial(_sampled_part, upcard, config.game, config.hands, seed, self.device)
            rows = max(_SAMPLED_ROWS, CHUNK // config.hands)
        size = job_size(len(letters), rows, self.executor) if self.executor else max(rows, _EXACT_ROWS)
        parts = (letters[at : at + size] for at in range(0, len(letters), size))
        return np.concatenate(list(in_order(evaluate, parts, threads=1, executor=self.executor)))


_EXACT_ROWS: Final = 4096
"""Programs to a job of exact evaluation on an executor at least, some 50 ms."""
_SAMPLED_ROWS: Final = 256
"""Programs at least to a sampled one: looking for rounds that show the upcard costs as much as some 13 of them."""


def _exact_part(upcard: int, game: Rules, letters: SituationLetters) -> Fitness:
    return exact_evs(upcard, letters, game)


def _sampled_part(
    upcard: int, game: Rules, hands: int, seed: int, device: Device, letters: SituationLetters
) -> Fitness:
    return sampled_evs(upcard, letters, game, hands, seed=seed, device=device)


def run(
    config: ProgramConfig | None,
    folder: Path,
    *,
    resume: bool = False,
    threads: int | None = None,
    executor: Executor | None = None,
    device: str = "auto",
    observer: Observer | None = None,
    command: Sequence[str] | None = None,
) -> ProgramOutcome:
    """Run a study in `folder` to its end, or go on with the one there; writes programs, winner and consensus."""
    config = configuration(config, folder, ProgramConfig, resume=resume)
    lockstep = Lockstep({name: _evolution(config, upcard) for upcard, name in enumerate(VALUES)})
    fitness = ProgramFitness(config, threads, executor, "cpu" if executor else config.device_for(device))
    run = RunDirectory.open(folder) if resume else RunDirectory.create(folder, config.options(), command)
    carry_on(lockstep, lambda: _step(lockstep, fitness), run, steps=config.generations, observer=observer)
    consensus = strategy_of_letters(_consensus(lockstep), name="consensus")
    outcome = _outcome(config, run, lockstep, consensus, threads)
    run.write("programs.txt", write_programs(outcome.programs))
    run.write("winner.txt", write_chart(outcome.winner))
    run.write("consensus.txt", write_chart(consensus))
    return outcome


def _evolution(config: ProgramConfig, upcard: int) -> Evolution:
    seed = drawn_seed(stream(config.seed, BREEDING, upcard))
    limits = Limits(generations=config.generations, stagnation=config.stagnation)
    return Evolution(TreeEngine(VOCABULARY, config), seed=seed, limits=limits)


def _step(lockstep: Lockstep, fitness: ProgramFitness) -> dict[str, Any]:
    """One generation of all upcards that go on: evaluate, record, breed."""
    game, generation = fitness.config.game, lockstep.generation
    populations = lockstep.ask()
    told = fitness(populations, generation)
    records = lockstep.tell(told)
    letters, figures = [], []
    for name, evolution in lockstep.evolutions.items():
        if name in records:
            best = populations[name][int(np.nanargmax(told[name]))]
            figures.append(_figures(records[name]))
        else:
            assert evolution.fitness is not None
            best = evolution.champion()
            figures.append(_figures(observed(evolution.fitness, evolution.generation)))
        letters.append(letters_of(best[None])[0])
    weights = upcard_weights(game)
    together = strategy_of_letters(np.stack(letters))
    return {
        "generation": generation,
        "best": float(sum(weight * each["best"] for weight, each in zip(weights, figures, strict=True))),
        "mean": float(sum(weight * each["mean"] for weight, each in zip(weights, figures, strict=True))),
        "exact": exact_fitness(together, game, Measure.EV),
        "letters": ["".join(LETTERS[code] for code in line) for line in letters],
        "upcards": {name: record.as_dict() for name, record in records.items()},
    }


def _figures(record: Generation) -> dict[str, float]:
    return {"best": record.best, "mean": record.mean}


def _consensus(lockstep: Lockstep) -> SituationLetters:
    """The most common letter of each situation in the ten last generations, shape (10, 72)."""
    populations = [letters_of(evolution.population) for evolution in lockstep.evolutions.values()]
    counts = [[(letters == code).sum(axis=0) for code in range(3)] for letters in populations]
    return np.array(counts).argmax(axis=1).astype(np.uint8)


def _outcome(
    config: ProgramConfig, run: RunDirectory, lockstep: Lockstep, consensus: Strategy, threads: int | None
) -> ProgramOutcome:
    evolutions, game = lockstep.evolutions.values(), config.game
    programs = tuple(shortened(evolution.champion()) for evolution in evolutions)
    winner = strategy_of(programs, name="winner")
    best = strategy_of_letters(best_letters(game), name="best")
    bests = [float(each.fitness.max()) for each in evolutions if each.fitness is not None]
    assert len(bests) == UPCARDS
    verdict = judged(
        winner,
        consensus=consensus,
        best=best,
        rules=game,
        measure=Measure.EV,
        observed=float(np.dot(upcard_weights(game), bests)),
        seed=card_seed(config.seed, lockstep.generation, AGAIN),
        threads=threads,
    )
    return ProgramOutcome(
        config=config,
        run=run,
        generations=lockstep.generation,
        programs=programs,
        winner=winner,
        best=best,
        verdict=verdict,
    )
