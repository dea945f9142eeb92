"""The textbook solver's picture: the best action of every two-card hand against every upcard."""

from __future__ import annotations

from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.shoe import VALUES
from holecard.blackjack.game.wording import in_words
from holecard.ui.figures.canvas import new_figure, save
from holecard.ui.palette import INK, LETTER_COLOURS, PAPER

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from holecard.blackjack.exact import Solution

_LEGEND: Final = (Action.STAND, Action.HIT, Action.DOUBLE, Action.SPLIT, Action.SURRENDER)
_LETTERS: Final = {action.word: action.letter for action in _LEGEND} | {"natural": Action.STAND.letter}


def best_letters(solution: Solution) -> dict[str, str]:
    """The best action of every two-card hand, by hand, ten letters for upcards A, 2 … 10; a blank where none can be."""
    grid: dict[str, list[str]] = {}
    for row in solution.hands:
        evs = {action: ev for action, ev in row["ev"].items() if ev is not None}
        letters = grid.setdefault(row["hand"], [" "] * len(VALUES))
        if evs:
            letters[VALUES.index(row["upcard"])] = _LETTERS[max(evs, key=lambda action: evs[action])]
    return {hand: "".join(letters) for hand, letters in grid.items()}


def hands_figure(solution: Solution) -> Figure:
    """The grid of two-card hands; those that are always hit are left out, as the textbook solver leaves them."""
    grid = {hand: letters for hand, letters in best_letters(solution).items() if set(letters) != {"H"}}
    figure = new_figure(width=6.2, height=0.26 * len(grid) + 1.8)
    axis: Any = figure.subplots()
    from matplotlib.patches import Patch, Rectangle

    for height, (hand, letters) in enumerate(reversed(grid.items())):
        axis.text(-0.2, height + 0.5, hand, ha="right", va="center", fontsize=9)
        for column, letter in enumerate(letters):
            if letter != " ":
                colour = LETTER_COLOURS[letter]
                axis.add_patch(Rectangle((column, height), 1, 1, facecolor=colour, edgecolor=PAPER))
                axis.text(column + 0.5, height + 0.5, letter, ha="center", va="center", fontsize=9, color=INK)
    for column, value in enumerate(VALUES):
        axis.text(column + 0.5, len(grid) + 0.4, value, ha="center", va="center", fontsize=9, fontweight="bold")
    axis.set_xlim(-1.2, len(VALUES))
    axis.set_ylim(0, len(grid) + 0.9)
    axis.axis("off")
    title = "\n".join(wrap(f"optimal play of two cards, {in_words(solution.rules)}: EV {solution.ev:+.6f}", 62))
    figure.suptitle(f"{title}\nhands not shown: always hit", fontsize=11)
    handles = [
        Patch(facecolor=LETTER_COLOURS[action.letter], label=f"{action.letter}  {action.word}")
        for action in _LEGEND
        if any(action.letter in letters for letters in grid.values())
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), frameon=False, fontsize=9)
    return figure


def save_hands(solution: Solution, path: Path) -> None:
    """Draw the grid into a file; the ending decides the format."""
    save(hands_figure(solution), path)
