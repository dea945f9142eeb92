"""Runs that are killed, filled up and damaged, and go on to the same end."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holecard.errors import FileProblem
from holecard.evolve.checkpoint import CHECKPOINT, PREVIOUS, load_checkpoint
from holecard.evolve.engine import Evolution, Fitness, Limits, Population
from holecard.evolve.lockstep import Lockstep
from holecard.evolve.observer import Observer
from holecard.evolve.registry import examples
from holecard.evolve.run_directory import RunDirectory, carry_on

GENERATIONS = 30
EXAMPLES = dict(examples())


def content(population: Population, generation: int) -> Fitness:
    return np.asarray(population.mean(axis=1, dtype=np.float64) + 0.01 * generation)


def begin(engine: str = "genetic-1") -> Evolution:
    return Evolution(EXAMPLES[engine], seed=3, limits=Limits(generations=GENERATIONS))


def finish(path: Path, engine: str = "genetic-1", pause: float = 0.0, **settings: Any) -> Evolution:
    """Start a run, or go on with it, to its end."""
    run = RunDirectory.open(path) if (path / "config.json").exists() else RunDirectory.create(path, {"engine": engine})
    evolution = begin(engine)

    def step() -> dict[str, Any]:
        time.sleep(pause)
        return evolution.step(content).as_dict()

    carry_on(evolution, step, run, seconds_between_checkpoints=0.0, **settings)
    return evolution


def history(path: Path) -> bytes:
    return (path / "history.jsonl").read_bytes()


def test_the_configuration_says_what_ran_where(tmp_path: Path) -> None:
    RunDirectory.create(tmp_path / "new" / "run", {"population": 50}, command=["holecard", "evolve"])
    run = RunDirectory.open(tmp_path / "new" / "run")
    assert run.options == {"population": 50}
    assert run.config["command"] == ["holecard", "evolve"]
    assert set(run.config) == {"options", "command", "commit", "versions", "machine"}
    assert run.config["versions"]["numpy"] == np.__version__


def test_a_run_is_not_begun_twice_nor_resumed_where_there_is_none(tmp_path: Path) -> None:
    RunDirectory.create(tmp_path, {})
    with pytest.raises(FileProblem, match="holds a run already; resume it with --resume"):
        RunDirectory.create(tmp_path, {})
    with pytest.raises(FileProblem, match="holds no run"):
        RunDirectory.open(tmp_path / "elsewhere")
    (tmp_path / "config.json").write_text("[]", encoding="utf-8")
    with pytest.raises(FileProblem, match="has no options"):
        RunDirectory.open(tmp_path)
    (tmp_path / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(FileProblem, match="cannot read"):
        RunDirectory.open(tmp_path)


def test_a_finished_run_stays_finished(tmp_path: Path) -> None:
    first = finish(tmp_path)
    lines = history(tmp_path)
    again = finish(tmp_path)
    assert history(tmp_path) == lines
    assert len(lines.splitlines()) == GENERATIONS
    np.testing.assert_array_equal(again.champion(), first.champion())


def test_a_damaged_checkpoint_is_told_and_the_previous_one_used(tmp_path: Path) -> None:
    undisturbed = finish(tmp_path / "whole")
    finish(tmp_path / "damaged")
    (tmp_path / "damaged" / CHECKPOINT).write_bytes(b"rubbish")
    notes: list[str] = []
    again = finish(tmp_path / "damaged", observer=Observer(note=notes.append))
    assert len(notes) == 1
    assert "damaged" in notes[0]
    assert history(tmp_path / "damaged") == history(tmp_path / "whole")
    np.testing.assert_array_equal(again.champion(), undisturbed.champion())


def test_several_evolutions_go_on_together(tmp_path: Path) -> None:
    def joint(stop_after: int | None) -> Lockstep:
        limits = {"ace": Limits(generations=6), "ten": Limits(generations=4)}
        lockstep = Lockstep(
            {name: Evolution(EXAMPLES["genetic-1"], seed=3, limits=each) for name, each in limits.items()}
        )
        run = RunDirectory(tmp_path, {"options": {}})

        def step() -> dict[str, Any]:
            if lockstep.generation == stop_after:
                raise KeyboardInterrupt
            told = lockstep.step(lambda asked, number: {name: content(each, number) for name, each in asked.items()})
            return {name: record.as_dict() for name, record in told.items()}

        carry_on(lockstep, step, run, seconds_between_checkpoints=0.0)
        return lockstep

    with pytest.raises(KeyboardInterrupt):
        joint(5)
    resumed = joint(None)
    records = [json.loads(line) for line in history(tmp_path).splitlines()]
    assert [sorted(record) for record in records] == [["ace", "ten"]] * 4 + [["ace"]] * 2
    alone = Evolution(EXAMPLES["genetic-1"], seed=3, limits=Limits(generations=6))
    while not alone.finished:
        alone.step(content)
    np.testing.assert_array_equal(resumed.evolutions["ace"].champion(), alone.champion())


SCRIPT = """
import sys
from pathlib import Path
from test_run_directory import finish
finish(Path(sys.argv[1]), sys.argv[2], pause=0.03)
"""


def start(path: Path, engine: str) -> subprocess.Popen[bytes]:
    root = Path(__file__).parents[2]
    search = os.pathsep.join([str(root / "src"), str(Path(__file__).parent)])
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(path), engine], env={**os.environ, "PYTHONPATH": search}, cwd=root
    )


def last_change(path: Path) -> int:
    try:
        return (path / "history.jsonl").stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def kill_at_random_moments(path: Path, engine: str, kills: int) -> None:
    chance = random.Random(f"{engine}{kills}")
    for _ in range(kills):
        before = last_change(path)
        process = start(path, engine)
        while process.poll() is None and last_change(path) == before:  # until it is past its imports and at work
            time.sleep(0.002)
        time.sleep(chance.uniform(0, 0.08))
        assert process.poll() is None, "it was done before it could be killed"
        process.send_signal(signal.SIGKILL)
        process.wait()
        for line in history(path).splitlines():
            assert isinstance(json.loads(line), dict)
    assert start(path, engine).wait() == 0


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
@pytest.mark.parametrize("engine", ["genetic-1", "trees-1"])
def test_kill_9_and_resume_gives_the_same_history_and_champion(tmp_path: Path, engine: str) -> None:
    undisturbed = finish(tmp_path / "whole", engine)
    kill_at_random_moments(tmp_path / "killed", engine, kills=1)
    assert history(tmp_path / "killed") == history(tmp_path / "whole")
    np.testing.assert_array_equal(finish(tmp_path / "killed", engine).champion(), undisturbed.champion())


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
@pytest.mark.parametrize("engine", EXAMPLES)
def test_ten_kills_and_resumes_give_the_same_history_and_champion(tmp_path: Path, engine: str) -> None:
    undisturbed = finish(tmp_path / "whole", engine)
    kill_at_random_moments(tmp_path / "killed", engine, kills=10)
    assert history(tmp_path / "killed") == history(tmp_path / "whole")
    np.testing.assert_array_equal(finish(tmp_path / "killed", engine).champion(), undisturbed.champion())


def test_a_full_disk_stops_the_run_cleanly_and_it_goes_on_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    undisturbed = finish(tmp_path / "whole")
    calls = 0

    def filling_up(path: Path) -> None:
        nonlocal calls
        calls += 1
        if calls > 12:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("holecard.files._sync", filling_up)
    with pytest.raises(
        FileProblem, match=r"No space left on device; the last checkpoint is intact: make room and resume"
    ):
        finish(tmp_path / "full")
    monkeypatch.undo()
    for name in (CHECKPOINT, PREVIOUS):
        assert (tmp_path / "full" / name).exists()
    found = load_checkpoint(tmp_path / "full")
    assert found is not None
    assert found.note == ""
    again = finish(tmp_path / "full")
    assert history(tmp_path / "full") == history(tmp_path / "whole")
    np.testing.assert_array_equal(again.champion(), undisturbed.champion())


@pytest.mark.parametrize("was_there", [True, False])
def test_a_run_that_comes_to_nothing_leaves_nothing(tmp_path, was_there):
    folder = tmp_path / "run"
    if was_there:
        folder.mkdir()

    def step():
        raise MemoryError

    counter = begin()
    with pytest.raises(MemoryError):
        carry_on(counter, step, RunDirectory.create(folder, {}))
    assert folder.exists() == was_there
    assert not list(folder.glob("*"))


def test_a_run_begins_in_a_folder_without_anything_of_others(tmp_path):
    (tmp_path / "winner.txt").write_text("mine")
    with pytest.raises(FileProblem, match="is not empty; choose another folder"):
        RunDirectory.create(tmp_path, {})
    assert [path.name for path in tmp_path.iterdir()] == ["winner.txt"]


def test_a_run_that_came_to_something_stays(tmp_path):
    folder, counter = tmp_path / "run", begin()
    RunDirectory.create(folder, {"kept": 1})

    def step():
        raise MemoryError

    with pytest.raises(MemoryError):
        carry_on(counter, step, RunDirectory.open(folder))
    assert RunDirectory.open(folder).options == {"kept": 1}, "one that was opened was asked for before"
