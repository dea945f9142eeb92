"""The training path: invariants of the field, resume after kills and full disks, the same bits on any threads."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from holecard.errors import FileProblem, HolecardError, SettingError
from holecard.evolve.checkpoint import CHECKPOINT, load_checkpoint
from holecard.evolve.engine import graded
from holecard.evolve.registry import TserSettings
from holecard.evolve.tser import TserEngine, tiers_of
from holecard.holdem.arena.deck_sets import Dealing, DeckSet
from holecard.holdem.arena.duel import duel
from holecard.holdem.arena.earnings import average_normalized_earnings, earnings_of
from holecard.holdem.arena.sessions import play_pairs
from holecard.holdem.players.champion import CHAMPION, Champion
from holecard.holdem.players.named import NamedPlayer, player_named
from holecard.holdem.players.network import author_deviations
from holecard.holdem.players.presets import preset_named
from holecard.holdem.players.record import two_players
from holecard.holdem.players.rule_players import RULE_PLAYERS, RulePlayer
from holecard.seeds import stream
from holecard.studies.neuroevolution import Neuroevolution, fitness_of, mbb_per_hand, ranks_over_opponents, run
from holecard.studies.neuroevolution_config import NeuroevolutionConfig

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
    return earnings_of(population, config.layout, players, config.rules, Dealing(seed=3, **changes), threads=threads)


def test_the_defaults_are_the_model_cards_and_the_papers():
    card, paper = NeuroevolutionConfig(), NeuroevolutionConfig.preset("paper")
    assert card == NeuroevolutionConfig.preset("card")
    assert card.command == "holecard holdem evolve --preset card"
    assert (card.population, card.generations, card.hands, card.engine) == (50, 250, 500, TserSettings())
    assert card.opponents == ("check-fold", "call", "raise", "smart")
    assert (card.rules.stack, card.rules.big_blind, card.rules.carried) == (1000, 10, True)
    assert (paper.rules.stack, paper.rules.big_blind, paper.rules.carried) == (20_000, 100, False)
    assert (paper.engine.least_elites, paper.hidden, paper.initial_states) == (2, 7, True)
    assert card.layout.genes == 14_545
    assert (card.decks, card.samples, card.luck, card.deck_sets) == ("shared", 0, "averaged", 1)


def test_pokernets_study_has_the_cards_table_network_and_sizes():
    card, own = NeuroevolutionConfig.preset("card"), NeuroevolutionConfig.preset("pokernet")
    assert (own.decision, own.inputs, own.first_weights) == ("thirds", "stacks", "level")
    assert (own.fitness, own.stacks) == ("roots", "rebuys")
    assert (own.rules, own.opponents, own.layout.genes) == (card.rules, card.opponents, card.layout.genes)
    assert own.command == "holecard holdem evolve --preset pokernet"
    assert NeuroevolutionConfig.preset("card", decision="thirds").command.endswith("--preset card --decision thirds")


def test_the_engine_is_chosen_by_name_and_takes_its_own_settings_only():
    config = tiny("card", survival=0.5, tiers=False)
    assert config.engine == TserSettings(survival=0.5, tiers=False)
    assert isinstance(config.new_engine(), TserEngine)
    with pytest.raises(SettingError, match="unknown engine 'cma'; choose es, tser"):
        tiny(engine="cma")
    with pytest.raises(SettingError, match="elitism is a setting of trees; the engine tser has survival"):
        tiny(elitism=0.5)
    with pytest.raises(SettingError, match="colour is not a setting"):
        tiny(colour="red")


def test_a_run_of_before_engines_had_names_is_read_by_its_old_keys():
    options = {
        "setting": "paper", "opponents": ["scared-limper"], "hidden": 7, "initial_states": True, "population": 12,
        "generations": 9, "hands": 30, "deck_sets": 1, "survival": 0.4, "least_elites": 2, "tiers": False,
        "fitness": "ane", "mutation_rate": [0.3, 0.1], "mutation_strength": [0.5, 0.1], "initial_deviation": 0.4,
        "decks": "shared", "samples": 0, "luck": "averaged", "finals": 3, "score_hands": 100, "seed": 7,
        "device": "cpu",
    }  # fmt: skip
    config = NeuroevolutionConfig.from_options(options)
    assert config.engine == TserSettings(
        survival=0.4, least_elites=2, tiers=False, mutation_rate=(0.3, 0.1), initial_deviation=0.4
    )
    since = {"decision": "paper", "inputs": "eight", "cells": "tanh", "ties": "half", "first_weights": "alike"}
    since |= {"stacks": "preset", "crossover": "interleaved"}
    assert json.loads(json.dumps(config.options())) == {**options, **since, "normaliser": "best", "engine": "tser"}
    assert NeuroevolutionConfig.from_options(json.loads(json.dumps(config.options()))) == config


@pytest.mark.parametrize("preset", ["pokernet", "paper", "author"])
@pytest.mark.parametrize(
    "changes",
    [{}, {"decks": "fresh"}, {"luck": "dealt"}, {"samples": 50}, {"decks": "fresh", "samples": 50, "deck_sets": 2}],
)
def test_earnings_are_the_same_on_any_number_of_threads(preset, changes):
    one, three = (earned(preset, genomes(preset), threads, **changes) for threads in (1, 3))
    assert one.buy_ins.tobytes() == three.buy_ins.tobytes()
    assert one.tallies.tobytes() == three.tallies.tobytes()


@pytest.mark.parametrize("preset", ["pokernet", "paper", "author"])
def test_a_player_earns_what_the_duel_says_it_does(preset):
    """The fitness is of the network, not of its opponent, and both seats count."""
    population, config = genomes(preset), tiny(preset)
    result = earned(preset, population, luck="dealt")
    for row, genome in enumerate(population):
        seat = NamedPlayer.of_champion(Champion(layout=config.layout, genome=genome), "x")
        for column, name in enumerate(config.opponents):
            assert (
                result.buy_ins[row, column] == chips_on(seat, player_named(name), config, column) / config.rules.stack
            )


def chips_on(first, other, config, number):
    """Chips won in both sessions of a deck set."""
    players = two_players(first.record, other.record)
    return play_pairs(players, config.rules, DeckSet.of(3, number)).net.sum()


@pytest.mark.parametrize("preset", ["pokernet", "paper"])
def test_averaging_luck_changes_earnings_and_nothing_that_was_played(preset):
    averaged, dealt = (earned(preset, genomes(preset), luck=luck) for luck in ("averaged", "dealt"))
    assert averaged.tallies.tobytes() == dealt.tallies.tobytes()
    assert averaged.won.tolist() == dealt.won.tolist()
    assert not np.array_equal(averaged.buy_ins, dealt.buy_ins)


def test_runs_from_before_luck_was_averaged_go_on_as_they_began():
    options = tiny().options()
    assert NeuroevolutionConfig.from_options(options).luck == "averaged"
    del options["luck"]
    assert NeuroevolutionConfig.from_options(options).luck == "dealt"


def test_a_hopeless_player_loses_and_a_raiser_wins_from_the_one_who_folds():
    """Known answers: never putting in a chip loses the blinds; raising every hand wins the folder's."""
    layout = preset_named("paper").layout
    population = np.zeros((2, layout.genes), np.float32)
    bias = layout.arrays(population)["output.b"]
    bias[0], bias[1] = -1, np.arctanh(0.02)  # always o = −0.76: check or fold; always o = 0.02: four big blinds
    config = tiny("paper")
    told = earnings_of(population, layout, [RulePlayer.CHECK_FOLD], config.rules, Dealing(seed=1))
    blind = config.rules.big_blind / config.rules.stack
    assert told.buy_ins[1, 0] == pytest.approx(2 * 20 * 0.75 * blind)
    assert told.buy_ins[0, 0] == pytest.approx(0), "two folders pass the blinds to and fro"
    assert told.won[1, 0] == 2


