"""A studio that is killed in the middle of a run loses nothing: the run goes on, and the next studio finds it."""

import json
import subprocess
import sys
import time

import pytest

from tests.ui.studio.test_live import call

ASKED = {
    "study": "evolve ga",
    "preset": "tuned",
    "rules": "classic",
    "settings": {"population": 20, "generations": 300, "hands": 500},
}


def studio(runs):
    command = [sys.executable, "-m", "holecard", "studio", "--port", "0", "--no-browser", "--runs", str(runs)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)


def until(true, seconds=240):
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.2)


@pytest.mark.slow
def test_a_killed_studio_loses_nothing(tmp_path):
    runs = tmp_path / "runs"
    with studio(runs) as first:
        line = first.stdout.readline()
        status, answer = call(line, "/api/evolution/start", json.dumps(ASKED).encode())
        assert status == 200
        folder = runs / answer["run"]
        until((folder / "history.jsonl").is_file)
        first.kill()
    with studio(runs) as second:
        line = second.stdout.readline()
        try:
            _, found = call(line, "/api/evolution/runs", b"{}")
            assert [each["run"] for each in found["runs"]] == [folder.name]
            if found["runs"][0]["state"] == "running":
                assert call(line, "/api/evolution/pause", json.dumps({"run": folder.name}).encode())[0] == 200
                until(lambda: call(line, "/api/evolution/runs", b"{}")[1]["runs"][0]["state"] != "running")
                assert call(line, "/api/evolution/resume", json.dumps({"run": folder.name}).encode())[0] == 200
            until((folder / "winner.txt").is_file)
        finally:
            second.kill()
    words = json.loads((folder / "config.json").read_text())["command"][1:]
    words = [*words[: words.index("--resume" if "--resume" in words else "--out")], "--out", str(tmp_path / "alone")]
    subprocess.run([sys.executable, "-m", "holecard", *words], check=True, capture_output=True, timeout=300)
    for name in ("history.jsonl", "winner.txt", "consensus.txt"):
        assert (folder / name).read_bytes() == (tmp_path / "alone" / name).read_bytes()
