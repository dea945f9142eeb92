"""Kernels as their callers see them: what they take and return, where their code comes from, and what may go wrong."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from holecard import _kernel, _machine_code, _numba
from holecard._jit import lean_kernel, rule
from holecard._kernel import Kernel
from holecard.blackjack.exact.drawn_together import _sort_pairs

pytestmark = pytest.mark.skipif(not _machine_code.can_be_kept(), reason="kernels are numba's own here")


class Cards(NamedTuple):
    counts: np.ndarray
    weights: np.ndarray


class Hand(NamedTuple):
    cards: Cards
    is_soft: bool
    total: int


@rule
def _doubled(value):
    return 2 * value


def summed(hand, factor, table, extra):
    total = hand.total * factor
    for value in range(len(hand.cards.counts)):
        total += _doubled(hand.cards.counts[value]) * hand.cards.weights[value]
    for row in range(table.shape[0]):
        for column in range(table.shape[1]):
            total += table[row, column] * (row + 1) * (100 if hand.is_soft else 1)
    return total + extra[0] - extra[1]


def filled(out, value):
    for at in range(len(out)):
        out[at] = value


def described(whole, large, number, truth):
    return whole - 1, large, number / 2, not truth


def of_nothing(nothing, value):
    return value if nothing is None else -value


def with_room(n):
    total = 0.0
    for size in range(n):
        room = np.ones((size + 1, 3))
        room[size, 2] = size
        total += room.sum()
    return total


def checked(values, limit):
    for at in range(len(values)):
        if values[at] > limit:
            raise ValueError("too high")
    return len(values)


def of_record(record):
    return record["total"] + 1


def tripled(value):
    return value * 3


def called(value):
    raise NotImplementedError("a kernel takes this place")


def calling(value):
    return called(value) + 1


@pytest.fixture
def kernel_of(tmp_path):
    return lambda function, **settings: Kernel(function, lambda: tmp_path, **settings)


HAND = Hand(Cards(np.arange(4), np.linspace(0.5, 2.0, 4)), True, 7)
TABLE = np.arange(12.0).reshape(3, 4)


@pytest.mark.parametrize(
    "table",
    [TABLE, np.asfortranarray(TABLE), TABLE[::2, ::3], TABLE.T, TABLE[:0], np.broadcast_to(TABLE, TABLE.shape)],
    ids=["rows", "columns", "strided", "turned", "empty", "read-only"],
)
def test_it_computes_what_python_computes(table, kernel_of):
    arguments = HAND, 2, table, (1.5, np.float32(0.25))
    assert kernel_of(summed)(*arguments) == pytest.approx(summed(*arguments), rel=1e-14)


def test_numbers_of_every_kind_come_back(kernel_of):
    kernel = kernel_of(described)
    for arguments in [(3, np.uint64(2**63 + 5), 0.5, True), (-(2**62), np.uint64(1), -1.0, np.False_)]:
        found = kernel(*arguments)
        assert found == described(*arguments)
        assert [type(each) for each in found] == [int, int, float, bool]


def test_arrays_are_written_to_and_nothing_is_none(kernel_of):
    out = np.zeros(5, np.int32)
    assert kernel_of(filled)(out, np.int8(-3)) is None
    assert (out == -3).all()
    assert kernel_of(of_nothing)(None, 4) == 4
    assert kernel_of(of_nothing)(nothing=1, value=4) == -4


def test_kinds_of_arguments_have_code_of_their_own(kernel_of, tmp_path):
    kernel = kernel_of(filled)
    for kind in (np.int32, np.float64, np.int32, np.float64):
        kernel(np.zeros(3, kind), 1)
    kernel(np.zeros((3, 1), np.int32)[:, 0], 1)
    kernel(np.zeros(6, np.int32)[::2], 1)
    assert len(list(tmp_path.glob("filled-*.code"))) == 3


def test_it_may_allocate(kernel_of, tmp_path):
    assert kernel_of(with_room)(40) == with_room(40)
    (file,) = tmp_path.glob("with_room-*.code")
    assert b"NRT_" not in file.read_bytes().partition(b"\n")[0], "no runtime of numba's is needed"


def test_what_is_raised_is_raised(kernel_of):
    kernel = kernel_of(checked)
    assert kernel(np.arange(3), 5) == 3
    with pytest.raises(ValueError, match="too high"):
        kernel(np.arange(9), 5)


def test_what_no_entry_knows_goes_to_numba(kernel_of, tmp_path):
    record = np.array([(4,)], [("total", np.int64)])[0]
    assert kernel_of(of_record)(record) == 5
    assert list(tmp_path.rglob("*.of_record-*.nbi"))
    assert kernel_of(of_nothing)(None, 2**63) == 2**63


def test_a_kernel_may_call_a_kernel(kernel_of, monkeypatch):
    monkeypatch.setitem(globals(), "called", kernel_of(tripled))
    assert kernel_of(calling)(5) == 16


def test_code_is_found_again(kernel_of, monkeypatch):
    kernel_of(summed)(HAND, 2, TABLE, (1.0, 2.0))
    monkeypatch.setattr(_numba, "machine_code", None)
    assert kernel_of(summed)(HAND, 2, TABLE, (1.0, 2.0)) == pytest.approx(summed(HAND, 2, TABLE, (1.0, 2.0)))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda text: b"",
        lambda text: text[: len(text) // 2],
        lambda text: text[:-200] + bytes([text[-200] ^ 1]) + text[-199:],
        lambda text: b"{}\n" + text.partition(b"\n")[2],
        lambda text: b"[1]\n" + text,
        lambda text: b"\x80\x04nonsense\n",
        lambda text: text.replace(b'"arguments": "', b'"arguments": "other ', 1),
    ],
)
def test_a_broken_file_is_no_file(spoil, kernel_of, tmp_path):
    kernel_of(filled)(np.zeros(3), 1.0)
    (file,) = tmp_path.glob("*.code")
    before = file.read_bytes()
    file.write_bytes(spoil(before))
    out = np.zeros(3)
    kernel_of(filled)(out, 2.0)
    assert (out == 2.0).all()
    assert _machine_code.read(file, _machine_code.json.loads(before.partition(b"\n")[0])["arguments"])


def test_code_for_another_processor_is_not_taken(kernel_of, tmp_path, monkeypatch):
    kernel_of(filled)(np.zeros(3), 1.0)
    (file,) = tmp_path.glob("*.code")
    here = _machine_code.machine()
    monkeypatch.setattr(_machine_code, "machine", lambda: here.replace(here.split()[-1], "another"))
    assert (
        _machine_code.read(file, _machine_code.json.loads(file.read_bytes().partition(b"\n")[0])["arguments"]) is None
    )
    kernel_of(filled)(np.zeros(3), 1.0)
    assert len(list(tmp_path.glob("*.code"))) == 2, "each has a file of its own"


def test_without_a_place_to_keep_it_a_kernel_works(tmp_path):
    (tmp_path / "file").write_text("no folder")
    out = np.zeros(2)
    Kernel(filled, lambda: tmp_path / "file" / "kernels")(out, 3.0)
    assert (out == 3.0).all()
    assert (tmp_path / "file").read_text() == "no folder"


def test_a_missing_function_is_no_crash(kernel_of, tmp_path, monkeypatch):
    """Code that calls what this process does not have is never loaded: numba's own takes its place."""
    monkeypatch.setattr(_kernel._machine_code, "load", lambda made: None)
    out = np.zeros(2)
    kernel_of(filled)(out, 3.0)
    assert (out == 3.0).all()


