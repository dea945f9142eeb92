"""The menu: everything can be chosen with keys and with the mouse, and nothing impossible starts."""

import pygame
import pytest

from holecard.blackjack.game.rule_words import INFINITE
from holecard.blackjack.game.rules import PRESETS, Rules
from holecard.blackjack.players.options import AgentOptions
from holecard.blackjack.strategy.charts import write_chart
from holecard.blackjack.strategy.named import named_strategy
from holecard.studies.race.race import RESULTS
from holecard.ui.session.agents import agent_choices
from holecard.ui.session.settings import FIELDS, Settings, preset_of, rules_title
from holecard.ui.window.game import GameScreen
from holecard.ui.window.loading import Loading
from holecard.ui.window.menu import Menu, model_note


def focus(player, widget):
    """Go to a widget with the Tab key."""
    for _ in range(30):
        if player.screen.ring.focused is widget:
            return widget
        player.press(pygame.K_TAB)
    raise AssertionError("the Tab key never gets there")


def retype(player, field, text):
    focus(player, field)
    player.press(pygame.K_DELETE)
    player.type(text)


def test_the_carousel_shows_everybody_and_goes_round_at_the_ends(at_window):
    player = at_window()
    names = [seat.name for seat in player.screen.carousel.choices]
    assert names == ["random", "heuristic", "aggressive", "mcts", "dnn", "exact", "counter", "you"]
    player.press(pygame.K_HOME, pygame.K_LEFT)
    assert player.screen.carousel.choice.name == "you"
    player.press(pygame.K_RIGHT)
    assert player.screen.carousel.choice.name == "random"
    player.press(pygame.K_END)
    assert player.screen.carousel.choice.name == "you"
    seen = []
    for _ in names:
        player.press(pygame.K_RIGHT)
        player.wait(0.1)
        seen.append(player.screen.carousel.choice.name)
    assert sorted(seen) == sorted(names)


def test_the_carousel_turns_by_mouse(at_window):
    player = at_window()
    rect = player.screen.carousel.rect
    player.click((rect.right - 10, rect.centery))
    assert player.screen.carousel.choice.name == "aggressive"
    player.click((rect.left + 10, rect.centery))
    player.click((rect.left + 10, rect.centery))
    assert player.screen.carousel.choice.name == "random"
    player.click(rect.center)
    assert player.screen.carousel.choice.name == "random"


def test_evolved_strategies_of_runs_take_part(at_window, tmp_path):
    run = tmp_path / "runs" / "my-ga"
    run.mkdir(parents=True)
    (run / "winner.txt").write_text(write_chart(named_strategy("basic", Rules())), encoding="utf-8")
    player = at_window()
    titles = [seat.title for seat in player.screen.carousel.choices]
    assert titles[-2:] == ["my-ga", "You"]
    player.press(pygame.K_HOME, pygame.K_LEFT, pygame.K_LEFT, pygame.K_RETURN)
    game = player.load()
    assert isinstance(game, GameScreen)
    assert game.session.agent.endswith("winner.txt")


def test_an_agent_of_the_command_line_takes_part():
    assert [seat.name for seat in agent_choices("mine:Agent")][-2:] == ["mine:Agent", "you"]
    assert [seat.name for seat in agent_choices("basic")].count("heuristic") == 1


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("rounds", "", "Rounds: needs a number"),
        ("rounds", "0", "Rounds: must be 1 to 10,000"),
        ("rounds", "1.5", "Rounds: not a whole number"),
        ("rounds", "ten", "Rounds: not a whole number"),
        ("bet", "", "Base bet: needs a number"),
        ("bet", "-5", "Base bet: must be above 0"),
        ("bet", "nan", "Base bet: must be"),
        ("bet", "1001", "the bankroll must pay a bet of 1001"),
        ("bankroll", "inf", "Bankroll: must be"),
        ("bankroll", "9", "the bankroll must pay a bet of 10; got 9"),
        ("seed", "-1", "Seed: must be 0 to"),
        ("seed", "99999999999999999999", "Seed: must be"),
    ],
)
def test_empty_fields_and_impossible_values_do_not_start(at_window, name, text, line):
    player = at_window()
    retype(player, player.screen.fields[name], text)
    assert line in player.screen.problem()
    player.press(pygame.K_RETURN)
    assert isinstance(player.screen, Menu)
    assert line in player.screen.message
    player.click(player.screen.start.rect)
    assert isinstance(player.screen, Menu)
    retype(player, player.screen.fields[name], "20" if name != "bankroll" else "500")
    assert player.screen.problem() == ""


