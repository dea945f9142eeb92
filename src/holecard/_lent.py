"""Tuples of many arrays that kernels hand on by address.

numba hands a NamedTuple to a function field by field, and an array in seven words or more: a walk that calls itself
with sixty arrays writes five kilobytes at every step. `_jit.lent` puts the tuple where it stays while its kernel runs,
and hands on the address; a field is read where it is used. Tuples of arrays in it are lent likewise. Who reads fields
by name cannot tell the difference; nobody changes them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core.imputils import impl_ret_borrowed, lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import intrinsic, models, overload, register_model

_BYTES = ir.IntType(8).as_pointer()


class Lent(types.Type):
    """A NamedTuple by address."""

    def __init__(self, kind: Any) -> None:
        """Of the NamedTuple's type, whose own name would fill pages."""
        self.kind = kind
        mark = hashlib.sha256(str(kind).encode()).hexdigest()[:16]
        super().__init__(f"Lent({kind.instance_class.__name__} {mark})")


@register_model(Lent)
class _LentModel(models.PrimitiveModel):
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, _BYTES)


def _is_lent(kind: Any) -> bool:
    """True for a field that is read by address too: a NamedTuple with arrays in it."""
    return isinstance(kind, types.NamedTuple) and any(isinstance(each, types.Array) or _is_lent(each) for each in kind)


@infer_getattr
class _Fields(AttributeTemplate):
    key = Lent

    def generic_resolve(self, lent: Any, name: str) -> Any:  # type: ignore[override] # NotImplemented there
        if name not in lent.kind.fields:
            return None
        field = lent.kind[lent.kind.fields.index(name)]
        return Lent(field) if _is_lent(field) else field


@lower_getattr_generic(Lent)
def _read(context: Any, builder: Any, kind: Any, value: Any, name: str) -> Any:
    at = kind.kind.fields.index(name)
    tuple_at = builder.bitcast(value, context.get_value_type(kind.kind).as_pointer())
    field, field_at = kind.kind[at], _part(builder, tuple_at, at)
    if _is_lent(field):
        return builder.bitcast(field_at, _BYTES)
    return impl_ret_borrowed(context, builder, field, _load(builder, field_at))


def _part(builder: Any, pointer: Any, at: int) -> Any:
    number = ir.IntType(32)
    return builder.gep(pointer, [number(0), number(at)], inbounds=True)


def _load(builder: Any, pointer: Any) -> Any:
    """Load word by word: what is not used is not loaded, and what is used may be loaded again instead of being kept."""
    kind = pointer.type.pointee
    if isinstance(kind, ir.BaseStructType | ir.ArrayType):
        count = kind.count if isinstance(kind, ir.ArrayType) else len(kind.elements)
        found = ir.Constant(kind, ir.Undefined)
        for at in range(count):
            found = builder.insert_value(found, _load(builder, _part(builder, pointer, at)), at)
        return found
    word = builder.load(pointer)
    word.set_metadata("invariant.load", builder.module.add_metadata([]))
    return word


@intrinsic
def _address_of(_: Any, kind: Any) -> Any:
    """The address of a tuple that stays where it is until its kernel ends."""

    def code(context: Any, builder: Any, __: Any, arguments: Any) -> Any:
        with builder.goto_entry_block():
            place = builder.alloca(arguments[0].type)
        builder.store(arguments[0], place)
        whole = ir.FunctionType(_BYTES, [_BYTES])
        # an optimiser that knew what is written there could read a field, which never changes, before it is written
        return builder.asm(whole, "", "=r,0,~{memory}", [builder.bitcast(place, _BYTES)], side_effect=True)

    return Lent(kind)(kind), code


def teach(lent: Callable[[Any], Any]) -> None:
    """Tell numba what `lent` does in kernels."""

    address_of: Any = _address_of

    def lend(given: Any) -> Any:
        def by_address(given: Any) -> Any:
            return address_of(given)

        def as_it_is(given: Any) -> Any:
            return given

        return by_address if _is_lent(given) else as_it_is

    # inline: the tuple is to stay while the kernel runs, not while this does
    overload(lent, strict=False, inline="always")(lend)
