"""A decision made by hand, as rules see it."""

import numpy as np

from holecard.holdem.game.view import VIEW


def spot(**changes):
    """The button's first decision at 50/100 with 20,000 behind, changed as told."""
    fields = {
        "street": 0, "on_button": True, "to_call": 50, "min_raise_to": 200, "max_raise_to": 20_000, "pot": 150,
        "stack": 19_950, "other_stack": 19_900, "bet": 50, "other_bet": 100, "paid": 50, "other_paid": 100,
        "start": 20_000, "small_blind": 50, "big_blind": 100, "buy_in": 20_000, "equity": 0.5, "chance": 12345,
    }  # fmt: skip
    view = np.zeros(1, VIEW)[0]
    for name, value in {**fields, **changes}.items():
        view[name] = value
    return view


FREE = {"street": 1, "to_call": 0, "bet": 0, "other_bet": 0, "min_raise_to": 100, "pot": 400}
SHORT = {"start": 300, "buy_in": 300, "stack": 250, "max_raise_to": 300}
COVERED = {"to_call": 250, "min_raise_to": 0, "max_raise_to": 0, "other_bet": 20_000}
