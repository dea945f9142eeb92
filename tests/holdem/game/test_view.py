"""No leaks: changing the other hand or the undealt cards leaves everything a seat sees unchanged."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from holecard.holdem.game.actions import Acted, BoardDealt, HoleDealt
from holecard.holdem.game.hand import HandState
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.game.view import NO_CARD, VIEW, look

deals = st.lists(st.integers(0, 51), min_size=17, max_size=17, unique=True)
lines = st.lists(st.sampled_from(["c", "c", "c", "r"]), max_size=7)


def play(cards, line, seat_limit=None):
    """The views of both seats at every decision of a hand played along `line` (min-raises, checks and calls)."""
    hand = HandState(HoldemRules(stack=3000), cards=cards)
    seen = [(hand.view(0), hand.view(1), hand.street)]
    for word in line:
        legal = hand.legal_actions() if hand.actor is not None else None
        if legal is None:
            break
        hand.apply(legal.parse(f"r {legal.min_raise_to}" if word == "r" and legal.can_raise else "c"))
        seen.append((hand.view(0), hand.view(1), hand.street))
    return hand, seen


@settings(max_examples=80, deadline=None)
@given(deals, lines)
def test_the_other_hand_and_undealt_cards_change_nothing_a_seat_sees(cards, line):
    hand, seen = play(cards[:9], line)
    if hand.is_over:  # hands have been shown
        return
    for seat in (0, 1):
        other = 2 * (1 - seat)
        changed = cards[:9]
        changed[other : other + 2] = cards[9:11]
        dealt = 4 + len(hand.board)
        changed[dealt:9] = cards[11 : 11 + 9 - dealt]
        _, seen_then = play(changed, line)
        assert [views[seat] for views in seen] == [views[seat] for views in seen_then]


@settings(max_examples=40, deadline=None)
@given(deals, lines)
def test_the_view_of_a_kernel_holds_no_hidden_card(cards, line):
    hand, _ = play(cards[:9], line)
    if hand.actor is None:
        return
    views = []
    for hidden in (cards[9:], cards[10:]):
        record, other = hand.record, 2 * (1 - hand.actor)
        record["card"][other : other + 2] = hidden[:2]
        dealt = 4 + len(hand.board)
        record["card"][dealt:] = hidden[2 : 2 + 9 - dealt]
        view = np.zeros(1, VIEW)[0]
        look(record, hand.actor, hand.stakes, view)
        views.append(view.tobytes())
        assert (view["board"][len(hand.board) :] == NO_CARD).all()
    assert views[0] == views[1]


def test_a_seat_sees_its_own_cards_and_the_board():
    hand, _ = play(range(9), ["c", "c", "c"])
    view = hand.view(1)
    assert view.hole == (2, 3)
    assert view.board == (4, 5, 6)
    dealt = {event.seat: event.cards for event in view.events if isinstance(event, HoleDealt)}
    assert dealt == {0: None, 1: (2, 3)}
    assert [event.cards for event in view.events if isinstance(event, BoardDealt)] == [(4, 5, 6)]
    assert view.legal is None
    assert hand.view(0).legal == hand.legal_actions()


@settings(max_examples=40, deadline=None)
@given(deals, lines)
def test_a_seat_view_as_a_record_is_what_a_kernel_sees(cards, line):
    hand, _ = play(cards[:9], line)
    if hand.actor is None:
        return
    kernel_view = np.zeros(1, VIEW)[0]
    look(hand.record, hand.actor, hand.stakes, kernel_view)
    view = hand.view(hand.actor).record(buy_in=1, equity=0.0)
    for name in VIEW.names:
        if name not in ("buy_in", "equity", "chance", "hand_number"):
            assert np.array_equal(view[name], kernel_view[name]), name


def test_events_replay_the_hand():
    hand, _ = play(range(9), ["r", "c", "c", "r", "c", "c", "c"])
    again = HandState(HoldemRules(stack=3000), cards=range(9))
    for event in hand.events:
        if isinstance(event, Acted):
            assert event.seat == again.actor
            again.apply(event.action)
    assert again.events == hand.events
    assert repr(again.record) == repr(hand.record)
