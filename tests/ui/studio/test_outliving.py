"""A studio that is killed in the middle of a run loses nothing, nor does a race that is paused in a part."""

import json
import subprocess
import sys
import time
from dataclasses import replace

import pytest

from holecard.studies.race import open_race, run_race, start_race
from tests.studies.test_race import TINY, numbers
from tests.ui.studio.test_live import call

ASKED = {
    "study": "evolve ga",
    "preset": "tuned",
    "rules": "classic",
    "settings": {"population": 20, "generations": 4000, "hands": 500},
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


@pytest.mark.slow
def test_a_race_paused_in_the_middle_of_a_part_goes_on_to_the_same_numbers(tmp_path):
    config = replace(TINY, letters_generations=400, bits_generations=400)
    folder = start_race(config, tmp_path / "runs" / "race", command=["holecard", "race"]).path
    with studio(folder.parent) as process:
        line = process.stdout.readline()
        body = json.dumps({"race": "race"}).encode()

        def ask(name):
            status, answer = call(line, f"/api/race/{name}", body)
            assert status == 200, answer

        def state():
            return call(line, "/api/race/races", b"{}")[1]["races"][0]["state"]

        try:
            assert state() == "paused"
            ask("resume")
            assert state() == "running"
            until((folder / "bits" / "history.jsonl").is_file)
            ask("pause")
            until(lambda: state() == "paused")
            assert not (folder / "stages" / "bits.json").exists()
            ask("resume")
            until(lambda: state() == "finished")
        finally:
            process.kill()
    assert (folder / "report.html").is_file()
    alone = start_race(config, tmp_path / "alone", command=["holecard", "race"])
    run_race(alone)
    assert numbers(open_race(folder)) == numbers(alone)
