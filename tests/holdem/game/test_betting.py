"""The rulebook's corner cases by name, blinds 50/100; what must hold of any hand."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holecard.cards import parse_cards
from holecard.errors import CardError, IllegalAction, RulesError
from holecard.holdem.game.actions import CALLS, CHECKS, FOLDS, Acted, BoardDealt, Returned, Won, raises_to
from holecard.holdem.game.betting import HAND, apply, deal, fit, post, show_down
from holecard.holdem.game.hand import HandState, deal_cards
from holecard.holdem.game.rank_tables import ranking_tables
from holecard.holdem.game.rules import HoldemRules, Stakes, Street
from holecard.seeds import key_of

CARDS = tuple(parse_cards("AhAd KhKd 2c3c4d9sTs"))
BUTTON, BIG_BLIND = 0, 1


def hand(button_stack=1000, big_blind_stack=1000, **changes):
    return HandState(HoldemRules(**changes), button=0, stacks=(button_stack, big_blind_stack), cards=CARDS)


def test_the_button_posts_the_small_blind_and_acts_first_before_the_flop_and_last_after():
    state = hand()
    assert state.bets == (50, 100)
    assert state.actor == BUTTON
    state.check_or_call()
    state.check_or_call()
    assert state.street == Street.FLOP
    assert state.actor == BIG_BLIND


def test_the_big_blind_keeps_the_option_after_a_limp():
    state = hand()
    state.check_or_call()
    assert state.actor == BIG_BLIND
    assert state.street == Street.PREFLOP
    assert (state.to_call, state.min_raise_to) == (0, 200)
    state.raise_to(300)
    assert (state.actor, state.to_call) == (BUTTON, 200)


def test_an_open_to_350_makes_the_minimum_re_raise_600():
    state = hand()
    state.raise_to(350)
    assert state.min_raise_to == 600


def test_the_minimum_raise_is_the_last_raise_and_starts_afresh_each_street():
    state = hand(5000, 5000)
    state.raise_to(350)
    state.raise_to(900)
    assert state.min_raise_to == 1450
    state.check_or_call()
    assert state.min_raise_to == 100
    state.raise_to(130)
    assert state.min_raise_to == 260


def test_a_fold_is_refused_when_checking_is_free():
    state = hand()
    state.check_or_call()
    with pytest.raises(
        IllegalAction, match=r"cannot fold when checking is free; legal here: check, raise to 200 … 1000"
    ):
        state.fold()


def test_a_stack_below_the_big_blind_is_all_in_for_what_it_has():
    state = hand(1000, 70)
    assert state.bets == (50, 70)
    assert repr(state.legal_actions()) == "fold, call 20"
    state.check_or_call()
    assert state.is_over
    assert state.payoffs == (70, -70)


@pytest.mark.parametrize(("button_stack", "big_blind_stack", "stake"), [(1000, 30, 30), (30, 1000, 30), (1000, 50, 50)])
def test_a_stack_below_the_small_blind_is_all_in_and_nobody_acts(button_stack, big_blind_stack, stake):
    state = hand(button_stack, big_blind_stack)
    assert state.actor is None
    assert state.payoffs == (stake, -stake)
    assert len(state.board) == 5


def test_a_button_short_of_the_call_may_only_call_all_in_or_fold():
    state = hand(80, 1000)
    assert repr(state.legal_actions()) == "fold, call 30"
    state.check_or_call()
    assert state.payoffs == (80, -80)
    assert Returned(BIG_BLIND, 20) in state.events


def test_a_short_all_in_does_not_reopen():
    state = hand(450, 1000)
    state.raise_to(300)
    state.raise_to(500)  # the button has 150 left, 50 short of a full raise
    assert repr(state.legal_actions()) == "fold, call 150"
    state = hand(1000, 450)
    state.raise_to(300)
    assert state.min_raise_to == state.max_raise_to == 450  # all-in, 50 short of the minimum
    state.raise_to(450)
    assert state.actor == BUTTON
    assert repr(state.legal_actions()) == "fold, call 150"


def test_nobody_raises_against_an_all_in():
    state = hand(1000, 400)
    state.raise_to(600)
    assert repr(state.legal_actions()) == "fold, call 300"
    with pytest.raises(IllegalAction, match="nobody could call more"):
        state.raise_to(400)


def test_the_uncalled_part_of_a_shove_returns_at_once():
    state = hand(1000, 400)
    state.raise_to(1000)
    state.check_or_call()
    returned = [event for event in state.events if isinstance(event, Returned)]
    assert returned == [Returned(BUTTON, 600)]
    after = state.events[state.events.index(returned[0]) + 1]
    assert isinstance(after, BoardDealt)
    assert state.payoffs == (400, -400)
    assert state.stacks == (1400, 0)


def test_an_uncalled_bet_returns_after_a_fold():
    state = hand()
    state.raise_to(400)
    state.fold()
    assert state.events[-2:] == (Returned(BUTTON, 300), Won(BUTTON, 200))
    assert state.payoffs == (100, -100)


def test_antes_are_posted_before_the_blinds_and_do_not_count_as_bets():
    state = hand(1000, 1000, ante=10)
    assert (state.pot, state.bets, state.stacks) == (170, (50, 100), (940, 890))
    assert (state.min_raise_to, state.max_raise_to) == (200, 990)
    short = hand(1000, 5, ante=10)
    assert short.payoffs == (5, -5)


def test_a_split_pot_gives_everyone_their_chips_back():
    board = parse_cards("AsKsQsJsTs")
    state = HandState(HoldemRules(), cards=[*parse_cards("2c2d3c3d"), *board], stacks=(500, 900))
    state.raise_to(500)
    state.check_or_call()
    assert state.payoffs == (0, 0)
    assert [event for event in state.events if isinstance(event, Won)] == [Won(0, 500), Won(1, 500)]


@pytest.mark.parametrize(
    ("action", "message"),
    [
        (raises_to(150), "cannot raise to 150, the minimum is 200"),
        (raises_to(1001), "cannot raise to 1001, all-in is 1000"),
        (CHECKS, "cannot check with 50 to call"),
    ],
)
def test_an_illegal_action_says_what_is_legal_and_changes_nothing(action, message):
    state = hand()
    before, events = repr(state.record), state.events
    with pytest.raises(IllegalAction, match=message) as refusal:
        state.apply(action)
    assert str(refusal.value).endswith("legal here: fold, call 50, raise to 200 … 1000")
    assert not state.can(action)
    assert (repr(state.record), state.events) == (before, events)


def test_nothing_is_legal_once_the_hand_is_over():
    state = hand()
    state.fold()
    assert not state.can(CALLS)
    with pytest.raises(IllegalAction, match="over"):
        state.apply(FOLDS)


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ({"stacks": (0, 100)}, RulesError),
        ({"stacks": (100, 10**13)}, RulesError),
        ({"button": 2}, RulesError),
        ({"cards": CARDS[:8]}, CardError),
        ({"cards": (CARDS[0], *CARDS[:8])}, CardError),
        ({"cards": (52, *CARDS[1:])}, CardError),
    ],
)
def test_deals_that_cannot_be_are_refused(changes, error):
    with pytest.raises(error):
        HandState(**{"cards": CARDS, **changes})


@pytest.mark.parametrize(
    "changes", [{"big_blind": 0}, {"small_blind": 200}, {"ante": -1}, {"stack": 0}, {"hands": 0}, {"stack": 10**13}]
)
def test_rules_that_cannot_be_are_refused(changes):
    with pytest.raises(RulesError, match=next(iter(changes))):
        HoldemRules(**changes)


stacks = st.integers(1, 3000)
wishes = st.lists(st.integers(-1, 4000), min_size=40, max_size=40)


@settings(max_examples=150, deadline=None)
@given(stacks, stacks, st.integers(0, 1), st.sampled_from([0, 7, 120]), wishes, st.integers(0, 10**6))
def test_chips_are_conserved_and_every_hand_ends(stack_0, stack_1, button, ante, wishes, seed):
    stakes, record = Stakes(50, 100, ante), np.zeros(1, HAND)[0]
    with np.errstate(over="ignore"):
        deal(record, key_of(np.uint64(seed), np.uint64(0)))
    post(record, button, stack_0, stack_1, stakes)
    moves = iter(wishes)
    while record["actor"] >= 0:
        assert record["stack"].sum() + record["paid"].sum() == stack_0 + stack_1
        assert record["stack"].min() >= 0
        apply(record, int(fit(record, next(moves, 0), stakes)), stakes)
    if record["street"] == Street.SHOWDOWN:
        show_down(record, ranking_tables()[0])
    assert record["over"]
    assert record["net"].sum() == 0
    assert record["stack"].sum() == stack_0 + stack_1
    assert abs(record["net"][0]) <= min(stack_0, stack_1)


def test_deals_are_nine_different_cards_and_all_cards_come_up_evenly():
    deals = np.array([deal_cards(5, number) for number in range(3000)])
    assert all(len(set(cards)) == 9 for cards in deals.tolist())
    times = np.bincount(deals.ravel(), minlength=52)
    assert abs(times - 3000 * 9 / 52).max() < 5 * np.sqrt(3000 * 9 / 52)
    assert len({tuple(cards) for cards in deals.tolist()}) == 3000


def test_events_tell_the_whole_hand():
    state = hand()
    for text in ("r 350", "c", "c", "b 200", "c", "x", "x", "all-in", "f"):
        state.apply(state.legal_actions().parse(text))
    told = [str(event) for event in state.events]
    assert told == [
        "seat 0 posts 50",
        "seat 1 posts 100",
        "seat 0 is dealt A♥ A♦",
        "seat 1 is dealt K♥ K♦",
        "seat 0 raises to 350",
        "seat 1 calls 250",
        "flop: 2♣ 3♣ 4♦",
        "seat 1 checks",
        "seat 0 bets 200",
        "seat 1 calls 200",
        "turn: 9♠",
        "seat 1 checks",
        "seat 0 checks",
        "river: 10♠",
        "seat 1 bets 450, all-in",
        "seat 0 folds",
        "450 uncalled chips return to seat 1",
        "seat 1 wins 1100",
    ]
    assert [event.action.move for event in state.events if isinstance(event, Acted)] == list(state.moves)
