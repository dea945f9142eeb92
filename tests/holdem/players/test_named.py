"""Players by name: a rule player, a champion that is shipped, a champion's file, a run's folder."""

import numpy as np
import pytest

from holecard.errors import HolecardError
from holecard.holdem.players.champion import Champion
from holecard.holdem.players.named import player_named
from holecard.holdem.players.network import LAYOUTS, Layout


@pytest.mark.parametrize("preset", LAYOUTS)
def test_a_shipped_champion_knows_its_preset(preset):
    assert player_named(f"champion:{preset}").preset == preset


def test_players_by_name_file_and_folder(tmp_path):
    layout = Layout.named("paper")
    Champion(layout=layout, genome=np.zeros(layout.genes, np.float32)).save(tmp_path / "champion.safetensors")
    assert player_named(str(tmp_path)).preset == "paper"
    assert player_named(str(tmp_path / "champion.safetensors")).preset == "paper"
    (tmp_path / "empty").mkdir()
    for name, message in (
        (str(tmp_path / "empty"), "the run is not finished"),
        (str(tmp_path / "no.safetensors"), "cannot read"),
        ("champion:chess", "there are pokernet, paper"),
        ("smrt", "did you mean smart"),
    ):
        with pytest.raises(HolecardError, match=message):
            player_named(name)
