"""Boolean programs on every situation at once: a situation is a bit, so one machine word is 64 of them.

A terminal is a mask over the situations; a function works on whole words; a counter of votes is kept bit-sliced, one
word for the ones, one for the twos, one for the fours, so that casting a vote in 64 situations is a ripple of carries.
What each function does is found by calling it on every combination of truths: there is no second copy of it here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard.errors import SettingError
from holecard.evolve.trees.boolean_kernel import LANES, MOST_ARGUMENTS, Code, run, scratch_for
from holecard.evolve.trees.language import Language, Primitive
from holecard.evolve.trees.prefix import Trees
from holecard.evolve.trees.reference import VoteCount

Masks = NDArray[np.uint64]
"""One bit per situation along the last axis, the first situation the lowest bit of the first word."""

_ALL: Final = np.uint64(0xFFFFFFFFFFFFFFFF)
_GATE_ARGUMENTS: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts:
    """What a population says in every situation."""

    values: Masks
    """The value of each tree, shape (trees, words)."""
    winners: Masks
    """Where each counter has strictly the most votes, shape (trees, words, counters)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meaning:
    """A boolean primitive by its truth table: bit i is its result where argument k is bit k of i."""

    arity: int
    """How many arguments it takes."""
    value: int
    """The truth table of its value."""
    votes: Mapping[str, int]
    """Per counter, the truth table of its vote."""


class BooleanMachine:
    """A boolean language compiled for a fixed set of situations."""

    def __init__(self, language: Language, inputs: Mapping[str, NDArray[np.bool_]]) -> None:
        """`inputs` gives each terminal its truth in every situation, shape (situations,)."""
        self.language = language
        self.situations = _situations(language, inputs)
        self.everywhere = pack(np.ones(self.situations, np.bool_))
        self.masks = np.array(
            [
                pack(np.broadcast_to(inputs[each.name] if each.value is None else bool(each.value), self.situations))
                for each in language.primitives[: language.leaves]
            ]
        )
        meanings = [meaning_of(primitive) for primitive in language.primitives]
        self.counters = tuple(dict.fromkeys(counter for meaning in meanings for counter in meaning.votes))
        self._code = _encode(meanings, self.counters, self.masks)

    @property
    def words(self) -> int:
        """Machine words to a mask."""
        return int(self.masks.shape[1])

    def verdicts(self, trees: Trees) -> Verdicts:
        """The value and the winning counters of every tree in every situation. The trees must be whole."""
        count, width = trees.shape
        values = np.empty((count, self.words), np.uint64)
        winners = np.empty((count, self.words, len(self.counters)), np.uint64)
        run(trees, self._code, values, winners, scratch_for(width, len(self.counters)))
        return Verdicts(values=values & self.everywhere, winners=winners)

    def agreement(self, trees: Trees, wanted: NDArray[np.bool_]) -> NDArray[np.int64]:
        """In how many situations the value of each tree is the wanted one."""
        wrong = np.bitwise_count(self.verdicts(trees).values ^ pack(wanted)).sum(axis=1, dtype=np.int64)
        return np.asarray(self.situations - wrong)

    def unpack(self, masks: Masks) -> NDArray[np.bool_]:
        """Masks as truths, the last axis being the situations."""
        return unpack(masks, self.situations)


def pack(truths: NDArray[np.bool_]) -> Masks:
    """Truths by situation as a mask, padded with false to whole blocks of words."""
    size = -(-len(truths) // (64 * LANES)) * 64 * LANES
    padded = np.zeros(size, np.bool_)
    padded[: len(truths)] = truths
    return np.packbits(padded, bitorder="little").view("<u8").astype(np.uint64)


def unpack(masks: Masks, situations: int) -> NDArray[np.bool_]:
    """The truths of masks in each of `situations`."""
    little = np.ascontiguousarray(masks).astype("<u8").view(np.uint8)
    return np.unpackbits(little, axis=-1, bitorder="little")[..., :situations].astype(np.bool_)


def meaning_of(primitive: Primitive) -> Meaning:
    """The truth tables of a primitive, found by calling it; a terminal has none."""
    if primitive.call is None:
        return Meaning(arity=0, value=0, votes={})
    if primitive.arity > MOST_ARGUMENTS:
        raise SettingError(
            f"{primitive.name} takes {primitive.arity} arguments; compiled ones {MOST_ARGUMENTS} at most"
        )
    value = 0
    votes: dict[str, int] = {}
    for row, reversed_arguments in enumerate(product((False, True), repeat=primitive.arity)):
        tally = VoteCount()
        extra: tuple[Any, ...] = (tally,) if primitive.votes else ()
        value |= bool(primitive.call(*reversed_arguments[::-1], *extra)) << row
        for counter, amount in tally.votes.items():
            if amount not in (0, 1):
                raise SettingError(f"{primitive.name} casts {amount} votes at once; compiled ones cast one at most")
            votes[counter] = votes.get(counter, 0) | amount << row
    return Meaning(arity=primitive.arity, value=value, votes=votes)


def _situations(language: Language, inputs: Mapping[str, NDArray[np.bool_]]) -> int:
    names = [each.name for each in language.primitives[: language.leaves] if each.value is None]
    if not names or set(names) != set(inputs):
        raise SettingError(f"the inputs must be the terminals {', '.join(names)}; got {', '.join(inputs)}")
    lengths = {len(inputs[name]) for name in names}
    if len(lengths) > 1:
        raise SettingError(f"every input needs the same number of situations; got {sorted(lengths)}")
    return lengths.pop()


def _encode(meanings: list[Meaning], counters: tuple[str, ...], masks: Masks) -> Code:
    codes, words = len(meanings), masks.shape[1]
    code = Code(
        out=np.zeros((codes, words), np.uint64),
        flip=np.zeros(codes, np.uint64),
        blank=np.full((codes, _GATE_ARGUMENTS), _ALL),
        push=np.array([1 - meaning.arity for meaning in meanings], np.int64).view(np.uint64),
        votes=np.zeros(codes, np.uint64),
        counter=np.zeros(codes, np.uint64),
        tabled=np.zeros(codes, np.bool_),
        arity=np.array([meaning.arity for meaning in meanings], np.int64),
        value_table=np.array([meaning.value for meaning in meanings], np.uint64),
        vote_table=np.zeros((codes, len(counters)), np.uint64),
    )
    code.out[: len(masks)] = ~masks
    for which, meaning in enumerate(meanings[len(masks) :], start=len(masks)):
        code.blank[which, : meaning.arity] = 0
        flips = _gate_flips(meaning)
        if flips is None:
            code.tabled[which] = True
            for counter, table in meaning.votes.items():
                code.vote_table[which, counters.index(counter)] = table
        else:
            code.flip[which], code.out[which] = flips
            for counter in meaning.votes:
                code.votes[which], code.counter[which] = 1, counters.index(counter)
    return code


def _gate_flips(meaning: Meaning) -> tuple[np.uint64, np.uint64] | None:
    """How `gate` must flip arguments and result to be this function; `None` if it cannot."""
    if meaning.arity > _GATE_ARGUMENTS or len(meaning.votes) > 1:
        return None
    if any(table != meaning.value for table in meaning.votes.values()):
        return None
    rows = 1 << meaning.arity
    none, everything = np.uint64(0), (1 << rows) - 1
    conjunction, no_argument = 1 << (rows - 1), 1
    return {
        conjunction: (none, none),  # And, and a vote that passes its argument on
        everything ^ conjunction: (none, _ALL),
        no_argument: (_ALL, none),
        everything ^ no_argument: (_ALL, _ALL),  # Or
    }.get(meaning.value)
