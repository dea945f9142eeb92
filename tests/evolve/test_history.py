"""history.jsonl: whole lines only, and cut to what a checkpoint knows."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from holecard.errors import FileProblem
from holecard.estimate import finite
from holecard.evolve.history import History


def test_records_come_back_in_order(tmp_path: Path) -> None:
    history = History(tmp_path)
    assert history.records() == []
    for number in range(3):
        history.append({"generation": number, "best": 0.1 * number})
    assert [record["generation"] for record in history.records()] == [0, 1, 2]
    assert history.path.read_text(encoding="utf-8").count("\n") == 3


def test_half_a_line_is_not_read_and_is_cut_on_resume(tmp_path: Path) -> None:
    history = History(tmp_path)
    history.append({"generation": 0})
    history.append({"generation": 1})
    with history.path.open("a", encoding="utf-8") as file:
        file.write('{"generation": 2, "be')
    assert [record["generation"] for record in history.records()] == [0, 1]
    history.truncate(2)
    history.append({"generation": 2})
    assert [record["generation"] for record in history.records()] == [0, 1, 2]


def test_it_is_cut_to_the_checkpoint_and_never_stretched(tmp_path: Path) -> None:
    history = History(tmp_path)
    history.truncate(0)
    for number in range(5):
        history.append({"generation": number})
    history.truncate(2)
    assert [record["generation"] for record in history.records()] == [0, 1]
    with pytest.raises(FileProblem, match="has 2 records but the checkpoint counts 3"):
        history.truncate(3)


def test_a_disk_that_fills_up_in_the_middle_of_a_line_leaves_whole_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    history = History(tmp_path)
    history.append({"generation": 0})
    real_write, calls = os.write, []

    def filling(descriptor: int, contents: bytes) -> int:
        calls.append(contents)
        if len(calls) == 1:
            return real_write(descriptor, contents[:5])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("holecard.files.os.write", filling)
    with pytest.raises(FileProblem, match="No space left on device; what it held before is intact"):
        history.append({"generation": 1})
    monkeypatch.undo()
    assert history.path.read_text(encoding="utf-8") == '{"generation":0}\n'


def test_numbers_that_json_does_not_know_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FileProblem, match="number that JSON does not know"):
        History(tmp_path).append({"best": float("nan")})
    assert (finite(1.5), finite(float("inf"))) == (1.5, None)


def test_a_damaged_line_is_told(tmp_path: Path) -> None:
    (tmp_path / "history.jsonl").write_text("not json\n", encoding="utf-8")
    with pytest.raises(FileProblem, match="damaged"):
        History(tmp_path).records()
