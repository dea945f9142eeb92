"""Checks that run where numba plays a GPU in plain Python: `python -m tests.simulated_gpu '[["fresh", "casino"]]'`.

A process is either simulated or not, so the tests start this one with NUMBA_ENABLE_CUDASIM=1.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np


def run_simulated(check: str, *arguments: str) -> Any:
    """The answer of a check, from a process in which numba simulates the GPU."""
    return run_all_simulated([(check, *arguments)])[check, *arguments]


def run_all_simulated(checks: Sequence[tuple[str, ...]]) -> dict[tuple[str, ...], Any]:
    """The answers of checks, each with its arguments, from one process: half of a small check is its start."""
    root = Path(__file__).parents[1]
    environment = os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "PYTHONPATH": f"{root / 'src'}{os.pathsep}{root}"}
    done = subprocess.run(
        [sys.executable, "-m", "tests.simulated_gpu", json.dumps(checks)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return dict(zip(checks, json.loads(done.stdout), strict=True))


def fresh(text: str, deck: str | None = None) -> Any:
    """Tallies of two strategies, on the same rounds and on their own, by the processor and by the GPU."""
    from holecard.blackjack.game.rules import Rules
    from holecard.blackjack.game.shoe import Composition
    from holecard.blackjack.play.gpu import FreshRounds
    from holecard.blackjack.play.simulate import simulate, simulate_many
    from holecard.blackjack.strategy.named import named_strategy

    rules = Rules.from_text(text)
    strategies = [named_strategy(name, rules) for name in ("mimic-dealer", "random")]
    if deck:
        counted = [
            simulate(strategies[1], rules, 40, deck=Composition.from_text(deck), device=d) for d in ("cpu", "cuda")
        ]
        return [[each.ev.mean, each.win.mean, each.push.mean, each.natural.mean, each.bust.mean] for each in counted]
    many = np.stack([strategy.plays() for strategy in strategies])
    cpu = [simulate_many(many, rules, 30, seed=7, own_cards=own, threads=1, device="cpu") for own in (False, True)]
    gpu = [simulate_many(many, rules, 30, seed=7, own_cards=own, device="cuda") for own in (False, True)]
    pieces = FreshRounds(many, rules, Composition.of_rules(rules), 7)
    gpu.append(pieces.play(0, 11) + pieces.play(11, 19))
    return [np.stack([*cpu, cpu[0]]).tolist(), np.stack(gpu).tolist()]


def linked(text: str, bankroll: str) -> Any:
    """A dealt shoe (no bankroll) or trips, by the processor and by the GPU in small blocks."""
    from holecard.blackjack.game.rules import Rules
    from holecard.blackjack.play import simulate as module
    from holecard.blackjack.strategy.named import named_strategy

    module.CHUNK = module.GPU_CHUNK = 200
    rules, purse = Rules.from_text(text), float(bankroll) or None
    mimic = named_strategy("mimic-dealer", rules)
    both = [module.simulate(mimic, rules, 60, seed=4, bankroll=purse, trip=15, device=d) for d in ("cpu", "cuda")]
    return [[each.rounds, each.ev.mean, each.stdev.mean, each.ruin and each.ruin.mean] for each in both]


def counted(text: str, system: str, rounds: str) -> Any:
    """Dealt shoes by a counter with the Illustrious 18, by the processor and by the GPU in small groups."""
    from holecard.blackjack.counting import shoes as module
    from holecard.blackjack.counting.strategy import CountingStrategy, illustrious_18
    from holecard.blackjack.counting.system import find_system
    from holecard.blackjack.game.rules import Rules
    from holecard.blackjack.play import simulate
    from holecard.blackjack.strategy.named import named_strategy

    simulate.CHUNK, module.BATCHES = 624, 3
    rules = Rules.from_text(text)
    player = CountingStrategy(
        system=find_system(system),
        chart=named_strategy("basic", replace(rules, shoe="fresh", insurance=False)),
        departures=illustrious_18(rules),
        insurance=1,
    )
    both = [module.play_shoes(player, rules, int(rounds), seed=6, threads=1, device=d).tally for d in ("cpu", "cuda")]
    return [bool((both[0] == both[1]).all()), [int((tally != 0).sum()) for tally in both], int(both[1].sum())]


def solved(text: str, *decks: str) -> Any:
    """EVs, and how far returns of first hands are apart, of decks of ten counts each, by the processor and the GPU."""
    from holecard.blackjack.counting.compositions import solve_many
    from holecard.blackjack.game.rules import Rules
    from holecard.blackjack.game.shoe import Composition

    rules = Rules.from_text(text)
    compositions = [Composition.of_values(tuple(map(int, deck.split(",")))) for deck in decks]
    cpu, on_gpu = (list(solve_many(compositions, rules, device=device)) for device in ("cpu", "cuda"))
    apart = [
        float(np.abs(np.exp(one.first_returns) - np.exp(other.first_returns)).max())  # exp: 0 where not allowed
        for one, other in zip(cpu, on_gpu, strict=True)
    ]
    return [[each.ev for each in cpu], [each.ev for each in on_gpu], apart, on_gpu[0].insurance_ev]


def chosen() -> Any:
    """Chips on rounds that show a ten, by the processor and by the GPU."""
    from holecard.blackjack.game.rules import Rules
    from holecard.blackjack.play.upcards import chips_against
    from holecard.blackjack.strategy.named import named_strategy

    rules = Rules.preset("votes")
    many = np.stack([named_strategy(name, rules).plays() for name in ("mimic-dealer", "random")])
    return [chips_against(9, many, rules, 25, seed=5, device=device).tolist() for device in ("cpu", "cuda")]


def equities() -> Any:
    """The equities of two hands, exact and sampled, and their chances, by the processor and by the GPU."""
    from holecard.holdem.arena import deck_sets, gpu

    asked = [{"seed": 3, "number": 2, "hands": 2}, {"seed": 3, "number": 1, "hands": 1, "samples": 7}]
    asked.append({"seed": 3, "number": 4, "hands": 2, "ties_win": True})
    return [
        [*(each.deck_equities(**words).tolist() for words in asked), each.deck_chances(**asked[0]).tolist()]
        for each in (deck_sets, gpu)
    ]


def earnings(preset: str, decks: str, luck: str, decision: str, inputs: str) -> Any:
    """What two networks earn, with all counts, by the processor and by the GPU."""
    from holecard.holdem.arena.deck_sets import Dealing
    from holecard.holdem.arena.earnings import earnings_of
    from holecard.holdem.players.presets import preset_named

    layout = replace(preset_named(preset).layout, decision=decision, inputs=inputs)
    population = np.random.default_rng(1).normal(0, 0.5, (2, layout.genes)).astype(np.float32)
    rules = replace(preset_named(preset).rules, hands=1)
    opponent = preset_named(preset).opponents[3]  # looks at its equity, as the author counts it in his preset
    both = []
    for device in ("cpu", "cuda"):
        dealing = Dealing(seed=5, decks=decks, luck=luck)
        earned = earnings_of(population, layout, [opponent], rules, dealing, threads=1, device=device)
        both.append([earned.buy_ins.tolist(), earned.won.tolist(), [list(map(int, each)) for each in earned.tallies]])
    return both


def thoughts() -> Any:
    """A network's outputs over a hand's three decisions: by one thread of a kernel, and by 32 together."""
    from holecard.holdem.game.view import VIEW
    from holecard.holdem.players import lstm
    from holecard.holdem.players.presets import preset_named
    from holecard.holdem.players.record import move_of, network_record, start_session, two_players

    layout = preset_named("paper").layout
    genome = np.random.default_rng(2).normal(0, 0.7, (1, layout.genes)).astype(np.float32)
    record = network_record(lstm.pack(genome, layout)[0])
    players = two_players(record, record)
    views = np.zeros(3, VIEW)
    for at, view in enumerate(views):
        view["street"], view["equity"], view["pot"], view["to_call"] = at, 0.2 + 0.3 * at, 300, 100 * at
        view["buy_in"] = view["start"] = view["stack"] = 20_000
        view["big_blind"], view["paid"], view["max_raise_to"], view["min_raise_to"] = 100, 150, 19_000, 300
    start_session(players)
    alone = []
    for at in range(len(views)):
        move_of(players, 0, views[at : at + 1])
        alone.append(float(players[0]["memory"]["output"]))
    memories, outputs = np.zeros(1, lstm.MEMORY), np.zeros(len(views), np.float32)
    lstm.forget_session(players[0]["network"], memories[0])

    def lanes_of_thread(first: int, last: int) -> range:
        return range(first + cuda.threadIdx.x, last, 32)

    @cuda.jit
    def think(networks: Any, memories: Any, views: Any, outputs: Any) -> None:
        for at in range(views.shape[0]):
            outputs[at] = lstm.think_in_parallel(networks[0], memories[0], views[at], lanes_of_thread, cuda.syncthreads)

    think[1, 32](players["network"].copy(), memories, views, outputs)
    return [alone, outputs.tolist()]


def turns() -> Any:
    """What two rivers of one turn bring to the ends of a flop's betting: a crew of one, the GPU, a GPU without room."""
    from holecard.holdem.exploit.crew.gpu import GpuDealer
    from holecard.holdem.exploit.crew.turns import CrewOfOne
    from holecard.holdem.exploit.flop_boards import empty_boards, fill_boards
    from holecard.holdem.exploit.menu import parse_menu
    from holecard.holdem.exploit.opponent import street_start
    from holecard.holdem.exploit.turns import Start, walk_flop
    from holecard.holdem.exploit.value import preflop_tree
    from holecard.holdem.exploit.vector_state import empty_work
    from holecard.holdem.players.presets import preset_named
    from holecard.holdem.players.rule_players import RulePlayer

    rules, flop = preset_named("paper").rules, (0, 17, 34)
    game = preflop_tree(RulePlayer.CANDID_STATISTICIAN, rules, parse_menu("fold,call,all-in")).game
    boards, work = empty_boards(), empty_work(1)
    fill_boards(boards, flop)
    turn = 30
    boards.turn_like[:] = np.where(np.arange(49) == turn, turn, -1)
    boards.river_like[:] = np.where(np.arange(48) % 24 == 5, np.arange(48), -1)
    hands = np.array([701, 1000, 1325])
    starts = [Start(street_start(rules, 1, 300, True), hands, np.array([0.3, 0.7, 1.1]))]
    found = []
    full = GpuDealer(game)
    full._places.get()
    for dealer in (CrewOfOne(), GpuDealer(game), full):
        work.ends.value[:] = np.nan
        found.append(next(walk_flop(game, boards, work, starts, dealer))[0].tolist())
    return found


