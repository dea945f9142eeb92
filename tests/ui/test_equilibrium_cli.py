"""`holecard holdem solve`, `pushfold`, `spot` and `exploitability` as a user runs them."""

import json

import pytest
from typer.testing import CliRunner

from holecard.errors import HolecardError
from holecard.ui.cli import app

runner = CliRunner()


def run(*words, **options):
    result = runner.invoke(app, ["holdem", *words], **options)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.mark.parametrize(("game", "value", "within"), [("kuhn", -1 / 18, 1e-6), ("leduc", -0.085606424078, 1e-4)])
def test_small_games_as_json(game, value, within):
    shown = json.loads(run("solve", game, "--iterations", "1e3", "--json").stdout)
    assert shown["value"] == pytest.approx(value, abs=within)
    assert shown["iterations"] == 1000
    assert 0 <= shown["exploitability"] < 1e-3
    assert all(sum(shares.values()) == pytest.approx(1) for shares in shown["strategy"].values())


def test_small_games_for_people(tmp_path):
    picture = tmp_path / "kuhn.png"
    told = run("solve", "kuhn", "--iterations", "100", "--method", "dcfr", "--png", str(picture)).stdout
    assert "12 information sets; dcfr" in told
    assert "known value -0.055555555556" in told
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_push_or_fold_as_json():
    shown = json.loads(run("pushfold", "--stack", "10", "--json").stdout)
    assert shown["stack"] == 10
    assert shown["value"] == pytest.approx(-0.04537075, abs=1e-7)
    assert shown["exploitability"] < 1e-6
    assert len(shown["push"]) == len(shown["call"]) == 169
    assert shown["push"]["AA"] == shown["call"]["22"] == 1
    assert shown["push"]["72o"] == shown["call"]["72o"] == 0
    assert shown["push_ev"]["72o"] + shown["push_cost"]["72o"] == pytest.approx(shown["fold_ev"])
    assert "sweep" not in shown


def test_push_or_fold_for_people(tmp_path):
    picture, table = tmp_path / "chart.svg", tmp_path / "chart.csv"
    told = run("pushfold", "--detail", "--png", str(picture), "--csv", str(table)).stdout
    assert "the small blind pushes 58.3% of hands" in told
    assert "mixed: 43s 71.1%" in told
    rows = table.read_text(encoding="utf-8").splitlines()
    assert rows[0] == "hand,push,push_ev,push_cost,call,call_ev,call_cost"
    assert len(rows) == 170
    assert "43s" in picture.read_text(encoding="utf-8")


def test_a_sweep_of_stacks(tmp_path):
    picture, table = tmp_path / "sweep.svg", tmp_path / "sweep.csv"
    words = ["pushfold", "--sweep", "1:8:0.5", "--png", str(picture), "--csv", str(table)]
    told = run("pushfold", "--sweep", "1:8:0.5").stdout
    assert "15 stacks from 1 to 8" in told
    assert "43s 1–2, 5–7.5" in told
    shown = json.loads(run(*words, "--json").stdout)
    assert "5–7.5" in table.read_text(encoding="utf-8")
    assert "*" in picture.read_text(encoding="utf-8")
    assert shown["sweep"]["push"]["43s"] == [[1.0, 2.0], [5.0, 7.5]]
    assert shown["sweep"]["push"]["AA"] == [[1.0, 8.0]]
    assert len(shown["sweep"]["values"]) == 15


def test_push_or_fold_with_the_blinds_of_a_preset():
    shown = json.loads(run("pushfold", "--preset", "pokernet", "--ante", "0.1", "--json").stdout)
    assert (shown["stack"], shown["ante"], shown["small_blind"]) == (100, 0.1, 0.5)


def test_exploitability_as_json():
    shown = json.loads(run("exploitability", "check-fold", "--preset", "paper", "--hands", "100", "--json").stdout)
    assert shown["mbb_per_hand"] == {"value": 750, "low": 750, "high": 750}
    assert shown["menu"] == "fcpa"
    assert shown["hands"] == 100


def test_exploitability_for_people():
    told = run("exploitability", "champion:pokernet", "--menu", "fc", "--hands", "20").stdout
    assert "champion:pokernet, pokernet: blinds 5/10" in told
    assert "hero may fold, call (fc); 20 hands" in told
    assert "a lower bound" in told


SPOT = ["spot", "--board", "Ks9s7h3d2c", "--range", "AA,QJs", "--against", "KQs,KJs", "--pot", "100", "--stack", "200"]


