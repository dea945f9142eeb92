"""The entry of a kernel: a function of one buffer, which unpacks the kernel's arguments and calls it.

It stands in the place of what numba writes for callers from Python, which checks every argument again, counts its
references and is a third of a kernel's code. Here `_arguments.in_a_row` has looked at all of them before.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from secrets import token_hex
from typing import Any

from holecard._machine_code import ENTRY

_DATA, _SHAPE, _STRIDES = 16, 32, 40
"""Where numpy keeps an array's address, sizes and strides in an `ndarray`, in bytes (`PyArrayObject_fields`)."""


class NoEntry(Exception):  # noqa: N818 - no error: whoever asks has another way
    """A kernel takes or returns something that no entry knows."""


def entry_of(context: Any, described: Any) -> tuple[str, str, str, bool]:
    """LLVM's code of a kernel's entry, its name, and what it returns (see `MachineCode.result`, `is_tuple`).

    `context` is numba's, `described` its description of the compiled kernel.
    """
    ir: Any = import_module("llvmlite.ir")
    types: Any = import_module("numba.core.types")
    convention, name = context.call_conv, f"{ENTRY}_{token_hex(8)}"  # no two in one process
    module = context.create_module("entry")
    kernel_type = convention.get_function_type(described.restype, described.argtypes)
    kernel = ir.Function(module, kernel_type, described.llvm_func_name)
    word = ir.IntType(64)
    entry = ir.Function(module, ir.FunctionType(ir.IntType(32), [word.as_pointer()]), name)
    builder = ir.IRBuilder(entry.append_basic_block("entry"))
    words = _Words(context, builder, entry.args[0])
    arguments = [part for each in described.argtypes for part in words.take(each)]
    returned_at, raised_at = (builder.alloca(each.type.pointee) for each in kernel.args[:2])
    builder.store(ir.Constant(returned_at.type.pointee, None), returned_at)
    status = builder.call(kernel, [returned_at, raised_at, *arguments], attrs=("noinline",))
    result = context.get_returned_value(builder, described.restype, builder.load(returned_at))
    is_tuple = isinstance(described.restype, types.BaseTuple)
    if isinstance(described.restype, types.BaseNamedTuple):
        raise NoEntry
    returned = ""
    for at, each in enumerate(described.restype.types if is_tuple else [described.restype]):
        returned += words.put(each, builder.extract_value(result, at) if is_tuple else result)
    builder.ret(status)
    return str(module), name, returned, is_tuple


ALLOCATE, FREE = "NRT_MemInfo_alloc_aligned", "NRT_MemInfo_call_dtor"
"""What a kernel calls for a new array, and once nobody refers to it any more."""


def allocator() -> str:
    """LLVM's code of `ALLOCATE` and `FREE` on the C library, so that a kernel needs no runtime of numba's for them.

    For kernels that return no array: nobody else ever sees what these make.
    """
    ir: Any = import_module("llvmlite.ir")
    block: Any = import_module("numba.core.runtime.nrtdynmod")._meminfo_struct_type
    word, byte, module = ir.IntType(64), ir.IntType(8).as_pointer(), ir.Module("allocator")
    malloc = ir.Function(module, ir.FunctionType(byte, [word]), "malloc")
    free = ir.Function(module, ir.FunctionType(ir.VoidType(), [byte]), "free")
    allocate = ir.Function(module, ir.FunctionType(byte, [word, ir.IntType(32)]), ALLOCATE)
    builder = ir.IRBuilder(allocate.append_basic_block("entry"))
    size, align = allocate.args[0], builder.zext(allocate.args[1], word)
    head = word(8 * len(block.elements))
    made = builder.call(malloc, [builder.add(builder.add(size, align), head)])
    with builder.if_then(builder.icmp_unsigned("==", made, byte(None)), likely=False):
        builder.ret(byte(None))
    last = builder.add(builder.add(builder.ptrtoint(made, word), head), align)
    start = builder.sub(last, builder.urem(last, align))
    fields = (word(1), None, None, builder.inttoptr(start, byte), size)  # references, …, data, bytes
    head_of_block = builder.bitcast(made, block.as_pointer())
    for at, (kind, value) in enumerate(zip(block.elements, fields, strict=True)):
        place = builder.gep(head_of_block, [ir.IntType(32)(0), ir.IntType(32)(at)])
        builder.store(kind(None) if value is None else value, place)
    builder.ret(made)
    release = ir.Function(module, ir.FunctionType(ir.VoidType(), [byte]), FREE)
    builder = ir.IRBuilder(release.append_basic_block("entry"))
    builder.call(free, [release.args[0]])
    builder.ret_void()
    for function in (allocate, release):
        function.linkage = "linkonce_odr"
    return str(module)


