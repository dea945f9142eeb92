"""Both games of the reference: shares of counts, EVs, deviations, ramps, by the chart and by the index plays."""

import json
import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from holecard.blackjack.counting.bets import bets_by_count
from holecard.blackjack.counting.ramp import optimal_bets, ramp
from holecard.blackjack.counting.shoes import play_shoes
from holecard.blackjack.counting.strategy import LOWEST, CountingStrategy, illustrious_18
from holecard.blackjack.counting.system import find_system
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.strategy.charts import read_chart

REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "counting.json").read_text(encoding="utf-8"))
GAMES = {
    "6d_s17_ls": "S17 value LS INS dealt cut-card=234",
    "2d_h17": "2d value INS dealt cut-card=68",
}
"""The reference begins a round while fewer than 75 % and 65 % of the cards are out."""
RAMPS = {"1-8": 8.0, "1-12": 12.0}
SHORT, LONG = 1_500_000, 100_000_000


@pytest.fixture(scope="module", params=[(game, play) for game in GAMES for play in ("basic", "index")])
def played(request):
    game, play = request.param
    return REFERENCE["games"][game], play, _shoes(game, play, SHORT)


def _shoes(game, play, rounds):
    rules = Rules.from_text(GAMES[game])
    chart = read_chart(REFERENCE["games"][game]["chart"])
    player = CountingStrategy(system=find_system(REFERENCE["games"][game]["counting_system"]), chart=chart)
    if play == "index":
        player = replace(player, departures=illustrious_18(rules), insurance=3)
    return play_shoes(player, rules, rounds, seed=21)


def _agrees(ours, error, theirs, sigmas=4.0):
    assert abs(ours - theirs["value"]) <= sigmas * math.hypot(error, theirs["se"]), (ours, error, theirs)


def _check_rows(game, play, shoes):
    """Counts in the reference's rows: share, EV and variance of a unit."""
    tables = shoes.by_count.astype(np.float64)
    for row in game["by_true_count"][play]:
        text = row["count"]
        if not text.lstrip("-").isdigit() or row["share"]["value"] * shoes.rounds < 3000:
            continue
        table = tables[int(text) - LOWEST]
        n = table.sum()
        mean = (table @ shoes.results) / n
        variance = (table @ shoes.results**2) / n - mean**2
        fourth = (table @ (shoes.results - mean) ** 4) / n
        _agrees(mean, math.sqrt(variance / n), row["ev"], 4.5)
        _agrees(variance, math.sqrt((fourth - variance**2) / n), row["variance"], 4.5)
        share = n / shoes.rounds  # rounds of a shoe hang together: their counts are those of fewer rounds
        _agrees(share, 3 * math.sqrt(share / shoes.rounds), row["share"])


def _check_ramps(game, play, shoes):
    flat, expected = ramp(shoes, np.ones(len(shoes.counts))), game["flat_bet"][play]
    _agrees(flat.ev.mean, flat.ev.stderr, expected["ev"])
    _agrees(flat.stdev.mean, flat.stdev.stderr, expected["sd"])
    for name, highest in RAMPS.items():
        found = ramp(shoes, bets_by_count({0: 1, 1: 2, 2: 4, 3: 6, 4: 8, 5: highest}, shoes.counts))
        expected = game["ramp"][name][play]
        measures = {"ev_per_round": found.ev, "sd_per_round": found.stdev, "average_bet": found.average_bet}
        measures |= {"di": found.di, "score": found.score}
        for key, estimate in measures.items():
            _agrees(estimate.mean, estimate.stderr, expected[key])
        assert found.score.mean == pytest.approx(found.di.mean**2) == pytest.approx(1e6 / found.n0.mean)
        best, there = ramp(shoes, optimal_bets(shoes, highest)), game["optimal"][name][play]
        _agrees(best.score.mean, best.score.stderr, there["score"])


def test_every_count_comes_as_often_and_wins_as_much(played):
    _check_rows(*played)


def test_flat_bets_and_ramps_win_what_the_reference_wins(played):
    _check_ramps(*played)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("play", ["basic", "index"])
def test_both_games_over_many_rounds(game, play):
    shoes = _shoes(game, play, LONG)
    _check_rows(REFERENCE["games"][game], play, shoes)
    _check_ramps(REFERENCE["games"][game], play, shoes)
