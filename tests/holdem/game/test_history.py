"""Histories replay, round-trip as PHH, and bad files are refused in one line."""

import tomllib
from contextlib import suppress
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.cards import parse_cards
from holecard.errors import FileProblem
from holecard.holdem.game.hand import UNKNOWN, HandState
from holecard.holdem.game.history import HandHistory
from holecard.holdem.game.rules import HoldemRules

PHH = """\
# a hand between two people, the other's cards never seen
variant = 'NT'
antes = [0, 0]
blinds_or_straddles = [50, 100]
min_bet = 100
starting_stacks = [1000, 700]
actions = [
  'd dh p1 ????', 'd dh p2 KhKd', 'p2 cbr 350 # opens', 'p1 cc', 'd db 2c3c4d', 'p1 cc', 'p2 cbr 100', 'p1 f',
]
"""


def played(button=0):
    hand = HandState(HoldemRules(ante=5), button=button, stacks=(900, 1500), cards=parse_cards("AhAdKhKd2c3c4d9sTs"))
    for text in ("r 350", "c", "c", "r 200", "all-in", "c"):
        hand.apply(hand.legal_actions().parse(text))
    return hand


@pytest.mark.parametrize("button", [0, 1])
def test_a_history_replays_to_the_same_hand(button):
    hand = played(button)
    again = HandHistory.of(hand).replay()
    assert again.events == hand.events
    assert again.payoffs == hand.payoffs


@pytest.mark.parametrize("button", [0, 1])
def test_phh_round_trips_with_seats_and_names(button, tmp_path):
    history = HandHistory.of(played(button), players=('Ann\'s "bot"', "Bob"))
    history.save(tmp_path / "hand.phh")
    read = HandHistory.load(tmp_path / "hand.phh")
    assert read.replay().events == history.replay().events
    assert read.button == button
    assert read.players == ("Anns bot", "Bob")
    assert read.to_phh() == history.to_phh()


def test_undealt_cards_are_not_written():
    hand = HandState(HoldemRules(), cards=parse_cards("AhAdKhKd2c3c4d9sTs"))
    hand.fold()
    history = HandHistory.of(hand)
    assert history.cards[4:] == (UNKNOWN,) * 5
    assert "2c" not in history.to_phh()
    assert HandHistory.from_phh(history.to_phh()) == history


def test_a_hand_with_cards_never_seen_can_be_read():
    history = HandHistory.from_phh(PHH)
    assert history.button == 1
    assert history.cards[:2] == (UNKNOWN, UNKNOWN)
    hand = history.replay()
    assert hand.payoffs == (-350, 350)
    assert HandHistory.from_phh(history.to_phh()) == history


def test_reversed_blinds_put_the_button_first():
    reversed_blinds = PHH.replace("[50, 100]", "[100, 50]").replace("p1", "p9").replace("p2", "p1").replace("p9", "p2")
    assert HandHistory.from_phh(reversed_blinds).button == 0


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("variant = 'NT'", "variant = 'FT'", "variant 'FT'"),
        ("[1000, 700]", "[1000, 700, 200]", "3 players"),
        ("'p2 cbr 350 # opens'", "'p2 cbr 120'", "the minimum is 200"),
        ("'p1 f'", "'p1 flies'", "unknown action"),
        ("KhKd", "KhKh", "appears twice"),
        ("antes = [0, 0]", "antes = [0, 5]", "unequal antes"),
        ("variant = 'NT'", "variant == 'NT'", "not PHH"),
        ("starting_stacks", "started_with", "starting_stacks"),
        ("'p2 cbr 100', 'p1 f'", "'p2 cc', 'd db 2c'", "2c is dealt twice"),
        ("'p2 cbr 100', 'p1 f'", "'p2 cbr 350', 'p1 cc'", "not all nine cards"),
        ("'p1 f'", "1, 2", "actions must be a list of texts"),
        ("'p1 f'", "'p2 f'", "move 5 is made out of turn"),
        ("'p1 f'", "'p1 f', 'p2 cc'", "move 6 is made out of turn"),
        ("'p2 cbr 100'", "'p2 cbr -1'", "unknown action 'p2 cbr -1'"),
        ("'p2 cbr 100'", "'p2 cbr 0'", "unknown action 'p2 cbr 0'"),
        ("[50, 100]", "[50, 'many']", "blinds_or_straddles must be a list of numbers"),
        ("[50, 100]", "7", "blinds_or_straddles must be a list of numbers"),
        ("[50, 100]", "[50, 100.5]", "blinds_or_straddles must be whole numbers"),
        ("[1000, 700]", "[1000, inf]", "starting_stacks must be whole numbers"),
        ("[1000, 700]", "[1000, 99999999999999999999]", "starting_stacks must be whole numbers"),
        ("min_bet = 100", "_button = 'me'", "_button 'me', not 0 or 1"),
        ("min_bet = 100", "players = ['Ann']", "1 names for two players"),
        ("min_bet = 100", "players = [1, 2]", "players must be a list of texts"),
    ],
)
def test_files_that_cannot_be_played_are_refused_in_one_line(old, new, message):
    assert old in PHH
    with pytest.raises(FileProblem, match=message) as refusal:
        HandHistory.from_phh(PHH.replace(old, new))
    assert "\n" not in str(refusal.value)


def test_missing_and_binary_files_are_refused(tmp_path):
    with pytest.raises(FileProblem, match="cannot read"):
        HandHistory.load(tmp_path / "no.phh")
    (tmp_path / "bytes.phh").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FileProblem, match="not a text file"):
        HandHistory.load(tmp_path / "bytes.phh")
    with pytest.raises(FileProblem, match="cannot write"):
        HandHistory.of(played()).save(tmp_path / "bytes.phh" / "hand.phh")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)
NAMES = ["variant", "antes", "blinds_or_straddles", "starting_stacks", "actions", "players", "_button"]


@given(name=st.sampled_from(NAMES), value=VALUES)
def test_any_damage_to_a_field_is_told_in_one_line_or_harmless(name, value):
    fields = tomllib.loads(PHH) | {name: value}
    with patch.object(tomllib, "loads", lambda _: fields), suppress(FileProblem):
        HandHistory.from_phh(PHH)