class _Words:
    """The buffer of an entry, read from its start: arguments, then what is returned."""

    def __init__(self, context: Any, builder: Any, buffer: Any) -> None:
        self._context, self._builder, self._buffer, self._at = context, builder, buffer, 0
        self._ir: Any = import_module("llvmlite.ir")
        self._types: Any = import_module("numba.core.types")

    def take(self, kind: Any) -> Iterator[Any]:
        """The next argument, of a type of numba's, in the parts that a kernel takes it in."""
        types, builder = self._types, self._builder
        if isinstance(kind, types.BaseTuple):
            for each in kind.types:
                yield from self.take(each)
        elif isinstance(kind, types.Array):
            yield from self._array(kind)
        elif not isinstance(kind, types.NoneType):
            yield self._context.data_model_manager[kind].as_argument(builder, self._number(kind))
        else:
            yield self._ir.Constant(self._context.get_argument_type(kind), None)

    def _number(self, kind: Any) -> Any:
        types, builder = self._types, self._builder
        wanted = self._context.get_value_type(kind)
        if isinstance(kind, types.Boolean):
            return builder.icmp_unsigned("!=", builder.load(self._next()), self._ir.IntType(64)(0))
        if isinstance(kind, types.Integer):
            word = builder.load(self._next())
            return word if wanted.width == 64 else builder.trunc(word, wanted)
        if isinstance(kind, types.Float) and kind.bitwidth <= 64:
            number = builder.load(self._next(self._ir.DoubleType()))
            return number if kind.bitwidth == 64 else builder.fptrunc(number, wanted)
        raise NoEntry

    def put(self, kind: Any, value: Any) -> str:
        """Write what is returned; how `struct` reads it."""
        types, builder, word = self._types, self._builder, self._ir.IntType(64)
        if isinstance(kind, types.NoneType):
            return ""
        if isinstance(kind, types.Boolean):
            builder.store(builder.zext(value, word), self._next())
            return "?7x"
        if isinstance(kind, types.Integer):
            widened = builder.sext(value, word) if kind.signed else builder.zext(value, word)
            builder.store(value if kind.bitwidth == 64 else widened, self._next())
            return "q" if kind.signed else "Q"
        if isinstance(kind, types.Float) and kind.bitwidth <= 64:
            double = self._ir.DoubleType()
            builder.store(value if kind.bitwidth == 64 else builder.fpext(value, double), self._next(double))
            return "d"
        raise NoEntry

    def _next(self, kind: Any = None) -> Any:
        place = self._builder.gep(self._buffer, [self._ir.IntType(64)(self._at)])
        self._at += 1
        return place if kind is None else self._builder.bitcast(place, kind.as_pointer())

    def _array(self, kind: Any) -> list[Any]:
        """The parts of an array (who counts its references, its items, the size of one, its address, sizes, strides).

        They are found in the `ndarray`, whose address is the next argument; nobody counts references.
        """
        builder, word, context = self._builder, self._ir.IntType(64), self._context
        given = builder.inttoptr(builder.load(self._next()), word.as_pointer())

        def field(offset: int, kind: Any) -> Any:
            place = builder.gep(given, [word(offset // 8)])
            return builder.load(builder.bitcast(place, kind.as_pointer()))

        def numbers(offset: int) -> list[Any]:
            place = field(offset, word.as_pointer()) if kind.ndim else None
            return [builder.load(builder.gep(place, [word(axis)])) for axis in range(kind.ndim)]

        model = context.data_model_manager[kind]
        parts = dict(zip(model._fields, model.get_argument_type(), strict=True))
        shape, items = numbers(_SHAPE), word(1)
        for size in shape:
            items = builder.mul(items, size)
        found: dict[str, Any] = {
            "meminfo": self._ir.Constant(parts["meminfo"], None),
            "parent": self._ir.Constant(parts["parent"], None),
            "nitems": items,
            "itemsize": word(context.get_abi_sizeof(context.get_data_type(kind.dtype))),
            "data": field(_DATA, parts["data"]),
            "shape": shape,
            "strides": numbers(_STRIDES),
        }
        return [each for name in parts for each in (found[name] if isinstance(found[name], list) else [found[name]])]
