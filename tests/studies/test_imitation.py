"""Datasets and training: whole lines, resumed runs, the same seed the same model, an interrupt keeps the best."""

import json
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.players.dnn import load_model
from holecard.errors import FileProblem, SettingError
from holecard.evolve.observer import Observer
from holecard.evolve.run_directory import carry_on
from holecard.studies import demonstrations, imitation
from holecard.studies.demonstrations import read_dataset
from holecard.studies.imitation import cells_of
from holecard.studies.imitation_config import DemonstrationConfig, ImitationConfig

EXPERT = DemonstrationConfig(rules=replace(Rules(), shoe="dealt"), games=60, rounds=10, seed=4)


def made(path, **changes):
    demonstrations.run(replace(EXPERT, **changes), path)
    return read_dataset(path)


def test_both_formats_hold_the_same_and_a_seed_settles_it(tmp_path):
    lines, arrays = made(tmp_path / "d.jsonl"), made(tmp_path / "d.npz")
    assert lines.digest == arrays.digest == made(tmp_path / "again.jsonl").digest
    assert lines.header["rules"]["decks"] == 6
    assert lines.header["actions"] == ["hit", "stand", "double", "split"]
    assert lines.legal[np.arange(len(lines.actions)), lines.actions].all()
    assert made(tmp_path / "e.npz", seed=5).digest != lines.digest


def test_every_agent_can_demonstrate(tmp_path):
    assert made(tmp_path / "d.npz", games=2, agent="mcts").actions.size > 20


