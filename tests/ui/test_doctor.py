import json
import stat
import sys

import pytest

from holecard._jit import cache_root


def test_doctor_says_what_is_there(run):
    code, out, _ = run("doctor", "--json")
    found = json.loads(out)
    assert code == 0
    assert found["versions"]["numpy"]
    assert found["cache"]["folder"] == str(cache_root())
    assert all(passed for name, passed in found["self_test"].items() if name != "seconds")
    assert "self test" in run("doctor")[1]


def test_doctor_clears_the_cache(run, tmp_path, monkeypatch):
    monkeypatch.setenv("HOLECARD_CACHE", str(tmp_path))
    for name in ("kernels/abc/one.nbi", "tables/equity-v0-little.bin"):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_bytes(b"x" * 1000)
    code, _, err = run("doctor", "--clear")
    assert code == 0
    assert "cleared" in err
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.skipif(sys.platform == "win32", reason="a shell script plays the tool")
@pytest.mark.parametrize(("answer", "gpu"), [("echo NVIDIA H200", "NVIDIA H200"), ("exit 9", "none seen")])
def test_doctor_says_which_gpu_the_driver_sees(run, tmp_path, monkeypatch, answer, gpu):
    tool = tmp_path / "nvidia-smi"
    tool.write_text(f"#!/bin/sh\n{answer}\n")
    tool.chmod(tool.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert json.loads(run("doctor", "--json")[1])["machine"]["gpu"] == gpu
