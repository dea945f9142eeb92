"""Evolve blackjack tables letter by letter: a frozen configuration in, a run directory out.

Every generation is recorded as it was observed and as it truly is: the exact fitness of its observed best and of its
consensus stand beside the observed figures, so that luck can be told from progress.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, fields
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.exact import optimum, score_many
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.play.playing import NET, PUSHES, WINS
from holecard.blackjack.play.simulate import simulate_many
from holecard.blackjack.strategy.charts import write_chart
from holecard.blackjack.strategy.strategy import Strategy
from holecard.device import Device
from holecard.errors import SettingError, unknown_name
from holecard.evolve.engine import Evolution, Limits
from holecard.evolve.genetic import GeneticConfig, GeneticEngine
from holecard.evolve.observer import Observer
from holecard.evolve.run_directory import RunDirectory, carry_on
from holecard.evolve.selection import Fitness
from holecard.executor import in_order, job_size
from holecard.seeds import checked_seed, drawn_seed, stream
from holecard.studies.consensus import Consensus, consensus_of
from holecard.studies.genome import Encoding, Genomes, restricted
from holecard.studies.settings import as_options, device_of, study_of
from holecard.studies.sharing import evaluate_shared
from holecard.studies.verdict import Verdict, exact_fitness, fitness_of_ev, fresh_fitness, is_plain, measure_of

KIND: Final = "evolve ga"
CARDS: Final = ("fresh", "common")
FITNESS: Final = ("sampled", "exact")
_DEALING, _AGAIN = 1, 2
"""Places in the random numbers of a run: the cards of a generation, the cards of the champion's last test."""


@dataclass(frozen=True, kw_only=True)
class GeneticStudy:
    """A genetic algorithm on strategy tables; the defaults are the 260-bit algorithm to the letter."""

    rules: Rules
    """The game."""
    actions: str = "hit-stand"
    """What a player may do: hit-stand, hit-stand-double or all."""
    population: int = 100
    """Tables in a generation."""
    generations: int = 100
    """Generations at most."""
    hands: int = 1_000
    """Rounds that measure a table, where fitness is sampled."""
    selection: str = "roulette"
    """How parents are drawn: roulette, windowed, tournament or rank."""
    tournament_size: int = 3
    """Entrants of a tournament."""
    crossover: str = "single-point"
    """How parents mix: single-point, two-point or uniform."""
    crossover_rate: float = 1.0
    """The chance that a pair of parents mixes."""
    mutation_rate: float = 0.01
    """The chance of each letter of a child to become another."""
    elites: int = 2
    """How many of the fittest pass unchanged, to be measured again."""
    cards: str = "fresh"
    """Whether each table plays cards of its own (fresh) or all of a generation the same ones (common)."""
    fitness: str = "sampled"
    """Whether fitness is sampled or exact."""
    stagnation: int | None = None
    """Stop after so many generations without a new best fitness."""
    seed: int = 0
    """The root of all chance."""

    def __post_init__(self) -> None:
        for name, choices in (("cards", CARDS), ("fitness", FITNESS)):
            if getattr(self, name) not in choices:
                raise SettingError(f"{name} must be {' or '.join(choices)}; got {getattr(self, name)!r}")
        if not 1 <= self.hands <= 10**9:
            raise SettingError(f"hands must be 1 to 1,000,000,000; got {self.hands:,}")
        if not 2 <= self.population <= 10**5:
            raise SettingError(f"population must be 2 to 100,000; got {self.population:,}")
        checked_seed(self.seed)
        _ = self.limits, self.breeding
        if self.selection == "roulette" and not is_plain(self.encoding.rules):
            raise SettingError("roulette needs a fitness of 0 or more and an EV can be negative; use --selection rank")

    @cached_property
    def encoding(self) -> Encoding:
        """How genomes become tables."""
        return Encoding(rules=restricted(self.rules, self.actions))

    @property
    def limits(self) -> Limits:
        """When to stop."""
        return Limits(generations=self.generations, stagnation=self.stagnation)

    @property
    def breeding(self) -> GeneticConfig:
        """The settings of the engine."""
        names = (field.name for field in fields(GeneticConfig) if field.name != "alphabet")
        return GeneticConfig(alphabet=self.encoding.alphabet, **{name: getattr(self, name) for name in names})

    def device_for(self, device: str) -> Device:
        """Where to play what was asked for."""
        return device_of(device, self.fitness, self.population * self.hands * self.generations)

    def options(self) -> dict[str, Any]:
        """The configuration as plain JSON; `from_options` reads it back."""
        return as_options(self, KIND)

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> GeneticStudy:
        """The study of a run directory."""
        return study_of(options, KIND, cls)


PRESETS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "classic": {},
        "tuned": {"selection": "tournament", "crossover": "uniform", "cards": "common"},
        "exact": {
            "selection": "tournament",
            "crossover": "uniform",
            "mutation_rate": 0.002,
            "generations": 200,
            "fitness": "exact",
        },
    }
)
"""What each named study changes of the 260-bit algorithm's settings."""


def preset_study(preset: str, rules: Rules, changes: Mapping[str, Any]) -> GeneticStudy:
    """The study of a preset with some settings changed."""
    if preset not in PRESETS:
        raise SettingError(unknown_name("preset", preset, PRESETS))
    return GeneticStudy(rules=rules, **{**PRESETS[preset], **changes})


