"""Lists of fields in the kernels, against the ones they must agree with."""

import numpy as np
import pytest

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.play import dealt, kernels
from holecard.blackjack.play.kernels import TALLY, Block, Counts


def test_the_places_of_a_tally_are_the_fields_of_the_counts_in_their_order():
    places = [getattr(kernels, name.upper()) for name in (*Counts._fields, "trips", "ruins")]
    assert places == list(range(TALLY))


def test_every_count_is_added_to_its_own_place():
    tally = np.full(TALLY, 1000)
    kernels.add_to(tally, Counts(*range(1, len(Counts._fields) + 1)))
    assert tally.tolist() == [1001, 1002, 1003, 1004, 1005, 1006, 1007, 1000, 1000]


@pytest.mark.parametrize("text", ["classic", "casino", "6d ENHC"])
def test_a_block_is_the_sum_of_its_pieces(text):
    from holecard.blackjack.game.round import new_rounds
    from holecard.blackjack.game.shoe import Composition
    from holecard.blackjack.strategy.named import named_strategy

    rules = Rules.from_text(text)
    plays = named_strategy("basic", rules).plays().ravel()

    def played(*blocks: tuple[int, int]) -> list[int]:
        tallies, trips = np.zeros((1, TALLY), np.int64), np.zeros(TALLY, np.int64)
        for first, n in blocks:
            block, state = Block(np.uint64(3), first, n), new_rounds(1, Composition.of_rules(rules))
            kernels.play_fresh(state, block, 0, plays[None], tallies, rules.table())
            dealt.play_trips(state, block, dealt.Trip(9, 6, 10**6), plays, trips, rules.table())
        return [*tallies[0].tolist(), *trips.tolist()]

    assert played((5, 100)) == played((5, 40), (45, 60))
