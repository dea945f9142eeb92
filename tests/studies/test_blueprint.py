"""A blueprint is trained, resumed, stored and played."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from holecard.errors import FileProblem, SettingError
from holecard.evolve.checkpoint import load_checkpoint
from holecard.evolve.observer import Observer
from holecard.holdem.arena.duel import duel
from holecard.holdem.equilibrium.betting_rows import row_of
from holecard.holdem.equilibrium.blueprint_file import PARTS, StoredBlueprint, quantised
from holecard.holdem.exploit.local import local_best_response
from holecard.holdem.exploit.menu import parse_menu
from holecard.holdem.game.view import VIEW
from holecard.holdem.players.blueprint import (
    Dice,
    blueprint_move,
    cluster_in,
    even_throws,
    point_of,
    spread_moves,
    throw_dice,
)
from holecard.holdem.players.named import player_named
from holecard.holdem.players.presets import preset_named
from holecard.holdem.players.seated import seated
from holecard.studies.blueprint import BlueprintOutcome, run
from holecard.studies.blueprint_config import BlueprintConfig

SMALL = BlueprintConfig(iterations=4096, batch=512, step=2, memory=1, strengths=8, parts=2)


@pytest.fixture(scope="module", autouse=True)
def _few_samples() -> object:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("holecard.holdem.equilibrium.clusters._LEAST_SAMPLE", 8192)
        patch.setattr("holecard.studies.blueprint._LEAST_JUDGED", 2000)
        yield


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> BlueprintOutcome:
    return run(SMALL, tmp_path_factory.mktemp("blueprint") / "run", threads=2)


def test_what_a_run_leaves(trained: BlueprintOutcome) -> None:
    records = [json.loads(line) for line in (trained.folder / "history.jsonl").read_text().splitlines()]
    assert [record["iterations"] for record in records] == [1024, 2048, 3072, 4096]
    assert "exploitability_mbb" in records[-1]
    stored = StoredBlueprint.load(trained.path)
    assert stored.facts["iterations"] == 4096
    sums = stored.share.reshape(-1, 6).sum(axis=1)
    assert set(np.unique(sums)) <= {0, PARTS}
    assert (sums == PARTS).any()


def test_an_interrupted_run_goes_on_to_the_same_bits(trained: BlueprintOutcome, tmp_path: Path) -> None:
    heard = []

    def stop(record: object) -> None:
        heard.append(record)
        if len(heard) == 3:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("holecard.studies.blueprint._SECONDS_BETWEEN", 0.0)
        with pytest.raises(KeyboardInterrupt):
            run(SMALL, tmp_path / "run", threads=1, observer=Observer(record=stop))
    went_on = run(SMALL, tmp_path / "run", resume=True, threads=3)
    one, other = load_checkpoint(trained.folder), load_checkpoint(went_on.folder)
    assert one is not None
    assert other is not None
    for name in ("regret", "average"):
        assert np.array_equal(one.arrays[name], other.arrays[name])
    assert (trained.folder / "history.jsonl").read_bytes() == (went_on.folder / "history.jsonl").read_bytes()


def test_every_throw_is_the_move_of_that_chance(trained: BlueprintOutcome) -> None:
    policy = player_named(str(trained.folder)).policy
    assert policy is not None
    blueprint = policy(preset_named("paper").rules).blueprint
    throws, views = even_throws(), np.zeros(1, VIEW)
    dice = Dice(throws, np.zeros(len(throws), np.int64), np.zeros(8, np.int64))
    view = views[0]
    view["hole"] = 51, 38
    view["on_button"], view["to_call"], view["pot"] = True, 50, 150
    view["stack"], view["other_stack"], view["bet"], view["other_bet"] = 19_950, 19_900, 50, 100
    view["min_raise_to"], view["max_raise_to"], view["equity"] = 200, 20_000, 0.6
    throw_dice(blueprint, view, dice)
    moves = np.zeros(len(throws), np.int64)
    with np.errstate(over="ignore"):
        spread_moves(blueprint, view, cluster_in(blueprint, view), dice, moves)
        for chance, move in zip(throws, moves, strict=True):
            view["chance"] = chance
            assert blueprint_move(blueprint, view) == move
            assert dice.rows[0] == row_of(blueprint.rows, blueprint.menu, view, point_of(chance))


def test_it_sits_wherever_a_player_sits(trained: BlueprintOutcome) -> None:
    player, rules = player_named(str(trained.path)), preset_named("paper").rules
    played = duel(player, player_named("call"), rules, hands=200, threads=2)
    again = duel(player, player_named("call"), rules, hands=200, threads=1)
    assert np.array_equal(played.net, again.net)
    assert played.hands == 200
    assert duel(player, player_named("hothead-maniac"), preset_named("pokernet").rules, hands=100).hands >= 100
    found = local_best_response(player, rules, parse_menu("fc"), hands=32)
    assert np.isfinite(found.mbb_per_hand.mean)
    seat = seated(str(trained.path), seed=1, buy_in=20_000)
    assert seat.name == str(trained.path)


def test_files_that_are_no_blueprints(trained: BlueprintOutcome, tmp_path: Path) -> None:
    contents = trained.path.read_bytes()
    broken = tmp_path / "broken.npz"
    broken.write_bytes(contents[: len(contents) // 2])
    with pytest.raises(FileProblem, match="damaged"):
        player_named(str(broken))
    stored = StoredBlueprint.load(trained.path)
    replace(stored, share=stored.share[:-6]).save(broken)
    with pytest.raises(FileProblem, match="no blueprint"):
        player_named(str(broken))
    with pytest.raises(FileProblem):
        player_named(str(tmp_path / "missing.npz"))


@pytest.mark.parametrize(
    "changes",
    [
        {"bets": "1,1/2"},
        {"bets": "x"},
        {"bets": ""},
        {"raises": "3"},
        {"preset": "nobody"},
        {"iterations": 0},
        {"minutes": 0.0},
        {"iterations": 10, "minutes": 1.0},
        {"strengths": 1},
    ],
)
def test_settings_that_make_no_sense(changes: dict[str, object]) -> None:
    with pytest.raises(SettingError):
        BlueprintConfig(**changes)


def test_shares_sum_to_the_whole() -> None:
    random = np.random.default_rng(1)
    table = random.random((500, 5)) * (random.random((500, 5)) < 0.6)
    parts = quantised(table.reshape(-1), 5).reshape(-1, 5)
    some = table.sum(axis=1) > 0
    assert (parts.sum(axis=1) == np.where(some, PARTS, 0)).all()
    exact = table[some] / table[some].sum(axis=1, keepdims=True) * PARTS
    assert np.abs(parts[some] - exact).max() < 1
