"""Exploitation and safety side by side: what players win from the paper's opponents, and what can be won from them.

    PYTHONPATH=src python scripts/safety.py docs/images/safety.png

The numbers are those of docs/neuroevolution.md and docs/equilibrium.md, where the command that printed each stands.
"""

from __future__ import annotations

import sys
from pathlib import Path

from matplotlib.ticker import FuncFormatter

from holecard.holdem.exploit.known import known_value
from holecard.holdem.players.presets import preset_named
from holecard.ui.figures.canvas import new_figure, save

WON = {
    "equilibrium": (663, 1_923, 3_722, 502),
    "Slumbot 2016": (702, 2_761, 4_988, 4_512),
    "champion:paper": (2_761, 49_965, 40_108, 16_225),
}
"""mBB/hand from each opponent: holecard holdem duel PLAYER OPPONENT --preset paper; Slumbot's are published."""
EXPLOITED = {"equilibrium": 1_604, "Slumbot 2016": 4_020, "champion:paper": 15_426}
"""mBB/hand: holecard holdem exploitability PLAYER --preset paper; Slumbot's is published."""
COLOURS = {"equilibrium": "#2a6f97", "Slumbot 2016": "#9aa5b1", "champion:paper": "#c8553d"}


def main() -> None:
    """Draw the picture."""
    preset = preset_named("paper")
    figure = new_figure(10, 4.4)
    left, right = figure.subplots(1, 2, width_ratios=(3, 1.4))
    names = [opponent.title for opponent in preset.opponents]
    best = [known_value(name, preset.rules) for name in names]
    for at, (player, won) in enumerate(WON.items()):
        places = [place + 0.27 * (at - 1) for place in range(len(names))]
        left.bar(places, won, 0.25, color=COLOURS[player], label=player)
    for place, known in enumerate(best):
        if known is not None:
            left.hlines(known.mbb_per_hand, place - 0.42, place + 0.42, color="#333333", linestyle="--", linewidth=1.2)
    left.plot([], [], color="#333333", linestyle="--", linewidth=1.2, label="the most there is")
    left.set_yscale("log")
    left.set_ylim(100, 100_000)
    left.set_xticks(range(len(names)), names)
    left.set_ylabel("mBB/hand, log scale")
    left.set_title("What they win")
    left.legend(frameon=False, fontsize=9, loc="upper left")
    right.bar(list(EXPLOITED), list(EXPLOITED.values()), 0.6, color=[COLOURS[name] for name in EXPLOITED])
    for place, value in enumerate(EXPLOITED.values()):
        right.text(place, value + 150, f"{value:,}", ha="center", fontsize=9)
    right.set_ylabel("mBB/hand")
    right.set_title("What is won from them")
    right.set_xlabel("by a local best response")
    right.tick_params(axis="x", labelsize=7.5)
    left.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    right.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    for axes in (left, right):
        axes.spines[["top", "right"]].set_visible(False)
    save(figure, Path(sys.argv[1]))


if __name__ == "__main__":
    main()
