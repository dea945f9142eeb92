"""You play: keys and clicks, what each decision cost, and the leaks at the end."""

import pygame
import pytest

from holecard.blackjack.arena.scene import Kind
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.session_terms import SessionTerms
from holecard.ui.session.settings import Settings
from holecard.ui.window.action_bar import KEY_NAMES, KEYS, chip_rects
from holecard.ui.window.game import GameScreen
from holecard.ui.window.menu import Menu
from holecard.ui.window.results import Results


def sit_down(at_window, **settings):
    player = at_window(Settings(**{"agent": "you", "rounds": 4, "seed": 1, **settings}))
    player.press(pygame.K_RETURN)
    assert isinstance(player.screen, GameScreen)
    return player


def wait_for_turn(player):
    """Let the dealer work until it is your turn, or the session is over."""
    for _ in range(400):
        if not isinstance(player.screen, GameScreen) or player.screen.stepper.asks:
            return
        player.wait(0.1, 0.1)
    raise AssertionError("nothing happens")


def test_a_session_by_keys_ends_with_your_leaks(at_window):
    player = sit_down(at_window, rounds=6)
    table = player.screen.stepper.table
    while isinstance(player.screen, GameScreen):
        wait_for_turn(player)
        if isinstance(player.screen, GameScreen):
            view = table.view
            player.press("h" if view.total < 18 else "s")
    session = player.screen.session
    assert isinstance(player.screen, Results)
    assert session.agent == "you"
    assert len(session.rounds) == 6
    assert session.given_away > 0
    assert player.screen.summary.mistakes[0].cost >= player.screen.summary.mistakes[-1].cost


def test_a_decision_by_click(at_window):
    player = sit_down(at_window)
    wait_for_turn(player)
    game = player.screen
    bar = game.stepper.bar(shows_evs=player.app.preferences.shows_evs)
    assert bar.asks
    assert bar.evs is None, "no hint before you decide"
    rects = chip_rects(player.app.theme, game.view.actions, len(bar.actions))
    at = bar.actions.index(Action.STAND)
    player.click(rects[at])
    decision = game.stepper.playback.decisions(game.stepper.at)[-1]
    assert decision.action == Action.STAND
    assert game.stepper.bar(shows_evs=player.app.preferences.shows_evs).chosen == Action.STAND
    assert game.stepper.bar().verdict.startswith("stand")
    assert dict(decision.evs) == game.stepper.bar(shows_evs=player.app.preferences.shows_evs).evs


def test_what_is_not_legal_is_told(at_window):
    player = sit_down(at_window)
    wait_for_turn(player)
    game = player.screen
    before = game.stepper.at
    player.press("u")
    assert game.stepper.at == before
    assert "cannot surrender here; legal: hit, stand" in game.stepper.bar().verdict
    player.press("i")
    assert "cannot insure here" in game.stepper.bar().verdict


def test_evs_can_be_seen_before_you_decide(at_window):
    player = sit_down(at_window)
    wait_for_turn(player)
    player.press("e")
    bar = player.screen.stepper.bar(shows_evs=player.app.preferences.shows_evs)
    assert bar.evs == player.screen.stepper.table.valuation().evs
    assert bar.best == player.screen.stepper.table.valuation().best
    player.press("e")
    assert player.screen.stepper.bar(shows_evs=player.app.preferences.shows_evs).evs is None


def seed_where(rules, wanted):
    """A seed whose first round begins with a spot that is wanted."""
    for seed in range(2000):
        view = SessionTerms(rules=rules, seed=seed).game(0).deal()
        if view is not None and wanted(view):
            return seed
    raise AssertionError("no such round")


def goes_on(view):
    return Action.INSURE in view.legal and view.table.apply(Action.DECLINE) is not None


