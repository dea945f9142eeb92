"""Evolution in the studio: what is begun is the command line that people type, and a folder says how far it is."""

import json
import shutil
from dataclasses import replace

import pytest

from holecard.blackjack import Rules
from holecard.files import only_one
from holecard.settings import settings_of
from holecard.studies.genetic_config import GeneticConfig
from holecard.ui.studio.studies import STUDIES
from tests.ui.studio.helpers import Begun, client, some_runs

TUNED = {"study": "evolve ga", "preset": "tuned", "rules": "classic", "settings": {"generations": 5, "seed": 3}}


def events(answer) -> list[dict]:
    return [json.loads(line[6:]) for line in answer.text.splitlines() if line.startswith("data: ")]


@pytest.fixture
def own_runs(tmp_path):
    shutil.copytree(some_runs(), tmp_path / "runs", ignore=shutil.ignore_patterns("*-studio*"))
    return tmp_path / "runs"


def test_a_form_is_a_command_line():
    found = client().post("/api/evolution/command", json=TUNED).json()["command"]
    assert found.startswith("holecard evolve ga --preset tuned --rules casino --decks 1")
    assert found.endswith("--generations 5 --seed 3")


@pytest.mark.parametrize("name", STUDIES)
def test_the_command_of_a_study_asks_for_what_the_form_says(name, monkeypatch, tmp_path):
    """The words are put through the command line; whatever runs the study is given the form's configuration."""
    from typer.testing import CliRunner

    from holecard.ui.cli import app

    study = STUDIES[name]
    rules = Rules.from_text(study.rules) if study.rules else None
    preset = study.presets[-1] if study.presets else ""
    values = {"generations": 7, "seed": 11, "population": 40}
    home = {"evolve ga": "genetic", "evolve gp": "programs", "evolve counter": "counter"}.get(name, "neuroevolution")
    given = []

    def stop(config, *rest, **how):
        given.append(config)
        raise KeyboardInterrupt

    monkeypatch.setattr(f"holecard.studies.{home}.run", stop)
    CliRunner().invoke(app, [*study.words(preset, rules, values), "--out", str(tmp_path / "run")])
    assert given == [study.make(preset, rules, values)]


def test_every_study_offers_settings_that_it_has():
    for study in STUDIES.values():
        assert set(study.shown) <= {each.name for each in settings_of(study.config)}
        for each in study.json()["settings"]:
            assert all(each["name"] in start for start in study.json()["starts"].values())


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"study": "evolve"}, 400),
        ({"preset": "none"}, 400),
        ({"rules": "99d"}, 422),
        ({"settings": {"generations": 0}}, 422),
        ({"settings": {"generations": "many"}}, 400),
        ({"settings": {"nothing": 1}}, 400),
        ({"settings": {"population": 10**30}}, 400),
        ({"settings": []}, 400),
    ],
)
def test_what_cannot_be_begun_is_refused_and_nothing_is_made(changes, status, own_runs):
    before = sorted(own_runs.iterdir())
    asked = client(own_runs)
    for name in ("command", "start"):
        assert asked.post(f"/api/evolution/{name}", json={**TUNED, **changes}).status_code == status
    assert sorted(own_runs.iterdir()) == before


def test_a_run_is_begun_as_a_process_of_its_own_in_a_new_folder(own_runs):
    asked = client(own_runs)
    first, second = (asked.post("/api/evolution/start", json=TUNED).json()["run"] for _ in range(2))
    assert first != second
    assert Begun.commands[-1][:4] == ["evolve", "ga", "--preset", "tuned"]
    assert Begun.commands[-1][-2:] == ["--out", str(own_runs / second)]
    assert json.loads((own_runs / second / ".studio.json").read_text())["pid"] == Begun.pid


def test_runs_are_listed_with_how_far_they_are(own_runs):
    found = {each["run"]: each for each in client(own_runs).post("/api/evolution/runs", json={}).json()["runs"]}
    assert found["finished"]["state"] == "finished"
    assert found["example"]["state"] == "paused"
    assert found["example"]["generation"] == found["example"]["generations"] == 3
    with only_one(own_runs / "example"):
        again = {each["run"]: each for each in client(own_runs).post("/api/evolution/runs", json={}).json()["runs"]}
    assert again["example"]["state"] == "running"


