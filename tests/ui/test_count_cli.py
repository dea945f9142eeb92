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


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["ramp", "hilo"], "unknown count"),
        (["ramp", "A=-1,2=1,3=1,4=1,5=1,6=1,7=0,8=0,9=0"], "10 has none"),
        (["ramp", "hi-lo", "--spread", "8:1"], "from the lowest bet up"),
        (["ramp", "hi-lo", "--bets", "0:1,2:4"], "gap"),
        (["ramp", "hi-lo", "--spread", "1:8", "--bets", "0:1"], "exclude each other"),
        (["ramp", "hi-lo", "--wong-in", "0", "--wong-out", "2"], "cannot sit down"),
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
    assert answer.stderr.count("\n") == 1


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


def test_a_race_of_counters(run):
    words = ["count", "race", *GAME, "--rounds", "100k", "--shoes", "120"]
    counters = json.loads(answer_of(run, *words, "--json").stdout)["counters"]
    assert [row["name"] for row in counters][::9] == ["flat bets, basic", "perfect"]
    assert set(counters[2]) >= {"name", "ev", "stderr", "score", "share"}
    assert "spread" in answer_of(run, "count", "race", *GAME, "--spread", "1:1", code=2).stderr
