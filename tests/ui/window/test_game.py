"""The game screen: forwards, back, by itself, to the end; resized, hurried and left at any moment."""

import itertools

import pygame
import pytest

from holecard.blackjack.arena.scene import Kind, scene_after
from holecard.blackjack.arena.watched import WatchedTable
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.events import play_stacked
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.session_terms import SessionTerms
from holecard.blackjack.players.options import AgentOptions
from holecard.cards import parse_cards
from holecard.ui.session.preferences import SPEEDS
from holecard.ui.session.settings import Settings
from holecard.ui.window.game import GameScreen
from holecard.ui.window.loading import Loading
from holecard.ui.window.menu import Menu
from holecard.ui.window.motion import felt_layout, places
from holecard.ui.window.results import Results
from tests.ui.window.conftest import played

INFINITE = Rules(decks=float("inf"))


def watching(at_window, **settings):
    player = at_window(Settings(**settings))
    player.show(played(player.app.settings))
    player.app.preferences.automatic = False
    player.app.draw()
    return player


def test_loading_shows_true_progress_and_leads_to_the_table(at_window):
    player = at_window(Settings(rounds=40, rules=Rules(shoe="dealt")))
    player.press(pygame.K_RETURN)
    shares = set()
    while isinstance(player.screen, Loading):
        shares.add(player.screen.background.share)
        player.app.update(0.01)
        player.app.draw()
    assert len(shares) > 2
    assert len(player.screen.session.rounds) == 40


@pytest.mark.parametrize("key", ["r", "q", pygame.K_ESCAPE])
def test_loading_can_be_left(at_window, key):
    player = at_window(Settings(rounds=5000, rules=Rules(shoe="dealt")))
    player.press(pygame.K_RETURN)
    loading = player.screen
    player.press(key)
    loading.background.join(30)
    assert loading.background.done < 5000
    assert isinstance(player.screen, Menu) if key == "r" else not player.app.running


def test_loading_can_be_cut_short_to_watch_what_is_there(at_window):
    player = at_window(Settings(rounds=5000, rules=Rules(shoe="dealt")))
    player.press(pygame.K_RETURN)
    player.press(pygame.K_RETURN)
    game = player.load()
    assert isinstance(game, GameScreen)
    assert 1 <= len(game.session.rounds) < 5000


def test_what_cannot_play_is_told_in_the_menu(at_window, tmp_path):
    (tmp_path / "model.pt").write_bytes(b"no weights")
    player = at_window(Settings(agent="dnn", options=AgentOptions(model=tmp_path / "model.pt")))
    player.press(pygame.K_RETURN)
    player.load()
    assert isinstance(player.screen, Menu)
    assert "not a checkpoint of weights alone" in player.screen.message


def test_an_agent_that_raises_does_not_take_the_window_with_it(at_window, tmp_path):
    (tmp_path / "broken_agent.py").write_text(
        "class Broken:\n    name, last_reason = 'broken', ''\n    def act(self, view):\n        raise KeyError('x')\n"
    )
    player = at_window(Settings(agent="broken_agent:Broken"))
    player.press(pygame.K_RETURN)
    player.load()
    assert isinstance(player.screen, Menu)
    assert "broken_agent:Broken raised KeyError" in player.screen.message


def test_every_step_forwards_and_back_to_the_start(at_window):
    player = watching(at_window, rounds=6, seed=2, rules=Rules(shoe="dealt"))
    game = player.screen
    scenes = [game.stepper.playback.scene(0)]
    for at in range(1, len(game.stepper.playback)):
        player.press(pygame.K_RIGHT)
        assert game.stepper.at == at
        scenes.append(game.stepper.playback.scene(at))
    for at in range(len(game.stepper.playback) - 2, -1, -1):
        player.press(pygame.K_LEFT)
        assert game.stepper.at == at
        assert game.stepper.playback.scene(game.stepper.at) == scenes[at]
    player.press(pygame.K_LEFT, pygame.K_LEFT)
    assert game.stepper.at == 0
    assert game.stepper.standing().bankroll == 1000


