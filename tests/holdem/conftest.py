"""Every duel that a test plays is held against what there is to win: nobody wins more than that, but for chance."""

from __future__ import annotations

import pytest

from holecard.holdem.arena.duel import Duel
from holecard.holdem.exploit.known import known_value

_ERRORS = 5
"""Standard errors above an exact value that chance may bring in thousands of duels."""

_DECKS = 30
"""Where so many decks were won alike, chance has no part."""


@pytest.fixture(autouse=True, scope="session")
def _nobody_wins_more_than_there_is():
    make = Duel.__init__

    def made(self, **fields):
        make(self, **fields)
        for names, sign in ((self.names, 1), (self.names[::-1], -1)):
            known = known_value(names[1], self.rules)
            won = self.mbb_per_hand
            if known is not None and known.exact and (won.stderr > 0 or won.n >= _DECKS):
                most = known.mbb_per_hand + _ERRORS * won.stderr + 1e-6
                assert sign * won.mean <= most, f"{names[0]} beats the bound"

    Duel.__init__ = made
    yield
    Duel.__init__ = make
