"""The training path: invariants of the field, resume after kills and full disks, the same bits on any threads."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from holecard.errors import FileProblem, HolecardError, SettingError
from holecard.evolve.checkpoint import CHECKPOINT, load_checkpoint
from holecard.evolve.engine import graded
from holecard.evolve.tser import tiers_of
from holecard.holdem.arena.duel import duel
from holecard.holdem.arena.earnings import earnings_of
from holecard.holdem.players.champion import CHAMPION, Champion
from holecard.holdem.players.named import NamedPlayer, player_named
from holecard.holdem.players.presets import preset_named
from holecard.holdem.players.rule_players import RULE_PLAYERS, RulePlayer
from holecard.studies.neuroevolution import Neuroevolution, NeuroevolutionConfig, fitness_of, run

ROOT = Path(__file__).parents[2]


def tiny(preset="pokernet", **changes):
    sizes = {"population": 8, "generations": 6, "hands": 20, "score_hands": 200, "finals": 2, "seed": 5}
    return NeuroevolutionConfig.preset(preset, **(sizes | changes))


def genomes(preset, n=6, seed=2):
    layout = preset_named(preset).layout
    return (0.5 * np.random.default_rng(seed).standard_normal((n, layout.genes))).astype(np.float32)


def earned(preset, population, threads=1, **changes):
    config = tiny(preset)
    players = [RULE_PLAYERS[name] for name in config.opponents]
    return earnings_of(population, config.layout, players, config.rules, seed=3, threads=threads, **changes)


def test_the_defaults_are_the_seeds_and_the_papers():
    seed, paper = NeuroevolutionConfig(), NeuroevolutionConfig.preset("paper")
    assert seed == NeuroevolutionConfig.preset("pokernet")
    assert (seed.population, seed.generations, seed.hands, seed.survival) == (50, 250, 500, 0.30)
    assert (seed.mutation_rate, seed.mutation_strength, seed.initial_deviation) == ((0.25, 0.05), (0.50, 0.10), 0.5)
    assert seed.opponents == ("check-fold", "call", "raise", "smart")
    assert (seed.rules.stack, seed.rules.big_blind, seed.rules.carried) == (1000, 10, True)
    assert (paper.rules.stack, paper.rules.big_blind, paper.rules.carried) == (20_000, 100, False)
    assert (paper.least_elites, paper.hidden, paper.initial_states) == (2, 7, True)
    assert seed.layout.genes == 14_545
    assert (seed.decks, seed.samples, seed.luck, seed.deck_sets) == ("shared", 0, "averaged", 1)


@pytest.mark.parametrize("preset", ["pokernet", "paper"])
@pytest.mark.parametrize(
    "changes",
    [{}, {"decks": "fresh"}, {"luck": "dealt"}, {"samples": 50}, {"decks": "fresh", "samples": 50, "deck_sets": 2}],
)
def test_earnings_are_the_same_on_any_number_of_threads(preset, changes):
    one, three = (earned(preset, genomes(preset), threads, **changes) for threads in (1, 3))
    assert one.buy_ins.tobytes() == three.buy_ins.tobytes()
    assert one.tallies.tobytes() == three.tallies.tobytes()


@pytest.mark.parametrize("preset", ["pokernet", "paper"])
def test_a_player_earns_what_the_duel_says_it_does(preset):
    """The fitness is of the network, not of its opponent, and both seats count."""
    population, config = genomes(preset), tiny(preset)
    result = earned(preset, population, luck="dealt")
    for row, genome in enumerate(population):
        seat = NamedPlayer.of_champion(Champion(layout=config.layout, genome=genome), "x")
        for column, name in enumerate(config.opponents):
            pair = duel_on_deck(seat, player_named(name), config, deck=column)
            assert result.buy_ins[row, column] == pair / config.rules.stack


def duel_on_deck(first, other, config, deck):
    from holecard.holdem.arena.sessions import play_pair

    return play_pair(np.stack([first.record, other.record]), config.rules, seed=3, deck=deck).net.sum()


@pytest.mark.parametrize("preset", ["pokernet", "paper"])
def test_averaging_luck_changes_earnings_and_nothing_that_was_played(preset):
    averaged, dealt = (earned(preset, genomes(preset), luck=luck) for luck in ("averaged", "dealt"))
    assert averaged.tallies.tobytes() == dealt.tallies.tobytes()
    assert averaged.won.tolist() == dealt.won.tolist()
    assert not np.array_equal(averaged.buy_ins, dealt.buy_ins)


def test_runs_from_before_luck_was_averaged_go_on_as_they_began():
    options = asdict(tiny())
    del options["luck"]
    assert NeuroevolutionConfig.from_options(options).luck == "dealt"
    assert NeuroevolutionConfig.from_options(asdict(tiny())).luck == "averaged"


def test_a_hopeless_player_loses_and_a_raiser_wins_from_the_one_who_folds():
    """Known answers: never putting in a chip loses the blinds; raising every hand wins the folder's."""
    layout = preset_named("paper").layout
    population = np.zeros((2, layout.genes), np.float32)
    bias = layout.arrays(population)["output.b"]
    bias[0], bias[1] = -1, np.arctanh(0.02)  # always o = −0.76: check or fold; always o = 0.02: four big blinds
    config = tiny("paper")
    told = earnings_of(population, layout, [RulePlayer.CHECK_FOLD], config.rules, seed=1)
    blind = config.rules.big_blind / config.rules.stack
    assert told.buy_ins[1, 0] == pytest.approx(2 * 20 * 0.75 * blind)
    assert told.buy_ins[0, 0] == pytest.approx(0), "two folders pass the blinds to and fro"
    assert told.won[1, 0] == 2


