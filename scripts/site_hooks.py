"""What `mkdocs build` adds to the pages of `docs/`: a page of reference per public package, and two pages of the root.

The stub of a package (`src/holecard/…/__init__.pyi`) lists its public names; mkdocstrings writes their docstrings. A
public name without a docstring stops the build.
"""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any

import griffe
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src"
PACKAGES = ("blackjack", "holdem", "evolve", "studies", "envs")
GUESTS = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
"""Pages of the root of the repository and what they are called in the site."""

_DOCTEST = re.compile(r"^(>>> .*(?:\n(?!\s*$).*)*)", re.MULTILINE)
"""A doctest: from its first prompt to the next empty line."""
_LOG = logging.getLogger("mkdocs.hooks.reference")  # a warning fails a strict build


class FencedDoctests(griffe.Extension):
    """Doctests stand in docstrings as Python writes them; Markdown wants them between fences."""

    def on_instance(self, *, obj: Any, **_: Any) -> None:
        """Fence the doctests of one object."""
        if not obj.is_alias and obj.docstring is not None:
            obj.docstring.value = _DOCTEST.sub(r"```pycon\n\1\n```", obj.docstring.value)


def on_files(files: Files, config: Any) -> Files:
    """Add the pages that are made here."""
    known: Any = griffe.load("holecard", search_paths=[str(SOURCES)], resolve_aliases=True)
    for name, called in GUESTS.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        files.append(File.generated(config, called, content=re.sub(r"\]\(docs/", "](", text)))
    homes: dict[tuple[str, str], str] = {}
    for package in PACKAGES:
        names = _names(SOURCES / "holecard" / package / "__init__.pyi")
        homes |= dict.fromkeys(reversed(names), package)
        files.append(File.generated(config, f"reference/{package}.md", content=_page(package, names, known)))
    files.append(File.generated(config, "reference/holecard.md", content=_top(homes, known)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Links to pages of the root lead to their place in the site."""
    for name, called in GUESTS.items():
        markdown = markdown.replace(f"](../{name})", f"]({called})")
    return markdown


def _names(stub: Path) -> list[tuple[str, str]]:
    """(module, name) of every public name, by name, classes before functions."""
    return sorted(re.findall(r"^from (\S+) import (\w+) as", stub.read_text(encoding="utf-8"), re.MULTILINE), key=_last)


def _last(pair: tuple[str, str]) -> str:
    return pair[1]


def _page(package: str, names: list[tuple[str, str]], known: Any) -> str:
    """The reference of one package: its own docstring, then every name."""
    parts = [f"# holecard.{package}", _docstring(known, f"{package}")]
    for home, name in names:
        _docstring(known, _path(home, name))
        parts.append(f"::: holecard.{package}.{name}")
    return "\n\n".join(parts)


def _top(homes: dict[tuple[str, str], str], known: Any) -> str:
    """The names of `holecard` itself: where they are explained, or, if no package below has them, here."""
    names = _names(SOURCES / "holecard" / "__init__.pyi")
    rows, own = [], []
    for home, name in names:
        said = _docstring(known, _path(home, name)).splitlines()[0]
        below = homes.get((home, name))
        if below is None:
            own.append(f"::: holecard.{name}")
        place = f"{below}.md#holecard.{below}.{name}" if below else f"#holecard.{name}"
        rows.append(f"| [`{name}`]({place}) | {said.replace('|', chr(92) + '|')} |")
    table = "\n".join(["| name | what it is |", "|---|---|", *rows])
    return "\n\n".join(
        ["# holecard", "What is used most, of both games. `from holecard import solve, duel`", table, *own]
    )


def _path(home: str, name: str) -> str:
    return f"{home}.{name}".removeprefix("holecard.")


def _docstring(known: Any, path: str) -> str:
    """The docstring of a name; a warning where there is none."""
    found = known[path].docstring
    if found is None:
        _LOG.warning("holecard.%s is public and has no docstring", path)
        return "–"
    return str(found.value)