@pytest.mark.parametrize("preset", ["pokernet", "paper", "author"])
def test_fitness_is_at_most_one_and_elites_pass_bit_for_bit(preset):
    study = Neuroevolution(tiny(preset))
    while not study.evolution.finished:
        before = study.evolution.ask().copy()
        record = study.step()
        assert record["best"] <= 1
        elites = record["elites"]
        assert elites + record["second_tier"] == study.evolution.engine.survivors
        if study.evolution.finished:
            break
        after = study.evolution.ask()
        rows = {row.tobytes() for row in before}
        assert all(row.tobytes() in rows for row in after[:elites])
        assert not any(row.tobytes() in rows for row in after[elites:])


def test_every_generation_is_dealt_other_cards(monkeypatch):
    seeds = record_seeds(monkeypatch, "earnings_of", earnings_of)
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


def test_each_difference_of_the_authors_game_is_a_switch_on_any_preset():
    author, paper = NeuroevolutionConfig.preset("author"), NeuroevolutionConfig.preset("paper")
    switches = ("decision", "inputs", "cells", "ties", "first_weights", "normaliser")
    same = NeuroevolutionConfig.preset(
        "paper",
        opponents=author.opponents,
        mutation_rate=(0.10, 0.05),
        crossover="author",
        **{name: getattr(author, name) for name in switches},
    )
    assert replace(same, setting="author") == author
    assert same.layout.genes == author.layout.genes == 3_575
    for name in switches:
        assert getattr(author, name) != getattr(paper, name)
        word = f"--{name.replace('_', '-')} {getattr(author, name)}"
        assert NeuroevolutionConfig.preset("paper", **{name: getattr(author, name)}).command.endswith(word)
    assert author.command == "holecard holdem evolve --preset author"
    first = Neuroevolution(replace(paper, first_weights="author")).evolution.population
    assert np.mean((first / author_deviations(paper.layout)) ** 2) == pytest.approx(1, abs=0.02)


