"""Ranges as players write them."""

import pytest

from holecard.cards import cards_text
from holecard.errors import CardError
from holecard.holdem.equities.ranges import parse_range, starting_hand_name


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("QQ+", "AA KK QQ"),
        ("TT-77", "TT 99 88 77"),
        ("77-TT", "TT 99 88 77"),
        ("AJs+", "AKs AQs AJs"),
        ("A5s-A2s", "A5s A4s A3s A2s"),
        ("76s-54s", "76s 65s 54s"),
        ("KTo+", "KQo KJo KTo"),
        ("T9s+", "T9s"),
        ("AK", "AKs AKo"),
        ("kqs, 22", "KQs 22"),
        ("10Ts", None),
        ("A10s", "ATs"),
    ],
)
def test_what_a_range_holds(text, names):
    if names is None:
        with pytest.raises(CardError, match="pair"):
            parse_range(text)
        return
    assert {starting_hand_name(hand) for hand in parse_range(text).hands} == set(names.split())


@pytest.mark.parametrize(
    ("text", "hands"),
    [("QQ+,AKs", 22), ("22+", 78), ("AKo", 12), ("AKs", 4), ("A2s+", 48), ("random", 1326), ("AhKh,KhAh,AKs", 4)],
)
def test_each_hand_counts_once(text, hands):
    assert len(parse_range(text).hands) == hands
    assert len(set(parse_range(text).hands)) == hands


def test_every_starting_hand_has_its_hands():
    everything = ",".join({starting_hand_name(hand) for hand in parse_range("random").hands})
    assert everything.count(",") == 168
    assert set(parse_range(everything).hands) == set(parse_range("random").hands)


@pytest.mark.parametrize("text", ["", " , ", "ZZ", "AKx", "A5s-K2s", "AKs-AQo", "AAs", "Ah", "AhAh", "AKs-", "1+"])
def test_what_cannot_be_read_is_named(text):
    with pytest.raises(CardError) as refusal:
        parse_range(text)
    assert "\n" not in str(refusal.value)


def test_dead_cards_leave_a_range():
    left = parse_range("AA").without({51})
    assert [cards_text(hand) for hand in left] == ["AdAc", "AhAc", "AhAd"]
