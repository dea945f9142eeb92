"""Every engine by name, with a small example of each: what the contract tests run, and a place to start from."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from holecard.evolve.engine import Engine
from holecard.evolve.genetic import GeneticConfig, GeneticEngine, bits
from holecard.evolve.trees import Language, TreeConfig, TreeEngine, function, terminal
from holecard.evolve.tser import TserConfig, TserEngine


def _genetic() -> GeneticEngine:
    return GeneticEngine(GeneticConfig(alphabet=bits(40), population=30))


def _letters() -> GeneticEngine:
    alphabet = ((0, 1, 2), (1, 3), (7,)) * 8
    return GeneticEngine(
        GeneticConfig(alphabet=alphabet, population=31, selection="tournament", crossover="uniform", elites=3)
    )


def _trees() -> TreeEngine:
    logic = Language.of(
        terminal("a"),
        terminal("b"),
        function("Not", lambda x: not x),
        function("And", lambda x, y: x and y),
        function("If", lambda x, y, z: y if x else z),
    )
    config = TreeConfig(
        population=40,
        initial_depth=(2, 4),
        max_size=40,
        subtree_mutation=0.1,
        point_mutation=0.1,
        hoist_mutation=0.1,
        insert_mutation=0.1,
    )
    return TreeEngine(logic, config)


def _tser() -> TserEngine:
    return TserEngine(TserConfig(genes=30, population=20, generations=12))


ENGINES: Final[Mapping[str, Callable[[], Engine]]] = MappingProxyType(
    {"genetic": _genetic, "genetic-letters": _letters, "trees": _trees, "tser": _tser}
)
"""Makers of a small engine of every kind."""
