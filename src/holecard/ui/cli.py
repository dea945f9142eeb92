"""The command line: `holecard COMMAND`. Bad input is one clear line on stderr and exit code 2."""

from __future__ import annotations

import signal
import sys
import threading
from typing import Final, NoReturn

import typer

from holecard.errors import HolecardError
from holecard.ui import doctor, evaluate, evolve, holdem, learn, play, race, solve, startup
from holecard.ui.window import command as window

_USAGE_ERROR: Final[type[typer.BadParameter]] = next(
    kind for kind in typer.BadParameter.__mro__ if kind.__name__ == "ClickException"
)
"""The base of all usage errors; newer Typers carry their own copy of Click, older ones take Click's."""

_LONGEST_WORD: Final = 200
"""Characters of a word in an error that are shown."""

app = typer.Typer(
    name="holecard",
    help="A lab for card-playing strategies: solve, evolve, train, search, and say exactly how far from perfect.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(race.race)
app.command()(solve.solve)
app.command()(solve.score)
app.command()(play.simulate)
app.command()(play.chart)
app.command()(doctor.doctor)
app.command()(evaluate.evaluate)
app.command()(evaluate.agents)
app.command()(learn.dataset)
app.command()(learn.train)
app.command()(window.watch)
app.add_typer(evolve.app, name="evolve")
app.add_typer(holdem.app, name="holdem")


@app.callback(invoke_without_command=True)
def _version(version: bool = typer.Option(False, "--version", help="Print the version.")) -> None:
    if version:
        from holecard._version import __version__

        print(f"holecard {__version__}")
        raise typer.Exit


def main(arguments: list[str] | None = None) -> NoReturn:
    """Run the program; never shows a traceback for a user's mistake."""
    _stop_when_asked()
    startup.begin()
    try:
        code = app(args=arguments, standalone_mode=False)
    except HolecardError as problem:
        _fail(str(problem))
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)
    except _USAGE_ERROR as problem:
        _fail(problem.format_message())
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(130)
    except MemoryError:
        _fail("there is not enough memory for this; ask for less at once")
    except OSError as problem:
        _fail(f"{problem.filename or 'the system'}: {problem.strerror or problem}")
    sys.exit(code if isinstance(code, int) else 0)


def program() -> NoReturn:
    """What `holecard` starts: `main`, then out at once (`startup.leave`)."""
    try:
        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    startup.leave(code)


def _stop_when_asked() -> None:
    """Let SIGTERM end a command as Ctrl-C does: in order, with the line that resumes."""

    def stop(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, stop)


def _fail(message: str) -> None:
    """One line on stderr, whatever the message is made of; a word that is too long is cut."""
    words = (word if len(word) <= _LONGEST_WORD else f"{word[:_LONGEST_WORD]}…" for word in message.split())
    text = "".join(character if character.isprintable() else "�" for character in " ".join(words))
    if text:
        print(f"holecard: {text}", file=sys.stderr)
    sys.exit(2)
