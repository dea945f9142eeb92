"""Figures of voting programs: the result grid, and each program as a tree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

from holecard.blackjack.game.shoe import VALUES
from holecard.blackjack.players.programs import VOCABULARY
from holecard.blackjack.strategy.cell import Kind, row_label
from holecard.blackjack.strategy.letters import LETTERS, Letter
from holecard.blackjack.strategy.strategy import Strategy
from holecard.evolve.trees import END, Tree
from holecard.ui.figures.canvas import count_along, legend_below, new_figure
from holecard.ui.palette import EMPHASIS, INK, PAPER

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GRID_COLOURS: Final = {"H": "#7BC67B", "S": "#E57373", "D": "#F5D76E"}
"""The result grid's colours: green hits, red stands, yellow doubles. The letters say the same to every kind of eye."""
_SECTIONS: Final = ((Kind.HARD, "Hard hands", range(4, 21)), (Kind.SOFT, "Soft hands", range(12, 21)))
_NODE_COLOURS: Final = {"HitIf": GRID_COLOURS["H"], "StandIf": GRID_COLOURS["S"], "DoubleIf": GRID_COLOURS["D"]}


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a drawn tree: its name, its place (depth to the right, leaves downwards) and its parent's index."""

    name: str
    depth: int
    height: float
    parent: int


def grid_figure(strategy: Strategy, title: str) -> Figure:
    """The result grid: hard hands on the left, soft ones on the right, as played with two cards.

    A star marks cells that are played otherwise with three cards or more.
    """
    from matplotlib.patches import Patch

    figure = new_figure(width=11, height=7)
    for axes, (kind, name, rows) in zip(figure.subplots(1, 2), _SECTIONS, strict=True):
        _draw_grid(axes, strategy, kind, rows)
        axes.set_title(name, fontsize=12)
    handles = [
        Patch(facecolor=colour, label=f"{letter}  {Letter.parse(letter).word}")
        for letter, colour in GRID_COLOURS.items()
    ]
    handles.append(Patch(facecolor=PAPER, label="*  otherwise with three cards or more"))
    figure.legend(handles=handles, loc="outside lower center", ncols=4, frameon=False)
    figure.suptitle(title, fontsize=13, fontweight="bold")
    return figure


def evolution_figure(records: Sequence[Mapping[str, Any]], optimum: float, title: str) -> Figure:
    """The ten programs together by generation, observed and exact, with the best chart of their form as a line."""
    figure = new_figure(width=9.5, height=5.8)
    axes: Axes = figure.subplots()
    generations = [record["generation"] for record in records]
    for name, label, colour, line in (
        ("best", "the best programs, as observed", EMPHASIS, "-"),
        ("exact", "the best programs, exactly", EMPHASIS, "--"),
        ("mean", "mean, as observed", "#0072B2", "-"),
    ):
        axes.plot(generations, [record[name] for record in records], line, label=label, color=colour, linewidth=1.7)
    axes.axhline(optimum, color=INK, linewidth=1.2, label=f"the best chart they could say, exactly ({optimum:+.4f})")
    axes.set_title("\n".join(wrap(title, 88)))
    axes.set_xlabel("Generation")
    axes.set_ylabel("EV per bet, all upcards")
    axes.set_xlim(0, max(len(records) - 1, 1))
    axes.grid(alpha=0.3)
    count_along(axes)
    legend_below(figure, axes, columns=2)
    return figure


def tree_figure(program: Tree, title: str) -> Figure:
    """A program as a tree from left to right: what it says at the left, what it sees at the right."""
    nodes = laid_out(program)
    depth, leaves = max(node.depth for node in nodes), max(node.height for node in nodes) + 1
    figure = new_figure(width=1.5 + 1.25 * (depth + 1), height=0.9 + 0.3 * leaves)
    axes: Axes = figure.subplots()
    for node in nodes:
        if node.parent >= 0:
            above = nodes[node.parent]
            axes.plot([above.depth, node.depth], [-above.height, -node.height], color="#999999", linewidth=1, zorder=1)
    for node in nodes:
        colour = _NODE_COLOURS.get(node.name, "#DDDDDD" if node.name in _INNER else "#F7F7F7")
        box = {"boxstyle": "round,pad=0.25", "facecolor": colour, "edgecolor": "#666666", "linewidth": 0.8}
        axes.text(node.depth, -node.height, node.name, ha="center", va="center", fontsize=9, color=INK, bbox=box)
    axes.set_xlim(-0.6, depth + 0.6)
    axes.set_ylim(-leaves + 0.2, 0.8)
    axes.axis("off")
    axes.set_title(title, fontsize=11)
    return figure


_INNER: Final = frozenset(each.name for each in VOCABULARY.primitives if each.arity)


def laid_out(program: Tree) -> list[Node]:
    """The nodes of a program in prefix order; a leaf takes the next line, a function the middle of its arguments."""
    nodes: list[Node] = []
    lines = 0

    def place(at: int, depth: int, parent: int) -> int:
        nonlocal lines
        primitive = VOCABULARY.primitives[program[at]]
        nodes.append(Node(primitive.name, depth, 0.0, parent))
        following, children = at + 1, []
        for _ in range(primitive.arity):
            children.append(following)
            following = place(following, depth + 1, at)
        if children:
            height = sum(nodes[child].height for child in (children[0], children[-1])) / 2
        else:
            height, lines = float(lines), lines + 1
        nodes[at] = Node(primitive.name, depth, height, parent)
        return following

    assert program[0] != END
    place(0, 0, -1)
    return nodes


def _label(kind: Kind, row: int) -> str:
    """What the grid calls a row: two aces are a soft 12, as nothing is split."""
    return row_label(kind, row).replace("A1", "AA").replace("A", "A-", 1)


def _draw_grid(axes: Axes, strategy: Strategy, kind: Kind, rows: range) -> None:
    from matplotlib.patches import Rectangle

    for height, row in enumerate(rows):
        for column in range(len(VALUES)):
            code, *others = strategy.cells[:, kind, row, column]
            letter = LETTERS[code]
            same = {Letter.HIT} if code == Letter.DOUBLE_ELSE_HIT else {code}  # a double with three cards is a hit
            star = "" if {Letter.HIT if other == Letter.DOUBLE_ELSE_HIT else other for other in others} <= same else "*"
            corner = (column - 0.5, height - 0.5)
            axes.add_patch(Rectangle(corner, 1, 1, facecolor=GRID_COLOURS[letter], edgecolor=PAPER, linewidth=1.5))
            axes.text(column, height, f"{letter}{star}", ha="center", va="center", fontsize=10, color=INK)
    axes.set_xlim(-0.5, len(VALUES) - 0.5)
    axes.set_ylim(-0.5, len(rows) - 0.5)
    axes.set_xticks(range(len(VALUES)), VALUES)
    axes.set_yticks(range(len(rows)), [_label(kind, row) for row in rows])
    axes.set_xlabel("Dealer's upcard")
    axes.tick_params(length=0)
    for side in axes.spines.values():
        side.set_visible(False)
