"""A strategy chart on the terminal, in colour."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from holecard.blackjack.game.shoe import VALUES
from holecard.blackjack.strategy.cell import CARDS_HELD
from holecard.blackjack.strategy.charts import chart_rows
from holecard.blackjack.strategy.letters import Letter
from holecard.blackjack.strategy.strategy import Strategy
from holecard.ui.palette import INK, LETTER_COLOURS


def chart_view(strategy: Strategy, title: str) -> RenderableType:
    """The chart side by side: hard, soft, pair; one block per number of cards held where these differ."""
    blocks = [chart_rows(strategy, held) for held in range(len(CARDS_HELD))]
    same = all(block["hard"] == blocks[0]["hard"] and block["soft"] == blocks[0]["soft"] for block in blocks)
    parts: list[RenderableType] = [Text(title, style="bold")]
    for held, block in enumerate(blocks[:1] if same else blocks):
        if not same:
            parts.append(Text(f"with {CARDS_HELD[held]} cards", style="italic"))
        sections = {name: rows for name, rows in block.items() if name != "pair" or held == 0}
        grid = Table.grid(padding=(0, 2))
        grid.add_row(*(_section(name, rows) for name, rows in sections.items()))
        parts.append(grid)
    letters = sorted({letter for block in blocks for rows in block.values() for row in rows.values() for letter in row})
    legend = Text("  ").join(
        Text.assemble(
            (f"\u00a0{letter}\u00a0", _style(letter)), f"\u00a0{Letter.parse(letter).word}".replace(" ", "\u00a0")
        )
        for letter in letters
    )
    return Group(*parts, legend)


def _style(letter: str) -> str:
    return f"{INK} on {LETTER_COLOURS[letter]}"


def _section(name: str, rows: dict[str, str]) -> Table:
    table = Table(box=None, padding=0, collapse_padding=True, show_edge=False)
    table.add_column(name, justify="right", style="bold", min_width=4)
    for value in VALUES:
        table.add_column(value, justify="right", width=3 if value == "10" else 2)
    for label, letters in reversed(rows.items()):
        table.add_row(
            label,
            *(
                Text(f" {letter}" if column < 9 else f" {letter} ", style=_style(letter))
                for column, letter in enumerate(letters)
            ),
        )
    return table
