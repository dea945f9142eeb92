"""The curves of a training: losses, accuracy, and the epoch whose weights were kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from holecard.studies.imitation import ImitationOutcome
from holecard.ui.figures.canvas import count_along, legend_below, new_figure, save
from holecard.ui.palette import EMPHASIS, LETTER_COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def curves_figure(training: ImitationOutcome) -> Figure:
    """Loss on a logarithmic scale on the left, held-out accuracy on the right, both by epoch."""
    figure = new_figure(width=10, height=4)
    losses, accuracy = figure.subplots(1, 2)
    epochs = range(1, len(training.history) + 1)
    losses.semilogy(
        epochs, [epoch.train_loss for epoch in training.history], color=LETTER_COLOURS["S"], label="training"
    )
    losses.semilogy(
        epochs, [epoch.validation_loss for epoch in training.history], color=LETTER_COLOURS["D"], label="held out"
    )
    losses.set_title("cross-entropy")
    accuracy.plot(epochs, [epoch.accuracy for epoch in training.history], color=LETTER_COLOURS["D"])
    accuracy.set_title("held-out accuracy")
    for axis in (losses, accuracy):
        axis.axvline(training.best + 1, color=EMPHASIS, linestyle="--", label=f"kept: epoch {training.best + 1}")
        axis.set_xlabel("epoch")
    count_along(losses, accuracy)
    legend_below(figure, losses)
    return figure


def save_curves(training: ImitationOutcome, path: Path) -> None:
    """Draw the curves into a file; the ending decides the format."""
    save(curves_figure(training), path)
