"""Races in the studio: begun as people type them, watched part by part; only files of a race are sent."""

import json
import shutil

import pytest

from holecard.blackjack import Rules, find_strategy, score, solve
from holecard.files import only_one
from tests.ui.studio.helpers import PNG, Begun, client, some_runs

FAST = {"kind": "race", "budget": "fast", "rules": "2d S17", "seed": 3}
COUNTED = {"kind": "count race", "rules": "S17", "spread": "1:12", "rounds": 2_000_000, "shoes": 300, "seed": 5}


@pytest.fixture
def own_runs(tmp_path):
    shutil.copytree(some_runs(), tmp_path / "runs", ignore=shutil.ignore_patterns("*-studio*"))
    return tmp_path / "runs"


def last_event(answer) -> dict:
    return [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: ")][-1]


def watched(runs, name) -> dict:
    return last_event(client(runs).post("/api/race/watch", json={"race": name, "once": True}))


def words_begun(asked, body) -> list[str]:
    assert asked.post("/api/race/start", json=body).status_code == 200
    return Begun.commands[-1]


def test_a_race_is_begun_with_the_rules_and_the_seed_of_the_form(own_runs, monkeypatch):
    from typer.testing import CliRunner

    from holecard.studies.race import RaceConfig
    from holecard.ui.cli import app

    words, given = words_begun(client(own_runs), FAST), []
    assert words[-2:] == ["--out", str(own_runs / "race-studio")]

    def stop(config, folder, *rest):
        given.append((config, folder))
        raise KeyboardInterrupt

    monkeypatch.setattr("holecard.studies.race.start_race", stop)
    CliRunner().invoke(app, words)
    assert given == [(RaceConfig.fast(Rules.from_text("2d S17"), 3), own_runs / "race-studio")]


@pytest.mark.parametrize("insured", [False, True])
def test_a_count_race_is_begun_with_what_the_form_says(own_runs, monkeypatch, insured):
    from typer.testing import CliRunner

    from holecard.ui.cli import app

    words, given = words_begun(client(own_runs), {**COUNTED, "rules": "S17 INS" if insured else "S17"}), []

    def stop(config, **how):
        given.append(config)
        raise KeyboardInterrupt

    monkeypatch.setattr("holecard.blackjack.counting.race.run_count_race", stop)
    CliRunner().invoke(app, words)
    (config,) = given
    assert config.rules == Rules(h17=False, insurance=insured, shoe="dealt")
    assert (config.spread, config.rounds, config.solved, config.seed) == (12.0, 2_000_000, 300, 5)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({**FAST, "kind": "horse race"}, 400),
        ({**FAST, "budget": "long"}, 400),
        ({**FAST, "seed": -1}, 400),
        ({**FAST, "rules": "99d"}, 422),
        ({**FAST, "rules": "dealt"}, 422),
        ({**COUNTED, "spread": "1:1"}, 422),
        ({**COUNTED, "spread": "--device"}, 422),
        ({**COUNTED, "rounds": 5}, 400),
        ({**COUNTED, "shoes": 10**9}, 400),
        ({**COUNTED, "rules": "infd"}, 422),
    ],
)
def test_what_cannot_be_begun_is_refused_and_nothing_is_made(own_runs, body, status):
    before = sorted(own_runs.iterdir())
    for name in ("command", "start"):
        assert client(own_runs).post(f"/api/race/{name}", json=body).status_code == status
    assert sorted(own_runs.iterdir()) == before


def test_races_are_listed_and_other_runs_are_not(own_runs):
    found = {each["race"]: each for each in client(own_runs).post("/api/race/races", json={}).json()["races"]}
    assert {name: each["state"] for name, each in found.items()} == {
        "race": "finished",
        "paused-race": "paused",
        "counted": "finished",
    }
    assert found["counted"]["kind"] == "count race"
    with only_one(own_runs / "paused-race"):
        again = client(own_runs).post("/api/race/races", json={}).json()["races"]
    assert {each["race"]: each["state"] for each in again}["paused-race"] == "running"


def test_the_table_has_the_exact_values(own_runs):
    seen = watched(own_runs, "paused-race")
    rows = {row["name"]: row for row in seen["rows"]}
    optimum, basic = solve(Rules()).ev, score(find_strategy("basic", Rules()), Rules()).ev
    assert rows["exact optimum"]["ev"] == pytest.approx(optimum, abs=1e-12)
    assert rows["basic"]["regret"] == pytest.approx(optimum - basic, abs=1e-12)
    assert rows["random"]["share"] == 0


def test_the_parts_say_which_is_finished_and_which_is_at_work(own_runs):
    states = [part["state"] for part in watched(own_runs, "paused-race")["parts"]]
    assert states[:2] == ["finished"] * 2
    assert set(states[2:]) == {"waiting"}
    with only_one(own_runs / "paused-race"):
        states = [part["state"] for part in watched(own_runs, "paused-race")["parts"]]
    assert states[2] == "working"
    assert set(states[3:]) == {"waiting"}


def test_a_count_race_shows_its_counters(own_runs):
    seen = watched(own_runs, "counted")
    assert seen["counters"][0]["name"] == "Hi-Lo"
    assert "spread 1:8, 5,000,000 rounds, seed 4" in seen["title"]


