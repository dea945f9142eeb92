"""Pictures of counting: what each count brings and what is bet on it."""

from __future__ import annotations

from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from holecard.ui.figures.canvas import new_figure, save
from holecard.ui.palette import EMPHASIS, INK

if TYPE_CHECKING:
    from holecard.blackjack.counting.ramp import Ramp

_BARS = "#0072B2"
_RARE = 1e-4
"""Counts that come up less often are left out."""


def save_ramp(ramp: Ramp, title: str, path: Path) -> None:
    """EV by count with its error above, share of rounds and bets below, both over the same counts."""
    rows = [row for row in ramp.by_count() if row["share"] >= _RARE]
    counts = [row["count"] for row in rows]
    figure = new_figure(width=9.0, height=6.4)
    above, below = figure.subplots(2, 1, sharex=True)
    above.errorbar(
        counts,
        [100 * row["ev"] for row in rows],
        yerr=[200 * row["stderr"] for row in rows],
        fmt="o-",
        color=_BARS,
        markersize=4,
        capsize=2,
    )
    above.axhline(0.0, color=INK, linewidth=0.8)
    above.set_ylabel("EV of a unit, %")
    below.bar(counts, [100 * row["share"] for row in rows], color=_BARS, alpha=0.6)
    below.set_ylabel("share of rounds, %", color=_BARS)
    below.set_xlabel("count before the deal")
    below.set_xticks(counts[:: 1 if len(counts) <= 25 else 2])
    bets: Any = below.twinx()
    bets.step(counts, [row["bet"] for row in rows], where="mid", color=EMPHASIS, linewidth=2)
    bets.set_ylabel("bet, units", color=EMPHASIS)
    bets.set_ylim(bottom=0)
    words = (
        f"EV {ramp.ev.mean:+.4f} ± {ramp.ev.stderr:.4f} a round, SCORE {ramp.score.mean:.1f} ± {ramp.score.stderr:.1f}"
    )
    figure.suptitle("\n".join([*wrap(title, 84), words]), fontsize=11)
    save(figure, path)
