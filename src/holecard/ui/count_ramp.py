"""`holecard count ramp`: what a counter wins."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.wording import in_words
from holecard.errors import HolecardError, SettingError
from holecard.files import read_text
from holecard.ui.console import out, print_json, progress, say, warn_if_compiling
from holecard.ui.count import Sample, System, counted, solved_indices, with_count_rules
from holecard.ui.numbers import counts, parse_count
from holecard.ui.options import Cluster, Device, Json, Png, Seed, Threads, refuse_both

if TYPE_CHECKING:
    from holecard.blackjack.counting.kernels import Seat
    from holecard.blackjack.counting.ramp import Ramp
    from holecard.blackjack.counting.strategy import CountingStrategy, Departure, Rounding
    from holecard.blackjack.counting.system import CountSystem

_SOLVED = 1200
"""Shoes in play that are solved for indices."""


@with_count_rules()
def ramp(
    system: System,
    spread: Annotated[str | None, typer.Option(metavar="1:8", help="The best bets within this spread.")] = None,
    bets: Annotated[
        str | None, typer.Option(metavar="0:1,1:2,…", help="Units by count before the deal, instead of a spread.")
    ] = None,
    indices: Annotated[
        str | None,
        typer.Option(metavar="none|i18|all|FILE", help="Departures; i18 for Hi-Lo by default, else none."),
    ] = None,
    strategy: Annotated[str, typer.Option(metavar="NAME", help="The chart that is played else.")] = "basic",
    bankroll: Annotated[float, typer.Option(help="In lowest bets, for the risk of ruin.")] = 1000.0,
    risk: Annotated[float | None, typer.Option(help="Also the bankroll of this risk of ruin, such as 0.05.")] = None,
    wong_in: Annotated[
        int | None,
        typer.Option(
            parser=counts(None),
            metavar="N",
            help="Watch, and sit down from this count on; leave below it, unless --wong-out says else.",
        ),
    ] = None,
    wong_out: Annotated[
        int | None,
        typer.Option(
            parser=counts(None),
            metavar="N",
            help="Leave below this count; sit down again from it on, unless --wong-in says else.",
        ),
    ] = None,
    true_count: Annotated[
        str, typer.Option(metavar="floor|truncate|round|exact", help="How a true count is made whole.")
    ] = "floor",
    deck_estimate: Annotated[
        str, typer.Option(metavar="card|half|full", help="How finely the decks left are estimated.")
    ] = "card",
    rounds: Annotated[int, typer.Option(parser=parse_count, metavar="N", help="Rounds to play.")] = 100_000_000,
    seed: Seed = 0,
    threads: Threads = None,
    cluster: Cluster = None,
    device: Device = "auto",
    png: Png = None,
    json: Json = False,
    *,
    rules: Rules,
) -> None:
    """What a counter wins: bets by the count, EV and deviation per round, SCORE, N0 and the risk of ruin.

    From dealt shoes, heads-up. EV and deviation are per round dealt, in lowest bets; a round that is only watched
    counts too, with no bet. SCORE = 10⁶ (EV / deviation)²; N0 = (deviation / EV)² rounds. The risk of ruin is that of
    independent rounds with the whole distribution of results, by recursion.
    """
    from holecard.blackjack.counting.bets import bets_by_count, parse_bets, parse_spread
    from holecard.blackjack.counting.kernels import counting_kernel
    from holecard.blackjack.counting.ramp import optimal_bets
    from holecard.blackjack.counting.ramp import ramp as ramp_of
    from holecard.blackjack.counting.shoes import SeatedCounter, play_shoes
    from holecard.blackjack.counting.strategy import ONE_UNIT
    from holecard.cluster import connected

    if spread and bets:
        raise HolecardError("--spread and --bets exclude each other; give one")
    if risk is not None and not 0 < risk < 1:
        raise SettingError(f"a risk lies between 0 and 1; got {risk:g}")
    if not 1 <= bankroll <= 1e9:
        raise SettingError(f"a bankroll is 1 to 1,000,000,000 lowest bets; got {bankroll:g}")
    refuse_both(cluster, device)
    widest, given = parse_spread(spread or "1:8"), parse_bets(bets) if bets is not None else None
    rules = counted(rules)
    seat = _seat(wong_in, wong_out)
    with connected(cluster) as executor:
        sample = Sample(_SOLVED, seed, threads, executor)
        player = _player(system, rules, indices, strategy, (true_count, deck_estimate), sample)
        if given is None and spread is None and player.bets != ONE_UNIT:
            given = dict(player.bets)
        warn_if_compiling(counting_kernel(rules.table(), rounds))
        with progress("playing shoes", rounds) as report:
            shoes = play_shoes(
                SeatedCounter(player, seat),
                rules,
                rounds,
                seed=seed,
                threads=threads,
                executor=executor,
                progress=report,
                device=device,
            )
    if not shoes.complete:
        say(f"interrupted: the figures are those of the first {shoes.rounds:,} rounds")
    if not shoes.rounds:
        raise typer.Exit(130)
    if not shoes.by_count.any():
        raise HolecardError(f"in {shoes.rounds:,} rounds no count reached {wong_in}; lower --wong-in or raise --rounds")
    units = optimal_bets(shoes, widest) if given is None else bets_by_count(given, shoes.counts)
    result = ramp_of(shoes, units)
    answer = _ramp_json(result, player, rules, bankroll, risk)
    if png:
        from holecard.ui.figures.count import save_ramp

        save_ramp(result, f"{player.system.name}, {in_words(rules)}", png)
        say(f"wrote {png}")
    if json:
        print_json(answer)
    elif not png:
        _print_ramp(result, answer, player, rules)


def _seat(wong_in: int | None, wong_out: int | None) -> Seat:
    from holecard.blackjack.counting.kernels import Seat
    from holecard.blackjack.counting.shoes import ALWAYS
    from holecard.blackjack.counting.strategy import HIGHEST, LOWEST

    for name, value in (("--wong-in", wong_in), ("--wong-out", wong_out)):
        if value is not None and not LOWEST <= value <= HIGHEST:
            raise SettingError(f"{name} must be {LOWEST} to {HIGHEST}; got {value}")
    if wong_in is None and wong_out is None:
        return ALWAYS
    enter = wong_in if wong_in is not None else wong_out
    leave = wong_out if wong_out is not None else wong_in
    if enter is not None and leave is not None and leave > enter:
        raise SettingError(f"who leaves below {leave} cannot sit down at {enter}; raise --wong-in or lower --wong-out")
    return Seat((enter or 0) - LOWEST, (leave or 0) - LOWEST)


def _player(
    system: str,
    rules: Rules,
    indices: str | None,
    chart: str,
    counting: tuple[str, str],
    sample: Sample,
) -> CountingStrategy:
    """The counting strategy of a command line."""
    from holecard.blackjack.counting.strategy import CountingStrategy
    from holecard.blackjack.counting.system import find_system
    from holecard.blackjack.counting.text import load_counter
    from holecard.blackjack.players.finding import find_strategy

    rounding, estimate = counting
    if rounding not in ("floor", "truncate", "round", "exact"):
        raise SettingError(f"--true-count must be floor, truncate, round or exact; got {rounding!r}")
    if estimate not in ("card", "half", "full"):
        raise SettingError(f"--deck-estimate must be card, half or full; got {estimate!r}")
    if Path(system).is_file():
        if indices:
            raise SettingError(f"{system} has its own departures; leave out --indices")
        return _from_file(load_counter(system, rules), rules)
    count = find_system(system)
    wanted = indices or ("i18" if count.name == "Hi-Lo" else "none")
    found, insurance = _departures(count, rules, (wanted, rounding), sample)  # type: ignore[arg-type]
    return CountingStrategy(
        system=count,
        chart=find_strategy(chart, replace(rules, shoe="fresh", insurance=False)),
        departures=found,
        insurance=insurance if rules.insurance else None,
        rounding=rounding,  # type: ignore[arg-type]
        deck_estimate=estimate,  # type: ignore[arg-type]
    )


def _from_file(player: CountingStrategy, rules: Rules) -> CountingStrategy:
    return player if rules.insurance else replace(player, insurance=None)


def _departures(
    count: CountSystem, rules: Rules, asked: tuple[str, Rounding], sample: Sample
) -> tuple[tuple[Departure, ...], int | None]:
    """The departures that `--indices` names, for counts made whole in that way, and the index of insurance."""
    from holecard.blackjack.counting.insurance import insurance_index
    from holecard.blackjack.counting.strategy import (
        ILLUSTRIOUS_INSURANCE,
        illustrious_18,
        of_the_illustrious,
        parse_departures,
    )
    from holecard.blackjack.counting.text import is_counter, load_counter

    wanted, rounding = asked
    if wanted == "none":
        return (), None
    if wanted == "i18" and count.name == "Hi-Lo":
        return illustrious_18(rules), ILLUSTRIOUS_INSURANCE
    if wanted in ("i18", "all"):
        found = tuple(each.departure for each in solved_indices(count, rules, sample, rounding))
        if wanted == "i18":  # the same cells, at this count's own indices
            found = of_the_illustrious(found, rules)
        return found, insurance_index(count, rules.packs, rules.share_dealt, rounding)
    text = read_text(Path(wanted))
    if is_counter(text):
        player = load_counter(wanted, rules)
        if player.system.tags != count.tags:
            raise SettingError(f"{wanted} is for {player.system.name}; its indices are no other count's than its own")
        return player.departures, player.insurance
    return parse_departures(text.splitlines())


def _ramp_json(
    result: Ramp, player: CountingStrategy, rules: Rules, bankroll: float, risk: float | None
) -> dict[str, Any]:
    from holecard.blackjack.counting.ruin import bankroll_for, ruin, ruin_by_formula

    results = result.results()
    rows = result.by_count()
    answer: dict[str, Any] = {
        "system": player.system.name,
        "rules": rules.as_dict(),
        "ev": result.ev.mean,
        "stderr": result.ev.stderr,
        "stdev": result.stdev.mean,
        "average_bet": result.average_bet.mean,
        "n0": result.n0.mean if result.ev.mean > 0 else None,
        "di": result.di.mean,
        "score": result.score.mean,
        "score_stderr": result.score.stderr,
        "bankroll": bankroll,
        "risk_of_ruin": ruin(results, bankroll),
        "risk_of_ruin_by_formula": ruin_by_formula(result.ev.mean, result.stdev.mean**2, bankroll),
        "bets": {str(row["count"]): row["bet"] for row in rows},
        "counts": rows,
        "rounds": result.shoes.rounds,
    }
    if risk is not None:
        answer["bankroll_for_risk"] = bankroll_for(results, risk)
    return answer


def _print_ramp(result: Ramp, answer: dict[str, Any], player: CountingStrategy, rules: Rules) -> None:
    from rich.table import Table

    shown = [row for row in answer["counts"] if row["share"] >= 1e-4]
    table = Table(title=f"{player.system.name}, {in_words(rules)}")
    for column in ("count", "share of rounds", "EV of a unit", "deviation", "bet"):
        table.add_column(column, justify="right")
    for row in shown:
        table.add_row(
            f"{row['count']:+d}",
            f"{100 * row['share']:.2f} %",
            f"{row['ev']:+.4f} ± {row['stderr']:.4f}",
            f"{row['stdev']:.3f}",
            f"{row['bet']:.2f}".rstrip("0").rstrip("."),
        )
    screen = out()
    screen.print(table)
    screen.print(
        f"per round: EV {result.ev.mean:+.5f} ± {result.ev.stderr:.5f}, deviation {result.stdev.mean:.4f}, "
        f"average bet {result.average_bet.mean:.3f}; {answer['rounds']:,} rounds"
    )
    screen.print(f"per 100 rounds: EV {100 * result.ev.mean:+.3f}, deviation {10 * result.stdev.mean:.2f}")
    if result.ev.mean > 0:
        screen.print(
            f"SCORE {result.score.mean:.2f} ± {result.score.stderr:.2f}, DI {result.di.mean:.3f}, "
            f"N0 {result.n0.mean:,.0f} rounds"
        )
    screen.print(
        f"risk of ruin with {answer['bankroll']:,.0f} units: {100 * answer['risk_of_ruin']:.3f} % "
        f"(exponential formula {100 * answer['risk_of_ruin_by_formula']:.3f} %)"
    )
    if "bankroll_for_risk" in answer:
        needed = answer["bankroll_for_risk"]
        screen.print(
            "no bankroll lasts: the EV is not positive"
            if needed is None
            else f"bankroll for that risk: {needed:,.1f} units"
        )