def test_a_record_stands_for_the_best_of_all_generations_so_far():
    earnings, records = np.array([[2.0, 1.0], [4.0, np.nan], [1.0, 3.0]]), np.array([1.0, 2.0])
    fitness = average_normalized_earnings(earnings, 0.5, records)
    assert fitness[[0, 2]].tolist() == [(1 + 1 / 2) / 2, (1 / 4 + 1) / 2]
    assert np.isnan(fitness[1])
    assert records.tolist() == [4, 3]


def test_training_may_reset_stacks_that_the_preset_carries():
    config = tiny(stacks="reset", generations=1)
    record = Neuroevolution(config).step()
    assert record["hands"] == 8 * 4 * 2 * 20, "nobody busts"
    assert config.rules.carried
    assert Neuroevolution(tiny("card", generations=1)).step()["hands"] < record["hands"]


def test_training_may_carry_stacks_on_after_a_bust():
    config = tiny(stacks="rebuys", generations=1)
    assert (config.training_rules.carried, config.training_rules.rebuys, config.rules.rebuys) == (True, True, False)
    assert Neuroevolution(config).step()["hands"] == 8 * 4 * 2 * 20


def test_roots_and_ranks_give_every_opponent_a_pull():
    population = genomes("paper")
    config = tiny("paper", fitness="roots")
    result = earned("paper", population)
    big_blinds = mbb_per_hand(result, config) / 1000
    assert (big_blinds < 0).any()
    roots = np.where(big_blinds < 0, -np.sqrt(np.abs(big_blinds)), np.sqrt(np.abs(big_blinds)))
    assert fitness_of(result, config) == pytest.approx(roots.mean(axis=1))
    logs = np.where(big_blinds < 0, -np.log(1 + np.abs(big_blinds)), np.log(1 + np.abs(big_blinds)))
    assert fitness_of(result, replace(config, fitness="logs")) == pytest.approx(logs.mean(axis=1))
    ranks = fitness_of(result, replace(config, fitness="ranks"))
    assert abs(ranks.sum()) < 1e-12
    assert np.abs(ranks).max() <= 0.5
    best = np.argmax([np.sum(row[:, None] >= result.buy_ins.T) for row in result.buy_ins])
    assert ranks.argmax() == best
    broken = ranks_over_opponents(np.array([[1.0, 2.0], [np.nan, np.nan], [0.0, 1.0]]))
    assert np.isnan(broken[1])
    assert broken[0] == 0.5


