"""Public names: the stub of a package lists them, and they are loaded when they are first used.

`holecard/__init__.pyi`, and the stub of each public package beside it, holds one line per name:

    from holecard.blackjack.game.rules import Rules as Rules

Type checkers and editors read it as it is; `public_names` makes `__all__`, `dir()` and the loading out of the same
lines. `import holecard` therefore loads neither numba nor scipy. Modules of this package import from the home of a
name, never from a public package.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

_LINE = re.compile(r"^from (\S+) import (\w+) as \2$", re.MULTILINE)


def homes_of(initializer: str) -> dict[str, str]:
    """The public names of the package with this `__init__.py`, sorted, each with the module that defines it."""
    stub = Path(initializer).with_suffix(".pyi").read_text(encoding="utf-8")
    return {name: home for home, name in sorted(_LINE.findall(stub), key=lambda line: line[1])}


def public_names(package: str, initializer: str) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """A package's `__all__`, `__getattr__` and `__dir__`."""
    homes = homes_of(initializer)
    names = list(homes)

    def load(name: str) -> Any:
        """A public name, from the module that defines it; it stays, so that this is asked once."""
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if home == package:  # the name is a module of its own
            return import_module(f"{package}.{name}")
        value = getattr(import_module(home), name)
        setattr(sys.modules[package], name, value)
        return value

    return names, load, lambda: names
