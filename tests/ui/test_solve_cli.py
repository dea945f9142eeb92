import csv
import json
import shlex

import pytest

SOLVE_KEYS = {"rules", "ev", "house_edge", "outcomes", "ev_total_dependent", "chart", "insurance_ev", "stdev"}
SOLVE_KEYS |= {"split_play", "seconds"}
SCORE_KEYS = {"ev", "fitness", "outcomes", "optimal_ev", "regret", "leaks"}


def solved(run, *options):
    code, out, _ = run("solve", "--json", *options)
    assert code == 0
    return json.loads(out)


def test_solve_json(run):
    result = solved(run, "--decks", "6", "--split", "value")
    assert result.keys() >= SOLVE_KEYS
    assert result["ev"] == pytest.approx(-0.006153891229, abs=1e-10)
    assert result["house_edge"] == -result["ev"]
    assert result["ev_total_dependent"] == pytest.approx(-0.006181488084, abs=1e-10)
    assert result["chart"]["hard"]["16"] == "HSSSSSHHHH"
    assert result["chart"]["soft"]["A7"] == "HdddddSSHH"
    assert result["chart"]["pair"]["88"] == "P" * 10
    assert sum(result["outcomes"].values()) == pytest.approx(1)
    assert "dealer" not in result
    assert "hands" not in result


def test_the_textbook_solution(run):
    assert solved(run, "--rules", "textbook")["ev"] == pytest.approx(-0.0375427387589, abs=1e-12)


@pytest.mark.parametrize(
    ("level", "ev"),
    [("zero-memory", 0.000242739050), ("pair-aware", 0.000247913720), ("pair-count", 0.000247913720)],
)
def test_split_play(run, level, ev):
    options = ["--decks", "1", "--s17", "--no-das", "--max-hands", "2", "--split", "value", "--split-play"]
    result = solved(run, *options, level)
    assert result["split_play"] == level
    assert result["ev"] == pytest.approx(ev, abs=1e-10)


ONE_SPLIT = ["--s17", "--no-das", "--max-hands", "2", "--split", "value", "--split-play", "perfect"]


def test_perfect_memory(run):
    few = ["--deck", "A=1,2=1,3=1,4=1,5=1,6=1,7=1,8=2,9=1,10=6"]
    result = solved(run, *few, *ONE_SPLIT, "--hand", "8,8", "--upcard", "10")
    assert sum(result["outcomes"].values()) == pytest.approx(1)
    for less in ("zero-memory", "pair-count"):
        assert result["ev"] >= solved(run, *few, *ONE_SPLIT[:-1], less)["ev"] - 1e-12
    for more in (["--max-hands", "4"], ["--removal"]):
        code, out, err = run("solve", *few, *ONE_SPLIT, *more)
        assert (code, out, err.count("\n")) == (2, "", 1)
        assert "perfect memory" in err


@pytest.mark.slow
def test_perfect_memory_of_a_whole_pack(run):
    result = solved(run, "--decks", "1", *ONE_SPLIT, "--hand", "8,8", "--upcard", "10")
    assert result["ev"] == pytest.approx(0.000252758180, abs=1e-12)
    assert result["hands"][0]["ev"]["split"] == pytest.approx(-0.461364906998, abs=1e-12)
    assert sum(result["outcomes"].values()) == pytest.approx(1)


def test_shares_that_are_not_exact_carry_the_bound_of_their_error(run):
    assert solved(run, "--rules", "european")["outcomes_error"] == 0.0
    assert solved(run, "--decks", "inf")["outcomes_error"] == 0.0
    for command in (["solve"], ["score", "basic"]):
        code, out, _ = run(*command, "--decks", "1", "--json")
        assert code == 0
        assert 0.0 < json.loads(out)["outcomes_error"] < 3e-4
        assert "at most" in run(*command, "--decks", "1")[1]


def test_one_hand(run):
    options = ["--decks", "1", "--s17", "--split", "value", "--hand", "T,6", "--upcard", "10"]
    result = solved(run, *options)
    assert set(result["dealer"]) == {"17", "18", "19", "20", "21", "bust"}
    assert sum(result["dealer"].values()) == pytest.approx(1)
    (row,) = result["hands"]
    assert row["ev"]["stand"] == pytest.approx(-0.542951853825, abs=1e-11)
    assert row["ev"]["hit"] == pytest.approx(-0.506929242579, abs=1e-11)
    assert "hit ←" in run("solve", *options)[1]


def test_every_hand_and_files(run, tmp_path):
    hands = solved(run, "--rules", "textbook", "--detail", "composition")["hands"]
    assert len(hands) == 550
    assert set(hands[0]["ev"]) >= {"stand", "hit", "double", "split", "surrender"}
    path = tmp_path / "hands.csv"
    code, out, err = run("solve", "--rules", "textbook", "--csv", str(path))
    assert (code, out) == (0, "")
    assert "wrote" in err
    with path.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert float(rows[0]["stand"]) == hands[0]["ev"]["stand"]
    for extra in ([], ["--detail", "total"]):
        picture = tmp_path / f"picture{len(extra)}.png"
        assert run("solve", "--rules", "textbook", "--png", str(picture), *extra)[0] == 0
        assert picture.stat().st_size > 10_000


def test_the_picture_is_the_optimum_and_not_the_chart_by_total(run, tmp_path, monkeypatch):
    drawn = []
    monkeypatch.setattr("holecard.ui.figures.hands.save_hands", lambda solution, path: drawn.append("hands"))
    monkeypatch.setattr("holecard.ui.figures.chart.save_chart", lambda *_: drawn.append("chart"))
    for extra in ([], ["--detail", "composition"], ["--detail", "total"]):
        assert run("solve", "--rules", "textbook", "--png", str(tmp_path / "x.png"), *extra)[0] == 0
    assert drawn == ["hands", "hands", "chart"]


