"""The drill at the window: cards flash by, answers are typed, verdicts are those of the drill."""

import pygame
import pytest

from holecard.blackjack.game.rules import Rules
from holecard.ui.session.drill import Drill
from holecard.ui.window.drill import DrillScreen


@pytest.fixture
def drilled(at_window):
    player = at_window()
    drill = Drill("hi-lo", Rules(decks=2, h17=False, split="value", shoe="dealt", insurance=True), seed=3)
    player.app.screen = DrillScreen(drill, ("count", "play"), player.app.preferences, questions=2, cards=3, pace=0.5)
    player.app.screen.layout(player.app.theme)
    player.app.draw()
    return player


def picture(player):
    player.app.draw()
    return pygame.image.tobytes(player.window.surface, "RGB")


def test_cards_flash_by_then_the_count_is_asked_judged_and_summed_up(drilled):
    screen = drilled.screen
    seen = []
    while screen.shown is not None:
        assert not screen.asks
        drilled.type("5")
        assert screen.answer == "", "nobody answers while cards flash by"
        if not seen or seen[-1] != screen.shown:
            seen.append(screen.shown)
        drilled.wait(0.1)
    assert len(seen) == 3
    assert tuple(seen) == screen.question.cards
    before = picture(drilled)
    drilled.type("x")
    drilled.press(pygame.K_RETURN)
    assert "a number is wanted" in screen.problem
    drilled.type(f"{float(screen.question.after.running):g}")
    drilled.press(pygame.K_RETURN)
    assert screen.verdict.right
    assert picture(drilled) != before
    drilled.press(pygame.K_RETURN)
    wrong = next(action for action in screen.question.evs if action != screen.question.plays)
    drilled.type(wrong)
    drilled.press(pygame.K_RETURN)
    assert [each.right for each in screen.verdicts] == [True, False]
    assert screen.verdicts[1].price == screen.question.evs[screen.question.plays] - screen.question.evs[wrong]
    assert screen.is_over
    drilled.press(pygame.K_RETURN)
    assert not drilled.app.running


def test_q_leaves_at_any_time(drilled):
    drilled.press("q")
    assert not drilled.app.running
