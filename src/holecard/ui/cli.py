"""The command line: `holecard COMMAND`. Bad input is one clear line on stderr and exit code 2."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final, NoReturn

import typer

from holecard.errors import HolecardError, nearest_name
from holecard.ui import console, startup
from holecard.ui.lazy import Lazy, lazy_group

_USAGE_ERROR: Final[type[typer.BadParameter]] = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException"
)
"""The base of all usage errors; newer Typers carry their own copy of Click, older ones take Click's."""

_MOMENT: Final = 0.05
"""Seconds until an interrupt that was lost is raised again."""
_LONGEST_WORD: Final = 200
"""Characters of a word in an error that are shown."""

app = lazy_group(
    "A lab for card-playing strategies: solve, evolve, train, search, and say exactly how far from perfect.",
    {
        "race": Lazy(
            "race:race",
            "Solve, evolve, train and search for strategies of one game, judge all by exact values, and write a "
            "report.",
        ),
        "solve": Lazy(
            "solve:solve",
            "Solve a table exactly: the best play of every hand, its EV, the best chart, and where the two differ.",
        ),
        "score": Lazy(
            "solve:score",
            "Score a strategy exactly: its EV, its regret against the optimum, and its leaks, costliest first.",
        ),
        "rules": Lazy(
            "rules:table_rules",
            "Well-known games side by side with their exact house edges; or, with --price, what every rule is worth.",
        ),
        "simulate": Lazy(
            "play:simulate",
            "Play a strategy for many rounds: EV ± standard error, win, push and lose shares, speed.",
        ),
        "chart": Lazy("play:chart", "Print a strategy chart in colour, as text, or as a picture."),
        "doctor": Lazy(
            "doctor:doctor", "Show versions, cores, the cache and its tables, extras, and a self-test of some seconds."
        ),
        "evaluate": Lazy(
            "evaluate:evaluate",
            "Let agents play sessions: win rate, payout per round and decision time, each with its 95 % interval.",
        ),
        "agents": Lazy("evaluate:agents", "List who can play."),
        "dataset": Lazy("learn:dataset", "Record every decision of an expert over many sessions, as training data."),
        "train": Lazy("learn:train", "Train the DNN agent by imitation: weights, a JSON card and curves."),
        "watch": Lazy(
            "window.command:watch",
            "Watch an agent play, with the exact EV of every legal action beside its choice; or play and learn what it "
            "costs.",
        ),
        "studio": Lazy(
            "studio.command:studio",
            "Open the lab in the browser: tables, charts and shoes whose exact numbers follow every change.",
        ),
    },
)
"""The program. A command is a function of its module and a line here, whose summary is the start of its docstring."""

app.add_typer(
    lazy_group(
        "Card counting: what counts are worth, exactly, and what a counter wins.",
        {
            "systems": Lazy(
                "count:systems", "Known counts beside each other: tags, and how closely each follows this game."
            ),
            "best": Lazy(
                "count:best", "The best count there is for this game, beside the known ones and the other levels."
            ),
            "indices": Lazy(
                "count:indices",
                "The counts at which plays change: where the exact EVs of two actions cross, averaged over shoes in "
                "play.",
            ),
            "ramp": Lazy(
                "count_ramp:ramp",
                "What a counter wins: bets by the count, EV and deviation per round, SCORE, N0 and the risk of ruin.",
            ),
            "drill": Lazy(
                "count_drill:drill",
                "A counter's drill: the running count as cards flash by, the bet, the play, and what a mistake costs "
                "exactly.",
            ),
            "race": Lazy(
                "count_shoes:race",
                "Counters on the same shoes: EV, SCORE and each one's share of what the perfect counter reaches.",
            ),
            "shoe": Lazy(
                "count_shoes:shoe",
                "Shoes as they are played, round by round, with three exact EVs of the next round each.",
            ),
        },
    ),
    name="count",
)
app.add_typer(
    lazy_group(
        "Evolve blackjack strategies.",
        {
            "ga": Lazy(
                "evolve:ga",
                "Evolve a chart of letters: the 260-bit algorithm (classic), a better one (tuned), an exact one "
                "(exact).",
            ),
            "counter": Lazy(
                "evolve_counter:counter",
                "Evolve a card counter of 294 bits: how to play, how to count, how to bet.",
            ),
            "gp": Lazy("evolve:gp", "Evolve ten programs that vote, one per upcard: hit, stand or double."),
        },
    ),
    name="evolve",
)
app.add_typer(
    lazy_group(
        "Heads-up no-limit hold'em.",
        {
            "evolve": Lazy(
                "neuroevolution:evolve_command",
                "Evolve dual-LSTM players against rule players; writes a run directory with its champion.",
            ),
            "dashboard": Lazy(
                "neuroevolution:dashboard_command",
                "Show the dashboard of a running or finished run from its records.",
            ),
            "figures": Lazy(
                "neuroevolution:figures_command",
                "Draw a run's figures anew: fitness, earnings, styles, the champion's actions, and how it adapts.",
            ),
            "duel": Lazy(
                "neuroevolution:duel_command",
                "Two players on duplicate decks with the seats swapped: mBB/hand of A, and how both play.",
            ),
            "league": Lazy(
                "neuroevolution:league_command",
                "A round robin on the same decks: everybody against everybody, and a table.",
            ),
            "adapt": Lazy(
                "adapt:adapt_command",
                "How a player adapts: what it wins from each opponent with its memory cleared and after so many hands.",
            ),
            "equity": Lazy(
                "holdem:equity_command",
                "How often a hand wins: exact counts of wins, ties and losses, and the equity.",
            ),
            "play": Lazy(
                "holdem:play_command",
                "Play hands in the terminal: `call`, `raise to 300`, `fold`, `all-in`, `help`, `quit`.",
            ),
            "replay": Lazy("holdem:replay_command", "Show a hand history, event by event."),
            "exploit": Lazy(
                "exploit:exploit_command",
                "The most that can be won from an opponent: mBB/hand of a best response, and of simple answers.",
            ),
            "exploitability": Lazy(
                "exploitability:exploitability_command",
                "Local best response: a lower bound on what can be won from a player, in mBB/hand with its 95 % "
                "interval.",
            ),
            "pushfold": Lazy(
                "push_fold:pushfold_command",
                "Push or fold before the flop, solved exactly: both charts, the EV of every hand, what mistakes cost.",
            ),
            "spot": Lazy(
                "spot:spot_command",
                "Solve a turn or river spot, range against range: frequencies, EVs, equities, and its exploitability.",
            ),
            "blueprint": Lazy(
                "blueprint:blueprint_command",
                "Train an equilibrium player by Monte-Carlo counterfactual regret minimisation; it can sit anywhere.",
            ),
            "solve": Lazy(
                "equilibrium:solve_command",
                "Solve a small game by counterfactual regret minimisation; exact best responses judge it.",
            ),
        },
    ),
    name="holdem",
)


