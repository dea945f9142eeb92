"""The seam of all parallel work: any standard executor, jobs that travel as values, the same bits in any share."""

import os
import pickle
import signal
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import get_context

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holecard.blackjack.arena.evaluation import evaluate
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.session_terms import SessionTerms
from holecard.blackjack.play import simulate as simulating
from holecard.blackjack.strategy.named import named_strategy
from holecard.executor import in_order, job_size, width_of
from holecard.holdem.arena import earnings
from holecard.holdem.arena.deck_sets import Dealing
from holecard.holdem.arena.duel import duel
from holecard.holdem.players.named import player_named
from holecard.holdem.players.rule_players import RULE_PLAYERS
from holecard.studies import genetic, programs
from holecard.studies.genetic_config import GeneticConfig
from holecard.studies.neuroevolution_config import NeuroevolutionConfig
from holecard.studies.programs_config import ProgramConfig


class Travelling(ThreadPoolExecutor):
    """Threads to which work and results travel as bytes, as they would to another machine."""

    def __init__(self, width):
        super().__init__(2)
        self.width = width
        self.bytes = []

    def submit(self, fn, /, *args, **kwargs):
        message = pickle.dumps((fn, args, kwargs))
        self.bytes.append(len(message))
        return super().submit(_unpacked, message)


def _unpacked(message):
    fn, args, kwargs = pickle.loads(message)
    return pickle.loads(pickle.dumps(fn(*args, **kwargs)))


