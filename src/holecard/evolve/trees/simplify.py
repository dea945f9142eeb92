"""Shorter programs that do the same: the same votes in every situation, and the same value where the value is used.

A part is replaced only if the masks over *all* situations say that nothing changes, so that terminals
exclude each other is used without being told. Parts that vote in some situation are never dropped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product

import numpy as np

from holecard.evolve.trees.boolean import BooleanMachine, Meaning, meaning_of
from holecard.evolve.trees.prefix import Tree, size_of

PHRASE_SIZE = 4
"""Parts without votes are looked up among all expressions of so few nodes."""


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A part of a program with what it says in every situation."""

    code: int
    arguments: tuple[Node, ...]
    mask: int
    """The situations in which it is true, as bits of one integer."""
    votes: bool
    """True if a vote is cast in it in some situation."""
    size: int

    def codes(self) -> list[int]:
        """The part in prefix order."""
        return [self.code, *(code for argument in self.arguments for code in argument.codes())]


def simplified(machine: BooleanMachine, tree: Tree, *, value_matters: bool = False) -> Tree:
    """A program no longer than `tree` that casts the same votes in every situation, and often a much shorter one.

    Where the value matters it stays the same too; where only votes do, as in a program that is run for them, every part
    that neither votes nor decides a vote goes.
    """
    shortener = _shortener(machine)
    node = shortener.read(tree)
    while True:
        shorter = shortener.shorten(node, value_matters)
        if shorter.size >= node.size:
            return np.array(node.codes(), np.int16)
        node = shorter


@lru_cache(maxsize=8)
def _shortener(machine: BooleanMachine) -> _Shortener:
    return _Shortener(machine)  # a phrasebook takes a tenth of a second


class _Shortener:
    def __init__(self, machine: BooleanMachine) -> None:
        self.everywhere = (1 << machine.situations) - 1
        primitives = machine.language.primitives
        self.meanings: Sequence[Meaning] = [meaning_of(primitive) for primitive in primitives]
        self.leaves = machine.language.leaves
        self.masks = [int.from_bytes(mask.astype("<u8").tobytes(), "little") for mask in machine.masks]
        self.pure = [
            code for code in range(self.leaves, len(primitives)) if not self.meanings[code].votes
        ]  # functions that never vote, in the order of the language
        self.phrases = self._phrasebook()

    def read(self, tree: Tree) -> Node:
        """A tree as nodes."""
        stack: list[Node] = []
        for code in tree[: size_of(tree)][::-1]:
            arguments = [stack.pop() for _ in range(self.meanings[code].arity)]
            stack.append(self.node(int(code), arguments))
        return stack.pop()

    def node(self, code: int, arguments: Sequence[Node]) -> Node:
        """The node of a primitive with these arguments."""
        meaning = self.meanings[code]
        if meaning.arity == 0:
            return Node(code, (), self.masks[code], False, 1)
        masks = [argument.mask for argument in arguments]
        casts = any(self._table(table, masks) for table in meaning.votes.values())
        votes = casts or any(argument.votes for argument in arguments)
        size = 1 + sum(argument.size for argument in arguments)
        return Node(code, tuple(arguments), self._table(meaning.value, masks), votes, size)

    def shorten(self, node: Node, value_matters: bool) -> Node:
        """The shortest replacement found for a node, its arguments shortened first."""
        if not node.votes:
            return self._phrase(node, value_matters)
        passes_value = value_matters or bool(self.meanings[node.code].votes)
        node = self.node(node.code, [self.shorten(argument, passes_value) for argument in node.arguments])
        candidates = [other for other in self._replacements(node) if not value_matters or other.mask == node.mask]
        return min(candidates, key=lambda other: other.size, default=node)

    def _phrase(self, node: Node, value_matters: bool) -> Node:
        """The shortest way to say a part that never votes: the phrasebook's, else the part with shorter arguments."""
        if not value_matters:
            return self.node(0, ())
        known = self.phrases.get(node.mask)
        if known is not None:
            return known if known.size < node.size else node
        if not node.arguments:
            return node
        shorter = self.node(node.code, [self._phrase(argument, True) for argument in node.arguments])
        alike = [other for other in self._replacements(shorter) if other.mask == shorter.mask]
        return min(alike, key=lambda other: other.size, default=shorter)

    def _replacements(self, node: Node) -> Iterator[Node]:
        """Smaller nodes with the same votes: the same vote-casting arguments under a simpler function, or one alone.

        A vote that this node itself casts somewhere must stay, so then there are none.
        """
        meaning = self.meanings[node.code]
        masks = [argument.mask for argument in node.arguments]
        if any(self._table(table, masks) for table in meaning.votes.values()):
            return
        for count in range(1, len(node.arguments) + 1):
            for kept in combinations(node.arguments, count):
                if any(argument.votes and argument not in kept for argument in node.arguments):
                    continue
                if count == 1:
                    yield kept[0]
                for code in self.pure:
                    if self.meanings[code].arity == count:
                        yield self.node(code, kept)

    def _phrasebook(self) -> Mapping[int, Node]:
        """The shortest expression without votes for every mask that one of up to `PHRASE_SIZE` nodes can say."""
        book: dict[int, Node] = {}
        by_size: dict[int, list[Node]] = {}
        for size in range(1, PHRASE_SIZE + 1):
            by_size[size] = []
            for node in self._expressions(size, by_size):
                if node.mask not in book:
                    book[node.mask] = node
                    by_size[size].append(node)
        return book

    def _expressions(self, size: int, shorter: Mapping[int, list[Node]]) -> Iterator[Node]:
        if size == 1:
            yield from (self.node(code, ()) for code in range(self.leaves))
            return
        for code in self.pure:
            for sizes in product(range(1, size), repeat=self.meanings[code].arity):
                if sum(sizes) == size - 1:
                    for arguments in product(*(shorter[each] for each in sizes)):
                        yield self.node(code, arguments)

    def _table(self, table: int, masks: Sequence[int]) -> int:
        """The mask of a truth table for arguments with these masks."""
        result = 0
        for row in range(1 << len(masks)):
            if table >> row & 1:
                where = self.everywhere
                for argument, mask in enumerate(masks):
                    where &= mask if row >> argument & 1 else ~mask
                result |= where
        return result
