"""Evolution of voting programs, and the tables of 72 letters they come to."""

import json
from dataclasses import replace

import numpy as np
import pytest

from holecard.blackjack.exact import optimum
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.play import upcards
from holecard.blackjack.play.simulate import round_results
from holecard.blackjack.play.upcards import chips_against
from holecard.blackjack.players.programs import read_programs, situations, strategy_of
from holecard.blackjack.strategy.charts import read_chart
from holecard.blackjack.strategy.named import basic, named_strategy
from holecard.errors import FileProblem, SettingError
from holecard.studies.game import Measure, restricted
from holecard.studies.programs import ProgramFitness, run
from holecard.studies.programs_config import ProgramConfig
from holecard.studies.sharing import evaluate_distinct
from holecard.studies.upcard_columns import best_letters, exact_evs, sampled_evs, strategy_of_letters, upcard_weights
from holecard.studies.verdict import exact_fitness

VOTES = Rules.preset("votes")
BEST = -0.0084093595935
"""The best chart by total, ace held and cards held; between the best hit-or-stand play and the best chart by total."""
SMALL = ProgramConfig(rules=VOTES, population=30, generations=4, hands=100)


def finish(path, study, **options):
    return run(study, path, resume=(path / "config.json").exists(), **options)


def random_letters(count, seed=1):
    return np.random.default_rng(seed).integers(0, 3, (count, len(situations()))).astype(np.uint8)


@pytest.mark.parametrize("upcard", [0, 4, 9])
def test_a_round_with_a_forced_upcard_is_a_round_that_shows_it(upcard):
    """Over rounds that show an upcard the same strategy wins what it wins in those rounds of a plain simulation."""
    rounds, many = 3000, np.stack([basic(VOTES).plays()] * 2)
    chips = chips_against(upcard, many, VOTES, rounds, seed=3, threads=2)
    assert chips[0] == chips[1]
    exact = exact_evs_of(basic(VOTES), upcard)
    assert abs(chips[0] / VOTES.unit / rounds - exact) < 4 * 1.2 / rounds**0.5
    assert abs(chips[0]) <= 2 * VOTES.unit * np.abs(round_results(basic(VOTES), VOTES, rounds, seed=3)).sum()


def exact_evs_of(strategy, upcard):
    from holecard.blackjack.exact import score_many

    return score_many([strategy], VOTES, upcards=[upcard]).ev_by_upcard[0, upcard]


@pytest.mark.parametrize("upcard", [0, 5, 9])
def test_sampled_and_exact_fitness_agree(upcard):
    letters = random_letters(4)
    hands = 60_000
    exact = exact_evs(upcard, letters, VOTES)
    sampled = sampled_evs(upcard, letters, VOTES, hands, seed=1)
    np.testing.assert_allclose(sampled, exact, atol=4 * 1.5 / hands**0.5)


def test_ten_columns_together_are_worth_the_weighted_mean():
    letters = random_letters(10)
    apart = [exact_evs(upcard, letters[upcard][None], VOTES)[0] for upcard in range(10)]
    assert exact_fitness(strategy_of_letters(letters), VOTES, Measure.EV) == pytest.approx(
        upcard_weights(VOTES) @ apart, abs=1e-12
    )


def test_the_best_table_lies_between_the_other_optima_and_no_single_letter_improves_it():
    best = best_letters(VOTES)
    assert exact_fitness(strategy_of_letters(best), VOTES, Measure.EV) == pytest.approx(BEST, abs=1e-12)
    assert optimum(restricted(VOTES, "hit-stand")).ev < BEST < optimum(VOTES).ev
    rng = np.random.default_rng(2)
    for upcard in (0, 9):
        changed = np.repeat(best[upcard][None], 64, axis=0)
        changed[np.arange(64), rng.integers(0, 72, 64)] = rng.integers(0, 3, 64)
        assert exact_evs(upcard, changed, VOTES).max() <= exact_evs(upcard, best[upcard][None], VOTES)[0] + 1e-13


def test_programs_that_play_alike_are_evaluated_once():
    rows = random_letters(3)[[0, 1, 0, 2, 1]]
    asked = []

    def evaluate(distinct):
        asked.append(len(distinct))
        return distinct.sum(axis=1).astype(float)

    known = {}
    values = evaluate_distinct(rows, evaluate, known)
    np.testing.assert_array_equal(values, rows.sum(axis=1))
    evaluate_distinct(rows[::-1], evaluate, known)
    assert asked == [3]


