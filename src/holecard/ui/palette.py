"""One colour per letter of a chart, safe for colour-blind readers (Okabe and Ito, 2008)."""

from __future__ import annotations

from typing import Final

LETTER_COLOURS: Final = {
    "H": "#E69F00",
    "S": "#56B4E9",
    "D": "#009E73",
    "d": "#66C2A5",
    "P": "#F0E442",
    "R": "#CC79A7",
    "r": "#E3B4CF",
    "?": "#BBBBBB",
}
INK: Final = "#1A1A1A"
PAPER: Final = "#FFFFFF"
EMPHASIS: Final = "#D55E00"
"""For what a reader should look at first: mistakes, leaks, the line to beat."""
