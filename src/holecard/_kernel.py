"""A kernel as its callers see it: a function that is found on disk, or compiled, when it is first called.

Where the code of a kernel is kept as a file (`_machine_code.py`), a process that finds the file never imports numba.
Arguments that an entry does not know, such as records, go the way of numba's own: its compiler, its cache, its calls.
"""

from __future__ import annotations

import ctypes
import functools
import inspect
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from holecard import _machine_code, _numba
from holecard._arguments import Kinds, NotInWords, in_a_row, text_of, word_format

_loading = threading.RLock()
"""One thread at a time loads or compiles."""


@contextmanager
def uncompiled() -> Iterator[None]:
    """While the block runs, kernels are plain Python and nothing is compiled; for a process with one thread."""
    usual = Kernel.__call__
    setattr(Kernel, "__call__", Kernel.plainly)  # noqa: B010 - a method, which may not be assigned to
    try:
        yield
    finally:
        setattr(Kernel, "__call__", usual)  # noqa: B010


class _Entry(NamedTuple):
    """A kernel in memory, for arguments of one kind."""

    call: Callable[[Any], int]
    words: struct.Struct
    result: struct.Struct
    is_tuple: bool


class Kernel:
    """A compiled function; `folder` says where its code is kept, `settings` are those of `numba.njit`."""

    __name__: str
    __qualname__: str

    def __init__(self, function: Callable[..., Any], folder: Callable[[], Path], **settings: Any) -> None:
        functools.update_wrapper(self, function)
        self.py_func = function
        self._folder, self._settings = folder, settings
        self._entries: dict[Kinds, _Entry | None] = {}

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """What the function returns."""
        if named:
            arguments = inspect.signature(self.py_func).bind(*arguments, **named).args
        try:
            kinds, words = in_a_row(arguments)
        except NotInWords:
            return self.dispatcher(*arguments)
        entry = self._entries[kinds] if kinds in self._entries else self._prepared(kinds, arguments, words)
        if entry is None:
            return self.dispatcher(*arguments)
        try:
            buffer = ctypes.create_string_buffer(entry.words.size + entry.result.size)
            entry.words.pack_into(buffer, 0, *words)
        except struct.error:  # a whole number of more than 63 bits
            return self.dispatcher(*arguments)
        if entry.call(buffer) != 0:
            return self.dispatcher(*arguments)  # it raises something, and numba says what
        found = entry.result.unpack_from(buffer, entry.words.size)
        return found if entry.is_tuple else found[0] if found else None

    def plainly(self, *arguments: Any, **named: Any) -> Any:
        """What the function returns, by Python alone."""
        return self.py_func(*arguments, **named)

    def __reduce__(self) -> str:
        return self.__qualname__

    def _prepared(self, kinds: Kinds, arguments: tuple[Any, ...], words: list[Any]) -> _Entry | None:
        """The entry for arguments of a kind, from disk or compiled; None if numba is to call the kernel."""
        with _loading:
            if kinds not in self._entries:
                made = self._loaded(kinds, arguments)
                self._entries[kinds] = made and _Entry(
                    made[0], struct.Struct(word_format(words)), struct.Struct(made[1].result), made[1].is_tuple
                )
            return self._entries[kinds]

    def _loaded(
        self, kinds: Kinds, arguments: tuple[Any, ...]
    ) -> tuple[Callable[[Any], int], _machine_code.MachineCode] | None:
        text = text_of(kinds)
        file = self._folder() / _machine_code.file_name(self.__name__, text)
        code = _machine_code.read(file, text)
        if code is None:
            code = _numba.machine_code(self.py_func, arguments, **self._settings)
            if code is None:
                return None
            _machine_code.write(file, text, code)
        call = _machine_code.load(code)
        if call is None:  # it allocates, say: numba's runtime is wanted
            _numba.start_runtime()
            call = _machine_code.load(code)
        return call and (call, code)

    @cached_property
    def dispatcher(self) -> Any:
        """The kernel as numba itself compiles, keeps and calls it."""
        return _numba.as_numba_does(self.py_func, self._folder, **self._settings)

    @property
    def _numba_type_(self) -> Any:
        """For a kernel that is called by another."""
        return self.dispatcher._numba_type_
