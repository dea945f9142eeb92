"""VPIP, PFR, AF, WSD, WSDW and action shares on hands made by hand."""

from math import inf, isnan

import numpy as np
import pytest

from holecard.cards import parse_cards
from holecard.holdem.game.hand import HandState
from holecard.holdem.game.history import HandHistory
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.game.statistics import TALLY, Statistics, add_tallies, statistics_of, vpip_and_af

CARDS = tuple(parse_cards("AhAd KhKd 2c3c4d9sTs"))
SPLIT = tuple(parse_cards("2c2d 3c3d AsKsQsJsTs"))


def history(line, button=0, cards=CARDS, stacks=(1000, 1000)):
    hand = HandState(HoldemRules(), button=button, stacks=stacks, cards=cards)
    for text in line.split(","):
        hand.apply(hand.legal_actions().parse(text))
    return HandHistory.of(hand)


def test_posting_blinds_and_checking_the_option_is_not_voluntary():
    limped = history("c,x,x,x,x,x,x,x")
    assert statistics_of([limped], seat=0).vpip == 1
    assert statistics_of([limped], seat=1).vpip == 0
    assert statistics_of([history("f")], seat=0).vpip == 0


def test_several_raises_count_as_one_hand_raised():
    hands = [history("r200,r400,r800,f"), history("c,x,x,x,x,x,x,x"), history("f"), history("r200,f")]
    button = statistics_of(hands, seat=0)
    assert (button.hands, button.vpip, button.pfr) == (4, 0.75, 0.5)
    big_blind = statistics_of(hands, seat=1)
    assert (big_blind.vpip, big_blind.pfr) == (0.25, 0.25)


def test_aggression_counts_only_after_the_flop():
    hand = history("r200,c,b100,r300,c,x,b100,c,x,x")
    assert statistics_of([hand], seat=0).af == inf  # raised once, bet once, never called
    assert statistics_of([hand], seat=1).af == 0.5  # bet once, called twice
    assert isnan(statistics_of([history("f")], seat=0).af)


def test_showdowns_are_counted_per_flop_seen():
    shown, folded, preflop = history("c,x,x,x,x,x,x,x"), history("c,x,b100,f"), history("f")
    button = statistics_of([shown, folded, preflop], seat=0)
    assert (button.wsd, button.wsdw) == (0.5, 1.0)
    assert statistics_of([shown, folded, preflop], seat=1).wsdw == 0.0


def test_an_all_in_before_the_flop_sees_flop_and_showdown():
    shoved = history("all-in,c")
    assert statistics_of([shoved], seat=0).wsd == 1
    assert statistics_of([shoved], seat=0).shares["all_in"] == 1
    assert statistics_of([shoved], seat=1).shares["all_in"] == 1


def test_a_split_pot_is_half_a_showdown_won():
    split = history("c,x,x,x,x,x,x,x", cards=SPLIT)
    assert statistics_of([split], seat=0).wsdw == statistics_of([split], seat=1).wsdw == 0.5


def test_shares_of_decisions():
    hand = history("r200,c,x,b100,c,x,b200,f")
    assert statistics_of([hand], seat=0).shares == {"fold": 0, "check": 0, "call": 0, "raise": 1, "all_in": 0}
    other = statistics_of([hand], seat=1).shares
    assert other == {"fold": 0.2, "check": 0.4, "call": 0.4, "raise": 0, "all_in": 0}
    assert sum(other.values()) == pytest.approx(1)


def test_tallies_add_up():
    part = np.zeros(2, TALLY)
    part["hands"], part["entered"] = (4, 2), (1, 2)
    total = add_tallies([part, part])
    assert Statistics.of(total[0]).vpip == 0.25
    assert total["hands"].tolist() == [8, 4]


def test_many_tallies_have_the_same_vpip_and_af():
    tallies = np.zeros(3, TALLY)
    tallies["hands"], tallies["entered"] = [4, 8, 0], [1, 8, 0]
    tallies["aggressive"], tallies["passive"] = [3, 2, 0], [2, 0, 0]
    each = [(found.vpip, found.af) for found in map(Statistics.of, tallies)]
    np.testing.assert_equal(vpip_and_af(tallies), each)
    assert each[:2] == [(0.25, 1.5), (1.0, np.inf)]
