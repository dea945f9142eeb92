"""Monte-Carlo counterfactual regret minimisation on the games whose answers are known."""

from __future__ import annotations

import numpy as np
import pytest

from holecard.holdem.equilibrium.best_response import exploitability_of
from holecard.holdem.equilibrium.public_tree import Deals, SmallPublicGame, small_public_game
from holecard.holdem.equilibrium.regret import average_of
from holecard.holdem.equilibrium.small_games import KNOWN_VALUES, small_game
from holecard.holdem.equilibrium.training import Trainer
from holecard.seeds import stream


def _trainer(game: SmallPublicGame, batch: int) -> Trainer:
    points = np.cumsum(game.odds)

    def deals(first: int, count: int) -> Deals:
        drawn = np.searchsorted(points, stream(7, first).random(count) * points[-1], side="right")
        return Deals(game.deals.cluster[drawn], game.deals.sign[drawn])

    return Trainer(tree=game.public, dealer=deals, seed=3, batch=batch)


@pytest.mark.parametrize(
    ("name", "batches", "off", "exploitable"), [("kuhn", 300, 0.003, 0.02), ("leduc", 600, 0.01, 0.09)]
)
def test_goes_to_the_known_value(name: str, batches: int, off: float, exploitable: float) -> None:
    tree = small_game(name)
    game = small_public_game(name, tree)
    trainer = _trainer(game, 256)
    trainer.run(batches)
    judged = exploitability_of(tree, average_of(tree, trainer.average[game.place]))
    assert abs(judged.value - KNOWN_VALUES[name]) < off
    assert judged.exploitability < exploitable
    assert judged.exploitability < trainer.regret_per_iteration / 2  # the bound of counterfactual regrets


@pytest.mark.slow
def test_comes_nearer_with_more_iterations() -> None:
    tree = small_game("leduc")
    game = small_public_game("leduc", tree)
    trainer = _trainer(game, 256)
    trainer.run(8_000)
    judged = exploitability_of(tree, average_of(tree, trainer.average[game.place]))
    assert abs(judged.value - KNOWN_VALUES["leduc"]) < 4e-3
    assert judged.exploitability < 0.02


def test_the_same_bits_on_any_number_of_threads() -> None:
    game = small_public_game("leduc", small_game("leduc"))
    one, three = _trainer(game, 1024), _trainer(game, 1024)
    one.run(5, threads=1)
    three.run(2, threads=3)
    three.run(3, threads=2)
    assert np.array_equal(one.regret, three.regret)
    assert np.array_equal(one.average, three.average)
    assert one.respond(0, batches=2, hands=1000, threads=1) == three.respond(0, batches=2, hands=1000, threads=3)


def test_lists_that_are_too_short_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    game = small_public_game("leduc", small_game("leduc"))
    usual, short = _trainer(game, 512), _trainer(game, 512)
    usual.run(2)
    monkeypatch.setattr("holecard.holdem.equilibrium.training._PLACES", 2)
    short.run(2)
    assert np.array_equal(usual.regret, short.regret)


def test_a_learned_response_wins_what_the_best_one_wins() -> None:
    tree = small_game("kuhn")
    game = small_public_game("kuhn", tree)
    trainer = _trainer(game, 256)
    trainer.run(1)  # far from an equilibrium
    judged = exploitability_of(tree, average_of(tree, trainer.average[game.place]))
    best = judged.value + judged.gains[0], -judged.value + judged.gains[1]
    for player in (0, 1):
        learned = trainer.respond(player, batches=100, hands=40_000)
        assert abs(learned.mean - best[player]) < 4 * learned.stderr


def test_every_deal_of_leduc_once() -> None:
    game = small_public_game("leduc", small_game("leduc"))
    assert game.odds.sum() == pytest.approx(1)
    assert len(set(game.place.tolist())) == len(game.place)
