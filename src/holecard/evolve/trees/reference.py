"""Trees run one at a time by their primitives' own Python: for real values, for arrays, and to judge compiled code."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from holecard.errors import SettingError
from holecard.evolve.trees.language import Language, Tally
from holecard.evolve.trees.prefix import Tree, size_of


class VoteCount:
    """A tally in memory: the votes of each counter."""

    def __init__(self) -> None:
        self.votes: Counter[str] = Counter()

    def add(self, counter: str, amount: Any) -> None:
        """Add votes to a counter."""
        self.votes[counter] += int(amount)


def interpret(language: Language, tree: Tree, inputs: Mapping[str, Any], tally: Tally | None = None) -> Any:
    """The value of a tree where its terminals have the values of `inputs`: numbers, truths, or arrays of them.

    Every argument is evaluated, needed or not, so every vote is counted: into `tally`, which stateful functions need.

    >>> import numpy as np
    >>> from holecard.evolve.trees.language import function, terminal
    >>> from holecard.evolve.trees.text import parse_tree
    >>> numbers = Language.of(terminal("x"), function("Sub", np.subtract), function("Mul", np.multiply))
    >>> interpret(numbers, parse_tree(numbers, "Sub(Mul(x,x),x)"), {"x": np.array([1.0, 2.0, 3.0])})
    array([0., 2., 6.])
    """
    stack: list[Any] = []
    for code in tree[: size_of(tree)][::-1]:
        primitive = language.primitives[code]
        if primitive.call is None:
            stack.append(inputs[primitive.name] if primitive.value is None else primitive.value)
            continue
        arguments = [stack.pop() for _ in range(primitive.arity)]
        if primitive.votes:
            if tally is None:
                raise SettingError(f"{primitive.name} counts votes; give a tally")
            arguments.append(tally)
        stack.append(primitive.call(*arguments))
    return stack.pop()
