"""Presets: the published experiments, by name."""

import numpy as np
import pytest

from holecard.errors import SettingError
from holecard.holdem.players.decision_rules import DecisionRule
from holecard.holdem.players.lstm import pack
from holecard.holdem.players.presets import PRESETS, preset_named


def test_a_preset_is_the_game_the_network_and_the_opponents_of_an_experiment():
    pokernet, paper = preset_named("pokernet"), preset_named("paper")
    assert list(PRESETS) == ["pokernet", "paper", "author"]
    assert (pokernet.rules.big_blind, pokernet.rules.stack, pokernet.rules.carried) == (10, 1_000, True)
    assert (paper.rules.big_blind, paper.rules.stack, paper.rules.carried) == (100, 20_000, False)
    assert (pokernet.layout.genes, paper.layout.genes) == (14_545, 4_295)
    assert [player.title for player in pokernet.opponents] == ["check-fold", "call", "raise", "smart"]
    assert not any(player.held_out for preset in PRESETS.values() for player in preset.opponents)


@pytest.mark.parametrize("preset", PRESETS.values(), ids=list(PRESETS))
def test_a_packed_network_knows_its_decision_rule(preset):
    first = {
        "pokernet": DecisionRule.POKERNET,
        "paper": DecisionRule.PAPER,
        "author": DecisionRule.AUTHOR,
    }[preset.name]
    genome = np.zeros((1, preset.layout.genes), np.float32)
    assert pack(genome, preset.layout)["decision_rule"].tolist() == [first]


def test_an_unknown_preset_suggests_the_nearest_or_lists_them():
    with pytest.raises(SettingError, match="unknown preset 'papr'; did you mean paper"):
        preset_named("papr")
    with pytest.raises(SettingError, match="choose pokernet, paper, author"):
        preset_named("chess")
