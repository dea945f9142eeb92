"""Compiled kernels as files: machine code, loaded and called without the compiler that made it.

numba keeps a kernel as a pickle full of its own types, so that whoever calls a kernel imports all of numba first. Here
a kernel is an object file behind one line of JSON. A file is taken only where all of that line is as expected: what the
kernel's arguments are, the versions of whoever made it, the processor, and the sum of its bytes. Anything else is no
file at all, and the kernel is compiled again. Nothing is ever unpickled.

Linux only: what an object file needs of the process around it is read from the tables of its format (ELF).
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import platform
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final, NamedTuple

_FORMAT: Final = 1
"""Counts changes of the file and of how kernels are called."""
ENTRY: Final = "holecard_entry"
"""What the function is called that unpacks a kernel's arguments: its name begins so."""


class MachineCode(NamedTuple):
    """A kernel for one machine and one kind of arguments."""

    symbol: str
    """The name of its entry."""
    result: str
    """What it returns, as `struct` writes it; nothing for None."""
    is_tuple: bool
    """True if it returns a tuple, be it of one number."""
    needs: tuple[str, ...]
    """Functions that it calls in the process around it."""
    code: bytes
    """An object file."""


def can_be_kept() -> bool:
    """True on machines whose object files are understood here, where nobody has changed how numba compiles."""
    return _is_known_platform() and not any(
        name.startswith("NUMBA_") and name not in ("NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS") for name in os.environ
    )


def _is_known_platform() -> bool:
    return (
        sys.platform == "linux"
        and platform.machine() in ("x86_64", "aarch64")
        and sys.implementation.name == "cpython"
        and object.__basicsize__ == 16  # where an array's fields begin
    )


@cache
def versions() -> str:
    """Who compiles: the text of numba's and llvmlite's own version files, read without importing either."""
    found = []
    for package in ("numba", "llvmlite"):
        spec = find_spec(package)
        file = Path(spec.origin or "").with_name("_version.py") if spec else Path()
        found.append(hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else "absent")
    return " ".join(found)


@cache
def machine() -> str:
    """What code is made for: versions, Python, processor."""
    import numpy as np

    binding = _binding()
    processor = f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"
    python = f"{sys.version_info[0]}.{sys.version_info[1]}"
    return f"{_FORMAT} {versions()} {python} {np.__version__} {binding.get_process_triple()} {processor}"


def file_name(kernel: str, arguments: str) -> str:
    """The name of the file of a kernel with such arguments, on this machine."""
    return f"{kernel}-{hashlib.sha256(f'{machine()} {arguments}'.encode()).hexdigest()[:20]}.code"


def read(path: Path, arguments: str) -> MachineCode | None:
    """What a file holds; None if it is not there, or not exactly what was written for this machine and arguments."""
    try:
        line, _, code = path.read_bytes().partition(b"\n")
        said = json.loads(line)
        expected = {"machine": machine(), "arguments": arguments, "sum": hashlib.sha256(code).hexdigest()}
        if any(said.get(name) != value for name, value in expected.items()):
            return None
        return MachineCode(said["symbol"], said["result"], said["is_tuple"], tuple(said["needs"]), code)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def write(path: Path, arguments: str, made: MachineCode) -> None:
    """Keep a kernel, in one piece; where that is not possible, it is not kept."""
    said = {
        "machine": machine(),
        "arguments": arguments,
        "sum": hashlib.sha256(made.code).hexdigest(),
        "symbol": made.symbol,
        "result": made.result,
        "is_tuple": made.is_tuple,
        "needs": made.needs,
    }
    passing = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            passing.write_bytes(json.dumps(said).encode() + b"\n" + made.code)
            passing.replace(path)
        finally:
            passing.unlink(missing_ok=True)


def load(made: MachineCode) -> Callable[[Any], int] | None:
    """The entry of a kernel, which takes a buffer and returns 0 if all went well; None if the process lacks something.

    It runs without Python's lock. The code stays loaded as long as the process lives.
    """
    binding, engine = _binding(), _engine()
    if any(binding.address_of_symbol(name) is None for name in made.needs):
        return None
    engine.add_object_file(binding.ObjectFileRef.from_data(made.code))
    address = engine.get_function_address(made.symbol)
    entry: Callable[[Any], int] = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p)(address)
    return entry


def undefined_symbols(code: bytes) -> tuple[str, ...]:
    """What an object file calls and does not define, by name; from the symbol table of an ELF file of 64 bits."""
    sections = dict(_sections(code))
    names = sections[b".strtab"]
    found = {
        names[name : names.index(b"\0", name)].decode()
        for name, _, _, section, _, _ in struct.iter_unpack("<IBBHQQ", sections[b".symtab"])
        if name and section == 0
    }
    return tuple(sorted(found))


def _sections(code: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Every section of an ELF file of 64 bits: its name and its bytes."""
    assert code[:6] == b"\x7fELF\x02\x01", "an object file of Linux"
    (table,) = struct.unpack_from("<Q", code, 0x28)
    size, count, of_names = struct.unpack_from("<HHH", code, 0x3A)
    headers = [struct.unpack_from("<IIQQQQ", code, table + size * at) for at in range(count)]
    names = headers[of_names][4]
    for name, kind, _, _, start, length in headers:
        text = code[names + name : code.index(b"\0", names + name)]
        yield text, b"" if kind == 8 else code[start : start + length]  # 8: room, not bytes


@cache
def _binding() -> Any:
    return import_module("llvmlite.binding")


@cache
def _engine() -> Any:
    """What puts object files into memory; its own, so that no name in it can meet one of numba's."""
    binding = _binding()
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    target = binding.Target.from_triple(binding.get_process_triple())
    return binding.create_mcjit_compiler(binding.parse_assembly(""), target.create_target_machine(jit=True))
