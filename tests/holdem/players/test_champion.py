"""Champion files: whole or refused in one line."""

import json

import numpy as np
import pytest
from safetensors.numpy import save_file

from holecard.errors import FileProblem
from holecard.holdem.players.champion import Champion
from holecard.holdem.players.presets import PRESETS, preset_named

KIND = "holecard champion, version 1"
POKERNET = {"preset": "pokernet", "blocks": 1, "peepholes": False, "initial_states": False, "hidden": 32}


def some_champion(preset="pokernet"):
    layout = preset_named(preset).layout
    genome = np.random.default_rng(3).standard_normal(layout.genes).astype(np.float32)
    return Champion(layout=layout, genome=genome, card={"seed": 3, "scores": {"call": 12.5}})


@pytest.mark.parametrize("preset", PRESETS)
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


@pytest.mark.parametrize("preset", PRESETS)
def test_a_champion_ships_with_the_package_for_each_preset(preset):
    champion = Champion.shipped(preset)
    assert champion.layout.preset == preset
    assert {"seed", "command", "fitness", "generations", "scores"} <= champion.card.keys()
