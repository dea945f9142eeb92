"""`holecard evolve counter` as a user meets it, and its figures by their data."""

import json

import numpy as np
import pytest

from holecard.studies.counter_genome import Counter
from holecard.ui.figures.counter import bets_figure, counter_fitness_figure, tags_figure

SMALL = ("--population", "8", "--generations", "3", "--hands", "40", "--shoes", "100")
FILES = {"config.json", "history.jsonl", "checkpoint.npz", "winner.txt", "consensus.txt", "winner-counter.txt"} | {
    f"{name}.{ending}"
    for name in ("fitness", "consensus", "disagreement", "winner", "tags", "bets", "bankroll")
    for ending in ("png", "svg")
}


def test_json_has_the_contracts_keys_and_the_run_leaves_its_files(run, tmp_path):
    code, out, _ = run("evolve", "counter", *SMALL, "--out", str(tmp_path / "run"), "--json", "--seed", "3")
    result = json.loads(out)
    assert code == 0
    assert result.keys() >= {"out", "generations", "best", "seconds", "tags", "bets", "fresh", "gap", "optimum"}
    assert (result["out"], result["generations"]) == (str(tmp_path / "run"), 3)
    assert result["gap"] == pytest.approx(result["observed"] - result["best"])
    assert list(result["tags"]) == ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10"]
    assert {path.name for path in (tmp_path / "run").iterdir()} >= FILES
    again = json.loads(run("evolve", "counter", "--resume", str(tmp_path / "run"), "--json", "--no-figures")[1])
    assert {**again, "seconds": 0} == {**result, "seconds": 0}


def test_it_prints_observed_and_expected(run, tmp_path):
    code, out, _ = run("evolve", "counter", *SMALL, "--out", str(tmp_path / "run"), "--no-figures")
    assert code == 0
    for words in ("winner, as observed", "winner, expected", "winner's curse", "best counter's tags", "bets"):
        assert words in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--preset", "best"), "unknown preset 'best'; choose classic, tuned"),
        (("--decks", "inf"), "an infinite shoe is never dealt down"),
        (("--cut", "400"), "the cut lies in the shoe"),
        (("--fitness", "luck"), "fitness must be sampled or expected"),
        (("--device", "cuda"), ""),
        (("--resume", "nowhere", "--hands", "5"), "keeps the settings it began with; drop --hands"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(run, arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run("evolve", "counter", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def record(generation):
    return {
        "generation": generation,
        **dict.fromkeys(("best", "mean", "worst", "expected", "expected_consensus"), 900.0 + generation),
        "tags": [-1, 1, 1, 1, 1, 1, 0, 0, 0, generation - 1],
        "mean_tags": [0.5] * 10,
    }


def test_the_figures_show_every_generations_tags_and_the_references():
    records = [record(generation) for generation in range(3)]
    figure = tags_figure(records, {"Hi-Lo": ([-1, *[1] * 5, 0, 0, 0, -1], 0.949)}, "Tags")
    best, mean, known = (figure.axes[at].images[0].get_array() for at in (0, 2, 1))
    assert {axes.get_title() for axes in figure.axes} >= {"Tags of the observed best", "Mean tags of the population"}
    shapes = sorted(np.shape(array) for array in (best, mean, known))
    assert shapes == [(10, 1), (10, 3), (10, 3)]
    labels = [label.get_text() for axes in figure.axes for label in axes.get_xticklabels()]
    assert "Hi-Lo\n0.949" in labels


def test_the_fitness_figure_has_observed_curves_only_where_fitness_is_units():
    records = [record(generation) for generation in range(3)]
    assert len(counter_fitness_figure(records, 976.7, 976.5, "T").axes[0].get_lines()) == 7
    assert len(counter_fitness_figure(records, 976.7, 976.5, "T", observed=False).axes[0].get_lines()) == 4


def test_the_bets_stand_side_by_side():
    counters = [Counter.of(np.array([0] * 282 + bits, np.uint8)) for bits in ([0] * 12, [1] * 12)]
    heights = [bar.get_height() for bar in bets_figure(*counters).axes[0].patches]
    assert heights == [1] * 4 + [8] * 4
