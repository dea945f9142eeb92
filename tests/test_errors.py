"""Names from a list: one sentence for every name that is not on it."""

import pytest

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.players.finding import find_strategy
from holecard.blackjack.players.registry import make_agent
from holecard.errors import HolecardError, RulesError, SettingError, unknown_name
from holecard.evolve.selection import selection_named
from holecard.holdem.players.champion import Champion
from holecard.holdem.players.presets import preset_named
from holecard.holdem.players.rule_players import rule_player_named

LOOKUPS = {
    "strategy": (lambda name: find_strategy(name, Rules()), "basic", SettingError),
    "agent": (lambda name: make_agent(name, Rules()), "heuristic", SettingError),
    "rules": (Rules.preset, "casino", RulesError),
    "preset": (preset_named, "paper", SettingError),
    "opponent": (rule_player_named, "smart", SettingError),
    "champion": (Champion.shipped, "pokernet", SettingError),
    "selection": (lambda name: selection_named(name, 2), "tournament", SettingError),
}


@pytest.mark.parametrize("kind", LOOKUPS)
def test_an_unknown_name_is_refused_with_the_nearest_or_with_all(kind):
    look_up, known, error = LOOKUPS[kind]
    misspelt = known[:-1] + "x"
    with pytest.raises(HolecardError) as caught:
        look_up(misspelt)
    assert str(caught.value) == f"unknown {kind} {misspelt!r}; did you mean {known}?"
    assert type(caught.value) is error
    with pytest.raises(error, match=rf"^unknown {kind} 'qqqq'; choose .*{known}"):
        look_up("qqqq")


def test_a_long_name_is_cut():
    assert len(unknown_name("agent", "x" * 10_000, ["basic"])) < 120