def test_the_list_of_hands_marks_the_best_action(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "90")
    lines = run("solve", "--rules", "textbook", "--detail", "composition")[1].splitlines()
    (row,) = (line.split() for line in lines if line.split()[:2] == ["7,7", "10"])
    assert row[-1] == "-0.500000*", "surrender"
    assert [word for word in row if word.endswith("*")] == ["-0.500000*"]


def test_exceptions_name_rows_that_the_game_has(run):
    """Where nothing may be split, a pair is its total."""
    lines = solved(run, "--rules", "textbook")["exceptions"]
    assert "14 v 10: hit, but surrender with 7,7 or 8,6" in lines
    assert not [line for line in lines if line.startswith(("77", "66"))]


def test_a_hand_of_one_card(run):
    hand = solved(run, "--rules", "textbook", "--hand", "T", "--upcard", "6")["hands"][0]
    assert hand["ev"]["hit"] == pytest.approx(0.279563500698, abs=1e-12)
    assert set(hand["ev"]) == {"stand", "hit"}


def test_removal(run):
    result = solved(run, "--decks", "1", "--s17", "--no-das", "--max-hands", "2", "--split", "value", "--removal")
    removal = result["removal"]
    assert removal["fixed"]["5"] == pytest.approx(0.007231280983, abs=1e-10)
    assert removal["reoptimised"]["10"] == pytest.approx(-0.004510260165, abs=1e-10)


def test_the_printed_solution(run):
    code, out, _ = run("solve", "--decks", "6", "--split", "value")
    assert code == 0
    assert "-0.006153891229" in out
    assert "16 v 10: hit, but stand with" in out


def test_score_json_and_print(run):
    code, out, _ = run("score", "mimic-dealer", "--rules", "classic", "--json", "--leaks", "3")
    result = json.loads(out)
    assert code == 0
    assert result.keys() >= SCORE_KEYS
    assert result["fitness"] == pytest.approx(0.459954109952, abs=1e-10)
    assert result["regret"] == pytest.approx(result["optimal_ev"] - result["ev"])
    assert len(result["leaks"]) == 3
    assert set(result["leaks"][0]) == {"cell", "plays", "best", "frequency", "cost"}
    everything = json.loads(run("score", "mimic-dealer", "--rules", "classic", "--json", "--leaks", "9999")[1])
    assert sum(leak["cost"] for leak in everything["leaks"]) == pytest.approx(result["regret"], abs=1e-12)
    assert "leaks, costliest first" in run("score", "never-bust", "--rules", "classic")[1]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("solve --hand '' --upcard 5", "a hand has one card or more, such as T,6; got none"),
        ("solve --hand T,6 --upcard ''", "an upcard is one card"),
        ("solve --shoe dealt", "exact for a fresh shoe each round; drop --shoe dealt"),
        ("score basic --shoe dealt --penetration 0.5", "exact for a fresh shoe each round"),
        ("solve --hand T,6", "--hand and --upcard go together"),
        ("solve --hand X,6 --upcard 10", "unknown card 'X'"),
        ("solve --hand T,6,9 --upcard 10", "over 21"),
        ("solve --hand T,6 --upcard 10,2", "an upcard is one card"),
        ("solve --detail pairs", "must be composition or total"),
        ("solve --split-play photographic", "zero-memory, pair-aware, pair-count, perfect"),
        ("solve --split-play perfect", "one split; got max_hands 4: use --max-hands 2"),
        ("solve --deck A=-4", "counts start at 0"),
        ("solve --deck 10=3", "at least 4 cards"),
        ("solve --deck Z=4", "unknown rank 'Z'"),
        ("solve --double none --double-cards any", "drop double_cards or allow it"),
        ("solve --dealer-22 win", "dealer_22 must be bust or push; got win"),
        ("solve --surrender early-9", "surrender must be none, late, early or early-10; got early-9"),
        ("solve --csv /dev/null/x.csv", "cannot write"),
        ("solve --decks inf --removal", "does not notice"),
        ("score nobody", "choose basic"),
        ("score basic --limit 22 --bj plain", "no published basic chart"),
    ],
)
def test_bad_input_is_one_clear_line_and_exit_2(run, arguments, words):
    code, out, err = run(*shlex.split(arguments))
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def test_an_agent_without_a_chart_is_judged_and_its_ev_has_an_error(run, tmp_path, monkeypatch):
    """An agent that plays mimic-dealer decision by decision is worth what the chart is worth."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mimic.py").write_text(
        "class Mimic:\n"
        "    name = last_reason = 'mimic'\n"
        "    def act(self, view):\n"
        "        return 0 if view.total < 17 or (view.total == 17 and view.soft) else 1\n"
    )
    code, out, _ = run("score", "mimic:Mimic", "--rounds", "4k", "--json", "--leaks", "5", "--seed", "3")
    found, exact = json.loads(out), json.loads(run("score", "mimic-dealer", "--json")[1])
    assert (code, found["rounds"], len(found["leaks"])) == (0, 4000, 5)
    assert 0 < found["stderr"] < 0.02
    assert abs(found["ev"] - exact["ev"]) < 4 * found["stderr"]
    assert found["optimal_ev"] == exact["optimal_ev"]
    assert found["regret"] == found["optimal_ev"] - found["ev"]
    assert "of 4,000" not in run("score", "mimic:Mimic", "--rounds", "100")[1]