def test_threads_share_one_code(kernel_of, tmp_path):
    kernel = kernel_of(summed)
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda factor: kernel(HAND, factor, TABLE, (1.0, 2.0)), range(32)))
    assert found == pytest.approx([summed(HAND, factor, TABLE, (1.0, 2.0)) for factor in range(32)])
    assert len(list(tmp_path.iterdir())) == 1


def test_processes_may_compile_at_once(tmp_path):
    program = (
        "import numpy as np\nfrom pathlib import Path\n"
        "from holecard._kernel import Kernel\nfrom tests import test_kernel\n"
        f"kernel, out = Kernel(test_kernel.filled, lambda: Path({str(tmp_path)!r})), np.zeros(3)\n"
        "kernel(out, 7.0)\nprint(out.sum())"
    )
    root = Path(__file__).parent.parent
    running = [subprocess.Popen([sys.executable, "-c", program], cwd=root, stdout=subprocess.PIPE) for _ in range(2)]
    assert [process.communicate()[0].strip() for process in running] == [b"21.0", b"21.0"]
    assert [file.suffix for file in tmp_path.iterdir()] == [".code"], "in one piece, and nothing left over"


def test_it_travels_by_name():
    assert pickle.loads(pickle.dumps(_sort_pairs)) is _sort_pairs


def test_kernels_of_other_people_are_numbas_own():
    """Their sources are not in the name of the folder; numba's cache looks at the file that holds them."""
    assert isinstance(_sort_pairs, Kernel)
    assert not isinstance(lean_kernel(tripled), Kernel)


def test_a_process_that_finds_code_imports_no_numba(tmp_path):
    program = (
        "import sys; from holecard.blackjack.exact.hands import all_hands; all_hands(21, 10)\n"
        "print('numba' in sys.modules)"
    )
    environment = {**os.environ, "HOLECARD_CACHE": str(tmp_path), "HOLECARD_PLAIN": "0"}
    said = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**environment, **more},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for more in ({}, {}, {"HOLECARD_PLAIN": "1"}, {"NUMBA_OPT": "2"})
    ]
    assert said == ["True", "False", "True", "True"], "first use, later use, plain, numba told how to compile"
