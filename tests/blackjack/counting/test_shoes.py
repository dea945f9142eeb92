import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from holecard.blackjack.counting import kernels
from holecard.blackjack.counting.bets import bets_by_count, parse_bets, parse_spread
from holecard.blackjack.counting.kernels import FLOOR, ROUND_OFF, TRUNCATE, Counting, Seat, row_of_count
from holecard.blackjack.counting.ramp import optimal_bets, ramp
from holecard.blackjack.counting.shoes import SeatedCounter, play_shoes
from holecard.blackjack.counting.strategy import (
    HIGHEST,
    LOWEST,
    CountingStrategy,
    departures_text,
    illustrious_18,
    parse_departures,
)
from holecard.blackjack.counting.system import find_system
from holecard.blackjack.exact.solution import solve
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.play.simulate import simulate
from holecard.blackjack.strategy.cell import Cell
from holecard.blackjack.strategy.named import named_strategy
from holecard.errors import HolecardError

REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "counting.json").read_text(encoding="utf-8"))
GAME = REFERENCE["games"]["6d_s17_ls"]
RULES = Rules.from_text("S17 value LS INS dealt cut=0.75")
CHART = named_strategy("basic", replace(RULES, insurance=False, shoe="fresh"))
FLAT = CountingStrategy(system=find_system("hi-lo"), chart=CHART)
I18 = replace(FLAT, departures=illustrious_18(RULES), insurance=3)


@pytest.fixture(scope="module")
def shoes():
    return play_shoes(I18, RULES, 2_000_000, seed=3)


@pytest.mark.parametrize(
    "text", ["S17 value LS INS dealt cut=0.75", "1d H17 value dealt cut=0.5", "2d 6:5 dealt cut=0.9"]
)
def test_flat_bets_by_the_chart_are_the_rounds_of_simulate(text):
    rules = Rules.from_text(text)
    chart = named_strategy("basic", replace(rules, insurance=False, shoe="fresh"))
    counted = play_shoes(replace(FLAT, chart=chart), rules, 300_000, seed=5)
    plain = simulate(chart, rules, 300_000, seed=5)
    played = counted.by_count.sum(axis=0)
    assert counted.rounds == plain.rounds
    chips = (played * np.round(counted.results * rules.unit).astype(np.int64)).sum()
    assert chips == round(plain.ev.mean * plain.rounds * rules.unit)
    assert chips / rules.unit / counted.rounds == plain.ev.mean
    assert played[counted.results > 0].sum() / counted.rounds == plain.win.mean


def test_any_number_of_threads_plays_the_same(shoes):
    again = play_shoes(I18, RULES, 2_000_000, seed=3, threads=1)
    assert np.array_equal(again.tally, shoes.tally)


def test_the_kernel_made_for_the_game_counts_what_any_games_counts(shoes, monkeypatch):
    monkeypatch.setattr(kernels, "WORTH_A_KERNEL", 1 << 40)
    assert kernels.counting_kernel(RULES.table(), 2_000_000) is kernels.play_counted
    assert np.array_equal(play_shoes(I18, RULES, 2_000_000, seed=3).tally, shoes.tally)


def test_counts_and_their_evs_are_those_of_the_reference(shoes):
    played = shoes.by_count
    for row in GAME["by_true_count"]["index"]:
        if row["count"].lstrip("-").isdigit() and row["share"]["value"] > 0.005:
            at = int(row["count"]) - LOWEST
            rounds = played[at].sum()
            mean = (played[at] * shoes.results).sum() / rounds
            error = (((played[at] * shoes.results**2).sum() / rounds - mean**2) / rounds) ** 0.5
            assert mean == pytest.approx(row["ev"]["value"], abs=4.5 * (error**2 + row["ev"]["se"] ** 2) ** 0.5)
            assert rounds / shoes.rounds == pytest.approx(row["share"]["value"], rel=0.08)


def test_a_ramp_wins_what_the_reference_wins(shoes):
    found = ramp(shoes, bets_by_count(parse_bets("0:1,1:2,2:4,3:6,4:8"), shoes.counts))
    expected = GAME["ramp"]["1-8"]["index"]
    assert found.ev.mean == pytest.approx(expected["ev_per_round"]["value"], abs=4 * found.ev.stderr)
    assert found.stdev.mean == pytest.approx(expected["sd_per_round"]["value"], abs=0.03)
    assert found.average_bet.mean == pytest.approx(expected["average_bet"]["value"], abs=0.02)
    assert found.score.mean == pytest.approx(found.di.mean**2) == pytest.approx(1e6 / found.n0.mean)


def test_the_best_bets_beat_others_of_their_spread(shoes):
    best = ramp(shoes, optimal_bets(shoes, 8.0))
    for bets in ("0:1,1:2,2:4,3:6,4:8", "0:1,1:8", "2:1,3:8", "0:1"):
        other = ramp(shoes, bets_by_count(parse_bets(bets), shoes.counts))
        assert best.score.mean > other.score.mean - 0.3 * best.score.stderr
    assert best.bets.min() == 1.0
    assert best.bets.max() == 8.0
    assert (np.diff(best.bets) >= 0).all()


