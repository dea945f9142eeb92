"""Tuples that kernels hand on by address: read as any others, on every level, by functions that call themselves."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np
import pytest

from holecard._jit import kernel, lean_kernel, lent, rule


class Inner(NamedTuple):
    """Arrays a level down."""

    weights: Any
    table: Any


class Sizes(NamedTuple):
    """Numbers alone, which are read as they are."""

    first: int
    factor: float


class Outer(NamedTuple):
    """All that may be in a tuple."""

    numbers: Any
    inner: Inner
    sizes: Sizes
    is_doubled: bool


@rule
def weighed(inner: Inner, at: int) -> float:
    """A rule that is given a tuple within the tuple."""
    return inner.weights[at] * inner.table[at % 2, at]


@rule
def scaled(sizes: Sizes, value: float) -> float:
    """A rule that is given the numbers."""
    return sizes.first + sizes.factor * value


@lean_kernel
def total(outer: Outer, at: int) -> float:
    """Calls itself with the tuple, and writes into its arrays."""
    if at == outer.numbers.shape[0]:
        return 0.0
    outer.numbers[at] += 1.0
    value = weighed(outer.inner, at) * outer.numbers[at]
    return scaled(outer.sizes, value) * (2.0 if outer.is_doubled else 1.0) + total(outer, at + 1)


@lean_kernel
def added(outer: Outer, count: int) -> float:
    """Lends the tuple again and again."""
    found = 0.0
    for _ in range(count):
        found += total(lent(outer), count - count)  # not 0 as it is written: see `lean_kernel`
    return found


@kernel
def first_of(outer: Outer, count: int) -> float:
    """Reads lent arrays where numba counts who holds them."""
    found = 0.0
    for _ in range(count):
        found += weighed(lent(outer).inner, 1)
    return found


def an_outer(is_doubled):
    inner = Inner(np.array([1.0, 2.0, 4.0]), np.arange(6.0).reshape(2, 3))
    return Outer(np.array([3.0, 5.0, 7.0]), inner, Sizes(10, 0.5), is_doubled)


@pytest.mark.parametrize("is_doubled", [False, True])
def test_a_lent_tuple_is_read_as_any_other(is_doubled):
    plain, compiled = an_outer(is_doubled), an_outer(is_doubled)
    expected = sum(in_python(plain) for _ in range(3))
    assert added(compiled, 3) == pytest.approx(expected)
    assert compiled.numbers.tolist() == plain.numbers.tolist() == [6.0, 8.0, 10.0]


def in_python(outer):
    """What one call of `total` returns and does, step by step."""
    found = 0.0
    for at in range(3):
        outer.numbers[at] += 1.0
        value = scaled(outer.sizes, weighed(outer.inner, at) * outer.numbers[at])
        found += 2.0 * value if outer.is_doubled else value
    return found


def test_an_array_is_held_by_as_many_however_often_it_is_lent():
    """numba itself forgets to let go of a tuple in a tuple, once a call."""
    outer, held = an_outer(False), []
    for times in (1, 1000):
        before = sys.getrefcount(outer.inner.table)
        assert first_of(outer, times) == times * 2.0 * 4.0
        held.append(sys.getrefcount(outer.inner.table) - before)
    assert held[0] == held[1]
    assert outer.inner.weights.tolist() == [1.0, 2.0, 4.0]


def test_in_python_it_is_the_tuple_itself():
    outer = an_outer(False)
    assert lent(outer) is outer
