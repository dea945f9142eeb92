"""How fast agents think and how well they play: `python benchmarks/agents.py [--table]`.

Without options: speeds, after a check that the batch plays what single decisions play. With `--table`: the table of
docs/agents.md, every agent on the same 100,000 fresh rounds of the casino game (some minutes).
"""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from results import record

from holecard import Game, Rules
from holecard.blackjack.arena.evaluation import difference, evaluate
from holecard.blackjack.exact import solve
from holecard.blackjack.game.session_batch import SessionBatch
from holecard.blackjack.game.session_terms import SessionTerms
from holecard.blackjack.players.dnn import DnnAgent
from holecard.blackjack.players.mcts import MctsAgent
from holecard.blackjack.players.options import AgentOptions
from holecard.blackjack.players.registry import make_agent
from holecard.studies import demonstrations, imitation
from holecard.studies.imitation_config import DemonstrationConfig, ImitationConfig

ORIGINAL_MCTS = 0.83e-3
"""Seconds a decision of the agents' original at 200 simulations."""
CASINO = Rules()
DEALT = replace(CASINO, shoe="dealt")


def mcts_seconds(decisions: int = 3000) -> float:
    """CPU seconds a decision at 200 simulations, view and reason included."""
    game, agent = Game(CASINO, seed=1), MctsAgent(CASINO)
    game.play_session(agent.act, 20)
    start, done = time.process_time(), 0
    while done < decisions:
        done += game.play_session(agent.act, 50).decisions
    return (time.process_time() - start) / done


def dnn_rate(n: int = 4096) -> float:
    """Decisions per second of CPU time of a batch on one thread, encoding included."""
    agent, batch = DnnAgent.load(CASINO), SessionBatch(SessionTerms(rules=DEALT), 0, n)
    rounds = np.ones(n, np.int64)
    agent.act_batch(batch.states, rounds)
    start = time.process_time()
    for _ in range(10):
        agent.act_batch(batch.states, rounds)
    return 10 * n / (time.process_time() - start)


def speeds() -> None:
    sessions = SessionTerms(rules=DEALT, rounds=20, seed=3)
    one_by_one = [sessions.game(number).play_session(make_agent("dnn", DEALT).act, 20).net for number in range(10)]
    assert (evaluate("dnn", sessions, 10).sessions["net"] / DEALT.unit).tolist() == one_by_one
    print("validated: the batch plays what single decisions play\n")
    seconds = mcts_seconds()
    print(f"mcts, 200 simulations     {seconds * 1e6:10.1f} µs a decision, {ORIGINAL_MCTS / seconds:.0f}× the original")
    record(
        "mcts decision, 200 simulations", 1e6 * seconds, "µs", "the agents' original", 1e6 * ORIGINAL_MCTS, quoted=True
    )
    dnn = dnn_rate()
    print(f"dnn, batch                {dnn:10,.0f} decisions/s on one core")
    record("network decisions in a batch", dnn, "/s")
    if "--quick" in sys.argv:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "dataset.jsonl")
        asked = DemonstrationConfig(rules=sessions.rules, seed=sessions.seed)
        demonstrations.run(replace(asked, games=10), path)
        start = time.perf_counter()
        decisions = demonstrations.run(asked, path, overwrite=True).decisions
        print(f"dataset, 5,000 games      {time.perf_counter() - start:10.1f} s, {decisions:,} decisions")
        wall, cpu = time.perf_counter(), time.process_time()
        data = demonstrations.read_dataset(path)
        result = imitation.run(ImitationConfig(epochs=5), Path(folder, "model.pt"), data)
        epochs = len(result.history)
        print(
            f"training on it            {(time.perf_counter() - wall) / epochs:10.1f} s an epoch, "
            f"{(time.process_time() - cpu) / epochs:.1f} s of CPU"
        )


def table(games: int = 1000, rounds: int = 100) -> None:
    sessions = SessionTerms(rules=CASINO, rounds=rounds, seed=2026)
    basic = evaluate("heuristic", sessions, games)
    assert basic.exact_ev is not None
    print(f"| agent | EV per initial bet | ± s.e. | − basic, paired 95 % | win rate |\n|{'---|' * 5}")
    rows = [(name, name, AgentOptions()) for name in ("random", "aggressive", "heuristic", "dnn")]
    rows += [(f"mcts, {n:,} simulations", "mcts", AgentOptions(simulations=n)) for n in (200, 1000)]
    for title, name, options in [*rows, ("exact", "exact", AgentOptions())]:
        result = evaluate(name, sessions, games, options=options)
        paired = difference(result, basic)
        ev = result.exact_ev if result.exact_ev is not None else basic.exact_ev + paired.interval.value
        error = "exact" if result.exact_ev is not None else f"{paired.stderr:.4f}"
        reach = f"{paired.interval.low:+.4f} … {paired.interval.high:+.4f}"
        print(f"| {title} | {ev:+.4f} | {error} | {reach} | {result.win_rate.value:.4f} |", flush=True)
    print(f"| the optimum | {solve(CASINO).ev:+.4f} | exact | | |")


if __name__ == "__main__":
    table() if "--table" in sys.argv else speeds()