def test_level_first_networks_put_out_nothing_and_differ():
    config = NeuroevolutionConfig.preset("paper", first_weights="level", population=8)
    first = config.new_engine().first(stream(1))
    arrays = config.layout.arrays(first)
    assert not arrays["output.w"].any()
    assert not arrays["game.initial"].any()
    assert arrays["game.input.W"].std() == pytest.approx(8**-0.5, rel=0.05)
    assert arrays["game.input.R"].std() == pytest.approx(5**-0.5, rel=0.05)
    es = NeuroevolutionConfig.preset("paper", "es", first_weights="level", population=8).new_engine().first(stream(1))
    assert config.layout.arrays(es[1])["game.input.W"].std() == pytest.approx(8**-0.5, rel=0.1), "the mean is drawn too"
    assert not NeuroevolutionConfig.preset("paper", "es", population=8).new_engine().first(stream(1))[1].any()


@pytest.mark.parametrize("deck_sets", [1, 3])
def test_of_best_is_the_mean_share_of_what_can_be_won_a_hand(deck_sets, monkeypatch):
    raiser = np.zeros((1, 4_295), np.float32)
    raiser[0, -1] = 5.0  # the output's bias: always all-in
    config = tiny("paper", opponents=("check-fold",), fitness="of-best", deck_sets=deck_sets, hands=7)
    players = [RulePlayer.CHECK_FOLD]
    result = earnings_of(raiser, config.layout, players, config.rules, Dealing(seed=1, deck_sets=deck_sets))
    assert result.played.tolist() == [[14]]
    assert fitness_of(result, config) == pytest.approx([1.0]), "750 mBB a hand is all there is"
    assert fitness_of(result, replace(config, fitness="per-hand")) == pytest.approx([750.0])
    monkeypatch.setattr("holecard.studies.neuroevolution.known_value", lambda *_: None)
    both = earnings_of(np.concatenate([raiser, 0 * raiser]), config.layout, players, config.rules, Dealing(seed=1))
    assert fitness_of(both, config).max() == pytest.approx(0.75), "of a big blind a hand where nobody knows"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"opponents": ()}, "nobody to play"),
        ({"opponents": ("call", "call")}, "played once"),
        ({"opponents": ("smrt",)}, "did you mean smart"),
        ({"decks": "old"}, "shared or fresh"),
        ({"fitness": "luck"}, "choose ane, earnings, per-hand, of-best, ranks, roots, logs"),
        ({"decision": "author-november"}, "did you mean author-december"),
        ({"normaliser": "none"}, "best or record"),
        ({"samples": -1}, "samples must be 0 or more"),
        ({"survival": 1.0}, "survival must be above 0 and below 1"),
        ({"population": 10**9}, "population must be 2 to 100,000; got 1,000,000,000"),
        ({"generations": 0}, "generations must be 1 to 10,000,000"),
        ({"hidden": 40}, "1 to 32"),
        ({"hands": 0}, "hands must be 1 to 20,000"),
        ({"seed": -1}, "seed must be"),
        ({"score_hands": 0}, "2 or more"),
        ({"deck_sets": 0}, "deck_sets must be 1 to 100,000"),
        ({"finals": -1}, "finals must be 0 to 100,000"),
    ],
)
def test_bad_settings_are_refused(changes, message):
    with pytest.raises(HolecardError, match=message):
        tiny(**changes)


