"""`holecard holdem evolve | dashboard | figures | duel | league` as a user runs them."""

import json
import shutil
from io import StringIO

import numpy as np
import pytest
from rich.console import Console
from typer.testing import CliRunner

from holecard.errors import HolecardError
from holecard.holdem.arena.adaptation import Trace, principal_plane
from holecard.ui.cli import app
from holecard.ui.dashboard import Pace, dashboard, line, sparkline
from holecard.ui.figures.neuroevolution import action_figure, action_shares, adaptation_figure, drift, style_points

runner = CliRunner()
TINY = ["--population", "6", "--generations", "3", "--hands", "10", "--score-hands", "40", "--finals", "1"]


def run(*words):
    result = runner.invoke(app, ["holdem", *words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "tiny"
    result = run("evolve", "--preset", "paper", *TINY, "--out", str(folder), "--seed", "3", "--no-figures", "--json")
    return folder, result


def test_evolve_says_where_how_long_and_how_well(finished):
    folder, result = finished
    shown = json.loads(result.stdout)
    assert {"out", "generations", "best", "seconds"} <= shown.keys()
    assert (shown["out"], shown["generations"]) == (str(folder), 3)
    assert set(shown["scores"]) == {"scared-limper", "calling-machine", "hothead-maniac", "candid-statistician"}
    names = {path.name for path in folder.iterdir()}
    assert {"config.json", "history.jsonl", "checkpoint.npz", "champion.safetensors"} <= names


def test_five_figures_are_drawn_into_the_run(finished):
    folder, _ = finished
    shown = run("figures", str(folder)).stdout.split()
    assert shown == [str(folder / f"{name}.png") for name in PICTURES]
    assert all((folder / f"{name}.{ending}").stat().st_size > 5000 for name in PICTURES for ending in ("png", "svg"))


PICTURES = ("fitness", "earnings", "styles", "actions", "adaptation")


def test_progress_is_a_line_a_generation_on_stderr(finished):
    _, result = finished
    lines = result.stderr.splitlines()
    assert sum(line.startswith("generation ") for line in lines) == 3
    assert "generation 3/3" in result.stderr
    assert "calling-machine" in lines[-1]


def test_a_finished_run_is_not_begun_again_but_resumed(finished):
    folder, result = finished
    with pytest.raises(HolecardError, match="holds a run already"):
        run("evolve", *TINY, "--out", str(folder))
    again = json.loads(run("evolve", "--resume", str(folder), "--no-figures", "--json").stdout)
    assert again["best"] == json.loads(result.stdout)["best"]
    assert again["scores"] == json.loads(result.stdout)["scores"]


def test_the_dashboard_reads_records(finished):
    folder, _ = finished
    told = run("dashboard", str(folder)).stdout
    for word in ("3 / 3", "scared-limper", "elites", "second tier", "VPIP", "WSDW", "all-in", "win %"):
        assert word in told


RECORD = {
    "generation": 4,
    "best": 0.75,
    "mean": -1.5,
    "median": 0.2,
    "worst": -9.0,
    "unfit": 0,
    "elites": 9,
    "second_tier": 6,
    "hands": 1000,
    "opponents": {"call": {"earnings": 1.5, "mean_earnings": -0.25, "won": 84, "lost": 0, "tied": 16}},
    "style": {"vpip": 0.5, "pfr": 0.25, "af": None, "wsd": 0.3, "wsdw": None},
    "shares": {"fold": 0.5, "check": 0.1, "call": 0.1, "raise": 0.2, "all_in": 0.1},
    "styles": [[0.5, None]],
}


def test_the_dashboard_is_a_picture_of_its_records():
    console = Console(width=90, record=True, file=StringIO())
    console.print(dashboard("a run", [RECORD], 250, Pace(hands_per_second=123_456, seconds_left=83)))
    told = console.export_text()
    for words in ("5 / 250", "+0.750", "-1.500", "-9.000", "123,456", "1:23", "+1.50", "84 %", "50 %", "25 %"):
        assert words in told
    assert max(len(row) for row in told.splitlines()) <= 84
    console.print(dashboard("a run", [], 250))
    assert "no generation is finished yet" in console.export_text()
    assert line(RECORD, 250).startswith("generation 5/250  best +0.750  mean -1.500  call +1.50  VPIP 50 %  AF –")


def shown(record):
    console = Console(width=90, record=True, file=StringIO())
    console.print(dashboard("a run", [record], 250))
    return console.export_text()


def test_a_record_that_does_not_count_ties_shows_no_win_percentage():
    opponents = {"call": {"earnings": 1.5, "mean_earnings": -0.25, "won": 84, "lost": 0}}
    told = next(row for row in shown(RECORD | {"opponents": opponents}).splitlines() if "call " in row)
    assert told.split()[1:-1] == ["call", "+1.50", "–", "-0.25", "84", "–", "0", "–"]


def test_whoever_never_calls_has_an_infinite_aggression_factor():
    assert "∞" not in shown(RECORD)
    never_called = RECORD | {"style": RECORD["style"] | {"bets": 12, "calls": 0}}
    assert "∞" in shown(never_called)
    assert line(never_called, 250).endswith("AF ∞")
    assert style_points([RECORD | {"styles": [[0.5, None, 1.0], [0.4, None, None], [0.3, 1.0]]}]).tolist() == [
        [0.5, 1.0, 5.0],
        [0.3, 0.5, 5.0],
    ]


@pytest.mark.parametrize(
    ("preset", "words"), [("pokernet", "play more than 1,000 hands"), ("paper", "play 4 hands or more")]
)
def test_a_duel_with_too_few_hands_for_an_interval_says_so(preset, words):
    told = run("duel", "call", "raise", "--hands", "2", "--preset", preset).stdout
    assert words in told
    assert "inf" not in told
    assert "?" not in told
    shown = json.loads(run("duel", "call", "raise", "--hands", "2", "--preset", preset, "--json").stdout)
    assert shown["of_best"]["low"] is None


def test_a_duel_without_calls_says_so():
    told = run("duel", "raise", "check-fold", "--hands", "100", "--preset", "paper").stdout
    assert "AF" in told
    assert "inf" not in told
    assert "nan" not in told


@pytest.fixture
def damaged(finished, tmp_path):
    """A copy of a run whose last record can be changed."""
    folder = tmp_path / "damaged"
    shutil.copytree(finished[0], folder)

    def damage(change):
        *lines, last = (folder / "history.jsonl").read_text().splitlines()
        (folder / "history.jsonl").write_text("\n".join([*lines, change(json.loads(last))]) + "\n")
        return folder

    return damage


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda record: "[1, 2]", "line 3 the record is not an object"),
        (lambda record: "{", "line 3 is not JSON"),
        (lambda record: "9" * 5000, "line 3 is not JSON"),
        (lambda record: json.dumps({key: value for key, value in record.items() if key != "best"}), "has no best"),
        (lambda record: json.dumps(record | {"best": "high"}), "best is not a number"),
        (lambda record: json.dumps(record | {"best": float("nan")}), "best is not a number"),
        (lambda record: json.dumps(record | {"opponents": {}}), "the opponents are others"),
        (lambda record: json.dumps(record | {"opponents": {"call": 3}}), "call is not an object"),
        (lambda record: json.dumps(record | {"style": None}), "style is not an object"),
        (lambda record: json.dumps(record | {"styles": [[1]]}), "styles has 1 of 2 values"),
    ],
)
@pytest.mark.parametrize("command", ["dashboard", "figures"])
def test_damaged_records_are_told_in_one_line(command, change, message, damaged):
    with pytest.raises(HolecardError, match=rf"history.jsonl is damaged: .*{message}") as refusal:
        run(command, str(damaged(change)))
    assert "\n" not in str(refusal.value)


