import json
from types import SimpleNamespace

import pytest

GAME = ["--decks", "2", "--s17", "--split", "value"]


def answer_of(run, *words, code=0):
    ended, out, err = run(*words)
    assert ended == code, err
    return SimpleNamespace(stdout=out, stderr=err)


def test_systems_are_named_with_their_correlations(run):
    answer = json.loads(answer_of(run, "count", "systems", *GAME, "--json").stdout)
    names = [row["name"] for row in answer["systems"]]
    assert names[:3] == ["Hi-Lo", "KO", "Red 7"]
    assert len(names) == 10
    assert list(answer["systems"][0]["tags"].values()) == [-1, 1, 1, 1, 1, 1, 0, 0, 0, -1]
    plain = json.loads(answer_of(run, "count", "systems", *GAME, "--no-insurance", "--json").stdout)
    assert (answer["rules"]["insurance"], plain["rules"]["insurance"]) == (True, False)
    assert "Uston APC" in answer_of(run, "count", "systems", *GAME).stdout


def test_the_best_count_of_a_level(run):
    answer = json.loads(answer_of(run, "count", "best", *GAME, "--level", "2", "--json").stdout)
    assert answer["level"] == 2
    assert max(map(abs, answer["tags"].values())) == 2
    assert answer["betting_correlation"] > 0.985


def test_a_ramp_by_hand(run, tmp_path):
    words = ["count", "ramp", "hi-lo", *GAME, "--bets", "0:1,1:2,2:4", "--rounds", "200k", "--risk", "0.05"]
    answer = json.loads(answer_of(run, *words, "--json").stdout)
    assert answer["rounds"] == 200_000
    assert {answer["bets"][count] for count in ("-3", "0", "1", "2", "5")} == {1.0, 2.0, 4.0}
    assert sum(row["share"] for row in answer["counts"]) == pytest.approx(1.0, abs=1e-4)
    assert 0 <= answer["risk_of_ruin"] <= 1
    assert answer["score"] == pytest.approx(answer["di"] * abs(answer["di"]))
    assert "SCORE" in answer_of(run, *words).stdout or answer["ev"] <= 0
    picture = tmp_path / "ramp.png"
    answer_of(run, *words, "--png", str(picture))
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_single_round_has_no_deviation(run):
    answer = json.loads(answer_of(run, "count", "ramp", "hi-lo", *GAME, "--rounds", "1", "--json").stdout)
    assert (answer["rounds"], answer["stdev"], answer["di"], answer["score"]) == (1, 0.0, None, None)
    assert answer["risk_of_ruin"] in (0.0, 1.0)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ramp", "hilo"], "unknown count"),
        (["ramp", "A=-1,2=1,3=1,4=1,5=1,6=1,7=0,8=0,9=0"], "10 has none"),
        (["ramp", "hi-lo", "--spread", "8:1"], "from the lowest bet up"),
        (["ramp", "hi-lo", "--bets", "0:1,2:4"], "gap"),
        (["ramp", "hi-lo", "--spread", "1:8", "--bets", "0:1"], "exclude each other"),
        (["ramp", "hi-lo", "--wong-in", "0", "--wong-out", "2"], "cannot sit down"),
        (["ramp", "hi-lo", "--wong-in", "39", "--rounds", "1000"], "no count reached 39"),
        (["ramp", "hi-lo", "--true-count", "up"], "floor, truncate"),
        (["ramp", "hi-lo", "--risk", "2"], "between 0 and 1"),
        (["ramp", "hi-lo", "--decks", "inf"], "infinite shoe"),
        (["ramp", "hi-lo", "--indices", "nowhere.txt"], "nowhere.txt"),
        (["best", "--level", "4"], "1, 2, 3 or real"),
        (["best", "--by", "luck"], "betting, playing or both"),
    ],
)
def test_bad_input_is_one_line(run, words, said):
    answer = answer_of(run, "count", *words, code=2)
    assert said in answer.stderr
    told = [
        line for line in answer.stderr.splitlines() if not line.startswith("compiling")
    ]  # where nothing is cached yet
    assert len(told) == 1