@pytest.mark.parametrize(("text", "fine"), [("20", True), ("1000", True), ("19", False), ("1001", False), ("", False)])
def test_simulations_are_20_to_1000(at_window, text, fine):
    player = at_window(Settings(agent="mcts", rounds=1))
    retype(player, player.screen.fields["simulations"], text)
    assert (player.screen.problem() == "") == fine
    if fine:
        settings = player.screen.settings()
        assert settings.options.simulations == int(text)
        assert settings.options.determinizations <= int(text)


def test_simulations_belong_to_the_search_and_the_model_to_the_network(at_window):
    player = at_window()
    for name, enabled in (("mcts", (True, False)), ("dnn", (False, True)), ("exact", (False, False))):
        while player.screen.carousel.choice.name != name:
            player.press(pygame.K_RIGHT)
        assert (player.screen.fields["simulations"].enabled, player.screen.model.enabled) == enabled


def test_the_model_s_path_is_looked_up_as_it_is_typed(at_window, tmp_path):
    (tmp_path / "model.pt").write_bytes(b"x" * 2000)
    player = at_window(Settings(agent="dnn"))
    assert model_note(player.screen.model.text) == "the model that comes with the package"
    focus(player, player.screen.model)
    player.type("model.p")
    assert "no file there" in player.screen.problem()
    player.type("t")
    assert player.screen.problem() == ""
    assert model_note(player.screen.model.text) == "found, 2 kB"
    player.press(pygame.K_BACKSPACE)
    assert "no file there" in player.screen.problem()
    assert not player.screen.stale
    (tmp_path / "model.p").write_bytes(b"x")
    assert player.screen.stale, "a file that comes is seen without a key"
    player.app.draw()
    assert player.screen.problem() == ""


def test_letters_belong_to_the_field_that_has_the_keyboard(at_window):
    player = at_window(Settings(agent="dnn"))
    focus(player, player.screen.model)
    player.press("q", "m", "?", "r")
    assert player.screen.model.text == "qm?r"
    assert player.app.running
    assert not player.app.preferences.less_motion
    player.press(pygame.K_ESCAPE)
    assert player.app.running
    assert player.screen.ring.focused is player.screen.carousel
    player.press(pygame.K_ESCAPE)
    assert not player.app.running


def test_typing_in_a_field_replaces_what_stands_there(at_window):
    player = at_window()
    rounds = focus(player, player.screen.fields["rounds"])
    player.type("3")
    assert rounds.text == "3", "not 33"
    player.type("0")
    assert rounds.text == "30"
    seed = player.screen.fields["seed"]
    player.click((seed.rect.left + 20, seed.rect.centery + 5))
    player.type("12")
    assert seed.text == "12"
    player.click((seed.rect.left + 20, seed.rect.centery + 5))
    player.type("3")
    assert seed.text == "123", "a second click puts the cursor behind the text"


@pytest.mark.parametrize("mod", [pygame.KMOD_LCTRL, pygame.KMOD_LMETA])
def test_control_a_selects_all(at_window, mod):
    player = at_window()
    rounds = focus(player, player.screen.fields["rounds"])
    player.type("25")
    plain = pygame.image.tobytes(player.window.surface, "RGB")
    player.press(pygame.K_a, mod=mod)
    assert rounds.text == "25"
    assert pygame.image.tobytes(player.window.surface, "RGB") != plain, "one sees it"
    player.type("7")
    assert rounds.text == "7"
    player.press(pygame.K_a, mod=mod)
    player.press(pygame.K_BACKSPACE)
    assert rounds.text == ""


def test_pasting_replaces_what_is_selected(at_window, monkeypatch):
    monkeypatch.setattr("holecard.ui.window.widgets._pasted", lambda: "42")
    player = at_window()
    rounds = focus(player, player.screen.fields["rounds"])
    player.press(pygame.K_v, mod=pygame.KMOD_LCTRL)
    assert rounds.text == "42"
    player.press(pygame.K_v, mod=pygame.KMOD_LCTRL)
    assert rounds.text == "4242"


