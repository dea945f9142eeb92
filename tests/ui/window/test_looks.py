"""Nothing overlaps and nothing is cut, on every screen and at every size; colours can be read."""

import math
from itertools import combinations

import pygame
import pytest

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.players.options import AgentOptions
from holecard.ui.session.settings import Settings
from holecard.ui.window import theme as looks
from holecard.ui.window.cards import card_picture, suit_outline
from holecard.ui.window.charts import draw_chart
from holecard.ui.window.help_overlay import draw_help
from holecard.ui.window.theme import Theme
from tests.ui.window.conftest import played

SIZES = [(1024, 640), (1280, 800), (1366, 768), (1920, 1080), (1024, 1000), (2560, 1080)]


@pytest.fixture
def written(monkeypatch):
    """Where lines of text stand after the last drawing, with what they say; none may be shortened."""
    found = []
    write, cut = Theme.write, Theme.cut

    def watch(self, surface, text, *arguments, **options):
        rect = write(self, surface, text, *arguments, **options)
        found.append((text, rect, surface.get_rect()))
        return rect

    def watch_cut(self, text, *arguments, **options):
        short = cut(self, text, *arguments, **options)
        assert short == text, f"{text!r} does not fit at {self.size}"
        return short

    monkeypatch.setattr(Theme, "write", watch)
    monkeypatch.setattr(Theme, "cut", watch_cut)
    return found


def check(written):
    assert len(written) > 5
    for text, rect, whole in written:
        assert whole.contains(rect), f"{text!r} is cut by the edge of the window"
    for (one, first, _), (other, second, _) in combinations(written, 2):
        shared = first.clip(second)
        assert min(shared.size) <= 3, f"{one!r} and {other!r} overlap"  # line boxes may touch, letters do not


def drawn(player, written):
    player.screen.layout(player.app.theme)  # all of it, not only what moves
    written.clear()
    player.app.draw()
    check(written)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("agent", ["mcts", "dnn", "you", "exact"])
def test_the_menu(at_window, written, size, agent):
    player = at_window(Settings(agent=agent), size)
    player.wait(1)
    drawn(player, written)
    if agent == "dnn":
        player.press(pygame.K_TAB)
        player.type("/nowhere/at/all/with/a/very/long/path/that/does/not/fit/into/the/field/model.pt")
    player.screen.fields["rounds"].text = ""
    player.screen.fields["bankroll"].text = "much"
    drawn(player, written)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("agent", "rules"),
    [
        ("mcts", Rules(shoe="dealt")),
        ("random", Rules.from_text("1d dealt ES INS RSA HSA value 5-charlie D9 NDAS 6:5")),
        ("random", Rules.from_text("2d dealt LS INS value")),
    ],
)
def test_the_game_step_by_step(at_window, written, size, agent, rules):
    options = AgentOptions(simulations=30)
    player = at_window(Settings(agent=agent, rules=rules, rounds=9, seed=5, options=options, bankroll=12_345.5), size)
    game = player.show(played(player.app.settings))
    player.app.preferences.automatic, player.app.preferences.less_motion = False, True
    for _ in range(len(game.stepper.playback) - 1):
        player.press(pygame.K_RIGHT)
        drawn(player, written)


@pytest.mark.parametrize("size", SIZES)
def test_results_and_loading(at_window, written, size):
    player = at_window(Settings(agent="random", rounds=40, seed=5), size)
    player.press(pygame.K_RETURN)
    drawn(player, written)
    player.load()
    player.press(pygame.K_RETURN)
    player.wait(3)
    drawn(player, written)
    player.press("s")
    drawn(player, written)


@pytest.mark.parametrize("size", SIZES)
def test_your_turn(at_window, written, size):
    rules = Rules.from_text("1d dealt ES INS RSA HSA value")
    player = at_window(Settings(agent="you", rounds=5, seed=2, rules=rules), size)
    player.press(pygame.K_RETURN)
    player.app.preferences.less_motion = True
    for key in ("e", "d", "e", "i", "h", "h"):
        player.wait(0.5)
        drawn(player, written)
        player.press(key)


@pytest.mark.parametrize("size", SIZES)
def test_help(at_window, written, size):
    player = at_window(size=size)
    written.clear()
    draw_help(player.window.surface, player.app.theme)
    check(written)


def luminance(colour):
    parts = [part / 255 for part in colour]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("name", ["TEXT", "MUTED", "GOLD", "WIN", "LOSS", "PUSH"])
@pytest.mark.parametrize("ground", ["PANEL", "RAISED", "RAIL"])
def test_contrast_is_that_of_wcag_aa(name, ground):
    assert contrast(getattr(looks, name), getattr(looks, ground)) >= 4.5


@pytest.mark.parametrize("action", Action)
def test_chosen_actions_can_be_read(action):
    assert contrast(looks.INK, looks.action_colour(action)) >= 4.5


def test_words_on_the_felt_can_be_read():
    from holecard.ui.window.felt import _MARKING

    assert contrast(looks.TEXT, looks.FELT) >= 4.5
    assert contrast(looks.LOSS, looks.FELT_EDGE) >= 4.5
    assert contrast(_MARKING, looks.FELT) >= 2.5, "print on felt is ornament"


@pytest.mark.parametrize("width", [16, 60, 103, 300])
def test_cards_differ_and_are_as_large_as_asked(at_window, width):
    at_window()
    pictures = {pygame.image.tobytes(card_picture(card, width), "RGBA") for card in [None, *range(52)]}
    assert len(pictures) == 53
    assert card_picture(0, width).get_width() == width


def test_suits_lie_in_their_box():
    for suit in range(4):
        for outline in suit_outline(suit):
            assert all(-1.05 <= x <= 1.05 and -1.05 <= y <= 1.05 for x, y in outline)


@pytest.mark.parametrize("values", [(0.0,), (5.0, 5.0), (float("inf"), float("inf")), (1000.0, 1e9, -3.0)])
def test_charts_of_odd_values(at_window, values):
    at_window()
    surface, rect = pygame.Surface((300, 200)), pygame.Rect(10, 10, 280, 180)
    draw_chart(surface, Theme((1280, 800)), rect, values, total=len(values))
    drawn = pygame.mask.from_threshold(surface, (0, 0, 0), (1, 1, 1, 255))
    drawn.invert()
    boxes = drawn.get_bounding_rects()
    assert bool(boxes) == any(map(math.isfinite, values)), "a bankroll without limit has no line"
    assert all(rect.inflate(8, 14).contains(box) for box in boxes), "nothing outside but half a label or a dot"
