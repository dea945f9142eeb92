"""`holecard evaluate` and `holecard agents`: let agents play sessions on the same shoes, and judge them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.wording import in_words
from holecard.blackjack.players.options import AgentOptions
from holecard.ui.console import out, print_json, progress, say
from holecard.ui.options import (
    AgentName,
    Bankroll,
    Bet,
    Cluster,
    Count,
    Device,
    Json,
    Seed,
    Threads,
    refuse_gpu,
    with_agent_options,
    with_rules,
)

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from rich.table import Table

    from holecard.blackjack.arena.evaluation import Evaluation
    from holecard.blackjack.arena.metrics import Difference, Interval


@with_rules(sessions=True)
@with_agent_options()
def evaluate(
    agent: AgentName = "heuristic",
    agent2: Annotated[str | None, typer.Option(metavar="NAME", help="Whom to compare with, on the same shoes.")] = None,
    games: Count = 1000,
    rounds: Count = 100,
    seed: Seed = 0,
    threads: Threads = None,
    cluster: Cluster = None,
    device: Device = "auto",
    bet: Bet = 1.0,
    bankroll: Bankroll = None,
    json: Json = False,
    *,
    options: AgentOptions,
    rules: Rules,
) -> None:
    """Let agents play sessions: win rate, payout per round and decision time, each with its 95 % interval.

    A game is a session of --rounds rounds at one table, the shoe dealt down to the cut card. Two agents play the same
    shoes and their difference is taken session by session. A win is a round with a net profit; pushes count as rounds.
    """
    from holecard.blackjack.arena.evaluation import difference
    from holecard.blackjack.game.session_terms import SessionTerms
    from holecard.blackjack.players.registry import make_agent
    from holecard.cluster import connected

    refuse_gpu(device, "agents decide")
    terms = SessionTerms(
        rules=rules, rounds=rounds, seed=seed, bet=bet, bankroll=math.inf if bankroll is None else bankroll
    )
    names = [agent, agent2] if agent2 else [agent]
    for name in names:  # whoever cannot play is refused before anybody does
        make_agent(name, rules, options=options)
    with connected(cluster) as executor:
        results = [_played(name, terms, games, options, threads, executor) for name in names]
    paired = difference(results[0], results[1]) if agent2 else None
    if json:
        print_json(_as_json(results, paired, rules, terms.rounds, games, seed))
    else:
        out().print(_as_table(results, f"{games:,} sessions of {rounds} rounds, {in_words(rules)}, seed {seed}"))
        if paired:
            out().print(_verdict(results, paired))


def _played(
    name: str, terms: Any, games: int, options: AgentOptions, threads: int | None, executor: Executor | None
) -> Evaluation:
    from holecard._jit import must_compile
    from holecard.blackjack.arena.evaluation import evaluate as play
    from holecard.blackjack.game.session_batch import advance_sessions
    from holecard.blackjack.players.mcts_search import search

    if must_compile(search if name == "mcts" else advance_sessions):
        say("compiling for this machine, once; under a minute …")
    with progress(f"{name} plays", games) as report:
        return play(name, terms, games, options=options, threads=threads, executor=executor, progress=report)


def _as_json(
    results: list[Evaluation], paired: Difference | None, rules: Rules, rounds: int, games: int, seed: int
) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "agents": [
            {
                "name": result.name,
                "win_rate": result.win_rate.as_dict(),
                "payout_per_round": result.payout_per_round.as_dict(),
                "net_profit": result.net_profit,
                "decision_seconds": result.decision_seconds,
                "exact_ev": result.exact_ev,
                "rounds": result.rounds,
            }
            for result in results
        ],
        "games": games,
        "rounds": rounds,
        "seed": seed,
        "rules": rules.as_dict(),
    }
    if paired:
        plain["difference"] = paired.as_dict()
    return plain


def _as_table(results: list[Evaluation], title: str) -> Table:
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=None, padding=(0, 1))
    table.add_column("")
    rows: dict[str, list[str]] = {}
    for result in results:
        table.add_column(result.name)
        share = result.win_rate
        rows.setdefault("win rate", []).append(f"{share.value:.4f}  {share.low:.4f} … {share.high:.4f}")
        rows.setdefault("payout per round", []).append(_spread(result.payout_per_round))
        rows.setdefault("exact EV, fresh shoe", []).append("" if result.exact_ev is None else f"{result.exact_ev:+.6f}")
        rows.setdefault("net profit", []).append(f"{result.net_profit:+,.1f}")
        rows.setdefault("rounds", []).append(f"{result.rounds:,}")
        rows.setdefault("per decision", []).append(_duration(result.decision_seconds))
    for name, values in rows.items():
        table.add_row(name, *values)
    return table


def _spread(interval: Interval) -> str:
    ends = "" if interval.low is None else f"  {interval.low:+.4f} … {interval.high:+.4f}"
    return f"{interval.value:+.4f}{ends}"


def _verdict(results: list[Evaluation], paired: Difference) -> str:
    names = " − ".join(result.name for result in results)
    p = paired.p_value
    test = "one session tells nothing" if p is None else f"p = {p:.2g}" if p > 1e-300 else "p < 1e-300"
    return f"{names}: {_spread(paired.interval)} per round on the same shoes, {test}"


def _duration(seconds: float) -> str:
    return f"{seconds * 1e6:.1f} µs" if seconds < 1e-3 else f"{seconds * 1e3:.2f} ms"


def agents() -> None:
    """List who can play."""
    from rich.table import Table

    from holecard.blackjack.players.registry import AGENTS

    table = Table(box=None, padding=(0, 2), show_header=False)
    for name, entry in AGENTS.items():
        note = f" (pip install 'holecard[{entry.extra}]')" if entry.extra else ""
        table.add_row(name, entry.about + note)
    table.add_row("FILE.txt", "a strategy chart of yours, or the programs.txt of `holecard evolve gp`")
    table.add_row("runs/NAME", "the winner of a run of `holecard evolve`")
    table.add_row(
        "module:Class", "an agent of yours, or FILE.py:Class: name, last_reason, act(view); see docs/agents.md"
    )
    out().print(table)
