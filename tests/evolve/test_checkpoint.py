"""Checkpoints: what was saved comes back, whatever happens to the disk."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holecard.errors import FileProblem
from holecard.evolve.checkpoint import CHECKPOINT, PREVIOUS, load_checkpoint, read_checked, save_checkpoint


def arrays(number: int) -> dict[str, np.ndarray]:
    return {"population": np.arange(6, dtype=np.int16).reshape(2, 3) + number, "generation": np.array(number)}


def loaded(folder: Path) -> tuple[int, str]:
    found = load_checkpoint(folder)
    assert found is not None
    return int(found.arrays["generation"]), found.note


def test_what_was_saved_comes_back_and_the_last_one_is_kept(tmp_path: Path) -> None:
    assert load_checkpoint(tmp_path) is None
    for number in range(3):
        save_checkpoint(tmp_path, arrays(number))
    assert loaded(tmp_path) == (2, "")
    assert int(read_checked(tmp_path / PREVIOUS)["generation"]) == 1
    found = load_checkpoint(tmp_path)
    assert found is not None
    np.testing.assert_array_equal(found.arrays["population"], arrays(2)["population"])
    assert found.arrays["population"].dtype == np.int16
    assert sorted(path.name for path in tmp_path.iterdir()) == [CHECKPOINT, PREVIOUS]


def test_it_is_a_plain_npz(tmp_path: Path) -> None:
    save_checkpoint(tmp_path, arrays(1))
    with np.load(tmp_path / CHECKPOINT, allow_pickle=False) as archive:
        assert set(archive.files) == {"population", "generation", "sha256"}


@settings(max_examples=60)
@given(where=st.floats(0, 1, exclude_max=True), flip=st.integers(1, 255))
def test_any_flipped_byte_is_noticed_or_harmless(
    tmp_path_factory: pytest.TempPathFactory, where: float, flip: int
) -> None:
    folder = tmp_path_factory.mktemp("run")
    save_checkpoint(folder, arrays(1))
    save_checkpoint(folder, arrays(2))
    damaged = bytearray((folder / CHECKPOINT).read_bytes())
    damaged[int(where * len(damaged))] ^= flip
    (folder / CHECKPOINT).write_bytes(bytes(damaged))
    generation, note = loaded(folder)
    assert (generation, bool(note)) in ((1, True), (2, False))
    if note:
        assert "damaged" in note
        assert PREVIOUS in note
    found = load_checkpoint(folder)
    assert found is not None
    np.testing.assert_array_equal(found.arrays["population"], arrays(generation)["population"])


@pytest.mark.parametrize("length", [0, 10, 200])
def test_a_cut_off_file_gives_way_to_the_previous_one(tmp_path: Path, length: int) -> None:
    save_checkpoint(tmp_path, arrays(1))
    save_checkpoint(tmp_path, arrays(2))
    os.truncate(tmp_path / CHECKPOINT, length)
    generation, note = loaded(tmp_path)
    assert generation == 1
    assert "going on from checkpoint.prev.npz" in note


def test_a_kill_between_the_two_renames_loses_nothing(tmp_path: Path) -> None:
    save_checkpoint(tmp_path, arrays(1))
    (tmp_path / CHECKPOINT).rename(tmp_path / PREVIOUS)
    (tmp_path / f"{CHECKPOINT}.tmp").write_bytes(b"half a file")
    assert loaded(tmp_path) == (1, "")
    save_checkpoint(tmp_path, arrays(2))
    assert loaded(tmp_path) == (2, "")


def test_two_damaged_files_end_the_run_with_a_word(tmp_path: Path) -> None:
    save_checkpoint(tmp_path, arrays(1))
    save_checkpoint(tmp_path, arrays(2))
    for name in (CHECKPOINT, PREVIOUS):
        (tmp_path / name).write_bytes(b"rubbish")
    with pytest.raises(FileProblem, match="no good checkpoint is left"):
        load_checkpoint(tmp_path)


def test_pickles_are_neither_written_nor_read(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="allow_pickle"):
        save_checkpoint(tmp_path, {"anything": np.array([object()])})
    np.savez(tmp_path / CHECKPOINT, anything=np.array([object()]), sha256=np.zeros(32, np.uint8))
    with pytest.raises(FileProblem, match="damaged"):
        load_checkpoint(tmp_path)


def test_a_full_disk_leaves_the_last_checkpoint_intact(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save_checkpoint(tmp_path, arrays(1))
    save_checkpoint(tmp_path, arrays(2))

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("holecard.files.os.fsync", full)
    with pytest.raises(FileProblem, match=r"No space left on device; the last checkpoint is intact"):
        save_checkpoint(tmp_path, arrays(3))
    monkeypatch.undo()
    assert loaded(tmp_path) == (2, "")
    assert int(read_checked(tmp_path / PREVIOUS)["generation"]) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == [CHECKPOINT, PREVIOUS]