@app.callback(invoke_without_command=True)
def _version(version: bool = typer.Option(False, "--version", help="Print the version.")) -> None:
    if version:
        from holecard._version import __version__

        print(f"holecard {__version__}")
        raise typer.Exit


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the program; never shows a traceback for a user's mistake."""
    startup.begin()
    console.remember(sys.argv[1:] if arguments is None else arguments)
    try:
        with _stopping_when_asked():
            code = app(args=arguments, standalone_mode=False)
    except HolecardError as problem:
        _fail(str(problem))
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except _USAGE_ERROR as problem:
        _fail(_usage(problem))
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(130)
    except MemoryError:
        _fail("there is not enough memory for this; ask for less at once")
    except OSError as problem:
        _fail(f"{problem.filename or 'the system'}: {problem.strerror or problem}")
    sys.exit(code if isinstance(code, int) else 0)


def _usage(problem: Any) -> str:
    """What is wrong with what was typed; of an option that does not exist, the one that was meant."""
    name, context = getattr(problem, "option_name", None), getattr(problem, "ctx", None)
    if name is None or context is None or not hasattr(problem, "possibilities"):
        return str(problem.format_message())
    known = {
        option.lstrip("-"): option for each in context.command.params for option in (*each.opts, *each.secondary_opts)
    }
    near = nearest_name(name.lstrip("-"), known)
    hint = f"did you mean {known[near]}?" if near else "--help lists them"
    return f"unknown option {name}; {hint}"


def program() -> NoReturn:
    """What `holecard` starts: `main`, then out at once (`startup.leave`)."""
    try:
        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    startup.leave(code)


@contextmanager
def _stopping_when_asked() -> Iterator[None]:
    """Let SIGTERM end a command as Ctrl-C does: in order, with the line that resumes. And let either be heard.

    Python raises an interrupt wherever it runs Python next. While numba compiles, that is a function that LLVM calls,
    and what is raised there is lost. Python tells a hook of it, which raises it again a moment later.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before, waiting = sys.unraisablehook, list[threading.Timer]()

    def stop(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    def hear(lost: Any) -> None:
        if lost.exc_type is None or not issubclass(lost.exc_type, KeyboardInterrupt):
            before(lost)
            return
        waiting.append(threading.Timer(_MOMENT, _ask_again))
        waiting[-1].daemon = True
        waiting[-1].start()

    signal.signal(signal.SIGTERM, stop)
    sys.unraisablehook = hear
    try:
        yield
    except Exception:  # numba may stumble over what it lost with the interrupt, before it is raised again
        if not waiting:
            raise
        raise KeyboardInterrupt from None
    finally:
        sys.unraisablehook = before
        for timer in waiting:
            timer.cancel()


def _ask_again() -> None:
    """Interrupt the main thread, also where it waits for others; Windows cannot do the latter."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)
    else:
        _thread.interrupt_main(signal.SIGTERM)


def _fail(message: str) -> None:
    """One line on stderr, whatever the message is made of; a word that is too long is cut."""
    words = (word if len(word) <= _LONGEST_WORD else f"{word[:_LONGEST_WORD]}…" for word in message.split())
    text = "".join(character if character.isprintable() else "�" for character in " ".join(words))
    if text:
        print(f"holecard: {text}", file=sys.stderr)
    sys.exit(2)