@given(total=st.integers(1, 10**6), least=st.integers(1, 10**4), width=st.integers(1, 64))
def test_jobs_are_of_a_good_size(total, least, width):
    executor = Travelling(width)
    size = job_size(total, least, executor)
    jobs = -(-total // size)
    executor.shutdown()
    assert 1 <= size <= total
    assert size <= 4 * least
    assert jobs == 1 or size > least / 2 or least == 1
    if total >= width * 4 * least:
        assert jobs >= width


def test_width_of_standard_pools():
    with ThreadPoolExecutor(3) as pool:
        assert width_of(pool) == 3
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert width_of(pool) == 2


def test_a_single_job_is_done_here():
    executor = Travelling(4)
    assert list(in_order(str, [7], executor=executor)) == ["7"]
    assert list(in_order(str, [], executor=executor)) == []
    assert executor.bytes == []
    assert list(in_order(abs, range(-20, 0), executor=executor)) == list(range(20, 0, -1))
    assert len(executor.bytes) == 20


@pytest.mark.parametrize("width", [1, 2, 5])
def test_blackjack_travels_as_seeds_and_tables(width, monkeypatch):
    monkeypatch.setattr(simulating, "CHUNK", 1 << 14)
    rules, executor = Rules(), Travelling(width)
    basic, mimic = named_strategy("basic", rules), named_strategy("mimic-dealer", rules)
    n = 300_000
    for changes in ({}, {"bankroll": 50, "trip": 100}):
        there, here = (simulating.simulate(basic, rules, n, executor=way, **changes) for way in (executor, None))
        assert (there.ev, there.ruin, there.rounds) == (here.ev, here.ruin, here.rounds)
    dealt = Rules(shoe="dealt")
    assert simulating.simulate(basic, dealt, n, executor=executor).ev == simulating.simulate(basic, dealt, n).ev
    assert simulating.compare(basic, mimic, rules, n, executor=executor) == simulating.compare(basic, mimic, rules, n)
    nets = simulating.round_results(basic, rules, n, seed=3, first=7, executor=executor)
    assert np.array_equal(nets, simulating.round_results(basic, rules, n, seed=3, first=7))
    many = np.stack([basic.plays(), mimic.plays()] * 20)
    for own in (False, True):
        there = simulating.simulate_many(many, rules, 5000, own_cards=own, executor=executor)
        assert np.array_equal(there, simulating.simulate_many(many, rules, 5000, own_cards=own))
    assert max(executor.bytes) < 400_000, "a chart is 8 kB, a seed nothing; no cards"
    executor.shutdown()


@pytest.mark.parametrize("width", [1, 2, 5])
@pytest.mark.parametrize("agent", ["heuristic", "random", "mcts"])
def test_sessions_travel_as_names_and_numbers(agent, width):
    executor, games = Travelling(width), 3 if agent == "mcts" else 1500
    terms = SessionTerms(rules=Rules(shoe="dealt"), rounds=4 if agent == "mcts" else 300, seed=9)
    there = evaluate(agent, terms, games, executor=executor)
    assert np.array_equal(there.sessions, evaluate(agent, terms, games).sessions)
    assert max(executor.bytes, default=0) < 3000
    executor.shutdown()


@pytest.mark.parametrize("width", [1, 2, 5])
def test_fitness_is_the_same_in_any_share(width, monkeypatch):
    executor, rng = Travelling(width), np.random.default_rng(1)
    monkeypatch.setattr(genetic, "_PARTS", 1)
    study = GeneticConfig.preset("exact", Rules.preset("classic"), population=300)
    genomes = rng.integers(0, 2, (300, 260)).astype(np.uint8)
    there, here = (genetic.GeneticFitness(study, 2, way)(genomes, 1) for way in (executor, None))
    assert np.array_equal(there, here)
    assert executor.bytes
    for fitness in ("exact", "sampled"):
        monkeypatch.setattr(programs, "_EXACT_ROWS", 16)
        monkeypatch.setattr(programs, "_SAMPLED_ROWS", 16)
        monkeypatch.setattr(programs, "CHUNK", 1)
        gp = ProgramConfig(rules=Rules.preset("votes"), fitness=fitness, population=80, hands=200)
        populations = {name: programs._evolution(gp, at).ask() for at, name in enumerate(programs.VALUES)}
        there, here = (programs.ProgramFitness(gp, 2, way)(populations, 1) for way in (executor, None))
        assert all(np.array_equal(there[name], here[name], equal_nan=True) for name in populations)
    executor.shutdown()


@pytest.mark.parametrize("decks", ["shared", "fresh"])
def test_poker_travels_as_genomes_and_seeds(decks, monkeypatch):
    monkeypatch.setattr(earnings, "_JOB_SECONDS", 0.0)
    monkeypatch.setattr(earnings, "_SECONDS_PER_BYTE", 0.0)
    config = NeuroevolutionConfig(hands=40)
    weights = np.random.default_rng(1).normal(0, 0.5, (7, config.layout.genes)).astype(np.float32)
    weights[3, 5] = np.nan
    opponents = [RULE_PLAYERS[name] for name in config.opponents]
    dealing = Dealing(seed=3, deck_sets=2, decks=decks)
    here = earnings.earnings_of(weights, config.layout, opponents, config.rules, dealing)
    for width in (1, 2, 5):
        executor = Travelling(width)
        there = earnings.earnings_of(weights, config.layout, opponents, config.rules, dealing, executor=executor)
        assert np.array_equal(there.buy_ins, here.buy_ins, equal_nan=True)
        for name in ("won", "lost", "tallies"):
            assert np.array_equal(getattr(there, name), getattr(here, name))
        assert max(executor.bytes) < 5 * 4 * config.layout.genes
        executor.shutdown()


def test_a_process_pool_will_do():
    rules = Rules.preset("classic")
    table = named_strategy("mimic-dealer", rules)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        there = simulating.simulate(table, rules, 5_000_000, seed=2, executor=pool)
    assert there.ev == simulating.simulate(table, rules, 5_000_000, seed=2).ev


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signals to send")
def test_work_inside_work_that_is_left_ends_too():
    """Ctrl-C leaves a loop on the main thread; a loop inside one of its jobs hears of it between two of its own."""
    begun = []

    def inner(number):
        begun.append(number)
        time.sleep(0.01)
        return number

    def outer(number):
        return sum(in_order(inner, range(10**9), threads=number % 2 + 1))

    results = in_order(outer, range(4), threads=2)

    def stop(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, stop)
    timer = threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT])
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            list(results)
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
    so_far = len(begun)
    time.sleep(0.1)
    assert len(begun) == so_far > 1


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="needs an alarm, to fail rather than to wait forever")
def test_an_interrupt_just_as_a_lock_is_taken_locks_nobody_out(monkeypatch):
    """`Condition` takes its lock in Python, which may raise an interrupt before anybody is there to give it back."""
    enter, main, entered, comes_at = threading.Condition.__enter__, threading.get_ident(), 0, 0

    def interrupted(condition):
        nonlocal entered
        taken = enter(condition)
        if threading.get_ident() == main:
            entered += 1
            if entered == comes_at:
                raise KeyboardInterrupt
        return taken

    def give_up(*_):
        raise TimeoutError("whoever was interrupted waits for threads that wait for a lock")

    monkeypatch.setattr(threading.Condition, "__enter__", interrupted)
    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(30)
    try:
        while entered >= comes_at:
            entered, comes_at = 0, comes_at + 1
            with suppress(KeyboardInterrupt):
                assert list(in_order(abs, range(-9, 0), threads=3)) == list(range(9, 0, -1))
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    assert comes_at <= 4, "nothing but the start of a thread takes such a lock"


def test_a_duel_is_the_same_anywhere_and_tells_how_far_it_is():
    players, told = [player_named(name) for name in ("call", "smart")], []
    here = duel(*players, hands=3001, seed=5, threads=1, progress=told.append)
    executor = Travelling(2)
    there = duel(*players, hands=3001, seed=5, executor=executor)
    executor.shutdown()
    assert executor.bytes
    assert (here.net == there.net).all()
    assert (here.adjusted == there.adjusted).all()
    assert told[-1] == 3001
    assert told == sorted(told)
