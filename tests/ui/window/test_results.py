"""The results, what can be saved there, and where its buttons lead."""

import pygame
import pytest

from holecard.blackjack.arena.session_file import load_session
from holecard.ui.session.settings import Settings
from holecard.ui.window.game import GameScreen
from holecard.ui.window.loading import Loading
from holecard.ui.window.menu import Menu
from holecard.ui.window.results import ROUND_HEADINGS, Results
from holecard.ui.window.theme import Theme
from tests.ui.window.conftest import played


def at_results(at_window, **settings):
    player = at_window(Settings(**{"rounds": 3, "agent": "random", **settings}))
    player.press(pygame.K_RETURN)
    player.load()
    player.press(pygame.K_RETURN)
    assert isinstance(player.screen, Results)
    return player


def button(player, title):
    return next(each for each in player.screen.buttons if each.title == title)


def test_panels_slide_in_and_come_to_rest(at_window):
    player = at_results(at_window)
    assert player.screen._slid(0) > 300
    assert player.screen.moves
    player.wait(3)
    assert [player.screen._slid(number) for number in range(4)] == [0, 0, 0, 0]
    assert not player.screen.moves


def test_less_motion_does_not_slide(at_window):
    player = at_results(at_window)
    player.press("m")
    assert player.screen._slid(3) == 0


@pytest.mark.parametrize("by", ["mouse", "keys"])
@pytest.mark.parametrize(
    ("title", "leads_to"), [("Play Again", Loading), ("Main Menu", Menu), ("Quit", None), ("Save", Results)]
)
def test_buttons_by_mouse_and_by_keys(at_window, by, title, leads_to):
    player = at_results(at_window, seed=7)
    target = button(player, title)
    if by == "mouse":
        player.click(target.rect)
    else:
        while player.screen.ring.focused is not target:
            player.press(pygame.K_TAB)
        player.press(pygame.K_RETURN)
    if leads_to is None:
        assert not player.app.running
    elif leads_to is Loading:
        player.load()
        assert isinstance(player.screen, GameScreen)
        assert player.screen.session.seed == 8, "other cards"
    else:
        assert isinstance(player.screen, leads_to)


def test_a_saved_session_is_shown_again_event_by_event(at_window, tmp_path):
    player = at_results(at_window, rounds=6)
    session = player.screen.session
    player.press("s")
    (path,) = tmp_path.glob("*.json")
    assert path.name == "holecard-random-0.json"
    assert path.name in player.screen.message
    player.press("s")
    assert (tmp_path / "holecard-random-0-2.json").exists(), "nothing is overwritten"
    again = load_session(path)
    assert again == session
    shown = at_window(Settings(agent=again.agent), replay=again)
    game = shown.screen
    assert isinstance(game, GameScreen)
    events = [game.stepper.playback.events(at) for at in range(len(game.stepper.playback))]
    assert [each.events for each in session.rounds] == list(dict.fromkeys(events))
    shown.press(pygame.K_RETURN)
    assert shown.screen.buttons[0].title == "Show Again"
    shown.press(pygame.K_RETURN)
    assert isinstance(shown.screen, GameScreen)
    assert shown.screen.session == session


def test_a_folder_that_cannot_be_written_is_told(at_window, monkeypatch):
    player = at_results(at_window)
    monkeypatch.setattr("pathlib.Path.write_bytes", _refuse)
    player.press("s")
    assert "cannot write" in player.screen.message


def _refuse(*arguments, **options):
    raise PermissionError(13, "Permission denied")


def test_the_numbers_are_the_session_s(at_window):
    player = at_results(at_window, rounds=30)
    screen, session = player.screen, player.screen.session
    assert [line.number for line in screen.summary.last] == list(range(30, 15, -1))
    assert [line.net for line in screen.summary.last] == [each.net for each in session.rounds[-15:]][::-1]
    assert session.net == sum(each.net for each in session.rounds)


def test_results_of_the_optimum_have_no_mistakes(at_window):
    player = at_window(Settings(rounds=5, agent="exact"))
    player.show(played(player.app.settings))
    player.press(pygame.K_RETURN)
    player.wait(2)
    assert player.screen.summary.mistakes == ()
    assert player.screen.session.given_away == 0


@pytest.mark.parametrize("key", ["r", pygame.K_LEFT])
def test_keys_lead_away(at_window, key):
    player = at_results(at_window)
    player.press(key)
    assert isinstance(player.screen, Menu if key == "r" else GameScreen)


def test_the_last_rounds_have_headings(at_window, monkeypatch):
    said = []
    write = Theme.write

    def noting(theme, surface, text, at, *rest, **look):
        said.append((text, at))
        return write(theme, surface, text, at, *rest, **look)

    monkeypatch.setattr(Theme, "write", noting)
    player = at_results(at_window)
    player.wait(3)
    said.clear()
    player.app.draw()
    places = {text: at for text, at in said if text in ROUND_HEADINGS}
    assert set(places) == set(ROUND_HEADINGS)
    first = player.screen.summary.last[0]
    below = {text: at for text, at in said if text in (str(first.number), first.hands, first.dealer)}
    assert {at[0] for at in below.values()} <= {at[0] for at in places.values()}