def test_damage_is_said(own_runs):
    (own_runs / "counted" / "race.json").write_text('{"counters": [1]}')
    assert "not the result of a count race" in watched(own_runs, "counted")["problem"]
    next((own_runs / "race" / "stages").iterdir()).write_text("{")
    assert "cannot read" in watched(own_runs, "race")["problem"]


def test_a_count_race_goes_on_from_what_it_has_kept(own_runs):
    asked = client(own_runs)
    name = asked.post("/api/race/start", json=COUNTED).json()["race"]
    begun = Begun.commands[-1]
    kept = own_runs / name / ".kept"
    assert begun[begun.index("--keep") + 1] == str(kept)
    kept.mkdir()
    (kept / "counter-0.npy").touch()
    seen = last_event(asked.post("/api/race/watch", json={"race": name, "once": True}))
    assert (seen["state"], seen["done"]) == ("paused", "0 parts of solved shoes and 1 counters are finished")
    assert asked.post("/api/race/resume", json={"race": name}).status_code == 200
    assert Begun.commands[-1] == begun
    assert client(own_runs).post("/api/race/resume", json={"race": name}).status_code == 200  # another studio
    assert Begun.commands[-1] == begun


def test_a_note_in_a_folder_cannot_choose_the_words_of_a_command(own_runs):
    asked = client(own_runs)
    name = asked.post("/api/race/start", json=COUNTED).json()["race"]
    note = own_runs / name / ".studio.json"
    evil = {**json.loads(note.read_text()), "asked": {**COUNTED, "spread": "1:8 --png /tmp/evil.png", "png": "evil"}}
    note.write_text(json.dumps(evil))
    before = len(Begun.commands)
    assert asked.post("/api/race/resume", json={"race": name}).status_code == 400
    assert len(Begun.commands) == before


class Failed(Begun):
    def poll(self) -> int:
        return 2


def test_a_race_that_failed_says_why(own_runs):
    asked = client(own_runs, begin=Failed)
    name = asked.post("/api/race/start", json=COUNTED).json()["race"]
    (own_runs / name / ".studio.log").write_text("no room on the disk\n")
    seen = last_event(asked.post("/api/race/watch", json={"race": name, "once": True}))
    assert (seen["state"], seen["problem"]) == ("paused", "no room on the disk")


def test_resuming_is_the_command_of_the_race(own_runs):
    asked = client(own_runs)
    assert "is finished" in asked.post("/api/race/resume", json={"race": "race"}).json()["error"]
    with only_one(own_runs / "paused-race"):
        assert "already" in asked.post("/api/race/resume", json={"race": "paused-race"}).json()["error"]
        assert "elsewhere" in asked.post("/api/race/pause", json={"race": "paused-race"}).json()["error"]
    assert asked.post("/api/race/resume", json={"race": "paused-race"}).status_code == 200
    assert Begun.commands[-1] == ["race", "--resume", str(own_runs / "paused-race")]


def test_pictures_and_the_report_are_sent_as_files(own_runs):
    asked = client(own_runs)
    assert watched(own_runs, "race")["pictures"] == ["learning"]
    picture = asked.post("/api/race/picture", json={"race": "race", "name": "learning"})
    assert (picture.content, picture.headers["content-type"]) == (PNG, "image/png")
    report = asked.post("/api/race/report", json={"race": "race"})
    assert report.text == "<p>the report</p>"
    assert report.headers["content-disposition"] == 'attachment; filename="report.html"'
    assert "no report.html yet" in asked.post("/api/race/report", json={"race": "paused-race"}).json()["error"]


@pytest.mark.parametrize(
    "name", ["../report", "..", "/etc/passwd", "learning.png", "a/b", "", "none", "secret", "\x00"]
)
def test_no_other_file_is_sent_as_a_picture(own_runs, tmp_path, name):
    (tmp_path / "secret.png").write_bytes(b"secret")
    (own_runs / "race" / "figures" / "secret.png").symlink_to(tmp_path / "secret.png")
    answer = client(own_runs).post("/api/race/picture", json={"race": "race", "name": name})
    assert answer.status_code == 422
    assert b"secret" not in answer.content or name == "secret"


@pytest.mark.parametrize("name", ["../race", "/etc", "nothing", "race/..", ".", "example"])
def test_no_other_folder_is_read(own_runs, name):
    for endpoint in ("watch", "pause", "resume", "report"):
        answer = client(own_runs).post(f"/api/race/{endpoint}", json={"race": name})
        assert answer.status_code == 422 or "no run is called" in answer.text or "holds no race" in answer.text


@pytest.mark.parametrize("words", [["race", "--resume"], ["count", "race", "--rounds", "1000000", "--out"]])
def test_a_second_process_is_refused(run, own_runs, tmp_path, words):
    folder = own_runs / "paused-race" if words[0] == "race" else tmp_path / "empty"
    folder.mkdir(exist_ok=True)
    with only_one(folder):
        code, _, said = run(*words, str(folder))
    assert code == 2
    assert "another process is at work" in said