def test_the_step_after_the_last_is_the_results(at_window):
    player = watching(at_window, rounds=1)
    for _ in range(len(player.screen.stepper.playback)):
        player.press(pygame.K_RIGHT)
    assert isinstance(player.screen, Results)
    player.press(pygame.K_LEFT)
    assert isinstance(player.screen, GameScreen)
    assert player.screen.stepper.at == len(player.screen.stepper.playback) - 1


def test_space_runs_and_stops(at_window):
    player = watching(at_window, rounds=3)
    game = player.screen
    player.wait(3)
    assert game.stepper.at == 0
    player.press(pygame.K_SPACE)
    player.wait(3)
    assert game.stepper.at > 0
    player.press(pygame.K_SPACE)
    stood = game.stepper.at
    player.wait(3)
    assert game.stepper.at == stood


def test_a_session_runs_to_its_end_by_itself(at_window):
    player = at_window(Settings(rounds=2))
    player.press(pygame.K_RETURN)
    player.load()
    player.press(*["+"] * 20)
    player.wait(8)
    assert isinstance(player.screen, Results)


def test_speed_has_two_ends(at_window):
    player = watching(at_window, rounds=1)
    for key, end in (("+", SPEEDS[-1]), ("-", SPEEDS[0])):
        player.press(*[key] * 20)
        assert player.app.preferences.speed == end
    player.press(pygame.K_KP_PLUS, pygame.K_EQUALS)
    assert player.app.preferences.speed == SPEEDS[2]


@pytest.mark.parametrize("key", ["q", pygame.K_ESCAPE])
@pytest.mark.parametrize("where", ["menu", "game", "moving", "results", "you"])
def test_quitting_in_every_state(at_window, key, where):
    player = at_window(Settings(rounds=1, agent="you" if where == "you" else "heuristic"))
    if where != "menu":
        player.press(pygame.K_RETURN)
        player.load()
    if where == "moving":
        assert player.screen.view.moves
    if where == "results":
        player.press(pygame.K_RETURN)
    player.press(key)
    if where in ("game", "moving", "you"):
        assert player.app.running, "a session is not left by a slip of the finger"
        assert "Leave this session?" in player.screen.view.question
        player.press("q")
    assert not player.app.running


@pytest.mark.parametrize("stay", [pygame.K_ESCAPE, "s", (5, 5)])
def test_one_can_stay_after_all(at_window, stay):
    player = watching(at_window, rounds=3)
    player.app.preferences.automatic = True
    player.press("q")
    stood = player.screen.stepper.at
    asked = pygame.image.tobytes(player.window.surface, "RGB")
    player.wait(5)
    assert player.screen.stepper.at == stood, "nothing happens before the answer"
    player.click(stay) if isinstance(stay, tuple) else player.press(stay)
    assert player.app.running
    assert player.screen.view.question == ""
    assert pygame.image.tobytes(player.window.surface, "RGB") != asked
    player.wait(5)
    assert player.screen.stepper.at > stood


def test_at_the_end_one_leaves_at_once(at_window):
    player = watching(at_window, rounds=1)
    player.screen.to_last_step()
    player.press("q")
    assert not player.app.running


def test_closing_the_window_quits(at_window):
    player = at_window()
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    player.app.pump()
    assert not player.app.running


def test_the_loop_itself_ends_when_somebody_quits(at_window):
    player = at_window()
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_q, mod=0, unicode="q", scancode=0))
    player.app.run()
    assert not player.app.running


def test_help_lies_over_every_screen_and_any_key_closes_it(at_window):
    player = watching(at_window, rounds=1)
    for key in (pygame.K_F1, "?"):
        player.press(key)
        assert player.app.shows_help
        player.press("q")
        assert not player.app.shows_help
        assert player.app.running


def test_resizing_while_cards_are_in_the_air(at_window):
    player = watching(at_window, rounds=3, seed=5)
    for number, size in enumerate([(1300, 900), (1024, 640), (2200, 1300), (1024, 1200), (2000, 640)]):
        player.press(pygame.K_RIGHT)
        player.wait(0.1)
        player.resize(size)
        assert player.app.theme.size == size
        player.wait(0.2)
        assert player.screen.stepper.at == number + 1


