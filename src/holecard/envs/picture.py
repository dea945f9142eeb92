"""A blackjack table as pixels, for `render_mode="rgb_array"`: drawn by Pillow, without a window or a screen."""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL import ImageDraw, ImageFont

WIDTH, HEIGHT = 640, 400
HIDDEN: Final = "??"
"""A card that the player may not see."""
_CARD: Final = (58, 82)
_OVERLAP: Final = 40
"""Pixels of a card that the next one leaves uncovered, where there is room for no more."""
_FELT, _LINE, _WORDS, _FRAME = "#1d6b45", "#2f8559", "#e9f3ec", "#f2c14e"
_FACE, _BACK, _BLACK, _RED = "#fbfaf5", "#2a4b8d", "#1c1c1c", "#c0272d"


def table_picture(dealer: list[str], hands: list[list[str]], acting: int, caption: str) -> NDArray[np.uint8]:
    """The table as pixels, uint8 of shape (400, 640, 3).

    Cards are signs such as `10♥`, or `HIDDEN`. `acting` is the index of the hand to act, framed; -1: none.
    """
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDTH, HEIGHT), _FELT)
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((10, 10, WIDTH - 10, HEIGHT - 10), 24, outline=_LINE, width=3)
    _draw_hand(draw, dealer, centre=WIDTH // 2, top=46, room=WIDTH - 80)
    draw.text((WIDTH // 2, 28), "dealer", _WORDS, _font(16), anchor="mm")
    room = (WIDTH - 60) // max(len(hands), 1)
    for number, hand in enumerate(hands):
        centre = 30 + room * number + room // 2
        left, right = _draw_hand(draw, hand, centre=centre, top=236, room=room - 24)
        if number == acting:
            draw.rounded_rectangle((left - 7, 229, right + 7, 236 + _CARD[1] + 7), 10, outline=_FRAME, width=3)
    draw.text((WIDTH // 2, HEIGHT - 36), caption, _WORDS, _font(18), anchor="mm")
    return np.asarray(image)


def _draw_hand(draw: ImageDraw.ImageDraw, cards: list[str], *, centre: int, top: int, room: int) -> tuple[int, int]:
    """Draw cards side by side, overlapping where there are many; returns the left and right edge."""
    width, height = _CARD
    spare = (room - width) // max(len(cards) - 1, 1)
    step = min(width + 8, max(spare, 8)) if len(cards) < 5 else min(_OVERLAP, max(spare, 8))
    whole = step * (len(cards) - 1) + width
    left = centre - whole // 2
    for at, sign in enumerate(cards):
        x = left + at * step
        box = (x, top, x + width, top + height)
        draw.rounded_rectangle(box, 7, fill=_BACK if sign == HIDDEN else _FACE, outline=_BLACK)
        if sign != HIDDEN:
            colour = _RED if sign[-1] in "♥♦" else _BLACK
            draw.text((x + 7, top + 6), sign[:-1], colour, _font(20))
            draw.text((x + width // 2, top + height * 2 // 3), sign[-1], colour, _font(34), anchor="mm")
    return left, left + whole


@cache
def _font(size: int) -> ImageFont.FreeTypeFont:
    """DejaVu Sans, which comes with matplotlib and has the four suits."""
    from PIL import ImageFont

    found: Any = find_spec("matplotlib")
    return ImageFont.truetype(str(Path(found.origin).parent / "mpl-data" / "fonts" / "ttf" / "DejaVuSans.ttf"), size)
