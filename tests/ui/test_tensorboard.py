"""`--tensorboard`: what a run records is what TensorBoard reads, resumed or not."""

import json
import sys

import pytest

from holecard.errors import MissingExtra
from holecard.ui.cli import main
from holecard.ui.tensorboard import FOLDER, Scalars, logging_to, numbers


def read(folder):
    """Tag → [(step, value)] of a folder of event files, as TensorBoard shows them."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    events = EventAccumulator(str(folder), size_guidance={"scalars": 0})
    events.Reload()
    return {tag: [(each.step, each.value) for each in events.Scalars(tag)] for tag in events.Tags()["scalars"]}


def run(*words):
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    assert ended.value.code in (0, None)


def test_evolve_logs_every_figure_of_its_history(tmp_path, capsys):
    out = tmp_path / "run"
    options = ("--generations", 4, "--population", 20, "--hands", 200, "--no-figures", "--json")
    run("evolve", "ga", *options, "--tensorboard", "--out", out)
    records = [json.loads(line) for line in (out / "history.jsonl").read_text().splitlines()]
    logged = read(out / FOLDER)
    for name in ("best", "mean", "median", "worst", "exact", "exact_consensus"):
        assert [step for step, _ in logged[name]] == [0, 1, 2, 3]
        assert [value for _, value in logged[name]] == pytest.approx([record[name] for record in records], rel=1e-6)


def test_programs_and_poker_log_theirs(tmp_path, capsys):
    few = ("--generations", 2, "--population", 10, "--no-figures", "--json", "--tensorboard")
    run("evolve", "gp", *few, "--out", tmp_path / "gp")
    assert "upcards/10/best" in read(tmp_path / "gp" / FOLDER)
    hands = ("--hands", 10, "--finals", 0, "--score-hands", 20)
    run("holdem", "evolve", *few, *hands, "--out", tmp_path / "holdem")
    logged = read(tmp_path / "holdem" / FOLDER)
    assert len(logged["opponents/call/mean_earnings"]) == 2
    assert "style/vpip" in logged


def test_training_logs_its_epochs(tmp_path, capsys):
    data, model = tmp_path / "data.jsonl", tmp_path / "model.pt"
    run("dataset", "--games", 20, "--output", data)
    run("train", "--dataset", data, "--epochs", 3, "--output", model, "--tensorboard")
    logged = read(tmp_path / FOLDER)
    assert [step for step, _ in logged["accuracy"]] == [1, 2, 3]
    assert set(logged) == {"accuracy", "learning_rate", "train_loss", "validation_loss"}


def test_a_resumed_run_takes_the_place_of_what_it_repeats(tmp_path):
    for first in (0, 2):
        with logging_to(tmp_path, lambda record: None) as log:
            for generation in range(first, 4):
                log({"generation": generation, "best": 10.0 * first + generation})
    assert read(tmp_path / FOLDER)["best"] == [(0, 0.0), (1, 1.0), (2, 22.0), (3, 23.0)]


def test_without_a_folder_nothing_is_logged(tmp_path):
    seen = []
    with logging_to(None, seen.append) as log:
        log({"generation": 1})
    assert seen == [{"generation": 1}]
    assert list(numbers({"a": True, "b": float("inf"), "c": "x"})) == [("a", 1.0), ("b", float("inf"))]


def test_a_missing_extra_is_told(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "tensorboard.compat.proto", None)
    with pytest.raises(MissingExtra, match=r"pip install 'holecard\[tensorboard\]'"):
        Scalars(tmp_path)