@pytest.mark.parametrize("preset", ["pokernet", "paper"])
def test_fitness_is_at_most_one_and_elites_pass_bit_for_bit(preset):
    study = Neuroevolution(tiny(preset))
    while not study.evolution.finished:
        before = study.evolution.ask().copy()
        record = study.step()
        assert record["best"] <= 1
        elites = record["elites"]
        assert elites + record["second_tier"] == study.config.engine.config.survivors
        if study.evolution.finished:
            break
        after = study.evolution.ask()
        rows = {row.tobytes() for row in before}
        assert all(row.tobytes() in rows for row in after[:elites])
        assert not any(row.tobytes() in rows for row in after[elites:])


def test_every_generation_is_dealt_other_cards(monkeypatch):
    seeds = []

    def spy(*args, seed, **options):
        seeds.append(seed)
        return earnings_of(*args, seed=seed, **options)

    monkeypatch.setattr("holecard.studies.neuroevolution.earnings_of", spy)
    study = Neuroevolution(tiny())
    while not study.evolution.finished:
        study.step()
    study.champion()
    assert len(set(seeds)) == 7, "six generations and the finals"


def test_nan_never_survives():
    population = genomes("pokernet")
    population[2, 100] = np.nan
    config = tiny(population=6)
    fitness = fitness_of(earned("pokernet", population), config)
    assert np.isnan(fitness[2])
    assert np.isfinite(np.delete(fitness, 2)).all()
    tiers = tiers_of(graded(fitness, 6, 0), survivors=6)
    assert 2 not in {*tiers.elites.tolist(), *tiers.second.tolist()}


def test_without_tiers_every_survivor_is_an_elite_and_without_ane_fitness_is_earnings():
    plain = Neuroevolution(tiny(tiers=False)).step()
    assert plain["second_tier"] == 0
    raw = tiny(fitness="earnings")
    result = earned("pokernet", genomes("pokernet"))
    assert np.array_equal(fitness_of(result, raw), result.buy_ins.mean(axis=1))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"opponents": ()}, "nobody to play"),
        ({"opponents": ("call", "call")}, "played once"),
        ({"opponents": ("smrt",)}, "did you mean smart"),
        ({"decks": "old"}, "shared or fresh"),
        ({"fitness": "luck"}, "ane or earnings"),
        ({"samples": -1}, "0 \\(exact\\) or more"),
        ({"survival": 1.0}, "survivors < population"),
        ({"generations": 0}, "1 or more"),
        ({"hidden": 40}, "1 to 32"),
        ({"hands": 0}, "1 or more"),
        ({"seed": -1}, "seed must be"),
        ({"score_hands": 0}, "2 or more"),
        ({"deck_sets": 0}, "deck_sets must be 1 or more"),
        ({"finals": -1}, "finals 0 or more"),
    ],
)
def test_bad_settings_are_refused(changes, message):
    with pytest.raises(HolecardError, match=message):
        tiny(**changes)


def files_of(folder: Path) -> tuple[bytes, bytes]:
    return (folder / "history.jsonl").read_bytes(), (folder / CHAMPION).read_bytes()


