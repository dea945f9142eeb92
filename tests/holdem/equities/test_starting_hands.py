"""The 169 starting hands against each other: counted, compared with published counts and with plain enumeration."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from holecard.holdem.equities.boards import BOARDS, CANONICAL_TURNS, canonical_of, number_boards
from holecard.holdem.equities.equity import equity
from holecard.holdem.equities.matchup_counts import _count_turns, count_matchups
from holecard.holdem.equities.ranges import parse_range, starting_hand_name
from holecard.holdem.equities.starting_hands import (
    BOARDS_OF_TWO_HANDS,
    STARTING_HAND_NAMES,
    all_holes,
    combinations,
    disjoint_combinations,
    matchup_equities,
    matchup_wins,
    number_of,
)
from holecard.holdem.equities.tables import starting_hand
from holecard.holdem.game.rank_tables import ranking_tables
from holecard.holdem.game.ranking import rank_many

PREFLOP = json.loads((Path(__file__).parents[2] / "reference" / "holdem_preflop.json").read_text())["hands"]


def place(name):
    return STARTING_HAND_NAMES.index(name)


def test_names_and_numbers_are_those_of_the_tables():
    for hole in all_holes():
        assert number_of(hole) == starting_hand(*hole)
        assert STARTING_HAND_NAMES[number_of(hole)] == starting_hand_name(hole)
    assert combinations().sum() == 1326


def test_deals_of_two_hands_by_brute_force():
    chosen = [place(name) for name in ("AA", "AKs", "AKo", "KQs", "72o", "22")]
    holes = {number: [set(hole) for hole in all_holes() if number_of(hole) == number] for number in chosen}
    for one, other in product(chosen, repeat=2):
        apart = sum(not mine & theirs for mine, theirs in product(holes[one], holes[other]))
        assert disjoint_combinations()[one, other] == apart


def test_every_hand_wins_against_all_what_it_wins_against_a_random_hand():
    """Three whole numbers for each of 169 hands, counted with OMPEval and SKPokerEval."""
    wins, own = matchup_wins(), combinations()
    ties = disjoint_combinations() * BOARDS_OF_TWO_HANDS - wins - wins.T
    for at, name in enumerate(STARTING_HAND_NAMES):
        known = PREFLOP[name]
        assert int(wins[at].sum()) == known["win"] * int(own[at])
        assert int(ties[at].sum()) == known["tie"] * int(own[at])


@pytest.mark.parametrize(
    ("hand", "other"), [("AA", "KK"), ("AKs", "QQ"), ("22", "AKo"), ("JTs", "JTs"), ("72o", "32s"), ("A5s", "KQo")]
)
def test_matchups_are_those_of_plain_enumeration(hand, other):
    hole = parse_range(hand).hands[0]
    counted = equity(hole, against=parse_range(other))
    at, against = place(hand), place(other)
    own = int(combinations()[at])
    assert int(matchup_wins()[at, against]) == counted.win * own
    assert int(matchup_wins()[against, at]) == counted.lose * own
    assert matchup_equities()[at, against] == pytest.approx(counted.equity, abs=1e-15)


@pytest.mark.slow
def test_one_turn_is_counted_as_brute_force_counts_it():
    boards = np.zeros(1, BOARDS)
    number_boards(boards)
    turn = 9_000
    counted = _count_turns(ranking_tables(), boards, np.full(CANONICAL_TURNS, 1), turn, turn + 1)
    cards = [int(card) for card in boards["canonical_turn"][0][turn]]
    wins = np.zeros((169, 169), np.int64)
    for river in (card for card in range(52) if card not in cards):
        board = [*cards, river]
        holes = np.array([hole for hole in all_holes() if not set(hole) & set(board)])
        numbers = np.array([number_of(tuple(hole)) for hole in holes])
        strengths = rank_many(np.hstack([holes, np.tile(board, (len(holes), 1))]).astype(np.uint8)).astype(int)
        shared = (holes[:, None, :, None] == holes[None, :, None, :]).any(axis=(2, 3))
        one, other = np.nonzero((strengths[:, None] > strengths[None]) & ~shared)
        np.add.at(wins, (numbers[one], numbers[other]), 1)
    assert np.array_equal(counted[:, :169], wins)
    assert np.bincount(canonical_of(boards["turn"][0])).sum() == 270_725


@pytest.mark.slow
def test_the_shipped_file_is_what_the_script_counts():
    assert np.array_equal(count_matchups(), matchup_wins())
