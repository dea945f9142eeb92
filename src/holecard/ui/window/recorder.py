"""A session rendered without a screen: numbered PNG frames in a folder, or one GIF."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from io import BytesIO
from math import ceil
from pathlib import Path
from typing import Any, Final

import pygame

from holecard.blackjack.arena.watched import WatchedSession
from holecard.blackjack.game.actions import Action
from holecard.errors import FileProblem, HolecardError
from holecard.files import make_folder, refuse_to_replace, writing, writing_folder
from holecard.ui.session.preferences import Preferences
from holecard.ui.session.settings import Settings
from holecard.ui.window import theme
from holecard.ui.window.app import App
from holecard.ui.window.game import GameScreen
from holecard.ui.window.results import Results
from holecard.ui.window.window import OffscreenWindow

RESULTS_SECONDS: Final = 3.0
"""How long the results are held at the end."""
_STEP: Final = 1 / 30
"""The longest step in seconds that the screens are moved by between two frames; longer ones would be slow motion."""
_FRAMES: Final = "frame-*.png"
"""The pictures of a recording in its folder."""
_MOST_FRAMES: Final = 1_000_000
"""Frames after which a recording is given up."""


def check_target(path: Path, *, is_folder: bool, overwrite: bool = False) -> None:
    """Refuse a target that cannot be written or holds another recording, before anything is computed."""
    if not is_folder and path.suffix.lower() != ".gif":
        raise FileProblem(f"--record takes a folder (FOLDER/) for PNG frames or a file FILE.gif; got {path}")
    if not is_folder:
        refuse_to_replace(path, "this recording", overwrite=overwrite)
        make_folder(path.parent)
        return
    if path.exists() and not path.is_dir():
        raise FileProblem(f"{path} is a file; --record FOLDER/ needs a folder")
    if not overwrite and next(path.glob(_FRAMES), None):
        raise FileProblem(f"{path} holds another recording; choose another folder, or replace it with --overwrite")


def frames(
    session: WatchedSession, size: tuple[int, int], frames_a_second: int, speed: float = 1.0
) -> Generator[tuple[pygame.Surface, float]]:
    """Every frame of a session from the first card to the results, and how much of the session is shown, 0 to 1."""
    window = OffscreenWindow(size)
    app = App(window, Settings(agent=session.agent), preferences=Preferences.at_speed(speed), replay=session)
    steps = ceil(1.0 / frames_a_second / _STEP)
    try:
        held = 0.0
        for _ in range(_MOST_FRAMES):
            app.draw()
            screen = app.screen
            share = screen.stepper.at / len(screen.stepper.playback) if isinstance(screen, GameScreen) else 1.0
            yield window.surface, share
            for _ in range(steps):
                app.update(1.0 / frames_a_second / steps)
            held += isinstance(app.screen, Results) / frames_a_second
            if held > RESULTS_SECONDS:
                return
        raise HolecardError(f"a recording ends after {_MOST_FRAMES:,} frames; record fewer rounds")
    finally:
        window.close()


def record(
    session: WatchedSession,
    path: Path,
    *,
    is_folder: bool,
    size: tuple[int, int],
    frames_a_second: int,
    speed: float = 1.0,
    progress: Callable[[float], None] | None = None,
) -> int:
    """Render a session to a folder or a GIF; the number of frames."""
    try:
        with closing(frames(session, size, frames_a_second, speed)) as pictures:  # its window goes now, not some day
            if is_folder:
                return _write_folder(pictures, path, progress)
            return _write_gif(pictures, path, frames_a_second, progress)
    except pygame.error as problem:
        raise FileProblem(f"cannot write {path}: {problem}") from None


def _write_folder(
    pictures: Iterator[tuple[pygame.Surface, float]], path: Path, progress: Callable[[float], None] | None
) -> int:
    """Every frame a file; a frame like the one before is copied, which is quicker than packing it again."""
    count, last = 0, b""
    with writing_folder(path, _FRAMES) as folder:
        for surface, share in pictures:
            target, pixels = folder / f"frame-{count:06d}.png", pygame.image.tobytes(surface, "RGB")
            if pixels == last:
                shutil.copyfile(folder / f"frame-{count - 1:06d}.png", target)
            else:
                target.write_bytes(_png(surface))
            count, last = count + 1, pixels
            if progress:
                progress(share)
    return count


def _png(surface: pygame.Surface) -> bytes:
    """A picture as the bytes of a PNG file: pygame itself does not say when a disk is full."""
    contents = BytesIO()
    pygame.image.save(surface, contents, "frame.png")
    return contents.getvalue()


def _write_gif(
    pictures: Iterator[tuple[pygame.Surface, float]],
    path: Path,
    frames_a_second: int,
    progress: Callable[[float], None] | None,
) -> int:
    """Equal frames become one that is held longer; all share the colours of the first and of the theme."""
    from PIL import Image

    kept: list[Any] = []
    held: list[int] = []
    last, palette, count = b"", None, 0
    for surface, share in pictures:
        pixels = pygame.image.tobytes(surface, "RGB")
        count += 1
        if progress:
            progress(share)
        if pixels == last:
            held[-1] += round(1000 / frames_a_second)
            continue
        picture = Image.frombytes("RGB", surface.get_size(), pixels)
        if palette is None:
            palette = _palette(picture)
        kept.append(picture.quantize(palette=palette, dither=Image.Dither.NONE))
        held.append(round(1000 / frames_a_second))
        last = pixels
    with writing(path) as temporary:
        kept[0].save(temporary, save_all=True, append_images=kept[1:], duration=held, loop=0, optimize=False)
    return count


def _palette(first: Any) -> Any:
    """A picture whose palette has the colours of the first frame and those that come later: wins, losses, actions."""
    from PIL import Image

    later = [theme.WIN, theme.LOSS, theme.PUSH, theme.GOLD, theme.INK, theme.TEXT, theme.RED_SUIT, theme.CARD]
    later += [theme.action_colour(action) for action in Action]
    shades = [
        tuple(round(ground + share * (part - ground)) for part, ground in zip(colour, theme.PANEL, strict=True))
        for colour in later
        for share in (1.0, 0.66, 0.33)
    ]
    own = first.quantize(colors=256 - len(shades), method=Image.Quantize.MEDIANCUT).getpalette()
    own = own[: 3 * (256 - len(shades))]
    palette = Image.new("P", (1, 1))
    palette.putpalette(own + [part for shade in shades for part in shade])
    return palette
