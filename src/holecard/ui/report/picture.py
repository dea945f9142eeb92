"""A picture with its words, its data and the command that makes its data again; written as PNG, SVG and CSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from holecard.files import write_file
from holecard.ui.figures.canvas import save
from holecard.ui.report.section import Section

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FIGURES: Final = "figures"
"""The folder of a race's pictures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """One figure of the report."""

    name: str
    """The stem of its files."""
    section: Section
    """Where it stands in the report."""
    title: str
    caption: str
    command: str
    """What makes its data again."""
    figure: Figure
    header: Sequence[str]
    rows: Sequence[Sequence[Any]]
    """The data, as the CSV holds it."""
    narrow: bool = False
    """Stands beside others of its kind."""

    def write(self, folder: Path) -> None:
        """Write the PNG, the SVG and the CSV into a folder."""
        for ending in ("png", "svg"):
            save(self.figure, folder / f"{self.name}.{ending}")
            self.figure.set_layout_engine("none")  # laid out once is enough, and half the time
        lines = io.StringIO()
        writer = csv.writer(lines, lineterminator="\n")
        writer.writerows([self.header, *self.rows])
        write_file(folder / f"{self.name}.csv", lines.getvalue().encode())


_PROLOG: Final = re.compile(r"^.*?(?=<svg )|<metadata>.*?</metadata>|<!--.*?-->", re.DOTALL)
_SIZE: Final = re.compile(r'(<svg\b[^>]*?)\swidth="[^"]*"', re.DOTALL)
_HEIGHT: Final = re.compile(r'(<svg\b[^>]*?)\sheight="[^"]*"', re.DOTALL)
_STYLE: Final = re.compile(r"<defs>\s*<style[^>]*>.*?</style>\s*</defs>", re.DOTALL)
_GROUP: Final = re.compile(r'<g id="[^"]*">')
_REFERENCE: Final = re.compile(r'(id="|href="#|url\(#)([\w-]+)')
_FOLLOWING_THE_THEME: Final = (
    (re.compile(r"fill: #ffffff"), "fill: var(--card)"),
    (re.compile(r"stroke: #ffffff"), "stroke: var(--card)"),
    (re.compile(r"stroke: #(?:000000|1a1a1a)"), "stroke: var(--ink)"),
    (re.compile(r"stroke: #(?:b0b0b0|cccccc|dddddd)"), "stroke: var(--line)"),
)
"""Paper, ink and lines follow the page's theme; letters on coloured cells (`fill: #1a1a1a`) stay dark."""


def inlined(svg: str, name: str) -> str:
    """An SVG of ours as a part of a page: no prolog, ids of its own, as wide as its place, in the page's colours.

    >>> inlined('<?xml version="1.0"?><svg width="9pt" height="9pt" viewBox="0 0 9 9"><g id="axes_1"></g></svg>', "a")
    '<svg viewBox="0 0 9 9"><g></g></svg>'
    """
    text = _STYLE.sub("", _PROLOG.sub("", svg))
    text = _HEIGHT.sub(r"\1", _SIZE.sub(r"\1", text, count=1), count=1)
    text = _REFERENCE.sub(rf"\g<1>{name}-\g<2>", _GROUP.sub("<g>", text))
    for pattern, value in _FOLLOWING_THE_THEME:
        text = pattern.sub(value, text)
    return text.strip()
