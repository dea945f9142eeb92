"""Monte-Carlo counterfactual regret minimisation on the games whose answers are known."""

from __future__ import annotations

import numpy as np
import pytest

from holecard.errors import HolecardError
from holecard.holdem.equilibrium.best_response import exploitability_of
from holecard.holdem.equilibrium.public_tree import (
    END,
    NO_CHILD,
    Deals,
    PublicTree,
    SmallPublicGame,
    small_public_game,
)
from holecard.holdem.equilibrium.regret import average_of
from holecard.holdem.equilibrium.small_games import KNOWN_VALUES, small_game
from holecard.holdem.equilibrium.training import Dealer, Trainer, unit_of
from holecard.seeds import GOLDEN
from tests.simulated_gpu import run_simulated


def dealt_game(name: str) -> tuple[SmallPublicGame, Dealer]:
    """A small game with somebody who deals it: the same deal for a number, all of them as often as they should come."""
    game = small_public_game(name, small_game(name))
    points = np.cumsum(game.odds)

    def deals(first: int, count: int) -> Deals:
        spread = np.arange(first, first + count, dtype=np.uint64) * GOLDEN >> np.uint64(11)
        drawn = np.searchsorted(points, spread / (1 << 53) * points[-1], side="right")
        return Deals(game.deals.cluster[drawn], game.deals.sign[drawn])

    return game, deals


def _trainer(name: str, batch: int) -> tuple[SmallPublicGame, Trainer]:
    game, deals = dealt_game(name)
    return game, Trainer(tree=game.public, dealer=deals, seed=3, batch=batch)


@pytest.mark.parametrize(
    ("name", "batches", "off", "exploitable"), [("kuhn", 300, 0.003, 0.02), ("leduc", 600, 0.01, 0.09)]
)
def test_goes_to_the_known_value(name: str, batches: int, off: float, exploitable: float) -> None:
    tree = small_game(name)
    game, trainer = _trainer(name, 256)
    trainer.run(batches)
    judged = exploitability_of(tree, average_of(tree, trainer.average[game.place].astype(np.float64)))
    assert abs(judged.value - KNOWN_VALUES[name]) < off
    assert judged.exploitability < exploitable
    bound = trainer.regret_per_iteration / 2  # of counterfactual regrets, which are sampled here
    assert judged.exploitability < 1.1 * bound


@pytest.mark.slow
def test_comes_nearer_with_more_iterations() -> None:
    tree = small_game("leduc")
    game, trainer = _trainer("leduc", 256)
    trainer.run(8_000)
    judged = exploitability_of(tree, average_of(tree, trainer.average[game.place].astype(np.float64)))
    assert abs(judged.value - KNOWN_VALUES["leduc"]) < 4e-3
    assert judged.exploitability < 0.02


def test_the_same_bits_on_any_number_of_threads() -> None:
    (_, one), (_, three) = _trainer("leduc", 1024), _trainer("leduc", 1024)
    one.run(5, threads=1)
    three.run(2, threads=3)
    three.run(3, threads=2)
    assert np.array_equal(one.regret, three.regret)
    assert np.array_equal(one.average, three.average)
    assert one.respond(0, batches=2, hands=1000, threads=1) == three.respond(0, batches=2, hands=1000, threads=3)


def test_sums_that_would_leave_their_bits_are_refused() -> None:
    _, trainer = _trainer("kuhn", 256)
    trainer.batches = 1 << 40
    with pytest.raises(HolecardError, match="batches larger"):
        trainer.run(1)


@pytest.mark.parametrize("name", ["kuhn", "leduc"])
def test_a_gpu_comes_to_the_same_bits(name: str) -> None:
    cpu, on_gpu = run_simulated("regrets", name)
    assert cpu == on_gpu
    assert any(cpu[0])


def test_a_gpu_trains_the_same_blueprint() -> None:
    cpu, on_gpu = run_simulated("blueprints")
    assert cpu == on_gpu
    assert len(cpu[1][0]) > 50


def test_five_sizes_and_all_in_have_places_of_their_own() -> None:
    """Eight actions are as many as a walk has room for: the value of the last one is that of none before it."""
    tree = PublicTree(
        actor=np.array([0, *8 * [END]], np.int8),
        street=np.zeros(9, np.int8),
        row=np.array([0, *8 * [-1]], np.int32),
        child=np.array([range(1, 9), *8 * [8 * [NO_CHILD]]], np.int32),
        fixed=np.array([0, *range(8)], np.int64),
        swing=np.zeros(9, np.int64),
        offset=np.array([0, 8], np.int64),
    )
    trainer = Trainer(
        tree=tree, dealer=lambda _, n: Deals(np.zeros((n, 2, 1), np.int32), np.zeros(n, np.int8)), seed=1, batch=1
    )
    trainer.run(1)
    assert (trainer.regret / unit_of(tree)).tolist() == [at - 3.5 for at in range(8)]


def test_a_learned_response_wins_what_the_best_one_wins() -> None:
    tree = small_game("kuhn")
    game, trainer = _trainer("kuhn", 256)
    trainer.run(1)  # far from an equilibrium
    judged = exploitability_of(tree, average_of(tree, trainer.average[game.place].astype(np.float64)))
    best = judged.value + judged.gains[0], -judged.value + judged.gains[1]
    for player in (0, 1):
        learned = trainer.respond(player, batches=100, hands=40_000)
        assert abs(learned.mean - best[player]) < 4 * learned.stderr


def test_every_deal_of_leduc_once() -> None:
    game = small_public_game("leduc", small_game("leduc"))
    assert game.odds.sum() == pytest.approx(1)
    assert len(set(game.place.tolist())) == len(game.place)
