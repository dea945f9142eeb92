"""`holecard count shoe | race`: shoes round by round with exact EVs, and counters against the perfect one."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.wording import in_words
from holecard.errors import HolecardError
from holecard.files import only_one, tables, verify_new_folder, write_file
from holecard.ui.console import out, print_json, progress, say, warn_if_compiling
from holecard.ui.count import Keep, counted, kept_in, with_count_rules
from holecard.ui.numbers import counts, parse_count
from holecard.ui.options import Cluster, Device, Json, Png, Seed, Threads, output_option, refuse_both, refuse_gpu

if TYPE_CHECKING:
    from holecard.blackjack.counting.race import RacedCounter

_PARTS = 1000
_COLUMNS = ("shoe", "round", "cards_left", "running", "true", "net", "ev_chart", "ev_full", "ev_best")


@with_count_rules()
def shoe(
    shoes: Annotated[int, typer.Option(parser=counts(1, 10_000), metavar="N", help="Shoes to deal.")] = 3,
    strategy: Annotated[str, typer.Option(metavar="NAME", help="The chart that is played.")] = "basic",
    system: Annotated[str, typer.Option(metavar="SYSTEM", help="The count that is shown.")] = "hi-lo",
    seed: Seed = 0,
    threads: Threads = None,
    cluster: Cluster = None,
    device: Device = "auto",
    csv: Annotated[Path | None, output_option("--csv", tables(_COLUMNS), "Write every round into this .csv.")] = None,
    png: Png = None,
    json: Json = False,
    *,
    rules: Rules,
) -> None:
    """Shoes as they are played, round by round, with three exact EVs of the next round each.

    By the chart, by the best play of a full shoe, and by the best play of the cards that are left. Where a round can
    run the last cards out the exact EV is not known and left out.
    """
    from holecard.blackjack.counting.compositions import used_count
    from holecard.blackjack.counting.recorded import record_shoes
    from holecard.blackjack.counting.shoe_values import shoe_values
    from holecard.blackjack.counting.system import find_system
    from holecard.blackjack.exact import KERNELS
    from holecard.blackjack.players.finding import find_strategy
    from holecard.cluster import connected

    refuse_gpu(device, "shoes are solved")
    rules, count = counted(rules), find_system(system)
    chart = find_strategy(strategy, replace(rules, shoe="fresh", insurance=False))
    warn_if_compiling(*KERNELS)
    rounds = record_shoes(chart, rules, shoes, seed=seed)
    with connected(cluster) as executor, progress("exact EVs of every round", len(rounds.net)) as report:
        values = list(shoe_values(chart, rules, rounds.left, threads=threads, executor=executor, progress=report))
    running = rounds.running(count, rules)
    used = used_count(count, running, rounds.left.sum(axis=1))
    rows = [
        dict(zip(_COLUMNS, row, strict=True))
        for row in zip(
            (rounds.shoe + 1).tolist(),
            (rounds.round + 1).tolist(),
            rounds.left.sum(axis=1).tolist(),
            running.tolist(),
            used.tolist(),
            rounds.net.tolist(),
            *([value and value[at] for value in values] for at in range(3)),
            strict=True,
        )
    ]
    _show_shoes(rows, count.name, rules, (csv, png), json)


def _show_shoes(
    rows: list[dict[str, Any]], count: str, rules: Rules, files: tuple[Path | None, Path | None], json: bool
) -> None:
    table, png = files
    if table:
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, _COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        write_file(table, text.getvalue())
        say(f"wrote {table}")
    if png:
        from holecard.ui.figures.count import save_shoes

        save_shoes(rows, in_words(rules), png)
        say(f"wrote {png}")
    if json:
        print_json({"rules": rules.as_dict(), "system": count, "rounds": rows})
    elif not table and not png:
        _print_shoes(rows, count, rules)


def _print_shoes(rows: list[dict[str, Any]], count: str, rules: Rules) -> None:
    from rich.table import Table

    shown = Table(title=in_words(rules))
    for column in ("shoe", "round", "left", "running", count, "net", "chart", "full shoe", "these cards"):
        shown.add_column(column, justify="right")
    for row in rows:
        evs = [row[name] for name in ("ev_chart", "ev_full", "ev_best")]
        shown.add_row(
            str(row["shoe"]),
            str(row["round"]),
            str(row["cards_left"]),
            f"{row['running']:+g}",
            f"{row['true']:+.1f}",
            f"{row['net']:+g}",
            *("–" if ev is None else f"{100 * ev:+.3f} %" for ev in evs),
        )
    out().print(shown)


@with_count_rules()
def race(
    spread: Annotated[str, typer.Option(metavar="1:8", help="The spread of every counter.")] = "1:8",
    rounds: Annotated[int, typer.Option(parser=parse_count, metavar="N", help="Rounds of each counter.")] = 50_000_000,
    shoes: Annotated[
        int, typer.Option("--shoes", parser=counts(100, 1_000_000), metavar="N", help="Shoes in play that are solved.")
    ] = 1200,
    strategy: Annotated[str, typer.Option(metavar="NAME", help="The chart that is played else.")] = "basic",
    seed: Seed = 0,
    threads: Threads = None,
    keep: Keep = None,
    cluster: Cluster = None,
    device: Device = "auto",
    png: Png = None,
    folder: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="Write a report with every picture into this new folder."),
    ] = None,
    json: Json = False,
    *,
    rules: Rules,
) -> None:
    """Counters on the same shoes: EV, SCORE and each one's share of what the perfect counter reaches.

    Every counter has its best bets within the spread. The perfect one bets and plays by the exact EV of the cards that
    are left. A share is that of the SCOREs, which is what a full Kelly player wins.
    """
    from holecard.blackjack.counting.bets import parse_spread
    from holecard.blackjack.counting.kept import Kept
    from holecard.blackjack.counting.kernels import counting_kernel
    from holecard.blackjack.counting.race import CountRace, run_count_race
    from holecard.blackjack.exact import KERNELS
    from holecard.blackjack.players.finding import find_strategy
    from holecard.cluster import connected

    refuse_both(cluster, device)
    widest = parse_spread(spread)
    if widest <= 1:
        raise HolecardError("counters need a spread to bet in; use --spread 1:2 or wider")
    if folder is not None:
        verify_new_folder(folder)
    rules = counted(rules)
    chart = find_strategy(strategy, replace(rules, shoe="fresh", insurance=False))
    warn_if_compiling(counting_kernel(rules.table(), rounds), *KERNELS)
    config = CountRace(rules=rules, chart=chart, spread=widest, rounds=rounds, solved=shoes, seed=seed)
    with _held(folder):
        with kept_in(keep), connected(cluster) as executor, progress("counters", _PARTS) as report:

            def tell(share: float, words: str) -> None:
                if report is not None:
                    report(round(share * _PARTS), words)

            work: dict[str, Any] = {"threads": threads, "executor": executor, "device": device}
            counters = run_count_race(config, **work, say=tell, kept=Kept(keep))
        if folder is not None:
            from holecard.ui.report.count_race import CountReport, write_count_report

            page = CountReport(config=config, strategy=strategy, spread=spread, counters=counters)
            say(f"wrote {write_count_report(page, folder)}")
    if png:
        from holecard.ui.figures.count import save_race

        save_race(counters, f"{in_words(rules)}, spread {spread}", png)
        say(f"wrote {png}")
    if json:
        from holecard.ui.report.count_race import counter_json

        print_json(
            {
                "rules": rules.as_dict(),
                "spread": widest,
                "rounds": rounds,
                "counters": [counter_json(counter) for counter in counters],
            }
        )
    elif not png:
        _print_race(counters, f"{in_words(rules)}, spread {spread}")


@contextmanager
def _held(folder: Path | None) -> Iterator[None]:
    """Hold the folder of a race that is there already, so that nobody else begins one in it."""
    with only_one(folder) if folder is not None and folder.is_dir() else nullcontext():
        yield


def _print_race(counters: list[RacedCounter], title: str) -> None:
    from rich.table import Table

    table = Table(title=title)
    table.add_column("counter", no_wrap=True)
    for column in ("EV per round", "average bet", "SCORE", "of perfect"):
        table.add_column(column, justify="right")
    for each in counters:
        table.add_row(
            each.name,
            f"{each.ev.mean:+.5f} ± {each.ev.stderr:.5f}",
            f"{each.average_bet:.3f}",
            f"{each.score.mean:.2f} ± {each.score.stderr:.2f}" if each.ev.mean > 0 else "loses",
            f"{100 * each.share.mean:.1f} ± {100 * each.share.stderr:.1f} %" if each.ev.mean > 0 else "",
        )
    out().print(table)