def test_figures_are_drawn_from_a_recording_that_is_made_once(finished, monkeypatch):
    folder, _ = finished
    run("figures", str(folder))
    kept = (folder / "traces.json").read_text()
    monkeypatch.setattr("holecard.studies.champion_traces.traces", None)  # nobody plays any more
    run("figures", str(folder))
    (folder / "traces.json").write_text("[{}]")
    with pytest.raises(HolecardError, match=r"traces.json is damaged: the file has no opponent; remove it"):
        run("figures", str(folder))
    (folder / "traces.json").write_text(kept)


@pytest.mark.parametrize("decisions", [0, 1, 2])
def test_figures_of_a_champion_that_hardly_had_to_decide(decisions):
    trace = some_trace("a", 1.0, decisions)
    assert action_figure([trace]).axes
    assert adaptation_figure([trace]).axes


def test_one_outlier_does_not_flatten_a_sparkline():
    assert sparkline([-1000, *range(8)]) == "▁▁▂▃▄▅▆▇█"
    assert sparkline([*range(8), 1000]) == "▁▂▃▄▅▆▇██"
    assert sparkline([0, 0, 0, 0, 0, 0, 5]) == "▁▁▁▁▁▁█"


def test_sparklines():
    assert sparkline([]) == ""
    assert sparkline([1, 1, 1]) == "▁▁▁"
    assert sparkline(list(range(600)), width=8) == "▁▂▃▄▅▆▇█"