def test_who_waits_plays_the_rounds_at_high_counts_only(shoes):
    seat = Seat(1 - LOWEST, -LOWEST)
    waiting = play_shoes(SeatedCounter(I18, seat), RULES, 2_000_000, seed=3)
    assert np.array_equal(waiting.tally.sum(axis=(0, 1)), shoes.tally.sum(axis=(0, 1)))
    assert waiting.by_count[:-LOWEST].sum() == 0
    assert 0 < waiting.by_count.sum() < waiting.rounds


def row(running, unseen, rounding=FLOOR, estimate=1):
    charts = np.zeros(HIGHEST - LOWEST + 1, np.int64)
    counting = Counting(np.zeros(13, np.int64), 1, 0, True, rounding, estimate, LOWEST, 99, charts)
    return row_of_count(running, unseen, counting) + LOWEST


def test_true_counts_are_rounded_as_asked():
    assert [row(-3, 104, how) for how in (FLOOR, TRUNCATE, ROUND_OFF)] == [-2, -1, -1]
    assert [row(3, 104, how) for how in (FLOOR, TRUNCATE, ROUND_OFF)] == [1, 1, 2]
    assert [row(6, 130, FLOOR, step) for step in (1, 26, 52)] == [2, 2, 2]
    assert [row(6, 120, FLOOR, step) for step in (1, 26, 52)] == [2, 2, 3]
    assert row(10, 5, FLOOR, 52) == 10
    assert row(10**6, 10) == HIGHEST


def test_departures_replace_cells_at_every_count():
    def letter(cell, count):
        return I18.chart_at(count)[Cell.parse(cell)].letter

    assert [letter("hard 15 v 10", count) for count in (-1, 0, 3, 4)] == ["H", "R", "R", "r"]
    assert [letter("hard 16 v 10", count) for count in (-1, 0)] == ["R", "r"]
    assert [letter("hard 14 v 10", count) for count in (2, 3)] == ["H", "R"]
    assert [letter("pair 77 v 10", count) for count in (2, 3)] == ["H", "R"]
    assert [letter("pair 55 v 10", count) for count in (3, 4)] == ["H", "D"]
    assert [letter("pair TT v 6", count) for count in (4, 5)] == ["S", "P"]
    assert [letter("hard 12 v 2", count) for count in (3, 4)] == ["H", "S"]
    assert [letter("hard 11 v A", count) for count in (0, 1)] == ["H", "D"]


def test_departures_are_read_as_they_are_written():
    text = departures_text(I18.departures, I18.insurance)
    assert parse_departures(text.splitlines()) == (I18.departures, 3)


@pytest.mark.parametrize(
    "line",
    ["hard 16 v 10: hit, stand", "hard 16 v 10 stand from 0", "insurance maybe", "hard 99 v 10: hit, stand from 1"],
)
def test_bad_departures_are_refused(line):
    with pytest.raises(HolecardError):
        parse_departures([line])


@pytest.mark.parametrize("text", ["8:1", "1:0", "x", "1:9999", "0:5"])
def test_bad_spreads_are_refused(text):
    with pytest.raises(HolecardError):
        parse_spread(text)


@pytest.mark.parametrize("text", ["0:1,2:4", "0:1,0:2", "0:x", "", "0:0", "0:99999"])
def test_bad_bets_are_refused(text):
    with pytest.raises(HolecardError):
        parse_bets(text)


def test_an_unbalanced_count_starts_below_zero():
    shoes = play_shoes(replace(FLAT, system=find_system("ko")), RULES, 20_000, seed=1)
    rounds = shoes.by_count.sum(axis=1)
    shoes_dealt = rounds[-20 - LOWEST]
    assert shoes_dealt >= 20_000 / 60  # the first round of every shoe begins at 4 − 4 · 6


def test_a_cut_behind_the_fifth_card_costs_what_it_must():
    """Exactly (k_c): a shoe's rounds lose 0.4544837 % together; with 0.1701218 there are two, since nobody drew."""
    rules = Rules.from_text("1d H17 NDAS 2-hands value dealt cut-card=5")
    chart = solve(replace(rules, shoe="fresh", cut=None)).strategy()
    played = simulate(chart, rules, 8_000_000, seed=1)
    assert abs(played.ev.z(-0.004544837 / 1.1701218)) < 4
    assert played.ev.mean < -0.002051 - 4 * played.ev.stderr


def test_a_cut_lies_in_the_shoe():
    assert Rules.from_text("1d dealt cut-card=51").cut == 51
    with pytest.raises(HolecardError, match="behind card 1 to 51"):
        Rules.from_text("1d dealt cut-card=52")
    with pytest.raises(HolecardError, match="1 to 416"):
        Rules(cut=0)
