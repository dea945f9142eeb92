"""Agents over sessions: the same shoes for all, the same result on any number of threads, nobody above the optimum."""

from dataclasses import replace

import numpy as np
import pytest

from holecard.blackjack.arena.evaluation import _play_game, difference, evaluate
from holecard.blackjack.exact import solve
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.session_terms import SessionTerms
from holecard.blackjack.players.options import AgentOptions
from holecard.blackjack.players.registry import make_agent
from holecard.errors import HolecardError

DEALT = replace(Rules(), shoe="dealt")


@pytest.mark.parametrize("name", ["basic", "aggressive", "mimic-dealer"])
@pytest.mark.parametrize("bankroll", [float("inf"), 30.0])
def test_a_batch_plays_what_a_game_plays(name, bankroll):
    sessions = SessionTerms(rules=DEALT, rounds=60, seed=4, bankroll=bankroll)
    agent = make_agent(name, DEALT)
    one_by_one = np.concatenate([_play_game(agent, sessions, number)[0] for number in range(12)])
    assert (one_by_one == evaluate(name, sessions, 12).sessions).all()


@pytest.mark.parametrize("name", ["random", "mcts"])
def test_threads_change_nothing(name):
    sessions = SessionTerms(rules=DEALT, rounds=10, seed=1)
    results = [evaluate(name, sessions, 7, threads=threads).sessions for threads in (1, 3)]
    assert (results[0] == results[1]).all()


def test_the_payout_agrees_with_the_exact_ev():
    found = evaluate("aggressive", SessionTerms(rules=Rules(), rounds=100, seed=2), 4000)
    interval = found.payout_per_round
    stderr = (interval.high - interval.low) / 2 / 1.96
    assert abs(interval.value - found.exact_ev) < 4 * stderr
    assert found.rounds == 400_000


def test_the_seeds_order_by_paired_intervals():
    sessions = SessionTerms(rules=DEALT, rounds=100, seed=3)
    basic, aggressive, random = (evaluate(name, sessions, 2000) for name in ("heuristic", "aggressive", "random"))
    assert difference(basic, aggressive).interval.low > 0
    assert difference(aggressive, random).interval.low > 0.3


def test_pairing_tightens_the_difference():
    """On the hit-or-stand game; doubles and splits, which only one of the two makes, are no luck and stay."""
    sessions = SessionTerms(rules=Rules.preset("classic"), rounds=10, seed=1)
    basic, mimic = (evaluate(name, sessions, 20_000).payouts for name in ("basic", "mimic-dealer"))
    assert basic.var() + mimic.var() > 5 * (basic - mimic).var()


def test_search_is_better_than_the_bar_and_never_above_the_optimum():
    """Paired with basic, whose EV is exact: the difference has far less luck in it than the result itself."""
    sessions = SessionTerms(rules=Rules(), rounds=50, seed=5)
    search, basic = (evaluate(name, sessions, 120) for name in ("mcts", "basic"))
    paired = difference(search, basic)
    ev = basic.exact_ev + paired.interval.value
    assert ev > -0.06 - 3 * paired.stderr
    assert ev < solve(Rules()).ev + 3 * paired.stderr


def test_exact_plays_no_worse_than_basic_and_no_better_than_the_optimum():
    sessions = SessionTerms(rules=Rules(), rounds=25, seed=6)
    best, basic = (evaluate(name, sessions, 40) for name in ("exact", "basic"))
    paired = difference(best, basic)
    assert basic.exact_ev + paired.interval.value < solve(Rules()).ev + 3 * max(paired.stderr, 1e-3)
    assert paired.interval.value > -3 * max(paired.stderr, 1e-3)


def test_more_thought_is_better():
    sessions = SessionTerms(rules=Rules(), rounds=50, seed=7)
    hasty, patient = (
        evaluate("mcts", sessions, 60, options=AgentOptions(simulations=n, determinizations=5)) for n in (10, 500)
    )
    assert difference(patient, hasty).interval.low > 0


def test_refusals():
    with pytest.raises(HolecardError, match="games must be 1 to"):
        evaluate("basic", SessionTerms(rules=Rules()), 0)
    with pytest.raises(HolecardError, match="bankroll must pay"):
        SessionTerms(rules=Rules(), bankroll=3, bet=5)
