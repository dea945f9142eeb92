"""`holecard holdem adapt`: a table, JSON with every point, and a picture."""

import json

import pytest

from holecard.holdem.arena.hands_seen import learning_curve
from holecard.holdem.players.named import player_named
from holecard.holdem.players.presets import preset_named
from holecard.ui.figures.hands_seen import hands_seen_figure

ASK = ("holdem", "adapt", "champion:author", "--hands", "20", "--after", "0,3", "--threads", "1")


def test_json_has_a_point_for_every_number_of_hands(run, tmp_path):
    picture = tmp_path / "curve.png"
    code, out, errors = run(*ASK, "--opponents", "author:scared-limper,check-fold", "--png", str(picture), "--json")
    assert code == 0, errors
    found = json.loads(out)
    assert [row["opponent"] for row in found["opponents"]] == ["author:scared-limper", "check-fold"]
    assert [row["met"] for row in found["opponents"]] == [True, False]
    assert [point["hands_seen"] for point in found["opponents"][1]["points"]] == [0, 3]
    assert picture.stat().st_size > 5_000


def test_by_default_it_plays_those_it_met_and_all_it_never_met(run):
    code, out, errors = run(*ASK, "--hands", "4")
    assert code == 0, errors
    assert (out.count("never met"), out.count("author:")) == (6, 4)


@pytest.mark.parametrize("words", [("--after", "x"), ("--after", ","), ("--opponents", "nobody"), ("--hands", "1")])
def test_bad_input_ends_in_one_line(run, words):
    code, out, errors = run(*ASK, "--opponents", "call", *words)
    assert (code, out) == (2, "")
    assert "Traceback" not in errors
    assert errors.strip().splitlines()[-1].startswith("holecard:")


def test_the_picture_shows_those_of_whom_the_most_is_known_and_dashes_who_was_never_met():
    rules, champion = preset_named("paper").rules, player_named("champion:paper")
    names = ("calling-machine", "min-raiser", "mixed-random")
    curves = [learning_curve(champion, player_named(name), rules, after=(0, 3), hands=8) for name in names]
    axis = hands_seen_figure(curves, {"calling-machine"}).axes[0]
    known = [curve for curve in curves if curve.points[0].of_best is not None]
    assert len(axis.containers) == len(known)
    lines = [container.lines[0] for container in axis.containers]
    assert [line.get_linestyle() for line in lines[:2]] == ["-", "--"]
    assert list(lines[0].get_ydata()) == [point.of_best.mean for point in curves[0].points]
