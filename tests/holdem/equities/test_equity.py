"""Exact equity as integers: the reference files, brute force with another ranker, and what must hold of any counts."""

import json
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holecard._jit import kernel
from holecard.cards import parse_cards
from holecard.errors import CardError
from holecard.holdem.equities import equity as module
from holecard.holdem.equities import lookup
from holecard.holdem.equities.boards import SUIT_SWAPS
from holecard.holdem.equities.equity import Equity, equity, monte_carlo
from holecard.holdem.equities.ranges import Range, parse_range
from holecard.holdem.equities.tables import equity_tables
from tests.holdem.peers import EVALUATE

REFERENCE = Path(__file__).parents[2] / "reference"
PREFLOP = json.loads((REFERENCE / "holdem_preflop.json").read_text())["hands"]
SPOTS = json.loads((REFERENCE / "holdem_equity.json").read_text())["items"]


def spot(n):
    return st.lists(st.integers(0, 51), min_size=n, max_size=n, unique=True)


@pytest.mark.parametrize("name", PREFLOP)
def test_starting_hands_against_a_random_hand(name):
    hole = parse_cards(f"{name[0]}h{name[1]}{'h' if name.endswith('s') else 'd'}")
    expected = PREFLOP[name]
    found = equity(hole)
    assert (found.win, found.tie, found.lose) == (expected["win"], expected["tie"], expected["loss"])


def test_all_260_reference_spots():
    assert len(SPOTS) == 260
    for expected in SPOTS:
        found = equity(parse_cards(expected["hole"]), parse_cards(expected["board"]))
        assert (found.win, found.tie, found.lose) == (expected["win"], expected["tie"], expected["loss"]), expected
        assert found.equity == pytest.approx(expected["equity"], abs=1e-12)


@kernel
def count_all(tables, spots, dealt, counts):
    work = np.empty(1, lookup.RIVER_WORK)
    for at in range(spots.shape[0]):
        a, b, board = spots[at, 0], spots[at, 1], spots[at, 2:]
        if dealt == 0:
            win, tie = lookup.preflop_counts(tables[0], a, b)
        elif dealt == 3:
            win, tie = lookup.flop_counts(tables[0], a, b, board)
        elif dealt == 4:
            win, tie = lookup.turn_counts(tables[0], a, b, board)
        else:
            win, tie = lookup.river_counts(tables[0], a, b, board, work[0])
        counts[at, 0] = win
        counts[at, 1] = tie


@pytest.mark.parametrize("dealt", [0, 3, 4, 5])
def test_kernel_equals_plain_python(dealt):
    rng = np.random.default_rng(dealt)
    spots = np.array([rng.permutation(52)[:7] for _ in range(60)], np.uint8)
    counts = np.zeros((len(spots), 2), np.int64)
    count_all(equity_tables(), spots, dealt, counts)
    for cards, (win, tie) in zip(spots.tolist(), counts.tolist(), strict=True):
        found = equity(cards[:2], cards[2 : 2 + dealt])
        assert (found.win, found.tie) == (win, tie)


def brute_force(hole, board, others):
    """Wins, ties and losses by phevaluator over hands and run-outs."""
    counts = [0, 0, 0]
    for other in others:
        deck = [card for card in range(52) if card not in {*hole, *board, *other}]
        for runout in combinations(deck, 5 - len(board)):
            mine = EVALUATE[7](*hole, *board, *runout)
            theirs = EVALUATE[7](*other, *board, *runout)
            counts[0 if mine < theirs else 1 if mine == theirs else 2] += 1
    return counts


@pytest.mark.parametrize(
    ("hole", "board", "against"),
    [
        ("AhKh", "2c7h9s", "QdQs"),
        ("AhKh", "2h7h9h", "QdQs,JhTh"),
        ("AhKh", "2c7h9s3d", "QQ+,AKs"),
        ("7c2d", "7h7s2c2h", "AA,72"),
        ("9s8s", "TsJsQs", "AsKs,AdKd,98"),
        ("AhKh", "2c7h9s3dKc", "22+"),
    ],
)
def test_hands_and_ranges_by_brute_force(hole, board, against):
    hole, board, against = parse_cards(hole), parse_cards(board), parse_range(against)
    found = equity(hole, board, against=against)
    assert [found.win, found.tie, found.lose] == brute_force(hole, board, against.without({*hole, *board}))


def test_hand_against_hand_before_the_flop():
    # win 0.46022, tie 0.00393: every odds calculator says 46.21 % for AKs (a suit blocked by neither queen)
    found = equity(parse_cards("AhKh"), against=parse_range("QdQs"))
    assert (found.win, found.tie, found.lose) == (787_966, 6_732, 917_606)
    mirrored = equity(parse_cards("QdQs"), against=parse_range("AhKh"))
    assert (mirrored.win, mirrored.tie, mirrored.lose) == (found.lose, found.tie, found.win)


