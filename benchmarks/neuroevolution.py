"""Evolved poker players, validated and then timed: the network, torch beside it, the cards of a deck, a generation.

    PYTHONPATH=src python benchmarks/neuroevolution.py [--threads 2]

Targets: 1 µs a decision on one core, 0.6 s for a generation of 200,000 hands on two. CPU seconds are what the process
spent, seconds what the clock says; on a shared machine the first are the fairer measure.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import replace
from typing import Any

import numpy as np
from results import record

from holecard._jit import fused_kernel
from holecard.holdem.arena.deck_sets import Dealing, deck_chances, deck_equities
from holecard.holdem.arena.earnings import earnings_of
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.game.view import VIEW
from holecard.holdem.players.lstm import MEMORY, ChipsSeen, features, forget_session, pack, think
from holecard.holdem.players.lstm_reference import ReferenceNetwork
from holecard.holdem.players.network import Layout
from holecard.holdem.players.presets import preset_named
from holecard.holdem.players.rule_players import RULE_PLAYERS
from holecard.studies.neuroevolution_config import NeuroevolutionConfig

DECISIONS = 400_000


@fused_kernel
def answers(networks: Any, memories: Any, views: Any, outputs: Any, decisions: int) -> None:
    forget_session(networks[0], memories[0])
    for at in range(decisions):
        outputs[at % views.shape[0]] = think(networks[0], memories[0], views[at % views.shape[0]])


def random_views(decisions_a_hand: int) -> np.ndarray:
    rng = np.random.default_rng(1)
    views = np.zeros(1024, VIEW)
    views["buy_in"] = 1000
    views["street"] = rng.integers(0, 4, 1024)
    views["equity"] = rng.random(1024)
    views["paid"], views["other_paid"] = rng.integers(0, 1000, 1024), rng.integers(0, 1000, 1024)
    views["to_call"] = rng.integers(0, 500, 1024)
    views["pot"] = views["paid"] + views["other_paid"] + 1
    views["hand_number"] = np.arange(1024) // decisions_a_hand
    return views


def genome_of(layout: Layout) -> np.ndarray:
    return (0.5 * np.random.default_rng(1).standard_normal(layout.genes)).astype(np.float32)


def largest_error(layout: Layout, views: np.ndarray, outputs: np.ndarray) -> float:
    network, x, hand, worst = ReferenceNetwork(genome_of(layout), layout), np.zeros(8, np.float32), -1, 0.0
    for view, output in zip(views, outputs, strict=True):
        if view["hand_number"] != hand:
            network.new_hand()
            hand = view["hand_number"]
        features(view, x, ChipsSeen.BUY_INS)
        worst = max(worst, abs(network.output(x.astype(float)) - output))
    return worst


def network_speed(preset: str) -> None:
    layout = preset_named(preset).layout
    networks, memories, outputs = pack(genome_of(layout)[None], layout), np.zeros(1, MEMORY), np.zeros(1024)
    for decisions_a_hand in (1, 2, 4):
        views = random_views(decisions_a_hand)
        answers(networks, memories, views, outputs, 1024)
        error = largest_error(layout, views, outputs)
        assert error < 1e-5, f"off by {error}"
        times = []
        for _ in range(7):
            start = time.process_time()
            answers(networks, memories, views, outputs, DECISIONS)
            times.append(time.process_time() - start)
        record(f"{preset} network, {decisions_a_hand} decisions a hand", 1e6 * min(times) / DECISIONS, "µs")
        print(
            f"{preset:<10} {decisions_a_hand} decisions a hand  {1e6 * min(times) / DECISIONS:6.3f} µs a decision"
            f"  target 1 µs  error {error:.1e}"
        )


def torch_speed() -> None:
    """The pokernet step batched over 50 players, as a tensor library would play a population."""
    try:
        import torch
    except ImportError:
        print("torch is not installed: nothing to stand beside")
        return
    torch.set_num_threads(1)
    players, x = 50, torch.rand(50, 8)
    game, opponent = torch.nn.LSTMCell(8, 50), torch.nn.LSTMCell(8, 10)
    hidden, out = torch.nn.Linear(60, 32), torch.nn.Linear(32, 1)
    own, other = (torch.zeros(players, 50),) * 2, (torch.zeros(players, 10),) * 2
    with torch.no_grad():
        start = time.process_time()
        for _ in range(2000):
            own, other = game(x, own), opponent(x, other)
            torch.tanh(out(torch.tanh(hidden(torch.cat([own[0], other[0]], 1)))))
        seconds = time.process_time() - start
    record("torch's own, batched over 50 tables", 1e6 * seconds / 2000 / players, "µs")
    print(f"torch, one net batched over {players} tables  {1e6 * seconds / 2000 / players:6.3f} µs a decision")


def deck_speed() -> None:
    """What a deck set costs before anybody plays it, per hand."""
    for label, find in (("equities of both seats", deck_equities), ("chances, for the luck", deck_chances)):
        find(seed=1, number=0, hands=500)
        start = time.process_time()
        for number in range(8):
            find(seed=1, number=number, hands=500)
        each = 1e6 * (time.process_time() - start) / (8 * 500)
        record(f"{label}, a hand on all four streets", each, "µs")
        print(f"{label}, a hand on all four streets  {each:6.2f} µs")


def generation_speed(preset: str, rules: HoldemRules, threads: int, label: str) -> None:
    config = NeuroevolutionConfig.preset(preset)
    population = config.new_engine().first(np.random.default_rng(1))
    players = [RULE_PLAYERS[name] for name in config.opponents]
    best, cpu, hands = np.inf, 0.0, 0
    for round_ in range(4):
        start, spent = time.perf_counter(), time.process_time()
        hands = earnings_of(population, config.layout, players, rules, Dealing(seed=round_), threads=threads).hands
        seconds, spent = time.perf_counter() - start, time.process_time() - spent
        if seconds < best:
            best, cpu = seconds, spent
    whole = hands == 200_000 and preset == "card"
    record(f"{label}, {hands:,} hands", cpu, "CPU s", *(("C++ original", 86.0) if whole else ()), quoted=True)
    print(f"{label:<42}{hands:>8,} hands in {best:6.3f} s, {cpu:6.3f} CPU s  target 0.6 s  C++ original 86 CPU s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=2)
    threads = parser.parse_args().threads
    for preset in ("pokernet", "paper"):
        network_speed(preset)
    torch_speed()
    deck_speed()
    pokernet = preset_named("pokernet").rules
    generation_speed("card", pokernet, threads, "pokernet generation")
    unbroken = replace(preset_named("pokernet").rules, carried=False)
    generation_speed("card", unbroken, threads, "pokernet generation, nobody busts")
    generation_speed("paper", preset_named("paper").rules, threads, "paper generation")


if __name__ == "__main__":
    main()
