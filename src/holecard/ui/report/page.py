"""`report.html` of a race: the table, every picture inside the page, and how to make it all again."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from holecard.errors import FileProblem
from holecard.studies.race import Race
from holecard.ui.options import rules_words
from holecard.ui.report.commands import Commands
from holecard.ui.report.picture import FIGURES, Picture, inlined
from holecard.ui.report.pictures import pictures_of

REPORT: Final = "report.html"
TEMPLATE: Final = "report.html.j2"
SECTIONS: Final = {
    "cost": "What it costs to be good",
    "strategies": "The strategies side by side",
    "learning": "Learning curves",
    "programs": "The programs",
    "search": "Search by budget",
    "holdem": "Hold'em",
}
"""The parts of the report that hold pictures, and their headings."""
INTRODUCTIONS: Final = {
    "strategies": "Every cell is what the strategy plays; the redder, the more that costs per round against the best "
    "play with the same cards. Cells without colour cost less than a millionth of a bet.",
    "programs": "One program votes against each upcard. A hit or a double needs strictly the most votes, everything "
    "else stands; the trees read from left to right.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A picture as the page has it."""

    name: str
    title: str
    caption: str
    command: str
    svg: str
    narrow: bool
    least: int
    """Pixels of width below which it is scrolled rather than shrunk."""
    most: int
    """Pixels of width above which it does not grow."""


def write_report(race: Race) -> Path:
    """Draw every picture of a finished race and write the report; returns its path."""
    folder = race.path / FIGURES
    folder.mkdir(exist_ok=True)
    shown: dict[str, list[Shown]] = {section: [] for section in SECTIONS}
    for picture in pictures_of(race):
        picture.write(folder)
        shown[picture.section].append(_shown(picture, folder))
    return race.run.write(REPORT, render(race, shown))


def render(race: Race, shown: dict[str, list[Shown]]) -> str:
    """The page, given its pictures by section."""
    from jinja2 import Environment, StrictUndefined

    source = (files("holecard.ui.report") / TEMPLATE).read_text(encoding="utf-8")
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["leak"] = leak_words
    environment.filters["amount"] = amount
    results = race.results()
    return environment.from_string(source).render(
        race=race,
        config=race.config,
        rules=str(race.config.rules) or "casino",
        rules_words=rules_words(race.config.rules) or "--rules casino",
        table=race.table(),
        missing=[result["missing"] for result in results.values() if "missing" in result],
        sections=[(key, title, INTRODUCTIONS.get(key, ""), shown[key]) for key, title in SECTIONS.items()],
        duels=results["duels"]["duels"],
        network=results["network"],
        solved=results["solve"],
        provenance=race.run.config,
        commands=Commands(race.config).everything(race.path),
        figures=FIGURES,
    )


def _shown(picture: Picture, folder: Path) -> Shown:
    path = folder / f"{picture.name}.svg"
    try:
        svg = path.read_text(encoding="utf-8")
    except OSError as problem:
        raise FileProblem(f"cannot read {path}: {problem.strerror or problem}") from None
    inches = float(picture.figure.get_size_inches()[0])
    return Shown(
        name=picture.name,
        title=picture.title,
        caption=picture.caption,
        command=picture.command,
        svg=inlined(svg, picture.name),
        narrow=picture.narrow,
        least=0 if picture.narrow else round(58 * inches),
        most=round(110 * inches),
    )


def leak_words(leak: dict[str, Any]) -> str:
    """A leak in a few words.

    >>> leak_words({"cell": "hard 16 v 10", "plays": "S", "best": "H"})
    'hard 16 v 10 S→H'
    >>> leak_words({"cell": "hard 16 v 10", "plays": "H", "best": "H"})
    'hard 16 v 10 H (some)'
    """
    best = f"→{leak['best']}" if leak["plays"] != leak["best"] else " (some)"
    return f"{leak['cell']} {leak['plays']}{best}"


def amount(used: dict[str, Any]) -> str:
    """What was used, in words.

    >>> amount({"number": 30000, "unit": "hands"}), amount({"number": 0, "unit": ""})
    ('30,000 hands', '–')
    """
    return f"{used['number']:,} {used['unit']}" if used["number"] else "–"
