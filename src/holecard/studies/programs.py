"""Evolve programs that vote: ten populations of trees, one per upcard, side by side.

A program is judged by the 72 letters it comes to, so that trees which play alike share one evaluation.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, Final

import numpy as np

from holecard.blackjack.exact import optimum
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.play.simulate import CHUNK
from holecard.blackjack.players.programs import (
    UPCARD_NAMES,
    VOCABULARY,
    letters_of,
    shortened,
    strategy_of,
    write_programs,
)
from holecard.blackjack.strategy.cell import UPCARDS
from holecard.blackjack.strategy.charts import write_chart
from holecard.blackjack.strategy.letters import LETTERS
from holecard.blackjack.strategy.strategy import Strategy
from holecard.device import Device
from holecard.errors import SettingError
from holecard.evolve.engine import Evolution, Generation, Limits, observed
from holecard.evolve.lockstep import Lockstep
from holecard.evolve.observer import Observer
from holecard.evolve.run_directory import RunDirectory, carry_on
from holecard.evolve.selection import Fitness
from holecard.evolve.trees import Tree, TreeConfig, TreeEngine, Trees, sizes_of
from holecard.executor import in_order, job_size
from holecard.seeds import checked_seed, drawn_seed, stream
from holecard.studies.genome import restricted
from holecard.studies.settings import as_options, device_of, study_of
from holecard.studies.sharing import evaluate_shared, sole_heirs
from holecard.studies.upcard_tables import (
    SituationLetters,
    best_letters,
    exact_evs,
    sampled_evs,
    strategy_of_letters,
    upcard_weights,
)
from holecard.studies.verdict import EV, Verdict, exact_fitness, fresh_fitness

KIND: Final = "evolve gp"
FITNESS: Final = ("exact", "sampled")
_DEALING, _AGAIN, _BREEDING = 1, 2, 3
"""Places in the random numbers of a run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramStudy:
    """Genetic programming of one program per upcard."""

    rules: Rules
    """The game; programs hit, stand and double, so splits and surrender are left out of it."""
    fitness: str = "exact"
    """Whether fitness is exact or sampled."""
    hands: int = 1_000
    """Rounds that measure a program, where fitness is sampled; all of a generation play the same ones."""
    population: int = 1_000
    """Trees per upcard; a few hundred settle some 0.002 EV short of the best table."""
    generations: int = 100
    """Generations at most."""
    tournament_size: int = 4
    """Entrants of a tournament."""
    elitism: float = 0.10
    """The share that passes unchanged."""
    crossover_rate: float = 0.95
    """The chance that a child gets a subtree of a second parent."""
    subtree_mutation: float = 0.10
    """The chance that a child gets a new random subtree."""
    point_mutation: float = 0.05
    """The chance that one node of a child becomes another of the same arity."""
    hoist_mutation: float = 0.02
    """The chance that a subtree of a child is replaced by a part of itself."""
    insert_mutation: float = 0.30
    """The chance that a new function is put above a node of a child."""
    max_size: int = 127
    """No tree ever has more nodes."""
    max_depth: int = 17
    """No tree is ever deeper."""
    parsimony: float = 0.0
    """What a node costs when parents are chosen."""
    distinct: bool = True
    """Of programs that play alike only the smallest may breed, so that a population does not go stale."""
    stagnation: int | None = None
    """An upcard stops after so many generations without a new best fitness."""
    seed: int = 0
    """The root of all chance."""

    def __post_init__(self) -> None:
        if self.fitness not in FITNESS:
            raise SettingError(f"fitness must be {' or '.join(FITNESS)}; got {self.fitness!r}")
        if not 1 <= self.hands <= 10**8:
            raise SettingError(f"hands must be 1 to 100,000,000; got {self.hands:,}")
        if (self.rules.limit, self.rules.ace_bonus) != (21, 10):
            raise SettingError("programs speak of totals up to 20 and aces of 11; use limit 21 and ace bonus 10")
        checked_seed(self.seed)
        _ = self.limits, self.breeding, self.game

    @property
    def game(self) -> Rules:
        """The game as programs play it."""
        return restricted(self.rules, "hit-stand-double")

    @property
    def limits(self) -> Limits:
        """When to stop."""
        return Limits(generations=self.generations, stagnation=self.stagnation)

    @property
    def breeding(self) -> TreeConfig:
        """The settings of the engine."""
        own = {field.name for field in fields(ProgramStudy)}
        shared = (field.name for field in fields(TreeConfig) if field.name in own)
        return TreeConfig(**{name: getattr(self, name) for name in shared})

    def device_for(self, device: str) -> Device:
        """Where to play what was asked for."""
        return device_of(device, self.fitness, UPCARDS * self.population * self.hands * self.generations)

    def options(self) -> dict[str, Any]:
        """The configuration as plain JSON; `from_options` reads it back."""
        return as_options(self, KIND)

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> ProgramStudy:
        """The study of a run directory."""
        return study_of(options, KIND, cls)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramOutcome:
    """How a study ended."""

    generations: int
    """Generations evaluated."""
    programs: tuple[Tree, ...]
    """The ten winners, shortened, the ace's first."""
    winner: Strategy
    """The table they play together."""
    best: Strategy
    """The best table by total, ace held and cards held."""
    verdict: Verdict
    """What the winner is worth."""


