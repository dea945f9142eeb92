"""The player `equilibrium` as it ships."""

from importlib.resources import files

import numpy as np
import pytest

from holecard.holdem.equilibrium.blueprint_file import PARTS
from holecard.holdem.exploit.local import local_best_response
from holecard.holdem.exploit.menu import parse_menu
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.players.equilibrium import shipped_blueprints, shipped_policy
from holecard.holdem.players.named import player_named
from holecard.holdem.players.presets import preset_named


def test_it_is_small_enough_to_ship():
    assert shipped_blueprints() == {"paper": 200, "pokernet": 100}
    folder = files("holecard.holdem.players") / "blueprints"
    assert sum(len((folder / f"{name}.npz").read_bytes()) for name in shipped_blueprints()) < 8_000_000


def test_stacks_choose_the_blueprint():
    deep, usual = (shipped_policy(preset_named(name).rules).blueprint for name in ("paper", "pokernet"))
    assert len(deep.share) > len(usual.share)
    assert shipped_policy(HoldemRules(stack=2_000)).blueprint is usual
    for each in (deep, usual):
        sums = each.share.reshape(-1, len(each.menu.sizes) + 3).sum(axis=1)
        assert set(np.unique(sums)) <= {0, PARTS}
        assert (sums > 0).mean() > 0.8
        assert each.menu.remembered == 3


@pytest.mark.slow
def test_it_is_beaten_by_less_than_slumbot_2016():
    """Lisý and Bowling (2017): Slumbot 2016 lost 4,020 ± 115 mBB/hand to fold, call, pot and all-in."""
    rules = preset_named("paper").rules
    found = local_best_response(player_named("equilibrium"), rules, parse_menu("fcpa"), hands=4_000)
    assert found.mbb_per_hand.interval()[1] < 4_020 - 115
