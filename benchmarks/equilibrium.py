"""Equilibria, validated and then timed on one core: small games, push or fold, a river spot, local best response.

    PYTHONPATH=src python benchmarks/equilibrium.py [--quick]
    PYTHONPATH=src python benchmarks/equilibrium.py --gpu

Where OpenSpiel can be imported (`pip install open_spiel`), its CFR+ solves Leduc in the same run. With `--gpu` a
blueprint is trained on a GPU, compared with the cores bit for bit, then timed beside them.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
from results import record

from holecard.cards import parse_cards
from holecard.device import gpu
from holecard.holdem.equilibrium.best_response import exploitability_of
from holecard.holdem.equilibrium.betting_rows import BetMenu, build_betting
from holecard.holdem.equilibrium.clusters import card_tables, cluster_counts, deal_clusters, find_clusters
from holecard.holdem.equilibrium.public_tree import Deals, small_public_game
from holecard.holdem.equilibrium.push_fold import PushFold, solve_push_fold
from holecard.holdem.equilibrium.push_fold_sweep import parse_stacks, sweep_push_fold
from holecard.holdem.equilibrium.regret import Method, average_of, solve_tree
from holecard.holdem.equilibrium.small_games import KNOWN_VALUES, small_game
from holecard.holdem.equilibrium.spot import Spot, parse_weights
from holecard.holdem.equilibrium.spot_solution import solve_spot
from holecard.holdem.equilibrium.training import Trainer
from holecard.holdem.exploit.local import local_best_response
from holecard.holdem.exploit.menu import parse_menu
from holecard.holdem.players.named import player_named
from holecard.holdem.players.presets import preset_named
from holecard.seeds import stream


def cpu_seconds(work: Callable[[], object], rounds: int) -> float:
    """CPU seconds of the fastest of several runs, after one that compiles."""
    work()
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def openspiel_rate(iterations: int) -> float | None:
    """Iterations a second of OpenSpiel's CFR+ in C++ on Leduc; None where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    solver = pyspiel.CFRPlusSolver(pyspiel.load_game("leduc_poker"))
    start = time.process_time()
    for _ in range(iterations):
        solver.evaluate_and_update_policy()
    return iterations / (time.process_time() - start)


def small_games(rounds: int) -> None:
    for game, within in (("kuhn", 1e-6), ("leduc", 1e-4)):
        found = solve_tree(small_game(game), iterations=10_000)
        assert abs(found.judged.value - KNOWN_VALUES[game]) < within
        print(f"{game}: value off by {found.judged.value - KNOWN_VALUES[game]:+.1e}")
    tree, iterations = small_game("leduc"), 2000
    ours = iterations / cpu_seconds(lambda: solve_tree(tree, iterations=iterations, method=Method.CFR_PLUS), rounds)
    theirs = openspiel_rate(100)
    record("CFR+ on Leduc", ours, "/s", "OpenSpiel (C++)" if theirs else "", theirs or 0.0)
    beside = f", OpenSpiel in C++ {theirs:,.0f} (×{ours / theirs:,.0f})" if theirs else ", OpenSpiel is not installed"
    print(f"CFR+ on Leduc: {ours:,.0f} iterations/s{beside}")


def sampled_openspiel_rate(iterations: int) -> float | None:
    """Iterations a second of OpenSpiel's external sampling in C++ on Leduc; None where it is not installed."""
    try:
        import pyspiel
    except ImportError:
        return None
    solver = pyspiel.ExternalSamplingMCCFRSolver(pyspiel.load_game("leduc_poker"), 1)
    start = time.process_time()
    for _ in range(iterations):
        solver.run_iteration()
    return iterations / (time.process_time() - start)


def sampled_regrets(rounds: int) -> None:
    """Monte-Carlo CFR: on Leduc beside OpenSpiel, and on the blueprint of the `paper` preset."""
    tree = small_game("leduc")
    game = small_public_game("leduc", tree)
    points = np.cumsum(game.odds)

    def deals(first: int, count: int) -> Deals:
        drawn = np.searchsorted(points, stream(7, first).random(count) * points[-1], side="right")
        return Deals(game.deals.cluster[drawn], game.deals.sign[drawn])

    trainer = Trainer(tree=game.public, dealer=deals, seed=3, batch=4096)
    trainer.run(400, threads=1)
    judged = exploitability_of(tree, average_of(tree, trainer.average[game.place].astype(np.float64)))
    assert abs(judged.value - KNOWN_VALUES["leduc"]) < 0.02
    ours = 20 * 4096 / cpu_seconds(lambda: trainer.run(20, threads=1), rounds)
    theirs = sampled_openspiel_rate(20_000)
    record("external sampling on Leduc", ours, "/s", "OpenSpiel (C++)" if theirs else "", theirs or 0.0)
    beside = f", OpenSpiel in C++ {theirs:,.0f} (×{ours / theirs:,.1f})" if theirs else ", OpenSpiel is not installed"
    print(f"external sampling on Leduc: {ours:,.0f} iterations/s{beside}")
    clusters, tables, rules = find_clusters(20, 4), card_tables(), preset_named("paper").rules
    menu = BetMenu(np.array([0.5, 1.0, 2.0]), np.array([False, True, False]), 3, 1)
    betting = build_betting(menu, rules.stakes, rules.stack, cluster_counts(clusters))
    whole = Trainer(
        tree=betting.tree, dealer=lambda first, n: deal_clusters(tables, clusters, 0, first, n), seed=0, batch=4096
    )
    whole.run(10, threads=1)
    rate = 5 * 4096 / cpu_seconds(lambda: whole.run(5, threads=1), rounds)
    record("external sampling, a blueprint for the paper's stakes", rate, "/s")
    print(f"external sampling, a blueprint for the paper's stakes: {rate:,.0f} iterations/s")


