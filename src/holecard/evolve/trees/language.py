"""What trees are made of: terminals, constants, functions of any arity, and functions that also count votes."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from holecard.errors import SettingError

_NAME: Final = re.compile(r"[^\s(),]+")


class Tally(Protocol):
    """Where a stateful function leaves its votes. It can add and not read, so values depend on arguments only."""

    def add(self, counter: str, amount: Any) -> None:
        """Add an amount (of votes: true is one) to the counter of that name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Primitive:
    """One word of a language; made by `terminal`, `constant`, `function` or `stateful`."""

    name: str
    """How programs are written; no spaces, commas or brackets."""
    arity: int
    """How many arguments it takes; 0 for terminals and constants."""
    call: Callable[..., Any] | None = None
    """What it does with its arguments; `None` for terminals and constants."""
    votes: bool = False
    """True if `call` takes a `Tally` after its arguments."""
    value: Any = None
    """What a constant is; `None` for everything else."""


def terminal(name: str) -> Primitive:
    """An input: its value comes with the situation a tree is evaluated in."""
    return Primitive(name=name, arity=0)


def constant(name: str, value: Any) -> Primitive:
    """A value that is always the same."""
    return Primitive(name=name, arity=0, value=value)


def function(name: str, call: Callable[..., Any], arity: int | None = None) -> Primitive:
    """A pure function of its arguments; the arity is that of `call` unless given."""
    return Primitive(name=name, arity=_arity(name, call) if arity is None else arity, call=call)


def stateful(name: str, call: Callable[..., Any], arity: int | None = None) -> Primitive:
    """A function that also counts: `call` takes its arguments and then a `Tally`."""
    return Primitive(name=name, arity=_arity(name, call) - 1 if arity is None else arity, call=call, votes=True)


@dataclass(frozen=True)
class Language:
    """The primitives trees are made of. The code of a primitive is its place here: terminals and constants first."""

    primitives: tuple[Primitive, ...]

    def __post_init__(self) -> None:
        ordered = tuple(sorted(self.primitives, key=lambda primitive: primitive.arity > 0))
        object.__setattr__(self, "primitives", ordered)
        names = [primitive.name for primitive in ordered]
        for name in names:
            if not _NAME.fullmatch(name):
                raise SettingError(f"a primitive's name has no spaces, commas or brackets; got {name!r}")
            if names.count(name) > 1:
                raise SettingError(f"two primitives are called {name}")
        if not 0 < self.leaves < len(ordered):
            raise SettingError("a language needs a terminal or constant, and a function")
        for primitive in ordered:
            if primitive.call is not None and primitive.arity < 1:
                raise SettingError(f"{primitive.name} takes {primitive.arity} arguments; a function takes 1 or more")

    @classmethod
    def of(cls, *primitives: Primitive) -> Language:
        """The language of these primitives."""
        return cls(primitives)

    @cached_property
    def leaves(self) -> int:
        """How many primitives take no arguments; their codes are 0 … leaves − 1."""
        return sum(primitive.arity == 0 for primitive in self.primitives)

    @cached_property
    def arities(self) -> NDArray[np.int16]:
        """The arity of every code."""
        return np.array([primitive.arity for primitive in self.primitives], np.int16)

    @cached_property
    def codes(self) -> dict[str, int]:
        """The code of every name."""
        return {primitive.name: code for code, primitive in enumerate(self.primitives)}


def _arity(name: str, call: Callable[..., Any]) -> int:
    if isinstance(call, np.ufunc):
        return call.nin
    try:
        return len(inspect.signature(call).parameters)
    except (TypeError, ValueError):
        raise SettingError(f"cannot tell how many arguments {name} takes; give its arity") from None
