"""What numba finds out again and again while it compiles a kernel, remembered: a tenth of its time.

For every `a + b` it asks all that is known of `+` whether it takes such types, most of which do not, and compares its
settings, some thirty, each time; before every step it lists the variables of every instruction, asking of every part of
it whether it is one of six things. Nothing is decided differently here. All of it is numba's inside, see `_compiler`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any

_depth = threading.local()


@contextmanager
def remembering() -> Iterator[None]:
    """While it lasts, numba remembers; numba's lock keeps other threads out, and a rule is compiled inside a kernel."""
    before, _depth.count = getattr(_depth, "count", 0), getattr(_depth, "count", 0) + 1
    config: Any = import_module("numba.core.targetconfig").TargetConfig
    functions: Any = import_module("numba.core.types.functions").BaseFunction
    instructions: Any = import_module("numba.core.ir").Inst
    usual = (config.__hash__, config.__eq__, functions.get_call_type, instructions._rec_list_vars)
    if before == 0:
        config.__hash__, config.__eq__ = _hash_of_settings, _equal_settings
        functions.get_call_type = _remembered(functions.get_call_type)
        instructions._rec_list_vars = _lister()
    try:
        yield
    finally:
        _depth.count = before
        if before == 0:
            config.__hash__, config.__eq__, functions.get_call_type, instructions._rec_list_vars = usual


def _hash_of_settings(settings: Any) -> int:
    return _hash_of_names(tuple(settings.options))


@cache
def _hash_of_names(names: tuple[str, ...]) -> int:
    """The hash that numba gives to settings: that of their names."""
    return hash(tuple(sorted(names)))


def _equal_settings(one: Any, other: Any) -> Any:
    if not isinstance(other, import_module("numba.core.targetconfig").TargetConfig):
        return NotImplemented
    return (type(one) is type(other) and one._values == other._values) or one.values() == other.values()


def _remembered(usual: Callable[..., Any]) -> Callable[..., Any]:
    """`get_call_type`, which says what a function of numba's returns for types: the first answer is kept.

    Only where the function itself is lowered; what numba compiles from Python depends on settings too.
    """
    known: dict[Any, Any] = {}

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws:
            return usual(self, context, args, kws)
        asked = self, context, args
        found = known.get(asked)
        if found is None:
            found = usual(self, context, args, kws)
            if found is not None and self._impl_keys.get(found.args) == self.typing_key:
                known[asked] = found
        else:
            self._impl_keys[found.args] = self.typing_key
        return found

    return get_call_type


@cache
def _lister() -> Callable[[Any, Any], list[Any]]:
    """`Inst._rec_list_vars`, which lists the variables in a part of an instruction: by the part's type, where known."""
    ir: Any = import_module("numba.core.ir")
    variable, instruction = ir.Var, ir.Inst
    nothing = {str, int, float, bool, complex, type(None), ir.Loc}

    def gather(part: Any, found: list[Any]) -> None:
        kind = type(part)
        if kind in nothing:
            return
        if kind is variable:
            found.append(part)
        elif kind is list or kind is tuple:
            for each in part:
                gather(each, found)
        elif kind is dict:
            for each in part.values():
                gather(each, found)
        elif isinstance(part, variable):
            found.append(part)
        elif isinstance(part, instruction):
            found += part.list_vars()
        elif isinstance(part, (list, tuple)):
            for each in part:
                gather(each, found)
        elif isinstance(part, dict):
            for each in part.values():
                gather(each, found)

    def list_vars(_: Any, part: Any) -> list[Any]:
        found: list[Any] = []
        gather(part, found)
        return found

    return list_vars
