"""Vote programs: trees per second on all 72 situations, ours and DEAP in the same run.

    python benchmarks/programs.py

Validates first: both must say the same in every situation of every tree that is timed on DEAP.
"""

from __future__ import annotations

import operator
import statistics
import time
from collections import Counter
from collections.abc import Callable

import numpy as np
from deap import gp
from results import record

from holecard.blackjack.players.programs import VOCABULARY, letters_of, machine, seen, situations
from holecard.blackjack.strategy.letters import LETTERS
from holecard.evolve.trees import TreeEngine, Trees, TreeSettings, sizes_of, text_of
from holecard.seeds import stream

SIZE = 25
DEAP_TREES = 300
OUR_TREES = 2_500
REPEATS = 7


def trees_of_size(count: int) -> Trees:
    planted = TreeEngine(VOCABULARY, TreeSettings(population=150_000)).first(stream(1))
    return np.ascontiguousarray(planted[sizes_of(planted) == SIZE][:count])


class DeapVotes:
    """The same language in DEAP."""

    def __init__(self) -> None:
        self.count: Counter[str] = Counter()
        names = [primitive.name for primitive in VOCABULARY.primitives[: VOCABULARY.leaves]]
        self.views = [tuple(seen(situation)[name] for name in names) for situation in situations()]
        self.primitives = gp.PrimitiveSet("MAIN", len(names))
        self.primitives.renameArguments(**{f"ARG{number}": name for number, name in enumerate(names)})
        self.primitives.addPrimitive(operator.or_, 2, name="Or")
        self.primitives.addPrimitive(lambda a, b, c: a | b | c, 3, name="Or3")
        self.primitives.addPrimitive(operator.and_, 2, name="And")
        self.primitives.addPrimitive(lambda a, b, c: a & b & c, 3, name="And3")
        self.primitives.addPrimitive(operator.not_, 1, name="Not")
        for action in "HSD":
            name = {"H": "HitIf", "S": "StandIf", "D": "DoubleIf"}[action]
            self.primitives.addPrimitive(self._voter(action), 1, name=name)

    def _voter(self, action: str) -> Callable[[bool], bool]:
        def vote(value: bool) -> bool:
            if value:
                self.count[action] += 1
            return value

        return vote

    def once(self, tree: gp.PrimitiveTree) -> object:
        return gp.compile(tree, self.primitives)(*self.views[0])

    def letters(self, tree: gp.PrimitiveTree) -> str:
        call = gp.compile(tree, self.primitives)
        return "".join(self._action(call, view) for view in self.views)

    def _action(self, call: Callable[..., bool], view: tuple[bool, ...]) -> str:
        self.count.clear()
        call(*view)
        best = max("HDS", key=lambda action: self.count[action])
        tied = sum(self.count[action] == self.count[best] for action in "HDS") > 1
        return "S" if tied else best


def seconds(work: Callable[[], object]) -> float:
    """The median of several timings, CPU seconds: other work on the machine does not count."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return statistics.median(times)


def main() -> None:
    ours = trees_of_size(OUR_TREES)
    deap = DeapVotes()
    theirs = [gp.PrimitiveTree.from_string(text_of(VOCABULARY, tree), deap.primitives) for tree in ours[:DEAP_TREES]]
    for tree, codes in zip(theirs, letters_of(ours), strict=False):
        assert deap.letters(tree) == "".join(LETTERS[code] for code in codes)
    print(f"{DEAP_TREES} trees of {SIZE} nodes: DEAP and ours agree in all {len(situations())} situations of each")

    machine().verdicts(ours)
    our_rate = OUR_TREES / seconds(lambda: machine().verdicts(ours))
    once_rate = DEAP_TREES / seconds(lambda: [deap.once(tree) for tree in theirs])
    all_rate = DEAP_TREES / seconds(lambda: [deap.letters(tree) for tree in theirs])
    print(f"ours, 72 situations           {our_rate:12,.0f} trees/s")
    for name, rate in (("compile and call once", once_rate), ("compile, 72 situations", all_rate)):
        record(f"vote programs, DEAP: {name}", our_rate, " trees/s", "DEAP", rate)
        print(f"DEAP, {name:23} {rate:12,.0f} trees/s   ours is {our_rate / rate:6,.0f} times as fast")


if __name__ == "__main__":
    main()