def test_a_run_is_watched_from_its_first_generation_to_its_end(own_runs):
    found = events(client(own_runs).post("/api/evolution/watch", json={"run": "finished"}))
    assert found[0]["state"] == "finished"
    assert found[0]["curves"]["generation"] == [1, 2, 3]
    records = [json.loads(line) for line in (own_runs / "finished" / "history.jsonl").read_text().splitlines()]
    series = {each["name"]: each["values"] for each in found[0]["curves"]["series"]}
    assert series["exact"] == [record["exact"] for record in records]
    rows = dict(found[0]["latest"]["chart"]["hard"])
    letters = records[-1]["consensus"]["letters"]
    config = GeneticConfig.from_options(json.loads((own_runs / "finished" / "config.json").read_text())["options"])
    assert [rows[str(row)] for _, row in config.encoding.rows[:5]] == [letters[at : at + 10] for at in range(0, 50, 10)]


def test_a_run_that_is_about_to_begin_is_shown_and_one_that_failed_says_why(own_runs):
    class Starting(Begun):
        working = True

        def poll(self):
            return None if Starting.working else 2

    asked = client(own_runs, begin=Starting)
    name = asked.post("/api/evolution/start", json=TUNED).json()["run"]
    assert asked.post("/api/evolution/runs", json={}).json()["runs"][0] == {
        "run": name,
        "state": "starting",
        "title": "",
        "generation": 0,
    }
    Starting.working = False
    (own_runs / name / ".studio.log").write_text("no room on the disk\n")
    assert "no room on the disk" in asked.post("/api/evolution/watch", json={"run": name}).text


def test_pausing_and_resuming_are_refused_where_they_make_no_sense(own_runs):
    asked = client(own_runs)
    assert asked.post("/api/evolution/pause", json={"run": "example"}).status_code == 200
    assert "is finished" in asked.post("/api/evolution/resume", json={"run": "finished"}).json()["error"]
    with only_one(own_runs / "example"):
        assert "elsewhere" in asked.post("/api/evolution/pause", json={"run": "example"}).json()["error"]
        assert "already" in asked.post("/api/evolution/resume", json={"run": "example"}).json()["error"]
    assert asked.post("/api/evolution/resume", json={"run": "example"}).status_code == 200
    assert Begun.commands[-1] == ["evolve", "ga", "--resume", str(own_runs / "example")]


@pytest.mark.parametrize("name", ["../finished", "/etc", "nothing", "finished/..", "."])
def test_no_folder_outside_the_runs_is_read(own_runs, name):
    for endpoint in ("watch", "winner", "pause", "resume"):
        answer = client(own_runs).post(f"/api/evolution/{endpoint}", json={"run": name})
        assert answer.status_code == 422 or "no run is called" in answer.text


def test_damaged_runs_are_listed_and_said_to_be_damaged(own_runs):
    (own_runs / "example" / "history.jsonl").write_text("{\n")
    found = {each["run"]: each for each in client(own_runs).post("/api/evolution/runs", json={}).json()["runs"]}
    assert "damaged" in found["example"]["problem"]
    assert client(own_runs).post("/api/evolution/compare", json={"runs": ["example"]}).status_code == 422


def test_a_winner_is_a_chart():
    found = client(some_runs()).post("/api/evolution/winner", json={"run": "finished"}).json()
    assert set(found["chart"]) >= {"hard", "soft"}
    assert "no winner" in client(some_runs()).post("/api/evolution/winner", json={"run": "example"}).json()["error"]


def test_a_champion_shows_what_it_wins_on_fresh_cards(tmp_path):
    from holecard.evolve.run_directory import RunDirectory
    from holecard.holdem.players.champion import Champion
    from holecard.studies import NeuroevolutionConfig

    config, champion = NeuroevolutionConfig.preset("pokernet"), Champion.shipped("pokernet")
    folder = RunDirectory.create(tmp_path / "runs" / "h", config.options(), command=["holecard"]).path
    champion.save(folder / "champion.safetensors")
    found = client(tmp_path / "runs").post("/api/evolution/winner", json={"run": "h"}).json()["champion"]
    assert found["command"] == champion.card["command"]
    won = {each["opponent"]: (each["value"], each["low"]) for each in found["scores"]}
    scores = champion.card["scores"]
    assert won == {
        name: (scores[name]["mbb_per_hand"]["value"], scores[name]["mbb_per_hand"]["low"]) for name in scores
    }
    replace(champion, card={"scores": {"call": []}}).save(folder / "champion.safetensors")
    assert "does not say" in client(tmp_path / "runs").post("/api/evolution/winner", json={"run": "h"}).json()["error"]


def test_what_a_counter_counts_is_sent_as_numbers():
    from holecard.ui.studio.pages.evolution import _tags
    from holecard.ui.studio.server import as_json

    sent = json.loads(as_json(_tags({"tags": [0, 1] * 5, "mean_tags": [0.5] * 10})))
    assert [each["hi_lo"] for each in sent] == [-1, 1, 1, 1, 1, 1, 0, 0, 0, -1]