def test_a_run_cut_short_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr(demonstrations, "_BLOCK", 8)
    whole = tmp_path / "whole.jsonl"
    demonstrations.run(replace(EXPERT, games=40), whole)
    text = whole.read_bytes()
    header, folder = text.split(b"\n")[0], tmp_path / ".cut.jsonl.unfinished"
    for kept in (0, 10, 700, len(text) // 2, len(text) - 1):
        folder.mkdir()
        (folder / "header.json").write_bytes(header)
        (folder / "decisions.jsonl").write_bytes(text[:kept])
        played = []
        observer = Observer(progress=lambda share, words, played=played: played.append(share))
        demonstrations.run(replace(EXPERT, games=40), tmp_path / "cut.jsonl", observer=observer)
        assert (tmp_path / "cut.jsonl").read_bytes() == text
        assert (len(played) < 5) == (kept > len(text) // 3), "what was done was played again"
        assert not folder.exists()


@pytest.mark.parametrize("ending", ["jsonl", "npz"])
def test_another_dataset_or_any_other_file_stays_unless_it_may_go(tmp_path, ending):
    path = tmp_path / f"d.{ending}"
    for contents in (b"years of work\n", b"", b"\x00\xff"):
        path.write_bytes(contents)
        with pytest.raises(FileProblem, match=r"exists and is not this dataset; choose .* --overwrite"):
            demonstrations.run(replace(EXPERT, games=2), path)
        assert path.read_bytes() == contents
    demonstrations.run(replace(EXPERT, games=2), path, overwrite=True)
    first = path.read_bytes()
    with pytest.raises(FileProblem, match="is not this dataset"):
        demonstrations.run(replace(EXPERT, games=3), path)
    assert path.read_bytes() == first
    demonstrations.run(replace(EXPERT, games=2), path)
    assert path.read_bytes() == first, "the same again is no loss"
    assert [entry.name for entry in tmp_path.iterdir()] == [path.name]


def test_an_interrupted_run_of_arrays_goes_on_too(tmp_path, monkeypatch):
    monkeypatch.setattr(demonstrations, "_BLOCK", 8)
    whole, path = made(tmp_path / "whole.npz", games=40), tmp_path / "cut.npz"
    played = []

    def stop(share, words):
        if share >= 24 / 40:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        demonstrations.run(replace(EXPERT, games=40), path, observer=Observer(progress=stop))
    demonstrations.run(replace(EXPERT, games=40), path, observer=Observer(progress=lambda *told: played.append(told)))
    assert played[0] == (32 / 40, "32 of 40 sessions"), "the first blocks were played again"
    assert played[-1] == (1.0, "40 of 40 sessions")
    assert read_dataset(path).digest == whole.digest
    assert [entry.name for entry in sorted(tmp_path.iterdir())] == ["cut.npz", "whole.npz"]


def test_an_interrupt_leaves_no_half_dataset(tmp_path):
    def stop(share, words):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        demonstrations.run(replace(EXPERT, games=600), tmp_path / "d.jsonl", observer=Observer(progress=stop))
    assert not (tmp_path / "d.jsonl").exists()


def test_broken_datasets_are_refused(tmp_path):
    path = tmp_path / "d.jsonl"
    made(path, games=3)
    lines = path.read_text().splitlines(keepends=True)
    for text, match in (
        ("".join(lines[:5]) + lines[5][:100] + "\n" + "".join(lines[6:]), "line 6 is broken"),
        ("".join(lines)[:-10], f"line {len(lines)} is broken"),
        ("".join(lines[:3]) + '{"game": 0, "state": [1], "legal": [1,1,0,0], "action": 0}\n', "line 4: a decision"),
        ("".join(lines[1:]), "not a dataset"),
        (lines[0], "no decisions"),
    ):
        path.write_text(text)
        with pytest.raises(FileProblem, match=match):
            read_dataset(path)
    with pytest.raises(FileProblem, match="no dataset at"):
        read_dataset(tmp_path / "none.jsonl")
    (tmp_path / "bad.npz").write_bytes(b"PK nonsense")
    with pytest.raises(FileProblem, match="not a dataset"):
        read_dataset(tmp_path / "bad.npz")
    with pytest.raises(FileProblem, match=r"\.jsonl or \.npz"):
        demonstrations.run(replace(EXPERT, games=1), tmp_path / "d.csv")
    with pytest.raises(SettingError, match="drop surrender"):
        demonstrations.run(replace(EXPERT, rules=Rules(surrender="late")), path)


def test_the_same_seed_trains_the_same_model(tmp_path):
    data = made(tmp_path / "d.npz", games=150)
    config = ImitationConfig(epochs=3, seed=1)
    results = [imitation.run(config, tmp_path / f"{name}.pt", data) for name in "ab"]
    assert results[0].history == results[1].history
    assert all(
        bool((one == other).all())
        for one, other in zip(*(load_model(tmp_path / f"{name}.pt").parameters() for name in "ab"), strict=True)
    )
    card = json.loads((tmp_path / "a.json").read_text())
    assert card["data"]["sha256"] == data.digest
    assert card["rules"]["decks"] == 6
    assert sum(decisions for _, decisions in card["agreement_by_cell"].values()) == data.actions.size
    assert card["accuracy"] == results[0].history[results[0].best].accuracy > 0.5


def test_inputs_that_never_vary_decide_nothing(tmp_path):
    data = made(tmp_path / "d.npz", games=40)
    imitation.run(ImitationConfig(epochs=1), tmp_path / "m.pt", data)
    first = load_model(tmp_path / "m.pt").state_dict()["0.weight"]
    constant = data.states.min(axis=0) == data.states.max(axis=0)
    assert constant[160:162].all()
    assert not first[:, constant].any()


def test_an_interrupt_keeps_the_best_so_far(tmp_path):
    data = made(tmp_path / "d.npz", games=40)

    def stop(record):
        if record["epoch"] == 2:
            raise KeyboardInterrupt

    result = imitation.run(ImitationConfig(epochs=50), tmp_path / "m.pt", data, observer=Observer(record=stop))
    assert result.interrupted
    assert len(result.history) == 2
    load_model(tmp_path / "m.pt")


def test_a_training_cut_short_goes_on_to_the_same_model(tmp_path):
    data, config = made(tmp_path / "d.npz", games=60), ImitationConfig(epochs=8, plateau=1, seed=3)
    whole = imitation.run(config, tmp_path / "whole.pt", data)

    def stop(at):
        def record(told):
            if told["epoch"] == at:
                raise KeyboardInterrupt

        return Observer(record=record)

    path, epochs = tmp_path / "cut.pt", []
    for at in (2, 5):
        assert imitation.run(config, path, data, observer=stop(at)).interrupted
    again = imitation.run(config, path, data, observer=Observer(record=lambda told: epochs.append(told["epoch"])))
    assert again.history == whole.history
    assert (again.best, again.interrupted) == (whole.best, False)
    assert path.read_bytes() == (tmp_path / "whole.pt").read_bytes()
    names = sorted(entry.name for entry in tmp_path.iterdir())
    assert names == ["cut.json", "cut.pt", "d.npz", "whole.json", "whole.pt"]


def test_a_training_goes_on_from_its_checkpoint(tmp_path, monkeypatch):
    """Every epoch is saved here; a real training is saved once a second."""
    monkeypatch.setattr(imitation, "carry_on", partial(carry_on, seconds_between_checkpoints=0.0))
    data, config = made(tmp_path / "d.npz", games=40), ImitationConfig(epochs=6, plateau=1, patience=20, seed=5)
    whole = imitation.run(config, tmp_path / "whole.pt", data)
    told: list[int] = []

    def record(epoch):
        told.append(epoch["epoch"])
        if told[-1] == 4 and told.count(4) == 1:
            raise KeyboardInterrupt

    for _ in range(2):
        result = imitation.run(config, tmp_path / "m.pt", data, observer=Observer(record=record))
    assert told == [1, 2, 3, 4, 4, 5, 6], "three epochs were saved"
    assert result.history == whole.history
    assert (tmp_path / "m.pt").read_bytes() == (tmp_path / "whole.pt").read_bytes()


@pytest.mark.parametrize("name", ["x.json", "y.png", "z", "model.pt.txt"])
def test_weights_are_never_written_where_card_or_curves_go(tmp_path, name):
    data = made(tmp_path / "d.npz", games=4)
    with pytest.raises(FileProblem, match=r"weights are written as \.pt, with a card and curves beside; got"):
        imitation.run(ImitationConfig(epochs=1), tmp_path / name, data)
    assert [entry.name for entry in tmp_path.iterdir()] == ["d.npz"]


@pytest.mark.parametrize("ending", ["pt", "json", "png"])
def test_another_model_card_or_picture_stays_unless_it_may_go(tmp_path, ending):
    data, path = made(tmp_path / "d.npz", games=4), tmp_path / "m.pt"
    (tmp_path / f"m.{ending}").write_text("years of work")
    with pytest.raises(FileProblem, match=rf"m\.{ending} exists and is not of this training; choose .* --overwrite"):
        imitation.run(ImitationConfig(epochs=1), path, data)
    assert (tmp_path / f"m.{ending}").read_text() == "years of work"
    imitation.run(ImitationConfig(epochs=1), path, data, overwrite=True)
    with pytest.raises(FileProblem, match=r"m\.pt exists and is not of this training"):
        imitation.run(ImitationConfig(epochs=2), path, data)
    imitation.run(ImitationConfig(epochs=1), path, data)


def test_training_stops_when_nothing_improves(tmp_path):
    data = made(tmp_path / "d.npz", games=4)
    result = imitation.run(ImitationConfig(epochs=300, patience=3), tmp_path / "m.pt", data)
    assert len(result.history) < 300


def test_cells_are_the_charts(tmp_path):
    cells = {str(cell) for cell in cells_of(made(tmp_path / "d.npz", games=300))}
    assert {"hard 16 v 10", "pair 88 v 10", "soft A7 v 9"} <= cells


def test_the_shipped_models_card_agrees_with_the_bar():
    from importlib.resources import files

    card = json.loads((files("holecard.blackjack.players") / "trained/blackjack_mlp.json").read_text(encoding="utf-8"))
    assert card["agreement"] > 0.99
    assert card["expert"] == "basic"


@pytest.mark.parametrize(("field", "value"), [("epochs", 0), ("batch", 1), ("patience", 0)])
def test_settings_have_limits(field, value):
    with pytest.raises(SettingError, match=field):
        ImitationConfig(**{field: value})
