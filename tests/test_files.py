"""One writer for all files: what goes wrong there goes wrong nowhere else."""

from __future__ import annotations

import errno
import os
import subprocess
import sys
from pathlib import Path

import pytest

from holecard import files
from holecard.errors import FileProblem

FULL = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def refuse(monkeypatch: pytest.MonkeyPatch, call: str, error: OSError) -> None:
    def refused(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(call, refused)


def test_a_file_is_written_whole_and_folders_are_made(tmp_path):
    path = tmp_path / "a" / "b.txt"
    files.write_file(path, "naïve ♠\n")
    assert files.read_text(path) == "naïve ♠\n"
    files.write_file(path, b"\x00\x01")
    assert files.read_bytes(path) == b"\x00\x01"
    files.write_json(path, {"ev": -0.5})
    assert files.read_json(path) == {"ev": -0.5}
    assert names(path.parent) == ["b.txt"]


@pytest.mark.parametrize(
    "call", ["holecard.files._sync", "holecard.files._sync_folder", "pathlib.Path.replace", "pathlib.Path.write_bytes"]
)
def test_a_disk_that_refuses_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch, call):
    path = tmp_path / "winner.txt"
    files.write_file(path, "old")
    with monkeypatch.context() as patch:
        refuse(patch, call, FULL)
        with pytest.raises(FileProblem, match=r"^cannot write .*winner.txt: No space left on device$"):
            files.write_file(path, "new")
    assert path.read_text() == ("new" if call.endswith("_sync_folder") else "old"), "the rename came before the sync"
    assert names(tmp_path) == ["winner.txt"]


def test_a_writer_that_fails_half_way_leaves_nothing(tmp_path):
    with pytest.raises(ZeroDivisionError), files.writing(tmp_path / "x.png") as temporary:  # noqa: PT012
        assert temporary.suffix == ".png"
        temporary.write_bytes(b"half")
        raise ZeroDivisionError
    assert names(tmp_path) == []


def test_a_number_that_json_does_not_know_is_not_written(tmp_path):
    with pytest.raises(ValueError, match="JSON"):
        files.write_json(tmp_path / "x.json", {"ev": float("nan")})
    assert names(tmp_path) == []


def test_what_took_somebody_time_is_not_written_over(tmp_path):
    path = tmp_path / "thesis.txt"
    files.refuse_to_replace(path, "this dataset")
    path.write_text("years of work")
    with pytest.raises(
        FileProblem, match=r"thesis.txt exists and is not this dataset; choose another name, or .* --overwrite"
    ):
        files.refuse_to_replace(path, "this dataset")
    files.refuse_to_replace(path, "this dataset", is_same=lambda _: True)
    files.refuse_to_replace(path, "this dataset", overwrite=True)
    with pytest.raises(FileProblem, match="is a folder; name a file for this dataset"):
        files.refuse_to_replace(tmp_path, "this dataset", overwrite=True)


def test_work_on_a_file_stays_until_it_is_done(tmp_path):
    path = tmp_path / "new" / "d.jsonl"
    with pytest.raises(KeyboardInterrupt), files.unfinished(path) as folder:  # noqa: PT012
        (folder / "part").write_text("half")
        raise KeyboardInterrupt
    assert (files.unfinished_folder(path) / "part").read_text() == "half"
    with (
        files.unfinished(path) as folder,
        pytest.raises(FileProblem, match="another process"),
        files.unfinished(path),
    ):
        pass
    assert names(path.parent) == []
    with pytest.raises(ZeroDivisionError), files.unfinished(path):
        raise ZeroDivisionError
    assert names(path.parent) == [], "where nothing was done nothing stays"


def test_many_files_come_together_and_old_ones_of_the_kind_go(tmp_path):
    folder = tmp_path / "frames"
    with files.writing_folder(folder, "frame-*.png") as temporary:
        for number in range(3):
            (temporary / f"frame-{number}.png").write_bytes(b"old")
    (folder / "notes.txt").write_text("mine")
    with files.writing_folder(folder, "frame-*.png") as temporary:
        (temporary / "frame-0.png").write_bytes(b"new")
    assert names(folder) == ["frame-0.png", "notes.txt"]
    assert (folder / "frame-0.png").read_bytes() == b"new"
    with pytest.raises(FileProblem, match=r"cannot write .*: No space"), files.writing_folder(folder, "*.png"):
        raise FULL
    assert names(folder) == ["frame-0.png", "notes.txt"]
    with pytest.raises(FileProblem), files.writing_folder(tmp_path / "other", "*.png"):
        raise FULL
    assert names(tmp_path) == ["frames"]


@pytest.mark.parametrize(("contents", "read"), [(b"\xff\xfe\x00", files.read_text), (b"{", files.read_json)])
def test_a_reader_says_what_is_wrong(tmp_path, contents, read):
    path = tmp_path / "x"
    with pytest.raises(FileProblem, match=r"cannot read .*: No such file or directory"):
        read(path)
    path.write_bytes(contents)
    with pytest.raises(FileProblem, match=r"x is not (a text file \(UTF-8\)|JSON: )"):
        read(path)


def test_what_killed_writers_left_is_swept_and_nothing_else(tmp_path):
    for name in (".winner.4711.tmp.txt", ".checkpoint.1.tmp.npz", ".config.12.tmp", ".mine.tmp", "notes.tmp", ".a.b"):
        (tmp_path / name).write_text("")
    files.sweep(tmp_path)
    assert names(tmp_path) == [".a.b", ".mine.tmp", "notes.tmp"]


def test_a_folder_is_held_by_one_process(tmp_path):
    probe = (
        f"from pathlib import Path; from holecard.files import only_one; only_one(Path({str(tmp_path)!r})).__enter__()"
    )
    with files.only_one(tmp_path):
        refused = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=False)
        assert "another process is at work in" in refused.stderr
    assert subprocess.run([sys.executable, "-c", probe], check=False).returncode == 0, "the lock is given back"
    with pytest.raises(FileProblem, match="cannot read"), files.only_one(tmp_path / "gone"):
        pass
