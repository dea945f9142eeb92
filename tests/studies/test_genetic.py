"""Evolution of tables: the classic game, the same run on any number of threads, the optimum found."""

import importlib.util
import json
import random
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from holecard.blackjack.exact import ev_of_strategy, score
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.events import Over, play_stacked
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.play.kernels import NET, ROUNDS
from holecard.blackjack.play.simulate import round_results, simulate_many
from holecard.blackjack.strategy.charts import read_chart
from holecard.blackjack.strategy.strategy import Strategy
from holecard.errors import FileProblem, SettingError
from holecard.evolve.checkpoint import CHECKPOINT
from holecard.evolve.observer import Observer
from holecard.evolve.run_directory import carry_on
from holecard.studies import genetic
from holecard.studies.consensus import Consensus, consensus_of
from holecard.studies.genetic import GeneticFitness, run
from holecard.studies.genetic_config import PRESETS, GeneticConfig

CLASSIC = Rules.preset("classic")
BEST = 0.478596937344
SMALL = {"population": 20, "generations": 6, "hands": 200}


def self_contained():
    path = Path(__file__).parents[2] / "blackjack_ga.py"
    spec = importlib.util.spec_from_file_location("blackjack_ga", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["blackjack_ga"] = module
    spec.loader.exec_module(module)
    return module


def finish(path, study, **options):
    return run(study, path, resume=(path / "config.json").exists(), **options)


def actions_of(bits, cards, ga):
    """What a genome does with these cards, by the 260-bit algorithm's own words."""
    player, upcard, rest = [cards[0], cards[2]], cards[1], iter(cards[4:])
    total, soft = ga.hand_value(player)
    while total < 21:
        if not ga.strategy_lookup(bits, total, soft, upcard):
            yield Action.STAND
            return
        yield Action.HIT
        player.append(next(rest))
        total, soft = ga.hand_value(player)


def test_the_engine_and_the_self_contained_file_agree_on_the_same_cards():
    """Same genome, same cards, same outcome."""
    ga = self_contained()
    rng = random.Random(5)
    names = {1.0: "win", 0.0: "push", -1.0: "loss"}
    for _ in range(1500):
        bits = [rng.randint(0, 1) for _ in range(260)]
        deck = rng.sample(range(52), 52)  # cards as they are dealt: rank * 4 + suit, ranks 2 … A
        values = [11 if card >> 2 == 12 else min((card >> 2) + 2, 10) for card in deck]
        theirs = ga.play_hand(bits, list(reversed(values)))
        events = play_stacked(deck, list(actions_of(bits, values, ga)), CLASSIC)
        assert names[next(event.net for event in events if isinstance(event, Over))] == theirs


def test_the_kernel_plays_genomes_as_the_self_contained_file_does_on_average():
    ga = self_contained()
    random.seed(3)
    bits = [random.randint(0, 1) for _ in range(260)]
    theirs = np.mean([{"win": 1, "push": 0.5, "loss": 0}[ga.play_hand(bits)] for _ in range(20_000)])
    ours = (1 + ev_of_strategy(Strategy.from_genome(bits), CLASSIC)) / 2
    assert abs(theirs - ours) < 4 * 0.48 / 20_000**0.5


def test_own_cards_are_consecutive_rounds_of_the_seed():
    strategy = Strategy.from_genome([1] * 100 + [0] * 160)
    many = np.stack([strategy.plays()] * 3)
    rounds = round_results(strategy, CLASSIC, 300, seed=4)
    for threads in (1, 2):
        own = simulate_many(many, CLASSIC, 100, seed=4, own_cards=True, threads=threads)
        np.testing.assert_array_equal(own[:, NET], rounds.reshape(3, 100).sum(axis=1))
        assert (own[:, ROUNDS] == 100).all()
    shared = simulate_many(many, CLASSIC, 100, seed=4)
    assert (shared[:, NET] == rounds[:100].sum()).all()


@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_seed_is_the_same_run_on_1_and_2_threads(preset, tmp_path):
    study = GeneticConfig.preset(preset, CLASSIC, **{**SMALL, "seed": 7})
    one = finish(tmp_path / "one", study, threads=1)
    two = finish(tmp_path / "two", study, threads=2)
    assert one.winner == two.winner
    assert one.verdict == two.verdict
    for name in ("history.jsonl", "winner.txt", "consensus.txt"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    other = finish(tmp_path / "other", replace(study, seed=8))
    assert other.winner != one.winner


def test_the_exact_preset_finds_the_best_table(tmp_path):
    outcome = finish(tmp_path, GeneticConfig.preset("exact", CLASSIC, seed=1))
    assert outcome.verdict.exact == pytest.approx(BEST, abs=1e-12)
    assert outcome.verdict.optimum == pytest.approx(BEST, abs=1e-12)
    assert outcome.winner == outcome.best
    assert abs(outcome.verdict.gap) < 1e-12


def test_a_verdict_tells_luck_from_worth(tmp_path):
    outcome = finish(tmp_path, GeneticConfig.preset("classic", CLASSIC, generations=10, seed=2))
    verdict = outcome.verdict
    assert verdict.gap > 0.01, "the best of a hundred readings of 1,000 hands flatters itself"
    assert abs(verdict.fresh.z(verdict.exact)) < 4
    assert verdict.exact == pytest.approx(score(outcome.winner, CLASSIC).fitness, abs=1e-12)
    assert read_chart((tmp_path / "winner.txt").read_text(encoding="utf-8")) == outcome.winner


def test_every_generation_is_recorded_as_observed_and_as_it_is(tmp_path):
    study = GeneticConfig.preset("tuned", CLASSIC, **SMALL)
    outcome = finish(tmp_path, study)
    records = [json.loads(line) for line in (tmp_path / "history.jsonl").read_text().splitlines()]
    assert [record["generation"] for record in records] == list(range(6))
    assert records[-1]["exact"] == outcome.verdict.exact
    assert records[-1]["exact_consensus"] == outcome.verdict.consensus
    last = Consensus.from_dict(records[-1]["consensus"])
    np.testing.assert_array_equal(last.letters, outcome.consensus.letters)
    np.testing.assert_allclose(last.shares, outcome.consensus.shares, atol=0.006)


@pytest.mark.parametrize("actions", ["hit-stand-double", "all"])
def test_other_alphabets_evolve_on_other_rules(actions, tmp_path):
    study = GeneticConfig.preset(
        "tuned", Rules.preset("atlantic-city"), **{**SMALL, "actions": actions, "generations": 3}
    )
    outcome = finish(tmp_path, study)
    assert outcome.verdict.measure == "EV"
    assert outcome.verdict.exact <= outcome.verdict.optimum
    assert abs(outcome.verdict.fresh.z(outcome.verdict.exact)) < 4
    assert abs(outcome.verdict.observed) < 2


def test_exact_and_sampled_fitness_measure_the_same():
    for rules, actions in ((CLASSIC, "hit-stand"), (Rules.preset("votes"), "hit-stand-double")):
        changes = {"actions": actions, "hands": 40_000, "population": 8}
        study = GeneticConfig.preset("tuned", rules, **changes)
        genomes = np.stack(
            [study.encoding.genome(Strategy.from_genome([1] * ones + [0] * (260 - ones))) for ones in (80, 130)]
        )
        sampled, exact = GeneticFitness(study)(genomes, 0), GeneticFitness(replace(study, fitness="exact"))(genomes, 0)
        np.testing.assert_allclose(sampled, exact, atol=4 * 1.2 / 40_000**0.5)


def test_ties_of_a_consensus_go_to_the_first_letter():
    study = GeneticConfig.preset("classic", CLASSIC)
    halves = np.repeat([[0], [1]], 260, axis=1).astype(np.uint8)
    consensus = consensus_of(halves, study.encoding)
    assert (consensus.letters == study.encoding.alphabet[0][0]).all()
    np.testing.assert_array_equal(consensus.hits, 0.5)


def test_a_damaged_checkpoint_is_told_and_the_previous_one_used(tmp_path, monkeypatch):
    monkeypatch.setattr(genetic, "carry_on", partial(carry_on, seconds_between_checkpoints=0.0))
    study = GeneticConfig.preset("tuned", CLASSIC, **SMALL)
    whole = finish(tmp_path / "whole", study)
    finish(tmp_path / "damaged", study)
    (tmp_path / "damaged" / CHECKPOINT).write_bytes(b"rubbish")
    notes = []
    again = finish(tmp_path / "damaged", study, observer=Observer(note=notes.append))
    assert len(notes) == 1
    assert "damaged" in notes[0]
    assert again.winner == whole.winner
    assert (tmp_path / "damaged" / "history.jsonl").read_bytes() == (tmp_path / "whole" / "history.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"cards": "marked"}, "cards must be fresh or common; got 'marked'"),
        ({"fitness": "guessed"}, "fitness must be sampled or exact"),
        ({"hands": 0}, "hands must be 1 to"),
        ({"population": 1}, "population must be 2 to"),
        ({"selection": "lottery"}, "unknown selection 'lottery'"),
        ({"elites": 100}, "elites must be 0 to 99"),
        ({"actions": "all", "rules": Rules()}, "roulette needs a fitness of 0 or more"),
    ],
)
def test_settings_outside_their_limits_are_refused(changes, message):
    with pytest.raises(SettingError, match=message):
        GeneticConfig(**{"rules": CLASSIC, **changes})


def test_a_study_is_read_back_from_its_options():
    study = GeneticConfig.preset("tuned", Rules.preset("votes"), actions="all", seed=9)
    assert GeneticConfig.from_options(json.loads(json.dumps(study.options()))) == study
    with pytest.raises(FileProblem, match="not a run of `holecard evolve ga`"):
        GeneticConfig.from_options({"study": "evolve gp"})
    with pytest.raises(FileProblem, match="does not describe"):
        GeneticConfig.from_options({"study": "evolve ga", "rules": "classic", "colour": "red"})
    with pytest.raises(SettingError, match="unknown preset 'best'; choose classic, tuned, exact"):
        GeneticConfig.preset("best", CLASSIC)
