"""Boards to come: exact from the flop on, sampled before it."""

import numpy as np

from holecard.cards import parse_cards
from holecard.holdem.equities.equity import equity
from holecard.holdem.equities.ranges import parse_range
from holecard.holdem.equities.runout import all_half_wins, sampled_half_wins
from holecard.holdem.game.rank_tables import ranking_tables


def test_chances_after_an_all_in_are_exact_from_the_flop_on():
    ranking = ranking_tables()[0]
    cards = np.array(parse_cards("AhKhQdQs2c7h9s3dKc"), np.uint8)
    with np.errstate(over="ignore"):
        for dealt in (3, 4):
            exact = equity(cards[:2].tolist(), cards[4 : 4 + dealt].tolist(), against=parse_range("QdQs"))
            assert all_half_wins(ranking, cards, dealt) == (2 * exact.win + exact.tie, exact.total)
        won = sampled_half_wins(ranking, cards, 0, 0, True, 2000, np.uint64(5))
    exact = equity(cards[:2].tolist(), (), against=parse_range("QdQs")).equity
    assert abs(won / 4000 - exact) < 4.5 * 0.5 / np.sqrt(2000)
