"""`report.html` of a race of counters: the table, every picture inside the page, and how to make it all again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from holecard.blackjack.counting.race import CountRace, RacedCounter
from holecard.blackjack.game.shoe import VALUES
from holecard.blackjack.game.wording import in_words
from holecard.evolve.run_directory import provenance
from holecard.files import write_file, write_json, writing_folder
from holecard.ui.figures.count import bets_by_count_figure, edges_figure, race_figure
from holecard.ui.options import rules_words
from holecard.ui.report.page import REPORT, environment, provenance_of, shown_picture
from holecard.ui.report.picture import FIGURES, Picture
from holecard.ui.report.section import Section

RESULT: Final = "race.json"
_TEMPLATE: Final = "count_race.html.j2"
_BY_COUNT: Final = ("counter", "count", "share", "ev", "stderr", "stdev", "bet")


@dataclass(frozen=True, slots=True, kw_only=True)
class CountReport:
    """What the page of a race of counters is made of."""

    config: CountRace
    """What was asked for."""
    strategy: str
    """The chart's name, as it was typed."""
    spread: str
    """As it was typed."""
    counters: Sequence[RacedCounter]
    """How everybody did, the perfect one last."""

    @property
    def command(self) -> str:
        """What makes it again."""
        config = self.config
        words = [
            "holecard count race",
            rules_words(config.rules),
            f"--spread {self.spread} --rounds {config.rounds} --shoes {config.solved} --seed {config.seed}",
            "" if self.strategy == "basic" else f"--strategy {self.strategy}",
        ]
        return " ".join(word for word in words if word)


def write_count_report(report: CountReport, folder: Path) -> Path:
    """Draw every picture of a race of counters into a folder and write the page; returns its path."""
    pictures = []
    with writing_folder(
        folder / FIGURES, "[!.]*"
    ) as figures:  # who stops it now can have it drawn into the same folder
        for picture in _pictures(report):
            picture.write(figures)
            pictures.append(shown_picture(picture, figures))
    write_json(folder / RESULT, _as_json(report))
    rules = report.config.rules
    page = (
        environment()
        .get_template(_TEMPLATE)
        .render(
            report=report,
            rules=str(rules),
            rules_in_words=in_words(rules),
            rules_words=rules_words(rules) or "--rules casino",
            pictures=pictures,
            values=VALUES,
            provenance=provenance_of(provenance()),
            commands=_commands(report),
            figures=FIGURES,
        )
    )
    write_file(folder / REPORT, page)
    return folder / REPORT


def _pictures(report: CountReport) -> Iterator[Picture]:
    counters, command = report.counters, report.command
    yield Picture(
        name="score",
        section=Section.STANDINGS,
        title="SCORE",
        caption="What a full Kelly player with 10,000 units wins in 100 rounds, with two standard errors.",
        command=command,
        figure=race_figure(counters, f"Spread {report.spread}"),
        header=("counter", "score", "stderr", "share", "share_stderr"),
        rows=[(each.name, each.score.mean, each.score.stderr, each.share.mean, each.share.stderr) for each in counters],
    )
    for used_as in ("true", "running"):
        same = [each for each in counters if each.used_as == used_as]
        if not same:
            continue
        rows = [(each.name, *(row[name] for name in _BY_COUNT[1:])) for each in same for row in each.counts]
        for name, title, caption, figure in (
            ("edges", "What a unit wins", "A round's EV by the count before its deal.", edges_figure),
            ("bets", "Best bets", "The bets of the highest SCORE within the spread.", bets_by_count_figure),
        ):
            yield Picture(
                name=f"{name}-{used_as}",
                section=Section.STRATEGIES,
                title=f"{title}, {used_as} counts",
                caption=caption,
                command=command,
                figure=figure(same, f"{title} by {used_as} count"),
                header=_BY_COUNT,
                rows=rows,
            )


def _commands(report: CountReport) -> list[tuple[str, str]]:
    """What each part is, and the command that makes it again."""
    options = rules_words(report.config.rules)
    ramps = [
        (f"{name} alone", f"holecard count ramp {name.lower()} {options} --spread {report.spread}".replace("  ", " "))
        for name in ("Hi-Lo", "KO", "Zen", "Halves")
    ]
    best = [
        (f"the best count of level {level}", f"holecard count best {options} --level {level} --by both")
        for level in (1, 2)
    ]
    return [("the whole race", report.command), *ramps, *best]


def _as_json(report: CountReport) -> dict[str, Any]:
    config = report.config
    return {
        "rules": config.rules.as_dict(),
        "spread": config.spread,
        "rounds": config.rounds,
        "shoes": config.solved,
        "seed": config.seed,
        "command": report.command,
        "counters": [counter_json(each) | {"tags": each.tags, "counts": list(each.counts)} for each in report.counters],
    }


def counter_json(counter: RacedCounter) -> dict[str, Any]:
    """How a counter did, as `holecard count race --json` says it."""
    return {
        "name": counter.name,
        "ev": counter.ev.mean,
        "stderr": counter.ev.stderr,
        "average_bet": counter.average_bet,
        "score": counter.score.mean,
        "score_stderr": counter.score.stderr,
        "share": counter.share.mean,
        "share_stderr": counter.share.stderr,
    }
