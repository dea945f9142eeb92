"""Figures of a race, by the data they draw."""

from holecard.studies.race.rows import Way
from holecard.ui.figures.race import (
    LEAST_SECONDS,
    WAYS,
    cost_figure,
    duels_figure,
    learning_figure,
    search_figure,
    strategy_figure,
)


def row(name, regret, seconds=1.0, way=Way.EVOLVED, stderr=0.0):
    return {"name": name, "way": way, "regret": regret, "seconds": seconds, "stderr": stderr}


def test_every_way_has_a_look():
    assert set(WAYS) == set(Way)
    assert len(set(WAYS.values())) == len(WAYS)


def test_costs_are_points_and_the_optimum_is_none_of_them():
    table = [row("optimum", 0.0, way=Way.SOLVED), row("bits", 0.02, 30.0), row("basic", 1e-4, 0.0, way=Way.PUBLISHED)]
    figure = cost_figure(table)
    (axes,) = figure.axes
    drawn = {text.get_text(): text.xy for text in axes.texts}
    assert drawn == {"bits": (30.0, 0.02), "basic": (LEAST_SECONDS, 1e-4)}
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["published", "evolved"]
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")


def test_labels_of_neighbours_do_not_meet():
    table = [row(f"mcts {number}", 0.01 + number * 1e-6) for number in range(4)]
    (axes,) = cost_figure(table).axes
    heights = [text.xyann[1] for text in axes.texts]
    assert len(set(heights)) == 4


def test_a_strategy_is_its_chart():
    cells = {"hard": {"16": [["S", 0.0]] * 9 + [["H", 0.01]]}, "pair": {"88": [["P", 0.0]] * 10}}
    figure = strategy_figure("mine", cells, "EV")
    hard, pair, _ = figure.axes
    assert [text.get_text() for text in hard.texts][:11] == ["16", *"SSSSSSSSSH"]
    assert [text.get_text() for text in pair.texts][-1] == "pair"
    faces = hard.collections[0].get_array().reshape(-1, 4)
    assert len({tuple(face) for face in faces[:9]}) == 1
    assert tuple(faces[9]) != tuple(faces[0]), "what costs something is coloured"


def test_learning_has_a_line_for_every_evolution_with_records():
    records = [{"generation": 0, "exact": -0.2}, {"generation": 1, "exact": -0.1}]
    (axes,) = learning_figure([("bits", "#000000", records), ("none", "#111111", [])], -0.01).axes
    labels = [line.get_label() for line in axes.get_lines()]
    assert labels == ["bits", "the exact optimum (-0.01000)"]
    assert axes.get_lines()[0].get_xydata().tolist() == [[1, -0.2], [2, -0.1]]


def test_searches_are_drawn_by_budget():
    searches = [
        {"simulations": budget, "regret": regret, "stderr": 0.001, "judged": {"value": regret / 2, "stderr": 0.0005}}
        for budget, regret in ((50, 0.02), (1_000, 0.005))
    ]
    (axes,) = search_figure(searches, 1e-4).axes
    measured, judged = (axes.containers[at].lines[0].get_xydata().tolist() for at in (0, 1))
    assert measured == [[50, 0.02], [1_000, 0.005]]
    assert judged == [[50, 0.01], [1_000, 0.0025]]
    assert [label.get_text() for label in axes.get_xticklabels()] == ["50", "1,000"]


def test_duels_have_a_panel_for_every_setting_and_an_interval_each():
    def duel(setting, opponent, value, low, high):
        interval = {"value": value, "low": low, "high": high}
        return {"setting": setting, "player": "mine", "opponent": opponent, "mbb_per_hand": interval}

    duels = [
        duel("paper", "a", 5.0, 0.0, 10.0),
        duel("paper", "b", 3.0, None, None),
        duel("pokernet", "c", -1.0, -2, 0),
    ]
    first, second = duels_figure(duels).axes
    assert (first.get_title(), second.get_title()) == ("paper", "pokernet")
    assert [label.get_text() for label in first.get_yticklabels()] == ["mine v b", "mine v a"]
    assert [bar.get_width() for bar in first.patches] == [3.0, 5.0]
    intervals = [list(line.get_xdata()) for line in (*first.get_lines()[:2], second.get_lines()[0])]
    assert intervals == [[3, 3], [0, 10], [-2, 0]], "an end at 0 is an end"