def regrets(name: str) -> Any:
    """Sums of a small game after three batches, and what a learned response wins, by the processor and by the GPU."""
    from holecard.holdem.equilibrium.gpu import OnGpu
    from holecard.holdem.equilibrium.public_tree import Deals
    from holecard.holdem.equilibrium.training import Trainer
    from tests.holdem.equilibrium.test_training import dealt_game

    game, dealer = dealt_game(name)

    def on_device(first: int, count: int) -> Deals:
        return Deals(*(cuda.to_device(each) for each in dealer(first, count)))

    engines = None, OnGpu(game.public, on_device)
    both = [Trainer(tree=game.public, dealer=dealer, seed=3, batch=40, engine=engine) for engine in engines]
    answers = []
    for trainer in both:
        trainer.run(3, threads=1)
        won = [trainer.respond(player, batches=2, hands=50, threads=1) for player in (0, 1)]
        answers.append([trainer.regret.tolist(), trainer.average.tolist(), [[each.mean, each.stderr] for each in won]])
    return answers


def blueprints() -> Any:
    """Deals as clusters, and the sums of a small blueprint after two batches, by the processor and by the GPU."""
    from holecard.holdem.equilibrium import clusters as module
    from holecard.holdem.equilibrium.betting_rows import BetMenu, build_betting
    from holecard.holdem.equilibrium.gpu import OnGpu, device_dealer
    from holecard.holdem.equilibrium.training import Trainer
    from holecard.holdem.players.presets import preset_named

    module._LEAST_SAMPLE = 2000
    found, tables, rules = module.find_clusters(4, 2), module.card_tables(), preset_named("paper").rules
    menu = BetMenu(np.array([1.0]), np.array([True]), 2, 1)
    tree = build_betting(menu, rules.stakes, rules.stack, module.cluster_counts(found)).tree
    dealer = device_dealer(tables, found, 5)
    deals = [module.deal_clusters(tables, found, 5, 100, 6), dealer(100, 6)]
    answers = []
    for engine, dealt in zip((None, OnGpu(tree, dealer)), deals, strict=True):
        trainer = Trainer(
            tree=tree,
            dealer=lambda first, count: module.deal_clusters(tables, found, 5, first, count),
            seed=5,
            batch=6,
            engine=engine,
        )
        trainer.run(2, threads=1)
        cards = [np.asarray(each.copy_to_host() if engine else each).tolist() for each in dealt]
        sums = [trainer.regret, trainer.average]
        answers.append([cards, *([np.flatnonzero(each).tolist(), each[each != 0].tolist()] for each in sums)])
    return answers


if __name__ == "__main__":
    from numba import cuda  # a global: that is where the simulator puts its own

    warnings.simplefilter("ignore", RuntimeWarning)  # unsigned numbers are meant to wrap
    print(json.dumps([globals()[check](*arguments) for check, *arguments in json.loads(sys.argv[1])]))
