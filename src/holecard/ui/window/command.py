"""`holecard watch`: the table one can watch and play. Loads pygame only when it is called."""

from __future__ import annotations

import os
import re
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.players.options import AgentOptions
from holecard.errors import HolecardError, MissingExtra
from holecard.ui.console import progress, say, warn_if_compiling
from holecard.ui.options import Bet, Count, Overwrite, Seed, SessionBankroll, with_agent_options, with_rules

if TYPE_CHECKING:
    from holecard.blackjack.arena.watched import WatchedSession
    from holecard.ui.session.settings import Settings

INSTALL: Final = "holecard watch needs pygame-ce; install it with: pip install 'holecard[watch]'"
_LARGEST: Final = 7680
"""Pixels of the widest and of the tallest picture."""
_TICKS: Final = 1000
"""Steps of the progress bar while a recording is rendered."""
_PICTURE: Final = (1280, 800)
"""The size of a recording, unless another is asked for."""


@with_rules(sessions=True)
@with_agent_options()
def watch(
    agent: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Who plays, as in `holecard agents`, or `you`; without it, the menu."),
    ] = None,
    rounds: Count = 20,
    seed: Seed = 0,
    bet: Bet = 10.0,
    bankroll: SessionBankroll = 1000.0,
    replay: Annotated[Path | None, typer.Option(metavar="FILE", help="Show a session that was saved.")] = None,
    record: Annotated[
        str | None,
        typer.Option(metavar="FOLDER/|FILE.gif", help="Render the session without a screen: PNG frames or a GIF."),
    ] = None,
    overwrite: Overwrite = False,
    size: Annotated[str | None, typer.Option(metavar="WxH", help="The window or picture, 1024x640 or more.")] = None,
    fps: Annotated[int, typer.Option(min=1, max=60, help="Frames a second of a recording.")] = 12,
    speed: Annotated[float, typer.Option(min=0.25, max=16, help="How fast steps follow each other.")] = 1.0,
    *,
    options: AgentOptions,
    rules: Rules,
) -> None:
    """Watch an agent play, with the exact EV of every legal action beside its choice; or play and learn what it costs.

    Without --agent the menu opens. SPACE runs and stops, ← and → step, F1 shows every key.
    """
    from holecard.ui.session.settings import Settings, preset_of, problem_with

    settings = Settings(
        agent=agent or "heuristic",
        rules=rules,
        preset=preset_of(rules),
        rounds=rounds,
        bet=bet,
        bankroll=bankroll,
        seed=seed,
        options=options,
    )
    if problem := problem_with(settings):
        raise HolecardError(problem)
    pixels = None if size is None else parse_size(size)
    session = None if replay is None else _saved(replay)
    need_pygame()
    if record is not None:
        _record(settings, session, _target(record, overwrite), pixels or _PICTURE, fps, speed)
    else:
        _open(settings, session, pixels, speed, at_once=agent is not None)


def _saved(path: Path) -> WatchedSession:
    from holecard.blackjack.arena.session_file import load_session

    return load_session(path)


def need_pygame() -> None:
    """Refuse, with the line that installs it, where pygame is missing."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    if find_spec("pygame") is None:
        raise MissingExtra(INSTALL)
    import pygame

    if not getattr(pygame, "IS_CE", False):
        raise MissingExtra(f"this is pygame, not pygame-ce; pip uninstall pygame, then: {INSTALL.rpartition(': ')[2]}")


def parse_size(text: str) -> tuple[int, int]:
    """A size such as `1920x1080`.

    >>> parse_size("1920x1080")
    (1920, 1080)
    """
    match = re.fullmatch(r"\s*(\d{2,5})\s*[x×]\s*(\d{2,5})\s*", text.lower())
    wide, tall = (int(match[1]), int(match[2])) if match else (0, 0)
    if not (1024 <= wide <= _LARGEST and 640 <= tall <= _LARGEST):
        raise HolecardError(f"size is WxH, from 1024x640 to {_LARGEST}x{_LARGEST}; got {text!r}")
    return wide, tall


def _open(
    settings: Settings, session: WatchedSession | None, size: tuple[int, int] | None, speed: float, *, at_once: bool
) -> None:
    """The window, until somebody closes it."""
    from holecard.ui.session.agents import YOU
    from holecard.ui.session.preferences import Preferences
    from holecard.ui.window.app import App
    from holecard.ui.window.screens import Start
    from holecard.ui.window.window import Window

    starts = at_once and session is None
    if starts and settings.agent != YOU:
        _check_agent(settings)
    window = Window(size)
    try:
        app = App(window, settings, preferences=Preferences.at_speed(speed), replay=session)
        if starts:
            app.go(Start(settings))
        app.run()
    finally:
        window.close()


def _check_agent(settings: Settings) -> None:
    """Refuse an agent that cannot sit down, before the window shows anything."""
    from holecard.blackjack.arena.watched import seated_agent

    seated_agent(settings.agent, settings.terms(), settings.options)


def _target(target: str, overwrite: bool) -> tuple[Path, bool]:
    """Where a recording goes, and whether that is a folder; refused if it cannot go there."""
    from holecard.ui.window.recorder import check_target

    path, is_folder = Path(target), target.endswith(("/", os.sep)) or Path(target).is_dir()
    check_target(path, is_folder=is_folder, overwrite=overwrite)
    return path, is_folder


def _record(
    settings: Settings,
    session: WatchedSession | None,
    target: tuple[Path, bool],
    size: tuple[int, int],
    fps: int,
    speed: float,
) -> None:
    from holecard.ui.session.agents import YOU
    from holecard.ui.window.recorder import record

    path, is_folder = target
    if session is None:
        if settings.agent == YOU:
            raise HolecardError("a recording cannot wait for you; play, save with S, then --replay FILE --record")
        session = _played(settings)
    with progress("rendering", _TICKS) as report:
        shown = (lambda share: report(round(_TICKS * share))) if report else None
        count = record(session, path, is_folder=is_folder, size=size, frames_a_second=fps, speed=speed, progress=shown)
    say(f"wrote {count:,} frames at {fps} a second: {path}")


def _played(settings: Settings) -> WatchedSession:
    """The session, computed here and now."""
    from holecard.blackjack.arena.watched import WatchedTable, play_ahead, seated_agent
    from holecard.blackjack.exact import KERNELS

    terms = settings.terms()
    table = WatchedTable(terms, settings.agent)
    player = seated_agent(settings.agent, terms, settings.options)
    warn_if_compiling(KERNELS[0])
    with progress(f"{settings.agent} plays", settings.rounds) as report:
        for each in play_ahead(player, table):
            if report:
                report(each.number)
    return table.session()