def on_a_gpu() -> None:
    """A blueprint for the paper's stakes with the default settings: the bits of the cores, then iterations a second."""
    from holecard.holdem.equilibrium.gpu import OnGpu, device_dealer

    clusters, tables, rules = find_clusters(40, 4), card_tables(), preset_named("paper").rules
    menu = BetMenu(np.array([0.5, 1.0, 2.0]), np.array([False, True, False]), 3, 3)
    tree = build_betting(menu, rules.stakes, rules.stack, cluster_counts(clusters)).tree
    engine = OnGpu(tree, device_dealer(tables, clusters, 0))

    def trainer(batch: int, engine: OnGpu | None) -> Trainer:
        def deal(first: int, count: int) -> Deals:
            return deal_clusters(tables, clusters, 0, first, count)

        return Trainer(tree=tree, dealer=deal, seed=0, batch=batch, engine=engine)

    def rate(trained: Trainer, batches: int) -> float:
        trained.run(batches)
        start = time.perf_counter()
        trained.run(batches)
        return batches * trained.batch / (time.perf_counter() - start)

    on_gpu, on_cores = trainer(8192, engine), trainer(8192, None)
    on_gpu.run(8)
    cores = rate(on_cores, 4)
    assert np.array_equal(on_gpu.regret, on_cores.regret)
    assert np.array_equal(on_gpu.average, on_cores.average)
    print(f"checked: {gpu()}: 65,536 iterations, all sums identical; all cores {cores:,.0f} iterations/s")
    for batch in (8192, 32_768, 131_072, 524_288):
        ours = rate(trainer(batch, engine), 40)
        record(f"external sampling on a GPU, batches of {batch}", ours, "/s", "all cores", cores)
        print(f"batches of {batch:>7,}: {ours:>12,.0f} iterations/s (×{ours / cores:,.0f})")


def push_or_fold(rounds: int) -> None:
    assert solve_push_fold(PushFold(stack=10)).exploitability < 1e-12
    one = cpu_seconds(lambda: solve_push_fold(PushFold(stack=10)), rounds)
    many = cpu_seconds(lambda: sweep_push_fold(PushFold(), parse_stacks("1:20")), 1)
    record("push or fold, one stack", one, "s")
    record("push or fold, 191 stacks", many, "s")
    print(f"push or fold: {one:.3f} s a stack (target 1 s), {many:.2f} s for 191 stacks")


def spots(rounds: int) -> None:
    board, everything = tuple(parse_cards("Ks9s7h3d2c")), parse_weights("random")
    river = Spot(board=board, first=everything, other=everything, pot=100, stack=300, bets=(1 / 3, 0.75, 1.5))
    solved = solve_spot(river)
    assert solved.exploitability <= 0.1
    seconds = cpu_seconds(lambda: solve_spot(river), rounds)
    record("river spot, full ranges, three bet sizes, to 0.1 % of the pot", seconds, "s")
    print(f"river spot: {seconds:.2f} s, {solved.iterations} iterations (target 2 s)")
    held = parse_weights("22+,A2s+,KTs+,QTs+,JTs,T9s,98s,87s,ATo+,KJo+,QJo")
    turn = Spot(board=board[:4], first=held, other=held, pot=100, stack=300, bets=(0.75,), raises=2)
    seconds = cpu_seconds(lambda: solve_spot(turn, accuracy=0.005), 1)
    record("turn spot, 239 hands, one bet size, to 0.5 % of the pot", seconds, "s")
    print(f"turn spot: {seconds:.2f} s")


def local_responses(hands: int) -> None:
    menu, rules = parse_menu("fcpa"), preset_named("paper").rules
    assert local_best_response(player_named("check-fold"), rules, menu, hands=100, threads=1).mbb_per_hand.mean == 750
    for name in ("candid-statistician", "champion:paper"):
        player = player_named(name)
        start = time.process_time()
        local_best_response(player, rules, menu, hands=hands, threads=1)
        rate = hands / (time.process_time() - start)
        record(f"local best response to {name}, fcpa, hands", rate, "/s")
        print(f"local best response to {name}: {rate:,.0f} hands/s")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer repetitions")
    parser.add_argument("--gpu", action="store_true", help="training on a GPU, and nothing else")
    chosen = parser.parse_args()
    if chosen.gpu:
        on_a_gpu()
        return
    quick = chosen.quick
    rounds = 1 if quick else 5
    small_games(rounds)
    sampled_regrets(rounds)
    push_or_fold(rounds)
    spots(rounds)
    local_responses(200 if quick else 2000)


if __name__ == "__main__":
    main()