def test_resizing_on_every_screen(at_window):
    player = at_window(Settings(rounds=1))
    for key in (None, pygame.K_RETURN, pygame.K_RETURN):
        if key:
            player.press(key)
            player.load()
        for size in ((1500, 800), (1024, 640)):
            player.resize(size)
            assert player.screen.theme.size == size


def test_full_screen_and_back(at_window):
    player = watching(at_window, rounds=1)
    for _ in range(2):
        player.press(pygame.K_F11)
        player.wait(0.1)
        assert player.app.theme.size == player.window.surface.get_size()


def test_a_window_that_was_hidden_is_drawn_whole_again(at_window):
    player = watching(at_window, rounds=1)
    assert player.screen.view.moves
    whole = pygame.image.tobytes(player.window.surface, "RGB")
    player.window.surface.fill("black")
    pygame.event.post(pygame.event.Event(pygame.WINDOWEXPOSED))
    player.app.pump()
    player.app.draw()
    assert pygame.image.tobytes(player.window.surface, "RGB") == whole


def test_only_the_felt_is_drawn_while_cards_move(at_window):
    player = watching(at_window, rounds=1)
    game = player.screen
    assert game.view.moves
    assert game.stale
    player.window.surface.fill("black", game.view.side)
    player.wait(0.05)
    assert player.window.surface.get_at(game.view.side.center) == pygame.Color("black")
    player.wait(3)
    assert not game.stale
    assert player.window.surface.get_at(game.view.side.center) != pygame.Color("black"), "drawn whole at rest"


def test_less_motion_puts_cards_where_they_lie(at_window):
    player = watching(at_window, rounds=2)
    assert player.screen.view.moves
    player.press("m")
    player.press(pygame.K_RIGHT, pygame.K_RIGHT)
    assert player.screen.view.motion.seconds == 0
    player.press("m")
    assert not player.app.preferences.less_motion


def test_hints_are_buttons(at_window):
    player = watching(at_window, rounds=2)
    hints = {hint.code: hint for hint in player.screen.hints._shown}
    player.click(hints[pygame.K_RIGHT].rect)
    player.click(hints[pygame.K_RIGHT].rect)
    assert player.screen.stepper.at == 2
    player.click(hints[pygame.K_LEFT].rect)
    assert player.screen.stepper.at == 1
    player.click(hints[pygame.K_PLUS].rect)
    assert player.app.preferences.speed > 1
    player.click(hints[pygame.K_m].rect)
    assert player.app.preferences.less_motion
    player.click(hints[pygame.K_F1].rect)
    assert player.app.shows_help
    player.click((5, 5))
    assert not player.app.shows_help
    player.click(hints[pygame.K_RETURN].rect)
    assert isinstance(player.screen, Results)


def test_the_bar_shows_the_legal_actions_their_evs_and_the_choice(at_window):
    player = watching(at_window, rounds=20, agent="random", seed=1)
    game, decided = player.screen, 0
    for at in range(len(game.stepper.playback)):
        if game.stepper.playback.step(at).kind == Kind.DECIDE:
            bar = game.stepper.bar(shows_evs=player.app.preferences.shows_evs)
            decision = game.stepper.playback.decision(at)
            assert bar.actions == tuple(action for action, _ in decision.evs)
            assert bar.evs == dict(decision.evs)
            assert (bar.chosen, bar.best, bar.reason) == (decision.action, decision.best, decision.reason)
            assert bar.good == (decision.cost <= 1e-9)
            decided += 1
        player.press(pygame.K_RIGHT)
    assert decided > 10


def test_the_panel_counts_as_the_session_goes(at_window):
    player = watching(at_window, rounds=8, seed=3)
    game = player.screen
    game.to_last_step()
    standing, session = game.stepper.standing(), game.session
    assert standing.bankroll == session.final_bankroll
    assert (standing.wins, standing.pushes, standing.losses) == tuple(
        session.count(word) for word in ("win", "push", "loss")
    )
    assert standing.given_away == pytest.approx(session.given_away)
    assert standing.bankrolls == (1000, *(each.bankroll for each in session.rounds))
    game.go(0, animate=False)
    assert game.stepper.standing().given_away == 0
    assert game.stepper.standing().bankrolls == (1000,)


