"""`holecard holdem …`: exact equity, a hand against an opponent in the terminal, histories replayed.

Commands import what they need when they run, so that `--help` loads neither numba nor a table.
"""

from __future__ import annotations

import itertools
import secrets
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from holecard.ui import console
from holecard.ui.numbers import counts, parse_count
from holecard.ui.options import Cluster, Device, Seed, refuse_gpu

if TYPE_CHECKING:
    from holecard.holdem.arena.sitting import Sitting
    from holecard.holdem.equities.equity import Equity
    from holecard.holdem.game.hand import HandState

HOLE = Annotated[str, typer.Argument(help="Your two cards, such as AhKh.", show_default=False)]
BOARD = Annotated[
    list[str] | None, typer.Argument(help="The board: 0, 3, 4 or 5 cards, such as 2c7h9s.", show_default=False)
]
AGAINST = Annotated[str, typer.Option(help='What the other player may hold: random, QdQs or a range, "QQ+,AKs".')]
SAMPLES = Annotated[
    int,
    typer.Option("--monte-carlo", parser=counts(0, None), metavar="N", help="Sample so many deals instead; 0: exact."),
]
TIES = Annotated[str, typer.Option(help="What a split pot counts: half, or win.")]
JSON = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]


def equity_command(
    hole: HOLE,
    board: BOARD = None,
    against: AGAINST = "random",
    monte_carlo: SAMPLES = 0,
    ties: TIES = "half",
    cluster: Cluster = None,
    device: Device = "auto",
    seed: Seed = 0,
    as_json: JSON = False,
) -> None:
    """How often a hand wins: exact counts of wins, ties and losses, and the equity."""
    from holecard.cards import cards_text, parse_cards
    from holecard.cluster import connected
    from holecard.errors import RulesError
    from holecard.holdem.equities import equity as odds
    from holecard.holdem.equities.ranges import parse_range

    if ties not in ("half", "win"):
        raise RulesError(f"--ties must be half or win; got {ties!r}")
    refuse_gpu(device, "equities are looked up or sampled")
    if cluster and not monte_carlo:
        raise RulesError("an exact equity is looked up, not played; --cluster needs --monte-carlo N")
    counted: odds.Ties = "win" if ties == "win" else "half"
    cards, table, range_ = parse_cards(hole), parse_cards("".join(board or [])), parse_range(against)
    odds.verify_spot(cards, table)
    if monte_carlo:
        with connected(cluster) as executor, console.progress("dealing", monte_carlo) as report:
            found = odds.monte_carlo(
                cards,
                table,
                against=range_,
                samples=monte_carlo,
                seed=seed,
                ties=counted,
                executor=executor,
                progress=report,
            )
        if found.total < monte_carlo:
            console.say(f"interrupted: {found.total:,} of {monte_carlo:,} deals")
    else:
        with _table_progress() as progress:
            found = odds.equity(cards, table, against=range_, ties=counted, progress=progress)
    if as_json:
        console.print_json(_equity_json(found))
    else:
        _print_equity(found, cards_text(cards), cards_text(table), against)


def _equity_json(found: Equity) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "win": found.win,
        "tie": found.tie,
        "lose": found.lose,
        "equity": found.equity,
        "exact": found.exact,
    }
    if not found.exact:
        shown["stderr"] = found.stderr if found.total > 1 else None
    return shown


def _print_equity(found: Equity, hole: str, board: str, against: str) -> None:
    where = f" on {board}" if board else ""
    typer.echo(f"{hole}{where} against {against}")
    for name, count in (("win", found.win), ("tie", found.tie), ("lose", found.lose)):
        typer.echo(f"  {name:<5}{count:>15,}  {100 * count / found.total:7.3f} %")
    spread = "exact" if found.exact else f"± {100 * found.stderr:.3f}, Monte Carlo"
    typer.echo(f"  equity {100 * found.equity:.4f} % ({spread})")


