"""The arguments of a kernel in a row: of what kind each is, and one machine word for each.

Tuples are opened, however deep. What is left are numbers, which become words, and arrays and records, of which a
kernel gets the address: it finds numbers and sizes there itself, where numpy keeps them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

Kinds = tuple[Any, ...]
"""What machine code depends on, of every argument in a row: the same for all that one code can be called with."""

_NUMBERS: Final = (np.number, np.bool_)

_C, _F, _ALIGNED, _WRITEABLE = 0x1, 0x2, 0x100, 0x400
"""Bits of `ndarray.flags.num`."""


def _layout(flags: int) -> str:
    order = "C" if flags & _C else "F" if flags & _F else "A"
    return f"{order}{'' if flags & _ALIGNED else ' unaligned'}{'' if flags & _WRITEABLE else ' read-only'}"


class _Layouts(dict[int, str]):
    """Layouts by flags, filled as they are met."""

    def __missing__(self, flags: int) -> str:
        self[flags] = _layout(flags)
        return self[flags]


_LAYOUTS: Final = _Layouts()


class NotInWords(Exception):  # noqa: N818 - no error: whoever asks has another way
    """An argument is of a kind that is not known here."""


def in_a_row(arguments: Iterable[Any]) -> tuple[Kinds, list[Any]]:
    """The kinds and the words of a kernel's arguments; `NotInWords` if one is neither number, array nor tuple."""
    kinds: list[Any] = []
    words: list[Any] = []
    _open(arguments, kinds, words)
    return tuple(kinds), words


def _open(arguments: Iterable[Any], kinds: list[Any], words: list[Any]) -> None:
    for value in arguments:
        kind = type(value)
        if kind is np.ndarray:
            kinds += value.dtype, value.ndim, _LAYOUTS[value.flags.num]
            words.append(id(value))
        elif kind is int or kind is float or kind is bool:
            kinds.append(kind)
            words.append(value)
        elif issubclass(kind, tuple):
            kinds += kind, len(value)
            _open(value, kinds, words)
        elif issubclass(kind, _NUMBERS) and value.dtype.kind in "iufb" and value.dtype.itemsize <= 8:
            number = value.item()
            kinds.append(kind)
            words.append(number - (1 << 64) if kind is np.uint64 and number >> 63 else number)
        elif value is None:
            kinds.append(None)
        else:
            raise NotInWords


def text_of(kinds: Kinds) -> str:
    """Kinds as text that is the same in every process."""
    return " ".join(_text_of(kind) for kind in kinds)


def _text_of(kind: Any) -> str:
    if isinstance(kind, type):
        return f"{kind.__module__}.{kind.__qualname__}{getattr(kind, '_fields', '')}"
    return repr(kind)


def word_format(words: Iterable[Any]) -> str:
    """How `struct` writes words: a float as such, anything else as a whole number of 64 bits."""
    return "".join("d" if isinstance(word, float) else "q" for word in words)
