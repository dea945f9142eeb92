"""`holecard watch` on the command line: what it refuses, and what it records without a screen."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import pygame
import pytest
from PIL import Image

from holecard.blackjack.arena.session_file import save_session
from holecard.blackjack.game.rules import Rules
from holecard.errors import HolecardError
from holecard.ui.session.settings import Settings
from holecard.ui.window import command, window
from holecard.ui.window.command import parse_size
from holecard.ui.window.recorder import record
from tests.ui.window.conftest import played


def test_without_the_extra_one_line_says_how_to_install_it(run, monkeypatch):
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    code, out, err = run("watch")
    assert (code, out) == (2, "")
    assert err == "holecard: holecard watch needs pygame-ce; install it with: pip install 'holecard[watch]'\n"


def test_the_other_pygame_is_told_apart(run, monkeypatch):
    monkeypatch.setattr(pygame, "IS_CE", False)
    code, _, err = run("watch")
    assert code == 2
    assert "pip uninstall pygame, then: pip install 'holecard[watch]'" in err


@pytest.mark.parametrize("driver", ["offscreen", "dummy"])
def test_without_a_display_one_line_names_record(run, monkeypatch, driver):
    """SDL falls back to a driver that nobody sees: that is no window."""
    monkeypatch.delenv("SDL_VIDEODRIVER", raising=False)
    monkeypatch.setattr(pygame.display, "get_driver", lambda: driver)
    monkeypatch.setattr(pygame.display, "init", lambda: None)
    code, out, err = run("watch")
    assert (code, out) == (2, "")
    assert "no display found" in err
    assert "--record" in err
    assert err.count("\n") == 1


def test_a_driver_that_fails_is_no_display(run, monkeypatch):
    def fail():
        raise pygame.error("No available video device")

    monkeypatch.setattr(pygame.display, "init", fail)
    code, _, err = run("watch", "--agent", "basic")
    assert code == 2
    assert err == f"holecard: {window.NO_DISPLAY}\n"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a display")
def test_the_program_itself_without_a_display(tmp_path):
    hidden = {"DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "XDG_RUNTIME_DIR"}
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    command = [sys.executable, "-m", "holecard", "watch"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"holecard: {window.NO_DISPLAY}\n")


def test_the_command_loads_no_pygame_before_it_is_called():
    probe = "import sys, holecard.ui.cli; print(sorted({'pygame', 'torch', 'matplotlib', 'PIL'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("--agent", "heuristik"), "did you mean heuristic?"),
        (("--rounds", "0"), "must be a whole number from 1"),
        (("--rounds", "1M"), "rounds to watch must be 1 to 10,000; got 1,000,000"),
        (("--bet", "0"), "bet must be above 0; got 0"),
        (("--bankroll", "5"), "the bankroll must pay a bet of 10; got 5"),
        (("--simulations", "0"), "--simulations"),
        (("--size", "big"), "size is WxH, from 1024x640"),
        (("--size", "800x600"), "size is WxH, from 1024x640"),
        (("--record", "film.mp4"), "FOLDER/) for PNG frames or a file FILE.gif; got film.mp4"),
        (("--record", "out/", "--agent", "you"), "a recording cannot wait for you"),
        (("--record", "x.gif", "--agent", "nobody"), "unknown agent 'nobody'"),
        (("--replay", "missing.json"), "no session at missing.json"),
        (("--rules", "classic", "--double-cards", "any"), "doubling on any number of cards takes doubling"),
    ],
)
def test_bad_input_is_one_line(run, tmp_path, monkeypatch, arguments, line):
    monkeypatch.chdir(tmp_path)
    code, out, err = run("watch", *arguments)
    assert (code, out) == (2, "")
    assert line in err
    assert err.count("\n") == 1


def test_a_damaged_replay_is_refused(run, tmp_path):
    path = tmp_path / "session.json"
    save_session(played(Settings(rounds=2)), path)
    path.write_text(path.read_text(encoding="utf-8")[:-40], encoding="utf-8")
    code, _, err = run("watch", "--replay", str(path), "--record", str(tmp_path / "x.gif"))
    assert code == 2
    assert "is no saved session" in err
    assert not (tmp_path / "x.gif").exists()


def test_frames_of_a_session(run, tmp_path):
    folder = tmp_path / "frames"
    options = ("--agent", "basic", "--rounds", "1", "--fps", "3", "--speed", "4")
    code, out, err = run("watch", *options, "--record", f"{folder}/")
    assert (code, out) == (0, "")
    pictures = sorted(folder.glob("*.png"))
    assert f"wrote {len(pictures)} frames" in err
    assert len(pictures) > 5
    assert [path.name for path in pictures[:2]] == ["frame-000000.png", "frame-000001.png"]
    with Image.open(pictures[0]) as first, Image.open(pictures[-1]) as last:
        assert first.size == last.size == (1280, 800)
        assert first.tobytes() != last.tobytes()


def test_a_recording_lasts_as_long_at_any_number_of_frames_a_second(run, tmp_path):
    lasts = {}
    for fps in (1, 12):
        run("watch", "--agent", "basic", "--rounds", "1", "--fps", str(fps), "--record", f"{tmp_path / str(fps)}/")
        lasts[fps] = len(list((tmp_path / str(fps)).iterdir())) / fps
    assert abs(lasts[1] - lasts[12]) <= 2, lasts
    assert 4 < lasts[12] < 20


def test_an_old_recording_stays_whole_or_goes_whole(run, tmp_path):
    folder, film = tmp_path / "frames", tmp_path / "film.gif"
    quick = ("--agent", "basic", "--fps", "1", "--speed", "16")
    assert run("watch", *quick, "--rounds", "6", "--record", f"{folder}/")[0] == 0
    many = sorted(path.name for path in folder.iterdir())
    code, _, err = run("watch", *quick, "--rounds", "1", "--record", f"{folder}/")
    assert (code, "holds another recording; choose another folder, or replace it with --overwrite" in err) == (2, True)
    assert sorted(path.name for path in folder.iterdir()) == many
    assert run("watch", *quick, "--rounds", "1", "--record", f"{folder}/", "--overwrite")[0] == 0
    assert len(list(folder.iterdir())) < len(many)
    film.write_bytes(b"years of work")
    code, _, err = run("watch", *quick, "--rounds", "1", "--record", str(film))
    assert (code, "film.gif exists and is not this recording" in err) == (2, True)
    assert film.read_bytes() == b"years of work"


def test_a_full_disk_is_an_error_and_leaves_no_frame(run, tmp_path, monkeypatch):
    before, written = Path.write_bytes, []

    def full(self, contents):
        written.append(self)
        if len(written) > 3:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return before(self, contents)

    monkeypatch.setattr(Path, "write_bytes", full)
    folder = tmp_path / "frames"
    code, _, err = run("watch", "--agent", "basic", "--rounds", "1", "--record", f"{folder}/")
    assert (code, err) == (2, f"holecard: cannot write {folder}: No space left on device\n")
    assert not folder.exists()


def test_a_gif_of_a_replay_at_a_size(run, tmp_path):
    path, target = tmp_path / "session.json", tmp_path / "film.gif"
    save_session(played(Settings(rounds=1, agent="aggressive", rules=Rules(shoe="dealt"))), path)
    options = ("--replay", str(path), "--record", str(target), "--size", "1024x640", "--fps", "2", "--speed", "4")
    code, _, _ = run("watch", *options)
    assert code == 0
    with Image.open(target) as film:
        assert film.size == (1024, 640)
        assert film.n_frames > 4
        lasts = 0
        for at in range(film.n_frames):
            film.seek(at)
            lasts += film.info["duration"]
        assert lasts > 3000


def test_the_same_seed_is_the_same_film(run, tmp_path):
    for name in ("a.gif", "b.gif"):
        run(
            "watch",
            "--agent",
            "random",
            "--rounds",
            "1",
            "--fps",
            "2",
            "--speed",
            "8",
            "--record",
            str(tmp_path / name),
        )
    assert (tmp_path / "a.gif").read_bytes() == (tmp_path / "b.gif").read_bytes()


def test_a_folder_in_the_way_of_a_file(run, tmp_path):
    (tmp_path / "taken").write_text("x")
    code, _, err = run("watch", "--agent", "basic", "--rounds", "1", "--record", f"{tmp_path / 'taken'}/")
    assert code == 2
    assert "is a file; --record FOLDER/ needs a folder" in err


def test_the_menu_opens_without_the_engine(tmp_path):
    """What compiles takes as long to load as everything else: it comes with the first session."""
    probe = (
        "import sys; from holecard.ui.window.app import App;"
        "App.pump = lambda app: setattr(app, 'running', False);"
        "from holecard.ui.cli import main\n"
        "try: main(['watch'])\n"
        "except SystemExit as done: print(done.code, sorted({'numba', 'scipy', 'torch'} & set(sys.modules)))"
    )
    environment = {**os.environ, "SDL_VIDEODRIVER": "dummy"}
    command = [sys.executable, "-c", probe]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=tmp_path, check=True)
    assert done.stdout.strip() == "0 []"


@pytest.mark.parametrize("agent", [(), ("--agent", "basic"), ("--agent", "you")])
def test_the_window_opens_and_closes(run, monkeypatch, agent):
    """With a driver that was asked for by name; Q is pressed as soon as the loop turns."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    seen = []

    def pump(app):
        seen.append(type(app.screen).__name__)
        app.running = len(seen) < 5

    monkeypatch.setattr("holecard.ui.window.app.App.pump", pump)
    code, out, err = run("watch", "--rounds", "1", *agent)
    assert (code, out, err) == (0, "", "")
    assert seen[0] == {(): "Menu", ("--agent", "basic"): "Loading", ("--agent", "you"): "GameScreen"}[agent]


def test_sizes():
    assert parse_size("3840×2160") == (3840, 2160)
    assert os.environ["SDL_VIDEODRIVER"] == "dummy"


def test_a_recording_that_fails_gives_its_window_back_at_once(tmp_path, monkeypatch):
    session = played(Settings(rounds=1))
    closed, close = [], window.OffscreenWindow.close

    def noting(opened):
        closed.append(opened)
        close(opened)

    monkeypatch.setattr(window.OffscreenWindow, "close", noting)

    def full(surface):
        raise pygame.error("no room")

    monkeypatch.setattr("holecard.ui.window.recorder._png", full)
    with pytest.raises(HolecardError, match="no room") as problem:
        record(session, tmp_path / "frames", is_folder=True, size=(1024, 640), frames_a_second=5)
    assert len(closed) == 1, problem
