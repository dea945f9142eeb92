"""`holecard count systems | best | indices`: what counts are worth at a table, the best one, and its indices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.wording import in_words
from holecard.errors import RulesError, SettingError
from holecard.files import FileKind, write_file
from holecard.ui.console import out, print_json, progress, say, warn_if_compiling
from holecard.ui.numbers import counts
from holecard.ui.options import Cluster, Json, Seed, Threads, output_option, with_rules
from holecard.ui.signature import Command

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from rich.table import Table

    from holecard.blackjack.counting.indices import Index
    from holecard.blackjack.counting.strategy import Rounding
    from holecard.blackjack.counting.system import CountSystem

System = Annotated[
    str,
    typer.Argument(metavar="SYSTEM", help="A count such as hi-lo, or ten tags: A=-1,2=1,…,10=-1.", show_default=False),
]
Shoes = Annotated[
    int, typer.Option("--shoes", parser=counts(100, 1_000_000), metavar="N", help="Shoes in play that are solved.")
]

Keep = Annotated[
    Path | None, typer.Option("--keep", metavar="DIR", help="Keep finished parts here; the same command goes on.")
]
_FIRST_WORDS = "# indices of "
_INDICES = FileKind(name="indices", beginnings={".txt": _FIRST_WORDS.encode()})


@contextmanager
def kept_in(folder: Path | None) -> Iterator[None]:
    """Whoever stops the block is told that the same command goes on, if parts of it are kept."""
    try:
        yield
    except KeyboardInterrupt:
        where = f"; the same command goes on from {folder}" if folder else "; with --keep DIR a command can go on"
        say(f"stopped{where}")
        raise


def counted(rules: Rules) -> Rules:
    """The rules as a counter meets them: a shoe dealt down, and insurance wherever there are naturals to insure."""
    if rules.is_infinite:
        raise RulesError("an infinite shoe cannot be counted; use --decks 1 to 8")
    return replace(rules, shoe="dealt")


def with_count_rules() -> Callable[[Command], Command]:
    """Give a command the RULES of a counter: insurance is offered unless `--no-insurance` is given."""
    return with_rules(sessions=True, insured=True)


@with_count_rules()
def systems(json: Json = False, *, rules: Rules) -> None:
    """Known counts beside each other: tags, and how closely each follows this game.

    The betting correlation is that of the tags with the exact effects of removal, the insurance correlation that with
    the tens, the playing efficiency the share of a perfect player's gain from changed decisions.
    """
    from holecard.blackjack.counting.correlation import correlations
    from holecard.blackjack.counting.effects import effects_of
    from holecard.blackjack.counting.system import SYSTEMS
    from holecard.blackjack.exact import KERNELS

    rules = counted(rules)
    warn_if_compiling(*KERNELS)
    effects = effects_of(replace(rules, shoe="fresh"))
    rows = [_system_json(system, correlations(system, effects, rules.share_dealt)) for system in SYSTEMS.values()]
    if json:
        print_json({"rules": rules.as_dict(), "systems": rows})
    else:
        out().print(_systems_table(rows, f"counts, {in_words(rules)}"))


def _system_json(system: CountSystem, found: Any) -> dict[str, Any]:
    return {
        "name": system.name,
        "tags": system.tags_by_value(),
        "level": system.level,
        "balanced": system.is_balanced,
        "betting_correlation": found.betting,
        "insurance_correlation": found.insurance,
        "playing_efficiency": found.playing,
    }


def _tag(tag: float) -> str:
    """A tag in a few letters: `-1`, `.5`, `-.8`."""
    text = f"{tag:.1f}".removesuffix(".0").replace("0.", ".")
    return "0" if text == "-0" else text


def _systems_table(rows: list[dict[str, Any]], title: str) -> Table:
    from rich.table import Table

    width = max(len(_tag(tag)) for row in rows for tag in row["tags"].values())
    table = Table(title=title)
    table.add_column("count", no_wrap=True)
    table.add_column(" ".join(value.rjust(width) for value in rows[0]["tags"]), no_wrap=True)
    for column in ("bet", "play", "ins."):
        table.add_column(column, justify="right")
    for row in rows:
        figures = (row["betting_correlation"], row["playing_efficiency"], row["insurance_correlation"])
        tags = " ".join(_tag(tag).rjust(width) for tag in row["tags"].values())
        table.add_row(row["name"], tags, *(f"{each:.3f}" for each in figures))
    return table


@with_count_rules()
def best(
    level: Annotated[str, typer.Option(metavar="1|2|3|real", help="The largest tag; real: any tags.")] = "1",
    by: Annotated[
        str, typer.Option(metavar="betting|playing|both", help="What it is the best for; both: with a 1:8 spread.")
    ] = "betting",
    balanced: Annotated[
        bool, typer.Option("--balanced", help="Only counts whose tags add up to 0 over a pack, for true counts.")
    ] = False,
    json: Json = False,
    *,
    rules: Rules,
) -> None:
    """The best count there is for this game, beside the known ones and the other levels."""
    from holecard.blackjack.counting.best import AIMS, LEVELS, CountSetting, best_count
    from holecard.blackjack.counting.correlation import correlations
    from holecard.blackjack.counting.effects import effects_of
    from holecard.blackjack.counting.system import SYSTEMS
    from holecard.blackjack.exact import KERNELS

    if level not in map(str, LEVELS):
        raise SettingError(f"--level must be 1, 2, 3 or real; got {level!r}")
    if by not in AIMS:
        raise SettingError(f"--by must be betting, playing or both; got {by!r}")
    rules = counted(rules)
    warn_if_compiling(*KERNELS)
    setting = CountSetting(
        effects=effects_of(replace(rules, shoe="fresh")),
        aim=by,  # type: ignore[arg-type]
        penetration=rules.share_dealt,
    )
    wanted = [each for each in LEVELS if str(each) == level or not json]
    found = {str(each): best_count(setting, each, balanced=balanced) for each in wanted}  # type: ignore[arg-type]
    rows = {
        each: _system_json(system, correlations(system, setting.effects, rules.share_dealt))
        for each, system in found.items()
    }
    if json:
        print_json(
            {"rules": rules.as_dict(), "by": by, **rows[level], "level": int(level) if level != "real" else level}
        )
        return
    known = [
        _system_json(system, correlations(system, setting.effects, rules.share_dealt)) for system in SYSTEMS.values()
    ]
    out().print(_systems_table([*rows.values(), *known], f"the best counts by {by}, {in_words(rules)}"))


@with_count_rules()
def indices(
    system: System,
    top: Annotated[
        int | None, typer.Option("--top", parser=counts(1, 1000), metavar="N", help="Only so many, the most valuable.")
    ] = None,
    shoes: Shoes = 1200,
    seed: Seed = 0,
    threads: Threads = None,
    keep: Keep = None,
    cluster: Cluster = None,
    save: Annotated[
        Path | None, output_option("--save", _INDICES, "Write them into this .txt, for `count ramp --indices FILE`.")
    ] = None,
    json: Json = False,
    *,
    rules: Rules,
) -> None:
    """The counts at which plays change: where the exact EVs of two actions cross, averaged over shoes in play.

    Each has its standard error, how often its cell comes up in a round, and what it adds to the EV of a round with one
    unit bet. The index of insurance is exact: every subset of the cards left is counted.
    """
    from holecard.blackjack.counting.insurance import insurance_index
    from holecard.blackjack.counting.strategy import CountingStrategy
    from holecard.blackjack.counting.system import find_system
    from holecard.blackjack.counting.text import counter_text
    from holecard.blackjack.strategy.named import named_strategy
    from holecard.cluster import connected

    count, rules = find_system(system), counted(rules)
    with connected(cluster) as executor, kept_in(keep):
        found = solved_indices(count, rules, Sample(shoes, seed, threads, executor, keep))[:top]
    insurance = insurance_index(count, rules.packs, rules.share_dealt) if rules.insurance else None
    if save:
        chart = named_strategy("basic", replace(rules, shoe="fresh", insurance=False))
        departures = tuple(each.departure for each in found)
        player = CountingStrategy(system=count, chart=chart, departures=departures, insurance=insurance)
        write_file(save, f"{_FIRST_WORDS}{count.name}, {rules}\n{counter_text(player)}")
        say(f"wrote {save}")
    if json:
        print_json(
            {
                "system": count.name,
                "rules": rules.as_dict(),
                "insurance": None if insurance is None else {"index": insurance, "stderr": 0.0},
                "indices": [_index_json(each) for each in found],
                "shoes": shoes,
            }
        )
        return
    out().print(_indices_table(found, f"{count.name}, {in_words(rules)}"))
    if insurance is not None:
        out().print(f"insurance from {insurance:+d} (exact)")


class Sample(NamedTuple):
    """Shoes in play that are solved, and where."""

    shoes: int
    seed: int
    threads: int | None
    executor: Executor | None
    keep: Path | None = None


def solved_indices(count: CountSystem, rules: Rules, sample: Sample, rounding: Rounding = "floor") -> list[Index]:
    """The indices of a count, with progress on a terminal."""
    from holecard.blackjack.counting.indices import find_indices
    from holecard.blackjack.counting.kept import Kept
    from holecard.blackjack.counting.solved_shoes import solve_shoes
    from holecard.blackjack.exact import KERNELS

    warn_if_compiling(*KERNELS)
    with progress("solving shoes in play", sample.shoes) as report:
        solved = solve_shoes(
            replace(rules, shoe="fresh"),
            shoes=sample.shoes,
            seed=sample.seed,
            threads=sample.threads,
            executor=sample.executor,
            progress=report,
            kept=Kept(sample.keep),
        )
    return find_indices(count, solved, rounding)


def _index_json(each: Index) -> dict[str, Any]:
    departure = each.departure
    return {
        "cell": str(departure.cell),
        "action": departure.action,
        "otherwise": departure.otherwise,
        "index": departure.index,
        "crossing": each.crossing,
        "stderr": each.stderr,
        "frequency": each.frequency,
        "gain": each.gain,
    }


def _indices_table(found: list[Index], title: str) -> Table:
    from rich.table import Table

    table = Table(title=title)
    for column in ("hand", "below", "from the index", "index", "crossing", "per 1,000 rounds", "gain per 1,000 rounds"):
        table.add_column(column, justify="left" if column in ("hand", "below", "from the index") else "right")
    for each in found:
        departure = each.departure
        table.add_row(
            departure.cell.short,
            departure.otherwise,
            departure.action,
            f"{departure.index:+d}",
            f"{each.crossing:+.2f} ± {each.stderr:.2f}",
            f"{1e3 * each.frequency:.2f}",
            f"{1e3 * each.gain:.4f}",
        )
    return table
