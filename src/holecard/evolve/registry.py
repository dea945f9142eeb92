"""Every engine by name: what it can be told, what it evolves, and where its code is.

An engine is registered by two things: a frozen dataclass of settings, which becomes options of the command line, and a
line of `ENGINES`. The settings stand here and not beside the engines, because the command line lists options before it
loads numpy; an engine is loaded when it is first asked for.

Mutation has no registry as crossover has one (`genetic.CROSSOVERS`). Letters have no order and no distance, so one of
the other letters of the locus is the only change there is; how often it happens is a setting.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from holecard.errors import SettingError, unknown_name
from holecard.settings import check_settings, setting

if TYPE_CHECKING:
    from holecard.evolve.engine import Engine

MOST_NODES: Final = 32_767
"""Nodes of a tree at most: places in it are int16."""


@dataclass(frozen=True, kw_only=True)
class GeneticSettings:
    """A genetic algorithm on letters; by default roulette, one-point crossover, one letter in a hundred changed."""

    population: int = setting(100, low=2, high=100_000, help="Individuals in a generation.")
    selection: str = setting(
        "roulette", choices=("roulette", "windowed", "tournament", "rank"), help="How parents are drawn."
    )
    tournament_size: int = setting(3, low=1, help="Entrants of a tournament.")
    crossover: str = setting("single-point", choices=("single-point", "two-point", "uniform"), help="How parents mix.")
    crossover_rate: float = setting(1.0, low=0, high=1, help="The chance that a pair mixes.")
    """Otherwise its children are copies."""
    mutation_rate: float = setting(0.01, low=0, high=1, flag="--mutation", help="The chance of a letter to change.")
    elites: int = setting(2, low=0, help="The fittest that pass unchanged.")
    """They are evaluated again in every generation and never keep a lucky score."""

    def __post_init__(self) -> None:
        check_settings(self)
        if self.elites >= self.population:
            raise SettingError(
                f"elites must be 0 to {self.population - 1}, fewer than the population; got {self.elites}"
            )


_FIRST_DEPTHS: Final = (4, 7)


@dataclass(frozen=True, kw_only=True)
class TreeSettings:
    """Genetic programming with limits of size and depth."""

    population: int = setting(200, low=2, high=1_000_000, help="Trees in a generation.")
    tournament_size: int = setting(4, low=1, help="Entrants of a tournament.")
    elitism: float = setting(0.10, low=0, below=1, help="The share that passes unchanged.")
    crossover_rate: float = setting(0.95, low=0, high=1, help="The chance of a subtree of a second parent.")
    subtree_mutation: float = setting(0.02, low=0, high=1, help="The chance of a new random subtree.")
    point_mutation: float = setting(0.0, low=0, high=1, help="The chance of another primitive at a node.")
    """The primitive has the same number of arguments."""
    hoist_mutation: float = setting(0.0, low=0, high=1, help="The chance of a subtree cut down.")
    """It is replaced by a part of itself."""
    insert_mutation: float = setting(0.0, low=0, high=1, help="The chance of a function above a node.")
    """The node becomes one of its arguments, the others are new."""
    max_size: int = setting(127, low=1, high=MOST_NODES, help="Nodes at most.")
    max_depth: int = setting(17, low=1, help="Depth at most.")
    """In edges; the default is Koza's."""
    parsimony: float = setting(0.0, low=0, help="What a node costs when parents are chosen.")
    """Of equals the smaller tree is chosen in any case."""
    initial_depth: tuple[int, int] = setting(
        _FIRST_DEPTHS, low=0, has_option=False, help="The least and the greatest depth of the first trees."
    )
    """By default no deeper than `max_depth` allows."""
    new_depth: int = setting(4, low=0, has_option=False, help="The greatest depth of a new subtree.")

    def __post_init__(self) -> None:
        check_settings(self)
        if self.initial_depth == _FIRST_DEPTHS:
            least, greatest = (min(depth, self.max_depth) for depth in _FIRST_DEPTHS)
            object.__setattr__(self, "initial_depth", (least, greatest))
        least, greatest = self.initial_depth
        if not least <= greatest <= self.max_depth:
            raise SettingError(f"0 ≤ initial_depth ≤ max_depth is needed; got {self.initial_depth}, {self.max_depth}")


