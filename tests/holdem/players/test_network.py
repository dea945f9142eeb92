"""The genome's layout, counted as the model card counts it."""

from dataclasses import replace

import numpy as np
import pytest

from holecard.errors import SettingError
from holecard.holdem.players.presets import PRESETS, preset_named


def test_pokernet_counts_as_the_model_card_does():
    layout = preset_named("pokernet").layout
    assert layout.counts == {"game": 11_800, "opponent": 760, "head": 1_952, "output": 33}
    assert layout.genes == 14_545


def test_paper_counts_ten_blocks_of_five_with_peepholes_and_initial_states():
    blocks = 10 * (4 * (8 * 5 + 5 * 5 + 5) + 3 * 5)
    opponent = 4 * (8 * 10 + 10 * 10 + 10) + 3 * 10
    layout = preset_named("paper").layout
    assert layout.counts == {"game": blocks + 100, "opponent": opponent + 20, "head": 427, "output": 8}
    without = replace(layout, initial_states=False, hidden=20)
    assert without.counts == {"game": blocks, "opponent": opponent, "head": 61 * 20, "output": 21}


@pytest.mark.parametrize("preset", PRESETS)
def test_every_gene_is_one_weight(preset):
    layout = preset_named(preset).layout
    genome = np.arange(layout.genes, dtype=np.float32)
    arrays = layout.arrays(genome)
    assert np.array_equal(np.concatenate([array.ravel() for array in arrays.values()]), genome)
    assert {name: array.shape for name, array in arrays.items()} == layout.shapes
    assert list(arrays)[:3] == ["game.input.W", "game.input.R", "game.input.b"]


@pytest.mark.parametrize(
    ("changes", "message"), [({"hidden": 33}, "1 to 32"), ({"hidden": 0}, "1 to 32"), ({"blocks": 7}, "divide")]
)
def test_what_cannot_be_is_refused(changes, message):
    with pytest.raises(SettingError, match=message):
        replace(preset_named("paper").layout, **changes)
