"""`report.html` of a race: the table, every picture inside the page, and how to make it all again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from holecard.blackjack.game.wording import in_words
from holecard.errors import FileProblem
from holecard.files import make_folder
from holecard.studies.race import Race, RaceResults
from holecard.studies.race.part import PartId
from holecard.ui.options import rules_words
from holecard.ui.report.commands import Commands
from holecard.ui.report.overview import pictures_of
from holecard.ui.report.parts import PART_REPORTS
from holecard.ui.report.picture import FIGURES, Picture, inlined
from holecard.ui.report.section import Section

if TYPE_CHECKING:
    from jinja2 import Environment

REPORT: Final = "report.html"
TEMPLATE: Final = "report.html.j2"
_LEAST_PIXELS: Final = 58
"""Pixels to an inch of a figure below which its letters could not be read: it is scrolled rather than shrunk."""
_MOST_PIXELS: Final = 110
"""Pixels to an inch of a figure above which it would look coarse beside the text: it does not grow."""


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
    """Draw every picture of a race and write the report; returns its path. Reads results and records, plays nothing."""
    results, folder = race.results(), race.path / FIGURES
    make_folder(folder)
    shown: dict[Section, list[Shown]] = {section: [] for section in Section}
    for picture in pictures_of(results):
        picture.write(folder)
        shown[picture.section].append(shown_picture(picture, folder))
    return race.run.write(REPORT, render(results, shown))


def provenance_of(config: Mapping[str, Any]) -> dict[str, Any]:
    """Which code ran where, as far as a run's configuration says so.

    >>> provenance_of({"machine": {"cores": 2}, "versions": None})
    {'commit': None, 'versions': {}, 'system': 'an unknown system', 'cores': 2}
    """

    def part(name: str) -> dict[str, Any]:
        found = config.get(name)
        return dict(found) if isinstance(found, Mapping) else {}

    machine = part("machine")
    return {
        "commit": config.get("commit"),
        "versions": part("versions"),
        "system": machine.get("system") or "an unknown system",
        "cores": machine.get("cores") or "?",
    }


def render(results: RaceResults, shown: dict[Section, list[Shown]]) -> str:
    """The page, given its pictures by section."""
    templates, rules = environment(), results.config.rules
    reports = [PART_REPORTS[part] for part in PartId if results.has(part)]
    fragments: dict[Section, str] = dict.fromkeys(Section, "")
    for report in reports:
        if report.fragment is not None:
            template = templates.get_template(f"parts/{report.fragment.template}")
            fragments[report.fragment.section] += template.render(result=results.of(report.id))
    return templates.get_template(TEMPLATE).render(
        results=results,
        config=results.config,
        rules=str(rules),
        rules_in_words=in_words(rules),
        rules_words=rules_words(rules) or "--rules casino",
        notices=[*results.missing, *_left_out(results)],
        notes=[note for report in reports if (note := report.note(results))],
        standings=fragments[Section.STANDINGS],
        sections=[(section, fragments[section], shown[section]) for section in Section if shown[section]],
        provenance=provenance_of(results.run.config),
        commands=_commands(results),
        figures=FIGURES,
    )


def environment() -> Environment:
    """What renders the templates beside this file; text is escaped, and a name that is not given is an error."""
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    folder = files("holecard.ui.report")
    made = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=FunctionLoader(lambda name: folder.joinpath(*name.split("/")).read_text(encoding="utf-8")),
    )
    made.filters["leak"] = leak_words
    made.filters["amount"] = amount
    return made


def _left_out(results: RaceResults) -> list[str]:
    """A sentence for every part that has no result, as in a race that was run before there was such a part."""
    return [
        f"Left out: “{part.title}” was not run in this race; holecard race --resume {results.path} runs it."
        for part in results.unfinished
    ]


def _commands(results: RaceResults) -> list[tuple[str, str]]:
    """What each part is, and the command that makes it again."""
    commands = Commands(results.config)
    own = [row for part in PartId for row in PART_REPORTS[part].commands(commands, results.path)]
    return [("the whole race", commands.race), *own]


def shown_picture(picture: Picture, folder: Path) -> Shown:
    """A picture whose files lie in a folder, as a page has it."""
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
        least=0 if picture.narrow else round(_LEAST_PIXELS * inches),
        most=round(_MOST_PIXELS * inches),
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