def test_duel_has_the_keys_it_promises(finished):
    folder, _ = finished
    shown = json.loads(run("duel", str(folder), "hothead-maniac", "--hands", "2k", "--json").stdout)
    assert shown["hands"] == 2000
    assert set(shown["mbb_per_hand"]) == {"value", "low", "high"}
    assert shown["mbb_per_hand"]["low"] <= shown["mbb_per_hand"]["value"] <= shown["mbb_per_hand"]["high"]
    for player in shown["players"]:
        assert {"name", "vpip", "pfr", "af", "wsd", "wsdw"} == player.keys()
    told = run("duel", "smart", "call", "--hands", "1000", "--preset", "paper").stdout
    assert "smart against call, 1,000 hands, blinds 50/100, 20,000 chips, reset every hand" in told
    assert "mBB/hand (95 %)" in told


def test_league_ranks_everybody():
    shown = json.loads(run("league", "smart", "call", "raise", "--hands", "500", "--preset", "paper", "--json").stdout)
    assert sorted(row["name"] for row in shown["standings"]) == ["call", "raise", "smart"]
    assert len(shown["duels"]) == 3
    assert all(row["low"] < row["mbb_per_hand"] < row["high"] for row in shown["standings"])
    told = run("league", "smart", "call", "--hands", "500").stdout
    assert "2 players, 500 hands a duel, blinds 5/10, 1,000 chips, carried from hand to hand" in told
    assert "  1  " in told


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["evolve", "--preset", "papr"], "did you mean paper"),
        (["evolve", "--equity", "guess"], "exact or monte-carlo"),
        (["evolve", "--opponents", "smrt"], "did you mean smart"),
        (["evolve", "--mutation-rate", "a:b"], "must be START:END"),
        (["evolve", "--mutation-rate", "2:1"], "mutation_rate must be 0 to 1"),
        (["evolve", "--decks", "old"], "shared or fresh"),
        (["duel", "call", "raise", "--stacks", "deep"], "--stacks must be preset or reset; got 'deep'"),
        (["evolve", "--survival", "0"], "survival must be above 0 and below 1; got 0.0"),
        (["evolve", "--survival", "-1"], "survival must be above 0 and below 1; got -1.0"),
        (["evolve", "--survival", "nan"], "survival must be a finite number, above 0 and below 1; got nan"),
        (["evolve", "--mutation-strength", "nan"], "mutation_strength must be a finite number, 0 or more; got nan"),
        (["evolve", "--mutation-strength", "0.5:inf"], "mutation_strength must be a finite number, 0 or more; got inf"),
        (["evolve", "--engine", "tsr"], "did you mean tser"),
        (["evolve", "--resume", "nowhere"], "holds no run"),
        (["evolve", "--resume", "nowhere", "--seed", "3"], "keeps the settings it began with; drop --seed"),
        (["dashboard", "nowhere"], "holds no run"),
        (["duel", "smart", "nobody"], "unknown opponent 'nobody'"),
        (["duel", "smart", "nofile.safetensors"], "cannot read"),
        (["league", "smart"], "2 players or more"),
    ],
)
def test_mistakes_are_told_in_one_line(words, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(HolecardError, match=message) as refusal:
        run(*words)
    assert "\n" not in str(refusal.value)
    assert not list(tmp_path.iterdir()), "nothing is left behind"


def test_a_population_beyond_the_limit_is_refused_and_leaves_no_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = run("evolve", "--population", "1000000000")
    assert result.exit_code == 2
    assert "'--population'" in result.stderr
    assert not list(tmp_path.iterdir())


def some_trace(opponent, shift, n=40):
    states = np.zeros((n, 10), np.float32)
    states[:, 0] = shift * np.arange(n)
    return Trace(
        opponent=opponent,
        hand=np.arange(n) // 2,
        street=np.arange(n) % 4,
        equity=np.linspace(0, 1, n),
        action=np.arange(n) % 5,
        state=states,
    )


def test_figures_are_drawn_from_the_right_numbers():
    here, there = some_trace("a", 0.0), some_trace("b", 1.0)
    shares = action_shares(here, 0)
    assert shares.shape == (10, 5)
    assert np.nansum(shares, axis=1)[0] == 1
    hands, apart = drift(there, [here, there])
    assert hands == list(range(1, 21))
    assert apart == pytest.approx([2 * hand - 1 for hand in hands])
    planes = principal_plane([here.state, there.state])
    assert np.abs(np.diff(planes[1][:, 0])).max() == pytest.approx(1, abs=1e-5)


def test_a_duel_may_begin_every_hand_with_full_stacks():
    carried = json.loads(run("duel", "smart", "call", "--hands", "400", "--json").stdout)
    reset = json.loads(run("duel", "smart", "call", "--hands", "400", "--stacks", "reset", "--json").stdout)
    assert carried["hands"] >= 400
    assert reset["hands"] == 400
    assert carried["mbb_per_hand"] != reset["mbb_per_hand"]