@dataclass(frozen=True, slots=True, kw_only=True)
class GeneticOutcome:
    """How a study ended."""

    generations: int
    """Generations evaluated."""
    winner: Strategy
    """The fittest table of the last generation."""
    consensus: Consensus
    """What most of the last generation play."""
    best: Strategy
    """The best table there is of this form, found exactly."""
    verdict: Verdict
    """What the winner is worth."""


class Grading:
    """The fitness function of a study."""

    def __init__(
        self,
        study: GeneticStudy,
        threads: int | None = None,
        executor: Executor | None = None,
        device: Device = "cpu",
    ) -> None:
        self.study = study
        self.threads, self.executor, self.device = threads, executor, device
        self._known: dict[bytes, float] = {}

    def __call__(self, population: Genomes, generation: int) -> Fitness:
        """The fitness of every genome in that generation, the same on any number of threads and any device."""
        if self.study.fitness == "exact":
            return evaluate_shared(population, self._exact, self._known)
        return self._sampled(population, generation)

    def _exact(self, genomes: Genomes) -> Fitness:
        encoding = self.study.encoding
        optimum(encoding.rules)  # solved once, before threads would each solve it
        parts = np.array_split(encoding.cells(genomes), -(-len(genomes) // _TABLES))
        size = job_size(len(parts), _PARTS, self.executor) if self.executor else 1
        jobs = [parts[at : at + size] for at in range(0, len(parts), size)]
        evs = in_order(partial(_exact_evs, encoding.rules), jobs, threads=self.threads, executor=self.executor)
        return np.asarray(fitness_of_ev(np.concatenate(list(evs)), encoding.rules))

    def _sampled(self, genomes: Genomes, generation: int) -> Fitness:
        study, rules = self.study, self.study.encoding.rules
        seed = _card_seed(study.seed, generation, _DEALING)
        own = study.cards == "fresh"
        plays = study.encoding.plays(genomes)
        tallies = simulate_many(
            plays,
            rules,
            study.hands,
            seed=seed,
            own_cards=own,
            threads=self.threads,
            executor=self.executor,
            device=self.device,
        )
        if is_plain(rules):
            return np.asarray((tallies[:, WINS] + 0.5 * tallies[:, PUSHES]) / study.hands)
        return np.asarray(tallies[:, NET] / (rules.unit * study.hands))


_TABLES: Final = 64
"""Tables to a pass of exact evaluation: its lanes."""
_PARTS: Final = 8
"""Passes to a job on an executor at least, some 60 ms."""


def _exact_evs(rules: Rules, parts: Sequence[NDArray[np.uint8]]) -> Fitness:
    """The exact EVs of tables, pass after pass."""
    return np.concatenate([score_many(cells, rules).ev for cells in parts])


def run_study(
    study: GeneticStudy,
    run: RunDirectory,
    *,
    threads: int | None = None,
    executor: Executor | None = None,
    device: str = "auto",
    observer: Observer | None = None,
) -> GeneticOutcome:
    """Carry a study on to its end, from its checkpoint if it has one, and write the winner and the consensus.

    Fitness is computed on threads here, or on an `executor`; either way the run is the same to the bit.
    """
    evolution = Evolution(GeneticEngine(study.breeding), seed=study.seed, limits=study.limits)
    grading = Grading(study, threads, executor, "cpu" if executor else study.device_for(device))
    carry_on(evolution, lambda: _step(evolution, grading), run, steps=study.generations, observer=observer)
    outcome = _outcome(study, evolution, threads)
    run.write("winner.txt", write_chart(outcome.winner))
    run.write("consensus.txt", write_chart(study.encoding.strategy(outcome.consensus.letters, name="consensus")))
    return outcome


def _step(evolution: Evolution, grading: Grading) -> dict[str, Any]:
    """One generation: evaluate, record, breed."""
    encoding = grading.study.encoding
    population = evolution.ask()
    fitness = grading(population, evolution.generation)
    record = evolution.tell(fitness)
    consensus = consensus_of(population, encoding)
    exact = exact_fitness(encoding.strategy(population[int(fitness.argmax())]), encoding.rules)
    return {
        **record.as_dict(),
        "exact": exact,
        "exact_consensus": exact_fitness(encoding.strategy(consensus.letters), encoding.rules),
        "consensus": consensus.as_dict(),
    }


def _outcome(study: GeneticStudy, evolution: Evolution, threads: int | None) -> GeneticOutcome:
    encoding, rules = study.encoding, study.encoding.rules
    assert evolution.fitness is not None
    winner = encoding.strategy(evolution.champion(), name="winner")
    consensus = consensus_of(evolution.population, encoding)
    best = optimum(rules).strategy()
    seed = _card_seed(study.seed, evolution.generation, _AGAIN)
    verdict = Verdict(
        measure=measure_of(rules),
        observed=float(evolution.fitness.max()),
        exact=exact_fitness(winner, rules),
        fresh=fresh_fitness(winner, rules, seed=seed, threads=threads),
        consensus=exact_fitness(encoding.strategy(consensus.letters), rules),
        optimum=exact_fitness(best, rules),
    )
    return GeneticOutcome(
        generations=evolution.generation + 1, winner=winner, consensus=consensus, best=best, verdict=verdict
    )


def _card_seed(seed: int, generation: int, purpose: int) -> int:
    return drawn_seed(stream(seed, generation, purpose))