def test_a_session_of_one_round(at_window):
    player = watching(at_window, rounds=1)
    for _ in range(len(player.screen.stepper.playback)):
        player.press(pygame.K_RIGHT)
    player.wait(2)
    assert isinstance(player.screen, Results)
    assert len(player.screen.session.rounds) == 1


def test_a_session_of_a_thousand_rounds(at_window):
    player = at_window(Settings(rounds=1000, rules=INFINITE, bankroll=100_000))
    player.press(pygame.K_RETURN)
    game = player.load()
    assert len(game.session.rounds) == 1000
    player.press(*[pygame.K_RIGHT] * 40)
    game.to_last_step()
    player.wait(0.2)
    player.press(pygame.K_RETURN)
    player.wait(2)
    assert isinstance(player.screen, Results)
    assert len(player.screen.summary.last) == 15


SIZES = [(1024, 640), (1280, 800), (1024, 768), (1920, 1080), (2560, 1080), (3840, 2160), (1080, 1920)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("cards", [2, 5, 12])
def test_four_hands_of_any_length_fit(size, cards):
    """Within the felt, hands apart from each other, the dealer's row apart from the player's and from the shoe."""
    scale = min(size[0] / 1280, size[1] / 800)
    area = pygame.Rect(0, round(50 * scale), size[0] - round(300 * scale), size[1] - round(250 * scale))
    events = play_stacked(
        parse_cards("8s 6c 8d Th 8h 8c 3s 2s 4s 5s 9s Ks Ts 6d"), [Action.SPLIT] * 3 + [Action.STAND] * 4, Rules()
    )
    scene = scene_after(events, Rules())
    from dataclasses import replace

    longer = tuple(replace(hand, cards=tuple(hand.cards[0] for _ in range(cards))) for hand in scene.hands)
    scene = replace(scene, hands=longer)
    felt = felt_layout(area, 4, scale, cards)
    from holecard.ui.window.motion import row_of

    spans = []
    for hand in scene.hands:
        corners = row_of(felt, hand)
        spans.append((corners[0][0], corners[-1][0] + felt.card))
        assert area.top < corners[0][1]
        assert corners[0][1] + felt.card_height + 60 * scale <= area.bottom + 1
        steps = [b[0] - a[0] for a, b in itertools.pairwise(corners)]
        assert all(step >= 0.22 * felt.card for step in steps), "every card shows its corner"
    for (_, right), (left, _) in itertools.pairwise(spans):
        assert right <= left
    assert spans[0][0] >= area.left
    assert spans[-1][1] <= area.right
    dealer = replace(scene.dealer, cards=tuple(scene.dealer.cards[0] for _ in range(10)))
    corners = row_of(felt, dealer)
    assert corners[-1][0] + felt.card < felt.shoe[0]
    assert corners[0][1] + felt.card_height + 34 * scale < felt.columns[0].top


def test_a_real_round_with_four_hands_is_played_through(at_window):
    sessions = SessionTerms(rules=Rules(), rounds=1, bankroll=1000, bet=10)
    table = WatchedTable(sessions, "heuristic")
    table._game.stack(parse_cards("8s 6c 8d Th 8h 8c 3s 2s 4s 5s 9s Ks Ts 6d 7c 7d"))
    table.deal()
    for action in [Action.SPLIT] * 3:
        table.decide(action)
    while table.view is not None:
        table.decide(Action.STAND)
    player = at_window()
    game = player.show(table.session())
    player.app.preferences.automatic = False
    for _ in range(len(game.stepper.playback) - 1):
        player.press(pygame.K_RIGHT)
        player.wait(0.3)
    scene = game.stepper.playback.scene(game.stepper.at)
    assert len(scene.hands) == 4
    assert len(places(scene, game.view.felt(game.stepper.at))) == 8 + len(scene.dealer.cards)


def test_c_shows_the_count_and_hides_it_again(at_window):
    player = watching(at_window, rounds=2, rules=Rules(decks=2, shoe="dealt"))
    player.press("c")
    player.wait(1.0)
    shown = pygame.image.tobytes(player.window.surface, "RGB")
    assert player.app.preferences.shows_count
    player.press("c")
    player.wait(1.0)
    hidden = pygame.image.tobytes(player.window.surface, "RGB")
    assert not player.app.preferences.shows_count
    assert shown != hidden
