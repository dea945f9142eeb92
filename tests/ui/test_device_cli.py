"""`--device` on the command line: one clear line where there is no GPU, and nothing left behind."""

from __future__ import annotations

import pytest

from holecard import device
from holecard.device import NoGpu
from holecard.ui import neuroevolution


@pytest.mark.parametrize(
    "command",
    [
        ("simulate", "mimic-dealer", "--rules", "classic", "--rounds", "100"),
        ("evolve", "ga", "--generations", "1", "--out", "OUT"),
        ("evolve", "gp", "--fitness", "sampled", "--generations", "1", "--out", "OUT"),
        ("holdem", "evolve", "--generations", "1", "--out", "OUT"),
    ],
)
def test_cuda_without_a_gpu_is_one_line_and_exit_2(run, monkeypatch, tmp_path, command):
    def absent():
        raise NoGpu("no NVIDIA GPU answers here; check nvidia-smi, or use --device cpu")

    monkeypatch.setattr(device, "gpu", absent)
    arguments = [str(tmp_path / "run") if each == "OUT" else each for each in command]
    code, out, err = run(*arguments, "--device", "cuda")
    assert code == 2
    assert out == ""
    assert err == "holecard: no NVIDIA GPU answers here; check nvidia-smi, or use --device cpu\n"
    assert not (tmp_path / "run").exists()


def test_hold_em_asks_for_the_gpu_before_it_prepares(run, monkeypatch, tmp_path):
    def absent():
        raise NoGpu("no NVIDIA GPU answers here")

    monkeypatch.setattr(device, "gpu", absent)
    monkeypatch.setattr(neuroevolution, "prepare", lambda *what: pytest.fail("prepared before the device was known"))
    code, _, err = run("holdem", "evolve", "--generations", "1", "--out", str(tmp_path / "run"), "--device", "cuda")
    assert (code, err) == (2, "holecard: no NVIDIA GPU answers here\n")


def test_an_unknown_device_and_a_device_without_work_are_refused(run):
    code, _, err = run("simulate", "mimic-dealer", "--rules", "classic", "--device", "tpu")
    assert (code, err) == (2, "holecard: device must be auto, cpu or cuda; got 'tpu'\n")
    code, _, err = run("evolve", "ga", "--preset", "exact", "--device", "cuda")
    assert code == 2
    assert "exact fitness plays no rounds" in err


def test_doctor_says_why_there_is_no_gpu(run, monkeypatch):
    from holecard.ui import doctor

    def absent():
        raise NoGpu("no NVIDIA GPU answers here")

    monkeypatch.setattr(device, "gpu", absent)
    assert doctor._gpu() == {"found": "none", "why": "no NVIDIA GPU answers here"}


@pytest.mark.parametrize(
    "line",
    [
        "score mcts",
        "evaluate",
        "holdem duel call raise",
        "holdem league call raise",
        "holdem equity AhKh --monte-carlo 9",
    ],
)
def test_what_a_gpu_has_no_part_in_says_so(run, line):
    code, out, err = run(*line.split(), "--device", "cuda")
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].endswith("on processors only; drop --device cuda")
    code, _, err = run(*line.split(), "--device", "abacus")
    assert (code, "device must be auto, cpu or cuda; got 'abacus'" in err) == (2, True)


def test_a_gpu_here_and_a_cluster_elsewhere_are_not_both(run):
    code, _, err = run("simulate", "basic", "--device", "cuda", "--cluster", "tcp://nowhere:1")
    assert (code, err) == (
        2, "holecard: a GPU plays here and a cluster elsewhere; drop --device cuda or --cluster\n"
    )  # fmt: skip
    code, _, err = run("holdem", "equity", "AhKh", "--cluster", "tcp://nowhere:1")
    assert (code, "--cluster needs --monte-carlo N" in err) == (2, True)