@pytest.mark.parametrize(("key", "action"), [("i", Action.INSURE), ("n", Action.DECLINE)])
def test_insurance_and_surrender_by_key(at_window, key, action):
    rules = Rules(shoe="dealt", insurance=True, surrender="late")
    player = sit_down(at_window, rules=rules, seed=seed_where(rules, goes_on))
    player.press(key)
    decision = player.screen.stepper.playback.decisions(player.screen.stepper.at)[-1]
    assert decision.action == action
    assert decision.spot == "insurance against A"
    player.press("u")
    assert player.screen.stepper.playback.decisions(player.screen.stepper.at)[-1].action == Action.SURRENDER


@pytest.mark.parametrize(("key", "action"), [("d", Action.DOUBLE), ("p", Action.SPLIT)])
def test_doubles_and_splits_by_key(at_window, key, action):
    rules = Rules(shoe="dealt")
    player = sit_down(at_window, rules=rules, seed=seed_where(rules, lambda view: action in view.legal))
    player.press(key)
    assert player.screen.stepper.playback.decisions(player.screen.stepper.at)[0].action == action


def test_looking_back_does_not_lose_your_turn(at_window):
    player = sit_down(at_window, seed=3)
    wait_for_turn(player)
    player.press("h")
    wait_for_turn(player)
    game = player.screen
    if not isinstance(game, GameScreen) or game.stepper.at == 0:
        return
    frontier = len(game.stepper.playback) - 1
    player.press(pygame.K_LEFT)
    assert not game.stepper.asks
    player.press("h")
    assert game.stepper.at == frontier, "a key first brings you back to your turn"
    assert game.stepper.asks


def test_waiting_does_not_play_for_you(at_window):
    player = sit_down(at_window)
    wait_for_turn(player)
    at = player.screen.stepper.at
    player.wait(10, 0.1)
    player.press(pygame.K_RIGHT)
    assert player.screen.stepper.at == at


def test_the_end_before_a_round_is_finished_is_refused(at_window):
    player = sit_down(at_window, seed=2)
    wait_for_turn(player)
    if player.screen.session.rounds:
        return
    player.press(pygame.K_RETURN)
    assert isinstance(player.screen, GameScreen)
    assert "finish a round first" in player.screen.stepper.bar().verdict


def test_leaving_in_the_middle_keeps_finished_rounds(at_window):
    player = sit_down(at_window, rounds=50)
    while not player.screen.session.rounds:
        wait_for_turn(player)
        player.press("s")
    wait_for_turn(player)
    player.press(pygame.K_RETURN)
    assert isinstance(player.screen, Results)
    assert 1 <= len(player.screen.session.rounds) < 50


def test_back_to_the_menu_in_the_middle(at_window):
    player = sit_down(at_window)
    player.press("r")
    assert isinstance(player.screen, Menu)
    assert player.screen.carousel.choice.name == "you"


def test_what_you_have_played_is_not_lost_by_a_key(at_window):
    player = sit_down(at_window, rounds=50)
    while not player.screen.session.rounds:
        wait_for_turn(player)
        player.press("s")
    for key in ("r", "q"):
        player.press(key)
        assert "What you have played is lost" in player.screen.view.question
        player.press(pygame.K_ESCAPE)
        assert isinstance(player.screen, GameScreen)
    player.press("r", pygame.K_RETURN)
    assert isinstance(player.screen, Menu)


def test_every_action_has_a_key_of_its_own():
    assert sorted(KEYS.values()) == sorted(Action)
    assert "".join(KEY_NAMES[action] for action in Action) == "HSDPUIN"


def test_a_bankroll_that_is_gone_ends_the_session(at_window):
    player = sit_down(at_window, rounds=100, bankroll=10, seed=4)
    for _ in range(200):
        wait_for_turn(player)
        if isinstance(player.screen, Results):
            break
        player.press("h")
    assert isinstance(player.screen, Results)
    assert player.screen.session.final_bankroll < 10


def test_the_deal_comes_first(at_window):
    player = sit_down(at_window)
    assert player.screen.stepper.playback.step(0).kind == Kind.DEAL