@pytest.mark.parametrize("fitness", ["exact", "sampled"])
def test_the_same_seed_is_the_same_run_on_1_and_2_threads(fitness, tmp_path):
    study = replace(SMALL, fitness=fitness, seed=4)
    one, two = (finish(tmp_path / str(threads), study, threads=threads) for threads in (1, 2))
    assert one.winner == two.winner
    for name in ("history.jsonl", "programs.txt", "winner.txt", "consensus.txt"):
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes()


def test_the_files_say_what_the_winner_plays(tmp_path):
    outcome = finish(tmp_path, SMALL)
    programs = read_programs((tmp_path / "programs.txt").read_text(encoding="utf-8"))
    assert strategy_of(programs) == outcome.winner
    assert read_chart((tmp_path / "winner.txt").read_text(encoding="utf-8")) == outcome.winner
    assert outcome.verdict.exact == pytest.approx(outcome.verdict.observed, abs=1e-12), "shortening changes no play"
    assert outcome.verdict.exact <= outcome.verdict.optimum
    records = [json.loads(line) for line in (tmp_path / "history.jsonl").read_text().splitlines()]
    assert [record["generation"] for record in records] == [0, 1, 2, 3]
    assert [record["best"] for record in records] == sorted(record["best"] for record in records)


def test_upcards_that_stagnate_wait_for_the_others(tmp_path):
    outcome = finish(tmp_path, replace(SMALL, generations=12, stagnation=2))
    records = [json.loads(line) for line in (tmp_path / "history.jsonl").read_text().splitlines()]
    assert len(records) == outcome.generations
    assert len(records[-1]["upcards"]) < 10
    assert records[-1]["exact"] == pytest.approx(outcome.verdict.exact, abs=1e-12)


def test_a_small_study_beats_hit_or_stand(tmp_path):
    outcome = finish(tmp_path, ProgramConfig(rules=VOTES, population=150, generations=40, seed=1))
    assert outcome.verdict.exact > optimum(restricted(VOTES, "hit-stand")).ev


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_the_default_study_comes_within_a_thousandth_of_the_best_table(seed, tmp_path):
    assert finish(tmp_path, ProgramConfig(rules=VOTES, seed=seed)).verdict.exact > BEST - 0.001


def test_settings_outside_their_limits_are_refused():
    with pytest.raises(SettingError, match="fitness must be exact or sampled"):
        ProgramConfig(rules=VOTES, fitness="guessed")
    with pytest.raises(SettingError, match="hands must be 1 to"):
        ProgramConfig(rules=VOTES, hands=0)
    with pytest.raises(SettingError, match="limit 21"):
        ProgramConfig(rules=Rules(bj=None, limit=15, target=12, ace_bonus=4))
    with pytest.raises(SettingError, match="population must be 2"):
        ProgramConfig(rules=VOTES, population=1)
    assert ProgramConfig.from_options(json.loads(json.dumps(SMALL.options()))) == SMALL
    with pytest.raises(FileProblem, match="not a run of `holecard evolve gp`"):
        ProgramConfig.from_options({"study": "evolve ga"})


def test_fitness_is_found_only_for_the_upcards_that_go_on():
    from holecard.blackjack.players.programs import VOCABULARY
    from holecard.evolve.trees import TreeEngine
    from holecard.seeds import stream

    trees = TreeEngine(VOCABULARY, SMALL).first(stream(1))
    fitness = ProgramFitness(SMALL)({"A": trees, "10": trees}, 0)
    assert set(fitness) == {"A", "10"}
    assert not np.array_equal(fitness["A"], fitness["10"])


def test_rounds_that_show_an_upcard_are_found_and_played_in_pieces_that_change_nothing(monkeypatch):
    plays = np.stack([named_strategy(name, VOTES).plays() for name in ("mimic-dealer", "never-bust")])
    whole = chips_against(9, plays, VOTES, 1050, seed=3, threads=1)
    monkeypatch.setattr(upcards, "CHUNK", 100)
    assert (chips_against(9, plays, VOTES, 1050, seed=3, threads=2) == whole).all()
