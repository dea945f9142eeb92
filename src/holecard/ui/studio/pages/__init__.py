"""The pages of the studio, in the order of the menu; `/` is the first of them."""

from __future__ import annotations

from typing import Final

from holecard.ui.studio.page import Page
from holecard.ui.studio.pages import chart, evolution, holdem, play, race, shoe, table

PAGES: Final[tuple[Page, ...]] = (table.PAGE, chart.PAGE, shoe.PAGE, play.PAGE, evolution.PAGE, race.PAGE, holdem.PAGE)
"""Every page."""
