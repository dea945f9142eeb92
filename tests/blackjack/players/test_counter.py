"""The counter: what the fused kernel plays on the same shoes, decision by decision, table by table."""

from dataclasses import replace

import numpy as np
import pytest

from holecard.blackjack.arena.evaluation import evaluate
from holecard.blackjack.arena.watched import WatchedTable, play_ahead, seated_agent
from holecard.blackjack.counting.ramp import ramp
from holecard.blackjack.counting.shoes import play_shoes
from holecard.blackjack.counting.strategy import LOWEST
from holecard.blackjack.counting.text import counter_text
from holecard.blackjack.game.game import Game
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.session_batch import SessionBatch
from holecard.blackjack.game.session_terms import SessionTerms, session_seed
from holecard.blackjack.players.counter import CounterAgent, counter_of
from holecard.blackjack.players.finding import find_strategy
from holecard.blackjack.players.protocol import BatchBettingAgent, BettingAgent
from holecard.blackjack.players.registry import make_agent
from holecard.errors import SettingError

RULES = Rules.from_text("2d S17 value LS INS dealt cut=0.75")


@pytest.mark.parametrize(
    ("rules", "count"),
    [
        *((RULES, count) for count in ("hi-lo", "ko", "zen")),
        (Rules.from_text("1d H17 INS dealt cut-card=50"), "halves"),
    ],
)
def test_a_counter_at_a_table_plays_the_rounds_of_the_kernel(rules, count):
    counter, rounds, seed = counter_of(count, rules), 1500, 11
    assert len(counter.departures) >= 17
    agent, game = CounterAgent(counter, rules), Game(rules, seed=seed)
    shoes = play_shoes(counter, rules, rounds, seed=seed)
    tally = np.zeros_like(shoes.by_count)
    for _ in range(rounds):
        _, before = agent.count(game.table_view().seen, game.table_view().cards_left)
        bets = agent.bet(game.table_view())
        net = game.play(agent.act, lambda table, bets=bets: bets)
        tally[before - LOWEST, round((net / bets + shoes.results[-1]) * rules.unit)] += 1
    assert np.array_equal(tally, shoes.by_count)


def test_many_tables_bet_and_play_as_one_does():
    terms = SessionTerms(rules=RULES, rounds=400, seed=5)
    agent = make_agent("counter", RULES)
    assert isinstance(agent, BettingAgent)
    assert isinstance(agent, BatchBettingAgent)
    evaluation = evaluate("counter:hi-lo", terms, 3, threads=1)
    for number in range(3):
        session = terms.game(number).play_session(agent.act, 400, bet=agent.bet)
        assert evaluation.sessions[number]["net"] / RULES.unit == session.net
        assert evaluation.sessions[number]["staked"] == session.staked
    weighed = ramp(play_shoes(agent.counter, RULES, 400, seed=session_seed(5, 1)), agent.counter.bets_by_row())
    assert evaluation.sessions[1]["net"] / RULES.unit / 400 == pytest.approx(weighed.ev.mean)
    assert evaluation.sessions[1]["staked"] / 400 == pytest.approx(weighed.average_bet.mean)
    assert evaluation.average_bet > 1.1


def test_a_counter_is_watched_with_its_count_as_the_reason():
    terms = SessionTerms(rules=RULES, rounds=16, seed=5, bankroll=500, bet=5)
    table = WatchedTable(terms, "counter")
    rounds = list(play_ahead(seated_agent("counter", terms), table))
    assert len({each.bets for each in rounds}) > 1
    assert all(each.decisions[0].reason.startswith("running ") for each in rounds if each.decisions)
    money = 500.0
    for each in rounds:
        money += each.net
        assert each.bankroll == money


def test_bets_of_known_counts_rise_with_their_count():
    six = Rules.from_text("6d S17 value LS INS dealt cut=0.75")
    assert dict(counter_of("hi-lo", six).bets) == {0: 1, 1: 2, 2: 4, 3: 6, 4: 8}
    for count in ("hi-lo", "ko", "zen", "ace-five"):
        bets = [units for _, units in counter_of(count, six).bets]
        assert bets[0] == 1
        assert bets == sorted(bets)
        assert bets[-1] > 1


def test_a_file_is_found_wherever_strategies_are(tmp_path):
    path = tmp_path / "mine.txt"
    counter = replace(counter_of("zen", RULES), bets=((0, 1.0), (1, 3.0)))
    path.write_text(counter_text(counter))
    assert np.array_equal(find_strategy(str(path), RULES).cells, counter.chart.cells)
    for name in (str(path), f"counter:{path}"):
        agent = make_agent(name, RULES)
        assert agent.counter.bets == ((0, 1.0), (1, 3.0))
        assert agent.counter.system.name == "Zen"
    with pytest.raises(SettingError, match="hi-low"):
        make_agent("counter:hi-low", RULES)


def test_a_session_without_money_for_insurance_declines():
    terms = SessionTerms(rules=RULES, rounds=300, seed=1, bankroll=3)
    batch = SessionBatch(terms, 0, 20, asks_bets=True)
    agent = make_agent("counter", RULES)
    while batch.playing.any() or batch.betting.any():
        if batch.betting.any():
            batch.bet(agent.bet_batch(batch.table_views()))
        actions = np.zeros(20, np.int64)
        due = np.flatnonzero(batch.playing)
        actions[due] = agent.act_batch(batch.states[due], batch.results["rounds"][due] + 1)
        batch.step(actions)
    assert (batch.results["net"] >= -3 * RULES.unit).all()
