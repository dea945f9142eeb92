"""Tree genetic programming, independent of what the trees are about.

A `Language` is what trees may be made of; a tree is a row of its codes in prefix order; a `TreeEngine` breeds them;
`interpret` runs one on values, a `BooleanMachine` thousands on every situation at once; `parse_tree` and `text_of` read
and write `HitIf(And(Has16,Not(HasAce)))`; `simplified` shortens without changing what a program does.
"""

from holecard.evolve.registry import TreeSettings
from holecard.evolve.trees.boolean import BooleanMachine, Verdicts
from holecard.evolve.trees.engine import TreeEngine
from holecard.evolve.trees.language import Language, Primitive, Tally, constant, function, stateful, terminal
from holecard.evolve.trees.prefix import END, Tree, Trees, depth_of, sizes_of
from holecard.evolve.trees.reference import VoteCount, interpret
from holecard.evolve.trees.simplify import simplified
from holecard.evolve.trees.text import parse_tree, text_of

__all__ = [
    "END",
    "BooleanMachine",
    "Language",
    "Primitive",
    "Tally",
    "Tree",
    "TreeEngine",
    "TreeSettings",
    "Trees",
    "Verdicts",
    "VoteCount",
    "constant",
    "depth_of",
    "function",
    "interpret",
    "parse_tree",
    "simplified",
    "sizes_of",
    "stateful",
    "terminal",
    "text_of",
]
