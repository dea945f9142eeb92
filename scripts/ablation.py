"""What TSER's tiers and ANE are worth: the same evolution with and without them, several seeds, one table, one figure.

    PYTHONPATH=src python scripts/ablation.py [--preset card] [--seeds 1 2 3] [--out runs/ablation]

`no-tiers` is plain truncation (every survivor is kept and reproduces), `no-ane` takes raw earnings for fitness. Runs
that are finished in the folder are read, the others are run or resumed.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from statistics import mean, median
from typing import Any

from champions import curve, judged, print_table

from holecard.holdem.players.champion import CHAMPION
from holecard.holdem.players.named import player_named
from holecard.studies.neuroevolution import run
from holecard.studies.neuroevolution_config import NeuroevolutionConfig
from holecard.ui.figures.canvas import new_figure, save

VARIANTS: dict[str, dict[str, Any]] = {"tser": {}, "no-tiers": {"tiers": False}, "no-ane": {"fitness": "earnings"}}


def finished(folder: Path, config: NeuroevolutionConfig) -> Path:
    """The folder of a finished run of that configuration."""
    if not (folder / CHAMPION).exists():
        run(config, folder, resume=(folder / "config.json").exists())
    return folder


def draw(folders: dict[str, list[Path]], names: list[str], path: Path) -> None:
    """Mean earnings of the population against each opponent, averaged over seeds and ten generations."""
    figure = new_figure(10, 6)
    for axis, name in zip(figure.subplots(2, 2).ravel(), names, strict=False):
        for variant, colour in zip(folders, ("#D55E00", "#0072B2", "#009E73"), strict=True):
            curves = [curve(folder, name) for folder in folders[variant]]
            average = [mean(values) for values in zip(*curves, strict=True)]
            smooth = [mean(average[max(0, at - 9) : at + 1]) for at in range(len(average))]
            axis.plot(range(1, len(smooth) + 1), smooth, color=colour, label=variant)
        axis.axhline(0, color="#999999", linewidth=0.8)
        axis.set_title(name)
        axis.set_xlabel("generation")
        axis.set_ylabel("mean earnings, buy-ins")
    figure.axes[0].legend(frameon=False)
    save(figure, path)


def main() -> None:
    """Run, judge, print and draw."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--preset", default="card")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--out", type=Path, default=Path("runs/ablation"))
    parser.add_argument("--hands", type=int, default=100_000)
    options = parser.parse_args()
    names = list(NeuroevolutionConfig.preset(options.preset).opponents)
    folders = {
        variant: [
            finished(
                options.out / f"{options.preset}-{variant}-{seed}",
                NeuroevolutionConfig.preset(options.preset, seed=seed, **changes),
            )
            for seed in options.seeds
        ]
        for variant, changes in VARIANTS.items()
    }
    rows = {}
    for variant, places in folders.items():
        duels = [judged(player_named(str(place)), names, options.hands) for place in places]
        results = [{name: each.mbb_per_hand for name, each in found.items()} for found in duels]
        rows[variant] = [
            f"{median(result[name].mean for result in results):,.0f} "
            f"({', '.join(f'{result[name].mean:,.0f}' for result in results)})"
            for name in names
        ]
    print_table("median mBB/hand (each seed)", names, rows)
    draw(folders, names, options.out / f"{options.preset}-ablation.png")


if __name__ == "__main__":
    main()