def test_winners_of_a_race_take_part(at_window, tmp_path):
    chart = write_chart(named_strategy("basic", Rules()))
    for part in ("bits", "letters"):
        (tmp_path / "runs" / "race" / part).mkdir(parents=True)
        (tmp_path / "runs" / "race" / part / "winner.txt").write_text(chart, encoding="utf-8")
    (tmp_path / "runs" / "race" / RESULTS).mkdir()
    player = at_window()
    titles = [choice.title for choice in player.screen.carousel.choices]
    assert sorted(titles[-3:-1]) == ["race · bits", "race · letters"]
    player.press(pygame.K_HOME, pygame.K_LEFT, pygame.K_LEFT, pygame.K_RETURN)
    assert isinstance(player.load(), GameScreen)


def test_arrows_step_numbers_and_stop_at_their_limits(at_window):
    player = at_window(Settings(agent="mcts", rounds=20, bet=5, bankroll=100))
    rounds = focus(player, player.screen.fields["rounds"])
    player.press(pygame.K_RIGHT)
    assert rounds.text == "30"
    player.press(*[pygame.K_LEFT] * 5)
    assert rounds.text == "10", "0 rounds are none"
    simulations = player.screen.fields["simulations"]
    box = simulations._box
    player.click((box.right - 5, box.centery))
    assert simulations.text == "220"
    player.click((box.right - box.height - 5, box.centery))
    assert simulations.text == "200"


def test_rules_are_chosen_by_preset_and_switch(at_window):
    player = at_window()
    menu = player.screen
    for name in PRESETS:
        while menu.preset.value != name:
            focus(player, menu.preset)
            player.press(pygame.K_RIGHT)
        rules = menu.settings().rules
        assert rules_title(rules) == name
        assert rules.shoe == ("fresh" if rules.decks == INFINITE else "dealt")
    while menu.preset.value != "casino":
        player.click((menu.preset.rect.left + 5, menu.preset.rect.centery))
    for switch in menu.switches.values():
        focus(player, switch)
        player.press(pygame.K_SPACE)
    focus(player, menu.surrender)
    player.press(pygame.K_LEFT)
    rules = menu.settings().rules
    chosen = (rules.h17, rules.das, rules.insurance, rules.peek, rules.surrender)
    assert chosen == (False, False, True, False, "early-10")
    assert (rules.ties, rules.dealer_22, rules.double_cards) == ("lose", "push", "any")


def test_rules_that_contradict_each_other_are_told(at_window):
    player = at_window()
    while player.screen.preset.value != "classic":
        focus(player, player.screen.preset)
        player.press(pygame.K_RIGHT)
    focus(player, player.screen.switches["double_cards"])
    player.press(pygame.K_RIGHT)
    assert "doubling on any number of cards takes doubling" in player.screen.problem()
    player.press(pygame.K_RETURN)
    assert isinstance(player.screen, Menu)


def test_rules_of_the_command_line_are_kept(at_window):
    rules = Rules(decks=3, charlie=5, shoe="dealt", peek=False, obo=True)
    player = at_window(Settings(rules=rules, preset=preset_of(rules)))
    assert player.screen.settings().rules == rules


def test_start_by_mouse_and_by_key(at_window):
    player = at_window(Settings(rounds=1))
    player.click(player.screen.start.rect)
    assert isinstance(player.screen, Loading)
    player.load()
    player.press("r")
    assert isinstance(player.screen, Menu)
    player.press(pygame.K_RETURN)
    assert isinstance(player.screen, Loading)
    player.load()


def test_what_was_set_is_still_set_after_a_session(at_window):
    player = at_window(Settings(rounds=2, seed=77, bet=25, agent="aggressive", options=AgentOptions(simulations=60)))
    player.press(pygame.K_RETURN)
    player.load()
    player.press("r")
    settings = player.screen.settings()
    assert (settings.rounds, settings.seed, settings.bet, settings.agent) == (2, 77, 25, "aggressive")


def test_shift_tab_goes_back_and_every_widget_is_reached(at_window):
    player = at_window(Settings(agent="mcts"))
    ring = player.screen.ring
    seen = []
    for _ in ring.widgets:
        seen.append(ring.focused)
        player.press(pygame.K_TAB)
    assert all(widget in seen for widget in ring.widgets if widget.enabled)
    before = ring.focused
    player.press(pygame.K_TAB)
    player.press(pygame.K_TAB, mod=pygame.KMOD_SHIFT)
    assert ring.focused is before


@pytest.mark.parametrize("name", FIELDS)
def test_every_field_says_its_limits(name):
    with pytest.raises(ValueError, match=r"to [\d,]+"):
        FIELDS[name][1]("")
