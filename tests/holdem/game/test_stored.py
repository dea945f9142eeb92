"""A stored table is built once, mapped after that, and built again when the file is not sound."""

import numpy as np
import pytest

from holecard.holdem.game.stored import clear_tables, stored, stored_tables, table_folder, table_path

LAYOUT = np.dtype([("squares", np.int64, (100,))])


@pytest.fixture
def builds(tmp_path, monkeypatch):
    monkeypatch.setenv("HOLECARD_CACHE", str(tmp_path))
    calls = []

    def build(tables):
        calls.append(1)
        tables["squares"][0] = np.arange(100) ** 2

    build.calls = calls
    return build


def test_built_once_then_mapped_read_only(builds):
    first, second = (stored("squares", 1, LAYOUT, builds) for _ in range(2))
    assert len(builds.calls) == 1
    assert second[0]["squares"][9] == 81
    assert first.tobytes() == second.tobytes()
    assert not second.flags.writeable
    assert [path.name for path in table_folder().iterdir()] == [table_path("squares", 1).name]


def flip_a_byte(path):
    content = bytearray(path.read_bytes())
    content[50] ^= 1
    path.write_bytes(content)


def cut_short(path):
    path.write_bytes(path.read_bytes()[:-1])


def empty(path):
    path.write_bytes(b"")


def damage_the_trailer(path):
    path.write_bytes(path.read_bytes()[:-4] + b"oops")


@pytest.mark.parametrize("damage", [flip_a_byte, cut_short, empty, damage_the_trailer])
def test_a_damaged_file_is_rebuilt(builds, damage):
    stored("squares", 1, LAYOUT, builds)
    damage(table_path("squares", 1))
    table = stored("squares", 1, LAYOUT, builds)
    assert len(builds.calls) == 2
    assert table[0]["squares"][99] == 9801


def test_another_version_is_another_table(builds):
    stored("squares", 1, LAYOUT, builds)
    stored("squares", 2, LAYOUT, builds)
    assert len(builds.calls) == 2


def test_without_a_cache_folder_the_table_stays_in_memory(builds, tmp_path, monkeypatch):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    monkeypatch.setenv("HOLECARD_CACHE", str(blocked))
    table = stored("squares", 1, LAYOUT, builds)
    assert table[0]["squares"][3] == 9
    assert not table.flags.writeable


@pytest.mark.parametrize("step", ["_sync", "_sync_folder"])
def test_on_a_full_disk_the_table_stays_in_memory(builds, monkeypatch, step):
    def full(_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(f"holecard.files.{step}", full)
        table = stored("squares", 1, LAYOUT, builds)
    assert table[0]["squares"][3] == 9
    assert len(list(table_folder().iterdir())) == (step == "_sync_folder"), "the rename came before that sync"


def test_a_failed_build_leaves_nothing(builds, tmp_path):
    def fail(tables):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stored("squares", 1, LAYOUT, fail)
    assert not table_folder().exists()


def test_tables_can_be_listed_and_cleared(builds):
    assert stored_tables() == []
    stored("squares", 1, LAYOUT, builds)
    [(path, size)] = stored_tables()
    assert path == table_path("squares", 1)
    assert clear_tables() == size == 832
    assert stored_tables() == []