@contextmanager
def _table_progress() -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar while the equity tables are built, once per machine."""
    from holecard.holdem.equities.boards import CANONICAL_TURNS
    from holecard.holdem.equities.tables import are_built

    if are_built():
        yield None
        return
    console.say("building the equity tables: once, less than a minute …")
    with console.progress("equity tables", CANONICAL_TURNS) as show:
        yield None if show is None else lambda done, _: show(done)


def play_command(
    opponent: Annotated[
        str, typer.Option(help="Who you play; `holecard holdem play --opponent x` lists them.")
    ] = "smart",
    preset: Annotated[
        str, typer.Option(help="The table: pokernet (5/10, 1,000) or paper (50/100, 20,000).")
    ] = "pokernet",
    hands: Annotated[int, typer.Option(parser=parse_count, metavar="N", help="Hands to play.")] = 1,
    seed: Annotated[
        int | None,
        typer.Option(parser=counts(0, 2**64 - 1), metavar="N", help="Seed of the cards; without one, fresh cards."),
    ] = None,
    save: Annotated[Path | None, typer.Option(help="Write each hand to this folder as a PHH file.")] = None,
) -> None:
    """Play hands in the terminal: `call`, `raise to 300`, `fold`, `all-in`, `help`, `quit`."""
    from holecard.holdem.arena.sitting import Sitting
    from holecard.holdem.equities.tables import equity_tables
    from holecard.holdem.players.presets import preset_named
    from holecard.holdem.players.seated import seated

    rules = replace(preset_named(preset).rules, hands=hands)
    seed = secrets.randbits(32) if seed is None else seed
    other = seated(opponent, seed=seed, buy_in=rules.stack)
    with _table_progress() as progress:
        equity_tables(progress)
    sitting = Sitting(rules, (None, other), seed)
    while _play_hand(sitting, opponent):
        if save is not None:
            _save(sitting.hand, save, sitting.number, opponent)
        if sitting.is_last:
            break
        sitting.next_hand()
    if not sitting.hand.is_over:
        typer.echo("You leave in the middle of a hand; it does not count.")
    elif sitting.number + 1 < hands:
        typer.echo("That was the last chip.")
    typer.echo(_total_text(sitting.results, rules.big_blind))


def _total_text(results: Sequence[int], big_blind: int) -> str:
    """What all hands together came to.

    >>> _total_text([150, -50], 50)
    'Total: 2 hands, +100 chips, +1,000 mBB/hand.'
    """
    if not results:
        return "Total: no hand was finished."
    won = sum(results)
    rate = 1000 * won / big_blind / len(results)
    return f"Total: {len(results)} hand{'s' * (len(results) > 1)}, {won:+,} chips, {rate:+,.0f} mBB/hand."


_HELP: Final = """\
  fold, f              give up the hand
  check, call, c       stay in; costs nothing where nobody has bet
  raise to 300, r 300  bet or raise so that your bet on this street is 300
  all-in, a            bet everything
  help, ?              this
  quit, q              leave"""
"""What a person may type."""


def _play_hand(sitting: Sitting, opponent: str) -> bool:
    """One hand, the person in seat 0; False if they quit."""
    hand, players = sitting.hand, ("hero", opponent)
    mine, theirs = sitting.start
    typer.echo(f"\nHand {sitting.number + 1}: you are the hero with {mine}, {opponent} has {theirs}")
    shown = 0
    while True:
        events = hand.view(0).events
        for event in events[shown:]:
            typer.echo(f"  {_event_text(event, players)}")
        shown = len(events)
        if hand.is_over:
            result = hand.payoffs[0]
            typer.echo(f"You {'win' if result > 0 else 'lose' if result < 0 else 'break even,'} {abs(result)}.")
            return True
        if not _person_acts(sitting):
            return False


def _event_text(event: object, players: tuple[str, str]) -> str:
    """An event in words, with the players' names for their seats."""
    return str(event).replace("seat 0", players[0]).replace("seat 1", players[1])


def _person_acts(sitting: Sitting) -> bool:
    """Read actions until one is legal; False if the person quits or the input ends."""
    from holecard.errors import IllegalAction

    legal = sitting.hand.legal_actions()
    while True:
        typer.echo(f"  pot {sitting.hand.pot}; {legal} > ", nl=False)
        line = sys.stdin.readline()
        word = line.strip().lower()
        if not line or word in ("q", "quit", "exit"):
            typer.echo("")
            return False
        if word in ("h", "help", "?"):
            typer.echo(_HELP)
            continue
        try:
            sitting.act(legal.parse(line))
        except IllegalAction as refusal:
            typer.echo(f"  {refusal}")
        else:
            return True


def _save(hand: HandState, folder: Path, number: int, opponent: str) -> None:
    from holecard.holdem.game.history import HandHistory

    path = next(path for at in itertools.count(number + 1) if not (path := folder / f"hand-{at:03}.phh").exists())
    HandHistory.of(hand, players=("you", opponent)).save(path)
    typer.echo(f"  written to {path}")


def replay_command(
    file: Annotated[Path, typer.Argument(help="A PHH file of a heads-up no-limit hand.", show_default=False)],
    as_json: JSON = False,
) -> None:
    """Show a hand history, event by event."""
    from holecard.cards import cards_text
    from holecard.holdem.game.history import HandHistory

    history = HandHistory.load(file)
    hand = history.replay()
    if as_json:
        shown = {
            "players": list(history.players),
            "button": history.button,
            "stacks": list(history.stacks),
            "board": cards_text(hand.board),
            "events": [str(event) for event in hand.events],
            "payoffs": list(hand.payoffs),
            "over": hand.is_over,
        }
        console.print_json(shown)
        return
    small, big, ante = history.stakes
    typer.echo(f"blinds {small}/{big}" + (f", ante {ante}" if ante else ""))
    for seat in (0, 1):
        typer.echo(f"seat {seat}: {history.players[seat]}, {history.stacks[seat]} chips")
    for event in hand.events:
        typer.echo(f"  {_event_text(event, history.players)}")
    if hand.is_over:
        results = (f"{name} {net:+}" for name, net in zip(history.players, hand.payoffs, strict=True))
        typer.echo(f"result: {', '.join(results)}")