def test_shoes_round_by_round(run, tmp_path):
    table, picture = tmp_path / "shoes.csv", tmp_path / "shoes.png"
    words = ["count", "shoe", *GAME, "--shoes", "1"]
    rounds = json.loads(answer_of(run, *words, "--json").stdout)["rounds"]
    assert rounds[0]["cards_left"] == 104
    assert all(row["ev_best"] >= row["ev_chart"] - 1e-12 for row in rounds)
    answer_of(run, *words, "--csv", str(table), "--png", str(picture))
    assert len(table.read_text(encoding="utf-8").splitlines()) == len(rounds) + 1
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "these cards" in answer_of(run, *words).stdout


NINE = "A=-1,2=1,3=1,4=1,5=1,6=1,7=0,8=0,9=0"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ramp", NINE, "--png", "a.png"], "10 has none"),
        (["indices", NINE], "10 has none"),
        (["ramp", "hi-lo", "--spread", "8:1", "--png", "a.png"], "from the lowest bet up"),
        (["race", "--spread", "8:1", "--out", "race"], "from the lowest bet up"),
        (["ramp", "hi-lo", "--cut", "312", "--png", "a.png"], "behind card 1 to 311"),
        (["race", "--cut", "312", "--out", "race"], "behind card 1 to 311"),
        (["shoe", "--cut", "313", "--csv", "a.csv"], "behind card 1 to 311"),
        (["ramp", "hi-lo", "--bets", "0:1,2:4", "--png", "a.png"], "a gap: count 1 has none"),
    ],
)
def test_bad_input_writes_nothing(run, words, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = answer_of(run, "count", *words, code=2)
    assert said in answer.stderr
    assert (answer.stdout, answer.stderr.count("\n")) == ("", 1)
    assert not list(tmp_path.iterdir())


def test_a_race_of_counters_and_its_report(run, tmp_path):
    words = ["count", "race", *GAME, "--rounds", "100k", "--shoes", "120"]
    folder = tmp_path / "race"
    answer = answer_of(run, *words, "--out", str(folder), "--json")
    counters = json.loads(answer.stdout)["counters"]
    assert f"wrote {folder / 'report.html'}" in answer.stderr
    page = (folder / "report.html").read_text(encoding="utf-8")
    kept = json.loads((folder / "race.json").read_text(encoding="utf-8"))
    assert [row["name"] for row in kept["counters"]] == [row["name"] for row in counters]
    assert kept["command"] in page
    assert page.count("<svg") == 5
    assert "http" not in page.replace("http://www.w3.org", "")
    for row in counters:
        assert f"<strong>{row['name']}</strong>" in page
        assert f"{row['ev']:+.5f}" in page
    names = ("score", "edges-true", "bets-true", "edges-running", "bets-running")
    assert {path.name for path in (folder / "figures").iterdir()} == {
        f"{name}.{ending}" for name in names for ending in ("png", "svg", "csv")
    }
    shares = [row["share"] for row in kept["counters"][2]["counts"]]
    assert sum(shares) == pytest.approx(1.0, abs=1e-3)
    assert "is not empty" in answer_of(run, *words, "--out", str(folder), code=2).stderr
    assert [row["name"] for row in counters][::9] == ["flat bets, basic", "perfect"]
    assert set(counters[2]) >= {"name", "ev", "stderr", "score", "share"}
    assert counters[-1]["share"] == 1.0
    best = counters[-1]["score"] + 4 * counters[-1]["score_stderr"]
    assert all(row["score"] < best + 4 * row["score_stderr"] for row in counters if row["ev"] > 0)
    assert "spread" in answer_of(run, "count", "race", *GAME, "--spread", "1:1", code=2).stderr
