"""The body of a request: one JSON object, read with limits, and its values asked for by name and kind."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

LARGEST: Final = 256 * 1024
"""Bytes of a body."""
_MISSING: Final = object()
_SHOWN: Final = 40
"""Characters of a wrong value that a refusal repeats."""


class BadRequest(Exception):  # noqa: N818
    """A request that cannot be read: status 400."""


class Body:
    """The object that a request holds; every value is checked as it is asked for."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = values

    @classmethod
    def parse(cls, content: bytes) -> Body:
        """Read a body; anything but one JSON object is refused.

        >>> Body.parse(b'{"rules": "2d"}').text("rules")
        '2d'
        """
        try:
            values = json.loads(content or b"{}", parse_constant=_refuse_constant)
        except (ValueError, RecursionError):
            raise BadRequest("the body must be one JSON object in UTF-8") from None
        if not isinstance(values, dict):
            raise BadRequest(f"the body must be one JSON object; got {_kind(values)}")
        return cls(values)

    @property
    def key(self) -> str:
        """The body as text, the same for equal bodies."""
        return json.dumps(self.values, sort_keys=True)

    def text(self, name: str, default: Any = _MISSING, *, longest: int = 2000) -> str:
        """A text of at most so many characters."""
        value = self._value(name, default)
        if not isinstance(value, str):
            raise BadRequest(f"{name} must be a text; got {_kind(value)}")
        if len(value) > longest:
            raise BadRequest(f"{name} must have at most {longest:,} characters; got {len(value):,}")
        if any(0xD800 <= ord(character) <= 0xDFFF for character in value):
            raise BadRequest(f"{name} is no text: it has half a character in it")
        return value

    def whole(self, name: str, low: int, high: int, default: Any = _MISSING) -> int:
        """A whole number within limits."""
        value = self._value(name, default)
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise BadRequest(f"{name} must be a whole number from {low:,} to {high:,}; got {_shown(value)}")
        return value

    def number(self, name: str, low: float, high: float, default: Any = _MISSING) -> float:
        """A number within limits."""
        value = self._value(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise BadRequest(f"{name} must be a number from {low:g} to {high:g}; got {_shown(value)}")
        return float(value)

    def flag(self, name: str, default: Any = _MISSING) -> bool:
        """True or false."""
        value = self._value(name, default)
        if not isinstance(value, bool):
            raise BadRequest(f"{name} must be true or false; got {_kind(value)}")
        return value

    def choice(self, name: str, among: Iterable[str], default: Any = _MISSING) -> str:
        """One of some texts."""
        known = list(among)
        value = self._value(name, default)
        if not isinstance(value, str) or value not in known:
            raise BadRequest(f"{name} must be one of {', '.join(known)}; got {_shown(value)}")
        return value

    def wholes(self, name: str, low: int, high: int, *, length: int, default: Any = _MISSING) -> list[int]:
        """A list of exactly so many whole numbers within limits."""
        value = self._value(name, default)
        if not isinstance(value, list) or len(value) != length:
            raise BadRequest(f"{name} must be a list of {length} whole numbers")
        return [Body({name: each}).whole(name, low, high) for each in value]

    def texts(self, name: str, default: Any = _MISSING, *, most: int, longest: int = 200) -> list[str]:
        """A list of at most so many texts."""
        value = self._value(name, default)
        if not isinstance(value, list) or len(value) > most:
            raise BadRequest(f"{name} must be a list of at most {most} texts; got {_kind(value)}")
        return [Body({name: each}).text(name, longest=longest) for each in value]

    def _value(self, name: str, default: Any) -> Any:
        if name in self.values:
            return self.values[name]
        if default is _MISSING:
            raise BadRequest(f"the body lacks {name}")
        return default


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def _kind(value: object) -> str:
    names = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
    return names.get(type(value), "a number")


def _shown(value: object) -> str:
    """A wrong value, short enough for a line."""
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() > 100:
        return "a number of many digits"
    text = repr(value) if isinstance(value, str | int | float | bool) else _kind(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