@dataclass(frozen=True, slots=True, kw_only=True)
class TserSettings:
    """Tiered Survival and Elite Reproduction, with PokerNet's defaults."""

    survival: float = setting(0.30, above=0, below=1, help="The share that survives.")
    tiers: bool = setting(True, help="TSER's tiers, or plain truncation.")
    """Truncation: every survivor is kept as it is and reproduces."""
    mutation_rate: tuple[float, float] = setting((0.25, 0.05), low=0, high=1, help="Chance of a gene.")
    """The chance of each gene to be mutated, in the first and in the last generation."""
    mutation_strength: tuple[float, float] = setting((0.50, 0.10), low=0, help="Its deviation.")
    """The standard deviation of a mutation, in the first and in the last generation."""
    crossover: str = setting(
        "interleaved",
        choices=("interleaved", "author"),
        usual="author author, else interleaved",
        help="How elites mix.",
    )
    """Even genes of one elite and odd ones of another, both drawn; or as the program of the paper's author has it: each
    elite in turn with any elite, itself too, and genes counted in his order where they have one."""
    least_elites: int = setting(1, low=1, has_option=False, help="Survivors that are elites in any case.")
    """So many are elites even if they lie below the survivors' mean; the paper wants two."""
    initial_deviation: float = setting(
        0.5, low=0, has_option=False, help="The standard deviation of the first generation's weights."
    )

    def __post_init__(self) -> None:
        check_settings(self)

    def survivors(self, population: int) -> int:
        """How many of a population survive, at least one."""
        return max(1, round(self.survival * population))


@dataclass(frozen=True, slots=True, kw_only=True)
class EsSettings:
    """OpenAI's evolution strategy: a mean that moves uphill through mirrored samples."""

    deviation: tuple[float, float] = setting((0.30, 0.10), above=0, help="The samples' deviation.")
    """The standard deviation of the samples around the mean, in the first and in the last generation."""
    learning_rate: tuple[float, float] = setting((0.3, 0.2), above=0, help="The length of the mean's step.")
    """How far the mean moves, in lengths of a sample's step, in the first and in the last generation."""

    def __post_init__(self) -> None:
        check_settings(self)


EngineSettings = Any
"""The settings of some engine: one of the dataclasses above."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How much an engine of weights has to do with."""

    genes: int
    """Weights of a genome."""
    population: int = 50
    """Individuals in a generation."""
    generations: int = 250
    """Generations over which schedules go from their start to their end."""
    first_deviations: Any = None
    """The standard deviations of the first weights, (genes) float32; None: the engine's own."""
    author_positions: Any = None
    """Every gene's place in the order of the paper's author, (genes) int64; None: as they are."""

    def __post_init__(self) -> None:
        if self.genes < 1:
            raise SettingError(f"a genome needs 1 gene or more; got {self.genes}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A registered engine."""

    settings: type
    """The dataclass of its settings."""
    genomes: str
    """What it evolves: letters, trees or weights."""
    home: str
    """`module:Class` of the engine; the class has `examples`, small engines of the kind."""

    @property
    def engine(self) -> Any:
        """The class of the engine, loaded."""
        module, _, name = self.home.partition(":")
        return getattr(import_module(module), name)


ENGINES: Final[Mapping[str, Entry]] = MappingProxyType(
    {
        "genetic": Entry(settings=GeneticSettings, genomes="letters", home="holecard.evolve.genetic:GeneticEngine"),
        "trees": Entry(settings=TreeSettings, genomes="trees", home="holecard.evolve.trees.engine:TreeEngine"),
        "es": Entry(settings=EsSettings, genomes="weights", home="holecard.evolve.es:EsEngine"),
        "tser": Entry(settings=TserSettings, genomes="weights", home="holecard.evolve.tser:TserEngine"),
    }
)
"""Every engine by name."""


def engines_of(genomes: str) -> dict[str, Entry]:
    """The engines that evolve letters, trees or weights, by name."""
    return {name: entry for name, entry in ENGINES.items() if entry.genomes == genomes}


def engine_named(name: str, genomes: str) -> Entry:
    """The engine of that name; it must evolve such genomes."""
    known = engines_of(genomes)
    if name not in known:
        raise SettingError(unknown_name("engine", name, known))
    return known[name]


def name_of(settings: Any) -> str:
    """The name of the engine that such settings belong to.

    >>> name_of(TserSettings())
    'tser'
    """
    return next(name for name, entry in ENGINES.items() if entry.settings is type(settings))


def examples() -> Iterator[tuple[str, Engine[Any]]]:
    """A small engine or two of every kind, each with a name: what the contract tests run, and a place to start."""
    for name, entry in ENGINES.items():
        for number, engine in enumerate(entry.engine.examples(), 1):
            yield f"{name}-{number}", engine