class Judging:
    """The fitness of all ten populations of a study."""

    def __init__(
        self,
        study: ProgramStudy,
        threads: int | None = None,
        executor: Executor | None = None,
        device: Device = "cpu",
    ) -> None:
        self.study = study
        self.threads, self.executor, self.device = threads, executor, device
        self._known: dict[str, dict[bytes, float]] = {name: {} for name in UPCARD_NAMES}

    def __call__(self, populations: Mapping[str, Trees], generation: int) -> dict[str, Fitness]:
        """The EV per bet of every program against its upcard, the same on any number of threads and any device."""
        optimum(self.study.game)  # solved once, before threads would each solve it

        def job(name: str) -> Fitness:
            upcard = UPCARD_NAMES.index(name)
            exact = self.study.fitness == "exact"

            def evaluate(letters: SituationLetters) -> Fitness:
                return self._evaluated(upcard, letters, generation)

            letters, known = letters_of(populations[name]), self._known[name] if exact else None
            fitness = evaluate_shared(letters, evaluate, known)
            if not self.study.distinct:
                return fitness
            return np.where(sole_heirs(letters, sizes_of(populations[name])), fitness, np.nan)

        threads = 1 if self.device == "cuda" else self.threads
        if self.executor:
            threads = len(populations)  # they only wait
        return dict(zip(populations, in_order(job, populations, threads=threads), strict=True))

    def _evaluated(self, upcard: int, letters: SituationLetters, generation: int) -> Fitness:
        """The EVs of different programs against an upcard, in one piece here or in several on the executor."""
        study = self.study
        if study.fitness == "exact":
            evaluate, rows = partial(_exact_part, upcard, study.game), _EXACT_ROWS
        else:
            seed = drawn_seed(stream(study.seed, generation, _DEALING, upcard))
            evaluate = partial(_sampled_part, upcard, study.game, study.hands, seed, self.device)
            rows = max(_SAMPLED_ROWS, CHUNK // study.hands)
        if self.executor is None:
            return evaluate(letters)
        size = job_size(len(letters), rows, self.executor)
        parts = (letters[at : at + size] for at in range(0, len(letters), size))
        return np.concatenate(list(in_order(evaluate, parts, executor=self.executor)))


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


def run_study(
    study: ProgramStudy,
    run: RunDirectory,
    *,
    threads: int | None = None,
    executor: Executor | None = None,
    device: str = "auto",
    observer: Observer | None = None,
) -> ProgramOutcome:
    """Carry a study on to its end, from its checkpoint if it has one, and write programs, winner and consensus."""
    lockstep = Lockstep({name: _evolution(study, upcard) for upcard, name in enumerate(UPCARD_NAMES)})
    judging = Judging(study, threads, executor, "cpu" if executor else study.device_for(device))
    carry_on(lockstep, lambda: _step(lockstep, judging), run, steps=study.generations, observer=observer)
    consensus = strategy_of_letters(_consensus(lockstep), name="consensus")
    outcome = _outcome(study, lockstep, consensus, threads)
    run.write("programs.txt", write_programs(outcome.programs))
    run.write("winner.txt", write_chart(outcome.winner))
    run.write("consensus.txt", write_chart(consensus))
    return outcome


def _evolution(study: ProgramStudy, upcard: int) -> Evolution:
    seed = drawn_seed(stream(study.seed, _BREEDING, upcard))
    return Evolution(TreeEngine(VOCABULARY, study.breeding), seed=seed, limits=study.limits)


def _step(lockstep: Lockstep, judging: Judging) -> dict[str, Any]:
    """One generation of all upcards that go on: evaluate, record, breed."""
    study, generation = judging.study, lockstep.generation
    populations = lockstep.ask()
    fitness = judging(populations, generation)
    records = lockstep.tell(fitness)
    letters, figures = [], []
    for name, evolution in lockstep.evolutions.items():
        if name in records:
            best = populations[name][int(np.nanargmax(fitness[name]))]
            figures.append(_figures(records[name]))
        else:
            assert evolution.fitness is not None
            best = evolution.champion()
            figures.append(_figures(observed(evolution.fitness, evolution.generation)))
        letters.append(letters_of(best[None])[0])
    weights = upcard_weights(study.game)
    table = strategy_of_letters(np.stack(letters))
    return {
        "generation": generation,
        "best": float(sum(weight * each["best"] for weight, each in zip(weights, figures, strict=True))),
        "mean": float(sum(weight * each["mean"] for weight, each in zip(weights, figures, strict=True))),
        "exact": exact_fitness(table, study.game),
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


def _outcome(study: ProgramStudy, lockstep: Lockstep, consensus: Strategy, threads: int | None) -> ProgramOutcome:
    evolutions, game = lockstep.evolutions.values(), study.game
    programs = tuple(shortened(evolution.champion()) for evolution in evolutions)
    winner = strategy_of(programs, name="winner")
    best = strategy_of_letters(best_letters(game), name="best")
    bests = [float(each.fitness.max()) for each in evolutions if each.fitness is not None]
    assert len(bests) == UPCARDS
    seed = drawn_seed(stream(study.seed, lockstep.generation, _AGAIN))
    verdict = Verdict(
        measure=EV,
        observed=float(np.dot(upcard_weights(game), bests)),
        exact=exact_fitness(winner, game),
        fresh=fresh_fitness(winner, game, seed=seed, threads=threads),
        consensus=exact_fitness(consensus, game),
        optimum=exact_fitness(best, game),
    )
    return ProgramOutcome(generations=lockstep.generation, programs=programs, winner=winner, best=best, verdict=verdict)