def files_of(folder: Path) -> tuple[bytes, bytes]:
    return (folder / "history.jsonl").read_bytes(), (folder / CHAMPION).read_bytes()


def record_seeds(monkeypatch, name, function):
    """The seeds of the cards that a function of the study is called with, as they come."""
    seeds = []

    def spy(*args, **options):
        dealings = [each for each in args if isinstance(each, Dealing)]
        seeds.append(dealings[0].seed if dealings else options["seed"])
        return function(*args, **options)

    monkeypatch.setattr(f"holecard.studies.neuroevolution.{name}", spy)
    return seeds


@pytest.mark.parametrize("preset", ["pokernet", "paper"])
def test_a_run_ends_with_a_champion_scored_on_fresh_cards(tmp_path, preset, monkeypatch):
    trained = record_seeds(monkeypatch, "earnings_of", earnings_of)
    scored = record_seeds(monkeypatch, "duel", duel)
    config = tiny(preset)
    outcome = run(config, tmp_path / "a", threads=1, command=["test"])
    assert len(set(trained)) == 7, "six generations and the finals"
    assert len(scored) == 4
    assert not set(scored) & set(trained), "the champion is scored on cards that had no part in choosing it"
    run(config, tmp_path / "b", threads=3, command=["test"])
    assert files_of(tmp_path / "a") == files_of(tmp_path / "b")
    records = [json.loads(line) for line in (tmp_path / "a" / "history.jsonl").read_text("utf-8").splitlines()]
    assert len(records) == outcome.generations == 6
    assert outcome.champion.card["fitness"] <= records[-1]["best"]
    assert set(outcome.champion.card["scores"]) == set(config.opponents)
    champion = NamedPlayer.of_champion(Champion.load(tmp_path / "a" / CHAMPION), "x")
    for name, score in outcome.champion.card["scores"].items():
        again = duel(champion, player_named(name), config.rules, hands=200, seed=scored[0])
        assert again.hands == score["hands"]
        assert again.mbb_per_hand.mean == score["mbb_per_hand"]["value"]


def test_without_finals_the_observed_fitness_decides():
    study = Neuroevolution(tiny(finals=0))
    while not study.evolution.finished:
        record = study.step()
    assert study.champion().card["fitness"] == record["best"]
    assert np.array_equal(study.champion().genome, study.evolution.champion())


def test_more_deck_sets_are_averaged():
    population, config = genomes("paper"), tiny("paper")
    three = earned("paper", population, deck_sets=3, luck="dealt")
    assert three.hands == 3 * earned("paper", population).hands
    differ = 0
    for row, genome in enumerate(population):
        player = NamedPlayer.of_champion(Champion(layout=config.layout, genome=genome), "x")
        for column, name in enumerate(config.opponents):
            each = [chips_on(player, player_named(name), config, 3 * column + at) for at in range(3)]
            differ += len(set(each)) > 1
            assert three.buy_ins[row, column] == pytest.approx(np.mean(each) / config.rules.stack, abs=1e-12)
    assert differ > 6, "the decks are different ones; the Limper folds on all of them"


def test_a_run_of_another_kind_is_not_resumed(tmp_path):
    (tmp_path / "config.json").write_text('{"options": {"alphabet": 2}}', encoding="utf-8")
    with pytest.raises(FileProblem, match="not a run of `holecard holdem evolve`"):
        run(None, tmp_path, resume=True)


SCRIPT = """
import sys
from pathlib import Path
from holecard.studies import neuroevolution as study
folder = Path(sys.argv[1])
from holecard.studies.neuroevolution_config import NeuroevolutionConfig
sizes = {"population": 8, "generations": 40, "hands": 60, "finals": 2, "score_hands": 200}
config = NeuroevolutionConfig.preset("author", seed=5, **sizes)
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
