"""Champion files: whole or refused in one line."""

import json

import numpy as np
import pytest
from safetensors.numpy import save_file

from holecard.errors import FileProblem, HolecardError
from holecard.holdem.game.hand import HandState, deal_cards
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.players.champion import Champion
from holecard.holdem.players.contenders import NetworkPlayer, contender_named, seated
from holecard.holdem.players.network import LAYOUTS, Layout

KIND = "holecard champion, version 1"
POKERNET = {"preset": "pokernet", "blocks": 1, "peepholes": False, "initial_states": False, "hidden": 32}


def some_champion(preset="pokernet"):
    layout = Layout.named(preset)
    genome = np.random.default_rng(3).standard_normal(layout.genes).astype(np.float32)
    return Champion(layout=layout, genome=genome, card={"seed": 3, "scores": {"call": 12.5}})


@pytest.mark.parametrize("preset", LAYOUTS)
def test_written_and_read_without_loss(tmp_path, preset):
    champion = some_champion(preset)
    champion.save(tmp_path / "a.safetensors")
    again = Champion.load(tmp_path / "a.safetensors")
    assert again.layout == champion.layout
    assert again.genome.tobytes() == champion.genome.tobytes()
    assert again.card == champion.card
    assert [path.name for path in tmp_path.iterdir()] == ["a.safetensors"]


def write(path, genome=None, layout=POKERNET, kind=KIND, name="genome"):
    genome = np.zeros(14_545, np.float32) if genome is None else genome
    about = {"kind": kind, "layout": layout, "card": {}}
    save_file({name: genome}, path, metadata={"champion": json.dumps(about)})


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"genome": np.zeros(14_544, np.float32)}, r"has 14,545 weights; got \(14544,\)"),
        ({"genome": np.zeros((1, 14_545), np.float32)}, "has 14,545 weights"),
        ({"genome": np.full(14_545, np.nan, np.float32)}, "14,545 of the 14,545 weights are not numbers"),
        ({"genome": np.zeros(14_545, np.float64)}, "float64, not float32"),
        ({"layout": POKERNET | {"blocks": 10}}, "not that of a pokernet network"),
        ({"layout": POKERNET | {"preset": "chess"}}, "unknown preset 'chess'"),
        ({"layout": POKERNET | {"hidden": "32"}}, "its layout is"),
        ({"layout": POKERNET | {"hidden": 99}}, "1 to 32"),
        ({"layout": None}, "its layout is null"),
        ({"kind": "another"}, "does not say that it is"),
        ({"name": "weights"}, "its tensors are"),
    ],
)
def test_what_is_no_champion_is_refused_in_one_line(tmp_path, changes, message):
    path = tmp_path / "bad.safetensors"
    write(path, **changes)
    with pytest.raises(FileProblem, match=message) as refusal:
        Champion.load(path)
    assert "\n" not in str(refusal.value)
    assert str(path) in str(refusal.value)


def test_what_is_no_safetensors_file_is_refused(tmp_path):
    path = tmp_path / "bad.safetensors"
    for contents in (b"", b"rubbish" * 100, b"\xff" * 2_000_000):
        path.write_bytes(contents)
        with pytest.raises(FileProblem, match=r"not a safetensors file|more than any has"):
            Champion.load(path)
    with pytest.raises(FileProblem, match="cannot read"):
        Champion.load(tmp_path / "none.safetensors")
    write(path)
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(FileProblem, match="not a safetensors file"):
        Champion.load(path)


@pytest.mark.parametrize("preset", LAYOUTS)
def test_a_champion_ships_with_the_package_for_each_preset(preset):
    champion = Champion.shipped(preset)
    assert champion.layout == Layout.named(preset)
    assert {"seed", "command", "fitness", "generations", "scores"} <= champion.card.keys()
    assert contender_named(f"champion:{preset}").preset == preset


def test_players_by_name_file_and_folder(tmp_path):
    some_champion("paper").save(tmp_path / "champion.safetensors")
    assert contender_named(str(tmp_path)).preset == "paper"
    assert contender_named(str(tmp_path / "champion.safetensors")).preset == "paper"
    (tmp_path / "empty").mkdir()
    for name, message in (
        (str(tmp_path / "empty"), "the run is not finished"),
        (str(tmp_path / "no.safetensors"), "cannot read"),
        ("champion:chess", "there are pokernet, paper"),
        ("smrt", "did you mean smart"),
    ):
        with pytest.raises(HolecardError, match=message):
            contender_named(name)


@pytest.mark.parametrize("preset", LAYOUTS)
def test_a_champion_sits_at_a_table_with_people(preset):
    rules = HoldemRules.preset(preset)
    players = [
        seated(f"champion:{preset}", seed=1, buy_in=rules.stack),
        seated("smart", seed=1, buy_in=rules.stack),
    ]
    assert isinstance(players[0], NetworkPlayer)
    for number in range(6):
        hand = HandState(rules, button=number & 1, cards=deal_cards(3, number))
        while hand.actor is not None:
            action = players[hand.actor].act(hand.view(hand.actor), number)
            assert players[hand.actor].last_reason.startswith(str(action))
            hand.apply(action)
        assert sum(hand.payoffs) == 0