@pytest.mark.parametrize("dealt", [3, 4, 5])
@settings(max_examples=4, deadline=None)
@given(held=spot(7))
def test_the_tables_equal_the_sum_over_every_hand(dealt, held):
    hole, board = held[:2], held[2 : 2 + dealt]
    unseen = [card for card in range(52) if card not in {*hole, *board}]
    everyone = Range("everyone", tuple((high, low) for low, high in combinations(unseen, 2)))
    assert equity(hole, board, against=everyone) == equity(hole, board)


@settings(max_examples=50, deadline=None)
@given(held=spot(7), swap=st.sampled_from(SUIT_SWAPS), dealt=st.sampled_from([0, 3, 4]))
def test_renaming_suits_changes_nothing(held, swap, dealt):
    renamed = [(card & 60) | swap[card & 3] for card in held]
    assert equity(held[:2], held[2 : 2 + dealt]) == equity(renamed[1::-1], renamed[2 : 2 + dealt])


@settings(max_examples=20, deadline=None)
@given(held=spot(6))
def test_a_street_is_the_mean_of_the_next(held):
    hole, board = held[:2], held[2:]
    now = equity(hole, board)
    rivers = [equity(hole, [*board, card]) for card in range(52) if card not in held]
    assert now.win == sum(river.win for river in rivers)
    assert now.tie == sum(river.tie for river in rivers)


@pytest.mark.parametrize("against", [None, "QQ+,AKs", "JdTd"])
@pytest.mark.parametrize("board", ["", "2c7h9s", "2c7h9s3d", "2c7h9s3dKc"])
def test_monte_carlo_agrees_within_four_standard_errors(against, board):
    hole, board, against = parse_cards("AhKh"), parse_cards(board), parse_range(against) if against else None
    sampled = monte_carlo(hole, board, against=against, samples=100_000, seed=11)
    assert not sampled.exact
    assert sampled.total == 100_000
    assert abs(sampled.equity - equity(hole, board, against=against).equity) <= 4 * sampled.stderr + 1e-12
    assert sampled == monte_carlo(hole, board, against=against, samples=100_000, seed=11)


def test_ties_count_half_or_as_a_win():
    board = parse_cards("AsKsQsJsTs")
    assert equity(parse_cards("2c3d"), board).equity == 0.5
    assert equity(parse_cards("2c3d"), board, ties="win").equity == 1.0
    assert Equity(win=1, tie=1, lose=0, exact=False).stderr > 0


def test_a_sample_is_dealt_in_pieces_that_change_nothing(monkeypatch):
    hole = parse_cards("AhKh")
    whole = monte_carlo(hole, samples=10_001, seed=5)
    monkeypatch.setattr(module, "_DEALS", 1000)
    told: list[int] = []
    assert monte_carlo(hole, samples=10_001, seed=5, progress=told.append) == whole
    assert told == [*range(1000, 10_001, 1000), 10_001]
    with ThreadPoolExecutor(2) as pool:
        assert monte_carlo(hole, samples=10_001, seed=5, executor=pool) == whole


def test_a_sample_that_would_never_end_stops_with_what_is_dealt():
    def stop(done):
        if done >= 3 << 20:
            raise KeyboardInterrupt

    found = monte_carlo(parse_cards("AhKh"), samples=99_999_999_999_999, progress=stop)
    assert found.total == 3 << 20
    assert abs(found.equity - equity(parse_cards("AhKh")).equity) < 4 * found.stderr


@pytest.mark.parametrize(
    ("hole", "board", "message"),
    [
        ("Ah", "", "2 cards"),
        ("AhKhQh", "", "2 cards"),
        ("AhKh", "2c7h", "0, 3, 4 or 5"),
        ("AhKh", "Ah7h9s", "Ah appears twice"),
        ("AhKh", "2c7h9s3d4d5d", "0, 3, 4 or 5"),
    ],
)
def test_spots_that_cannot_be_are_refused(hole, board, message):
    for find in (equity, lambda *cards: monte_carlo(*cards, samples=10)):
        with pytest.raises(CardError, match=message):
            find(parse_cards(hole), parse_cards(board))


def test_a_range_without_a_possible_hand_is_refused():
    with pytest.raises(CardError, match="already dealt"):
        equity(parse_cards("AhKh"), against=parse_range("AhQd"))
    with pytest.raises(CardError, match="at least 1"):
        monte_carlo(parse_cards("AhKh"), samples=0)


@pytest.mark.parametrize(
    "board", ["2h5h9hKsQd", "2h5h9hKhQd", "2h5h9hKhQh", "9h9s9d9cAh", "ThJhQhKhAh", "2h2s5h5dKh", None]
)
def test_rivers_by_brute_force(board):
    rng = np.random.default_rng(17)
    for _ in range(60):
        cards = rng.permutation(52).tolist()
        dealt = parse_cards(board) if board else cards[2:7]
        hole = [card for card in cards if card not in dealt][:2]
        others = combinations([card for card in range(52) if card not in {*hole, *dealt}], 2)
        mine = EVALUATE[7](*hole, *dealt)
        theirs = [EVALUATE[7](*other, *dealt) for other in others]
        found = equity(hole, dealt)
        assert found.win == sum(mine < other for other in theirs)
        assert found.tie == sum(mine == other for other in theirs)
        assert found.total == 990