def test_a_spot_as_json():
    shown = json.loads(run(*SPOT, "--json").stdout)
    assert shown["exploitability_percent"] <= 0.1
    assert shown["exploitability"] == pytest.approx(shown["exploitability_percent"])
    begin = shown["decisions"][0]
    assert begin["actions"] == ["check", "bet 50", "bet 100", "all-in"]
    assert set(begin["hands"]) == {"AA", "QJs"}
    assert begin["hands"]["AA"]["equity"] == 1
    assert sum(begin["hands"]["QJs"]["frequencies"].values()) == pytest.approx(1)


def test_a_spot_for_people(tmp_path):
    picture = tmp_path / "spot.svg"
    told = run(*SPOT, "--detail", "--bets", "1", "--png", str(picture)).stdout
    assert "first: to begin; how often each hand bets" in told
    assert "other: bet 100" in told
    assert "check" in picture.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["exploitability", "nobody"], "unknown"),
        (["exploitability", "call", "--menu", "x"], "a menu is"),
        (["exploitability", "call", "--preset", "papr"], "did you mean paper"),
        (["exploitability", "call", "--hands", "1"], "2 or more"),
        ([*SPOT, "--board", "Ks9s7h"], "4 or 5 cards"),
        ([*SPOT, "--board", "Ks9s7h3dKs"], "twice"),
        ([*SPOT, "--range", "QQ++"], "cannot read"),
        ([*SPOT, "--range", ""], "empty"),
        ([*SPOT, "--stack", "0"], "stack must be above 0"),
        ([*SPOT, "--bets", "big"], "a bet is"),
        ([*SPOT, "--accuracy", "101"], "0 to 100 %"),
        (["pushfold", "--stack", "0"], "stack must be above 0"),
        (["pushfold", "--stack", "0.4"], "nothing is left to push"),
        (["pushfold", "--sweep", "20:1"], "--sweep must go up"),
        (["pushfold", "--sweep", "0.2:1"], "nothing is left to push"),
        (["pushfold", "--preset", "papr"], "did you mean paper"),
        (["pushfold", "--png", "chart.gif"], r"\.png"),
        (["pushfold", "--csv", "notes.txt"], r"as \.csv"),
        (["exploitability", "missing.npz"], "missing.npz"),
        (["duel", "equilibrum", "call"], "did you mean equilibrium"),
        (["blueprint", "--preset", "papr"], "preset"),
        (["blueprint", "--bets", "2,1"], "ascending"),
        (["blueprint", "--raises", "3"], "among the bets"),
        (["blueprint", "--iterations", "10", "--minutes", "1"], "not both"),
        (["blueprint", "--minutes", "0"], "minutes must be"),
        (["blueprint", "--device", "tpu"], "device must be"),
        (["blueprint", "--resume", "nowhere"], "holds no run"),
        (["blueprint", "--resume", "nowhere", "--parts", "3"], "keeps the settings"),
        (["solve", "khun"], "did you mean kuhn"),
        (["solve", "kuhn", "--method", "newton"], "unknown method"),
        (["solve", "kuhn", "--png", "kuhn.gif"], r"\.png, \.svg or \.pdf"),
    ],
)
def test_mistakes_are_one_line(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(HolecardError, match=message):
        run(*words)
    assert not list(tmp_path.iterdir())


def test_a_blueprint_from_training_to_a_duel(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("holecard.holdem.equilibrium.clusters._LEAST_SAMPLE", 8192)
    monkeypatch.setattr("holecard.studies.blueprint._LEAST_JUDGED", 1000)
    words = ["blueprint", "--iterations", "512", "--batch", "256", "--step", "1", "--strengths", "4", "--parts", "2"]
    shown = json.loads(run(*words, "--out", "mine", "--json").stdout)
    assert shown["iterations"] == 512
    assert shown["player"] == "mine/blueprint.npz"
    assert shown["exploitability_mbb"] >= 0
    again = run("blueprint", "--resume", "mine").stdout
    assert "512 iterations" in again
    (tmp_path / "broken.npz").write_bytes((tmp_path / "mine" / "blueprint.npz").read_bytes()[:-100])
    with pytest.raises(HolecardError, match="damaged"):
        run("duel", "broken.npz", "call", "--hands", "10")


def test_luck_is_taken_out_of_a_duel():
    shown = json.loads(run("duel", "smart", "call", "--hands", "2000", "--preset", "paper", "--json").stdout)
    plain, freed = shown["mbb_per_hand"], shown["luck_free"]
    assert freed["high"] - freed["low"] < plain["high"] - plain["low"]
    told = run("duel", "smart", "call", "--hands", "2000", "--preset", "paper").stdout
    assert "the luck of boards, dice and hands taken out" in told
    assert "shorter" in told
