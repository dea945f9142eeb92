"""What every figure of an evolution keeps to: generations are whole numbers, and no legend lies on a line."""

from types import SimpleNamespace

import pytest

from holecard.ui.figures import evolution, neuroevolution, programs, race
from holecard.ui.figures.training import curves_figure

SOME = dict.fromkeys(("best", "mean", "median", "worst", "exact", "exact_consensus"), 0.25)
OPPONENTS = {name: {"earnings": 1.0, "mean_earnings": -1.0} for name in ("a", "b", "c")}
RECORDS = [SOME | {"generation": at, "opponents": OPPONENTS, "styles": [[0.5, None, 1.0]]} for at in range(6)]
TRAINING = SimpleNamespace(
    history=[SimpleNamespace(train_loss=1.0, validation_loss=2.0, accuracy=0.5) for _ in range(6)], best=3
)
FIGURES = {
    "genetic": lambda: evolution.fitness_figure(RECORDS, 0.5, "win + ½ push", "a run"),
    "programs": lambda: programs.evolution_figure(RECORDS, 0.5, "a run"),
    "fitness": lambda: neuroevolution.fitness_figure(RECORDS),
    "earnings": lambda: neuroevolution.earnings_figure(RECORDS),
    "training": lambda: curves_figure(TRAINING),
    "race": lambda: race.learning_figure([("bits", "#000000", RECORDS)], 0.5),
}


@pytest.mark.parametrize("name", FIGURES)
def test_generations_are_whole_numbers_and_the_legend_hides_nothing(name):
    figure = FIGURES[name]()
    figure.canvas.draw()
    for axes in figure.axes:
        if axes.axison:
            low, high = axes.get_xlim()
            ticks = [tick for tick in axes.get_xticks() if low <= tick <= high]
            assert len(ticks) > 1
            assert all(tick == round(tick) for tick in ticks)
        assert axes.get_legend() is None
    assert len(figure.legends) == 1


def test_the_colours_of_styles_are_whole_generations_too():
    figure = neuroevolution.style_figure(RECORDS)
    figure.canvas.draw()
    assert all(tick == round(tick) for tick in figure.axes[1].get_yticks())


def test_an_axis_of_decades_is_labelled_with_plain_numbers():
    figure = FIGURES["race"]()
    figure.canvas.draw()
    labels = [label.get_text() for label in figure.axes[0].get_xticklabels()]
    assert {"1", "2", "5"} <= set(labels)


def test_one_outlier_does_not_flatten_a_line():
    far = {name: each | {"mean_earnings": -500.0} for name, each in OPPONENTS.items()}
    figure = neuroevolution.earnings_figure([RECORDS[0] | {"opponents": far}, *RECORDS[1:]])
    low, high = figure.axes[0].get_ylim()
    assert -2 < low < -1
    assert 1 < high < 2
