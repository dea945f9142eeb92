"""One writer for all files: what goes wrong there goes wrong nowhere else."""

from __future__ import annotations

import errno
import os
import re
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


def test_a_file_that_grows_is_as_it_was_where_the_disk_refuses(tmp_path, monkeypatch):
    path = tmp_path / "history.jsonl"
    files.append(path, b"one\n")
    files.append(path, b"two\n")

    def write(descriptor, contents, before=os.write):
        if contents != b"three\n":
            raise FULL
        return before(descriptor, contents[:2])

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", write)
        with pytest.raises(FileProblem, match=r"history.jsonl: No space left on device; what it held before is intact"):
            files.append(path, b"three\n")
    assert path.read_bytes() == b"one\ntwo\n"
    files.cut(path, 4)
    files.sync_file(path)
    assert path.read_bytes() == b"one\n"
    for step in (lambda gone: files.append(gone, b"x"), lambda gone: files.cut(gone, 1), files.sync_file):
        with pytest.raises(FileProblem, match=r"^cannot write .*: No such file or directory"):
            step(tmp_path / "gone" / "x")


@pytest.mark.parametrize(
    ("kind", "name", "own", "other"),
    [
        (files.PICTURES, "chart.PNG", b"\x89PNG\r\n", b"GIF89a"),
        (files.PICTURES, "chart.svg", b"<?xml version", b"years of work"),
        (files.tables(["hand", "push"]), "hands.csv", b"hand,push,call\n", b"name,years\n"),
    ],
)
def test_a_file_is_written_anew_but_never_over_one_of_another_kind(tmp_path, kind, name, own, other):
    path = tmp_path / name
    kind.verify(path)
    for contents in (b"", own):
        path.write_bytes(contents)
        kind.verify(path)
    path.write_bytes(other)
    with pytest.raises(FileProblem, match=rf"{name} exists and is none of our (pictures|tables); choose another name"):
        kind.verify(path)
    with pytest.raises(FileProblem, match=r"are written as .*(\.pdf|\.csv); got 'thesis.txt'"):
        kind.verify(tmp_path / "thesis.txt")
    path.unlink()
    path.mkdir()
    with pytest.raises(FileProblem, match=rf"{name} is a folder; name a file"):
        kind.verify(path)


def test_new_work_begins_in_a_folder_without_anything_of_others(tmp_path):
    files.verify_new_folder(tmp_path / "new")
    (tmp_path / ".lock").touch()
    files.verify_new_folder(tmp_path)
    (tmp_path / "thesis.txt").touch()
    with pytest.raises(FileProblem, match="is not empty; choose another folder"):
        files.verify_new_folder(tmp_path)
    with pytest.raises(FileProblem, match="is a file; rename it"):
        files.verify_new_folder(tmp_path / "thesis.txt", "rename it")


def test_nobody_else_writes():
    """Every file is written here, so that a fault injected here reaches all; whoever opens one for writing is named."""
    sources = Path(files.__file__).parent
    writers = re.compile(
        r"\.(write_bytes|write_text)\(|open\([^)\n]*[\"'][rwax]b?\+?[\"']|\bos\.(write|truncate|open)\("
    )
    found = {
        (str(path.relative_to(sources)), line.strip())
        for path in sources.rglob("*.py")
        if path.name != "files.py"
        for line in path.read_text(encoding="utf-8").splitlines()
        if writers.search(line) and '"rb"' not in line
    }
    assert found == ALLOWED, "write through holecard.files"


ALLOWED = {
    # below `holecard.files`, which kernels know nothing of: a temporary name and a rename of its own
    ("_machine_code.py", 'passing.write_bytes(json.dumps(said).encode() + b"\\n" + made.code)'),
    ("ui/studio/runs.py", 'with log.open("ab") as out:'),  # what another process prints
    ("holdem/game/stored.py", 'with writing(path) as temporary, temporary.open("wb") as file:'),
    (
        "ui/figures/canvas.py",
        'temporary.write_text(_numbered(temporary.read_text(encoding="utf-8")), encoding="utf-8")',
    ),
    ("ui/window/recorder.py", "target.write_bytes(_png(surface))"),
    ("ui/window/window.py", "stderr, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)"),
}
"""Under a temporary name that `holecard.files` gave, or to nowhere."""
