"""Players by name: a rule player, a champion that is shipped, a champion's file, a run's folder."""

import numpy as np
import pytest

from holecard.errors import HolecardError
from holecard.holdem.players.champion import Champion
from holecard.holdem.players.named import player_named
from holecard.holdem.players.presets import PRESETS, preset_named


@pytest.mark.parametrize("preset", PRESETS)
def test_a_shipped_champion_knows_its_preset(preset):
    assert player_named(f"champion:{preset}").preset is preset_named(preset)


def test_players_by_name_file_and_folder(tmp_path):
    layout = preset_named("paper").layout
    Champion(layout=layout, genome=np.zeros(layout.genes, np.float32)).save(tmp_path / "champion.safetensors")
    assert player_named(str(tmp_path)).preset.name == "paper"
    assert player_named(str(tmp_path / "champion.safetensors")).preset.name == "paper"
    (tmp_path / "empty").mkdir()
    for name, message in (
        (str(tmp_path / "empty"), "the run is not finished"),
        (str(tmp_path / "no.safetensors"), "cannot read"),
        ("champion:chess", "choose pokernet, paper"),
        ("smrt", "did you mean smart"),
    ):
        with pytest.raises(HolecardError, match=message):
            player_named(name)