@pytest.mark.parametrize("preset", ["pokernet", "paper"])
def test_a_run_ends_with_a_champion_scored_on_fresh_cards(tmp_path, preset):
    config = tiny(preset)
    outcome = run(config, tmp_path / "a", threads=1, command=["test"])
    run(config, tmp_path / "b", threads=3, command=["test"])
    assert files_of(tmp_path / "a") == files_of(tmp_path / "b")
    records = [json.loads(line) for line in (tmp_path / "a" / "history.jsonl").read_text("utf-8").splitlines()]
    assert len(records) == outcome.generations == 6
    assert outcome.champion.card["fitness"] <= records[-1]["best"]
    assert set(outcome.champion.card["scores"]) == set(config.opponents)
    seat = NamedPlayer.of_champion(Champion.load(tmp_path / "a" / CHAMPION), "x")
    again = duel(seat, player_named(config.opponents[0]), config.rules, hands=200, seed=1)
    assert again.hands >= 200


def test_without_finals_the_observed_fitness_decides():
    study = Neuroevolution(tiny(finals=0))
    while not study.evolution.finished:
        record = study.step()
    assert study.champion().card["fitness"] == record["best"]
    assert np.array_equal(study.champion().genome, study.evolution.champion())


def test_more_deck_sets_are_averaged():
    population = genomes("paper")
    one = [earned_on(population, deck, 1) for deck in (11, 12)]
    assert all(each.buy_ins.shape == (6, 4) for each in one)
    three = earned("paper", population, deck_sets=3)
    single = earned("paper", population)
    assert three.hands == 3 * single.hands
    assert (three.won + three.lost).max() <= 6


def earned_on(population, seed, deck_sets):
    config = tiny("paper")
    players = [RULE_PLAYERS[name] for name in config.opponents]
    return earnings_of(population, config.layout, players, config.rules, seed=seed, deck_sets=deck_sets)


def test_a_run_of_another_kind_is_not_resumed(tmp_path):
    (tmp_path / "config.json").write_text('{"options": {"alphabet": 2}}', encoding="utf-8")
    with pytest.raises(FileProblem, match="not a run of `holecard holdem evolve`"):
        run(None, tmp_path, resume=True)


SCRIPT = """
import sys
from pathlib import Path
from holecard.studies import neuroevolution as study
folder = Path(sys.argv[1])
sizes = {"population": 8, "generations": 40, "hands": 60, "finals": 2, "score_hands": 200}
config = study.NeuroevolutionConfig.preset("paper", seed=5, **sizes)
begun = (folder / "config.json").exists()
study.carry_on.__kwdefaults__["seconds_between_checkpoints"] = 0.02
study.run(None if begun else config, folder, resume=begun, threads=2, command=["test"])
"""


def start(folder: Path) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    return subprocess.Popen([sys.executable, "-c", SCRIPT, str(folder)], env=environment)


def kill_and_finish(folder: Path, kills: int) -> None:
    chance = random.Random(kills)
    history = folder / "history.jsonl"
    for _ in range(kills):
        before = history.stat().st_mtime_ns if history.exists() else 0
        process = start(folder)
        while process.poll() is None and (not history.exists() or history.stat().st_mtime_ns == before):
            time.sleep(0.002)
        time.sleep(chance.uniform(0, 0.6 / kills))
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert start(folder).wait() == 0


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
@pytest.mark.parametrize("kills", [2, pytest.param(10, marks=pytest.mark.slow)])
def test_kill_9_and_resume_gives_the_same_history_and_champion(tmp_path, kills):
    assert start(tmp_path / "whole").wait() == 0
    kill_and_finish(tmp_path / "killed", kills)
    assert files_of(tmp_path / "killed") == files_of(tmp_path / "whole")


def test_a_full_disk_stops_the_run_cleanly_and_it_goes_on_later(tmp_path, monkeypatch):
    run(tiny(), tmp_path / "whole", command=["test"])
    writes = 0

    def filling_up(path: Path) -> None:
        nonlocal writes
        writes += 1
        if writes > 3:
            raise OSError(28, "No space left on device")

    monkeypatch.setattr("holecard.files._sync", filling_up)
    monkeypatch.setitem(
        sys.modules["holecard.studies.neuroevolution"].carry_on.__kwdefaults__, "seconds_between_checkpoints", 0.0
    )
    with pytest.raises(FileProblem, match="No space left on device; the last checkpoint is intact") as problem:
        run(tiny(), tmp_path / "full", command=["test"])
    assert "\n" not in str(problem.value)
    assert (tmp_path / "full" / CHECKPOINT).exists()
    found = load_checkpoint(tmp_path / "full")
    assert found is not None
    assert found.note == ""
    monkeypatch.undo()
    run(None, tmp_path / "full", resume=True)
    assert files_of(tmp_path / "full") == files_of(tmp_path / "whole")


def test_a_run_that_was_never_asked_for_has_no_configuration(tmp_path):
    with pytest.raises(SettingError, match="unknown preset"):
        NeuroevolutionConfig.preset("chess")
