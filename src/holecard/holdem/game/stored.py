"""Tables that take a while to build: kept in the user's cache folder, checked, mapped read-only, rebuilt if damaged.

A file is one numpy record followed by a 32-byte trailer (magic, version, length, CRC-32). Whatever is
damaged, short or of another version is built again. Every thread and process that maps it shares the same memory.
"""

from __future__ import annotations

import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holecard._jit import cache_root
from holecard.errors import FileProblem
from holecard.files import writing

_TRAILER = struct.Struct("<12sIQQ")
_MAGIC = b"holecard-tab"


def table_folder() -> Path:
    """Where tables are kept; may not exist yet."""
    return cache_root() / "tables"


def table_path(name: str, version: int) -> Path:
    """The file of a table; little- and big-endian machines keep their own."""
    return table_folder() / f"{name}-v{version}-{sys.byteorder}.bin"


def stored_tables() -> list[tuple[Path, int]]:
    """The table files in the cache and their bytes, of this version or an older one."""
    if not table_folder().is_dir():
        return []
    return [(path, path.stat().st_size) for path in sorted(table_folder().iterdir()) if path.is_file()]


def clear_tables() -> int:
    """Remove all table files and return the bytes freed; what is needed again is built again."""
    freed = 0
    for path, size in stored_tables():
        path.unlink()
        freed += size
    return freed


def stored(name: str, version: int, layout: np.dtype[Any], build: Callable[[NDArray[Any]], None]) -> NDArray[Any]:
    """One read-only record of `layout` in an array of shape (1): mapped from the cache, or built and kept there.

    Where the cache folder cannot be written, the table stays in memory.
    """
    path = table_path(name, version)
    table = _mapped(path, version, layout)
    if table is not None:
        return table
    built = np.zeros(1, layout)
    build(built)
    try:
        _write(path, version, built)
    except FileProblem:
        built.flags.writeable = False
        return built
    table = _mapped(path, version, layout)
    assert table is not None, f"{path} was damaged while it was written"
    return table


def _mapped(path: Path, version: int, layout: np.dtype[Any]) -> NDArray[Any] | None:
    """The table of a sound file, or None."""
    size = layout.itemsize
    try:
        if path.stat().st_size != size + _TRAILER.size:
            return None
        table = np.memmap(path, dtype=layout, mode="r", shape=(1,))
        with path.open("rb") as file:
            file.seek(size)
            trailer = file.read()
    except OSError:
        return None
    if trailer != _TRAILER.pack(_MAGIC, version, size, _checksum(table)):
        return None
    return table.view(np.ndarray)


def _checksum(table: NDArray[Any]) -> int:
    return zlib.crc32(table.view(np.uint8).data)


def _write(path: Path, version: int, table: NDArray[Any]) -> None:
    with writing(path) as temporary, temporary.open("wb") as file:
        file.write(table.view(np.uint8).data)
        file.write(_TRAILER.pack(_MAGIC, version, table.dtype.itemsize, _checksum(table)))
