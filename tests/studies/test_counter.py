"""Counters of 294 bits: every bit means what the specification says, and sessions go as it says."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from holecard.blackjack.counting.bankrolls import SessionTerms, bankroll_paths, bankrolls, true_count
from holecard.blackjack.counting.shoe_values import shoe_values
from holecard.blackjack.exact import ev_of_strategy, optimum
from holecard.blackjack.game.dealing import begin_shoe, clear_stamps, collect
from holecard.blackjack.game.round import DEALER, UNLIMITED, cards_on_table, new_rounds
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.play.kernels import play_round
from holecard.blackjack.strategy.cell import Kind
from holecard.blackjack.strategy.charts import read_chart
from holecard.blackjack.strategy.letters import Letter
from holecard.blackjack.strategy.strategy import Strategy
from holecard.errors import FileProblem, SettingError
from holecard.evolve.observer import Observer
from holecard.seeds import key_of
from holecard.studies import run as run_study
from holecard.studies.counter import CounterFitness, most_common, run
from holecard.studies.counter_config import GAME, PRESETS, CounterConfig
from holecard.studies.counter_genome import BITS, Counter, bets_of, gamblers_of, letters_of, tags_of
from holecard.studies.counter_worth import CounterWorth

HI_LO = (-1, 1, 1, 1, 1, 1, 0, 0, 0, -1)
VALUES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
SMALL = {"population": 12, "generations": 4, "hands": 60, "shoes": 100}


@pytest.fixture(scope="module")
def worth():
    return CounterWorth(CounterConfig.preset("tuned", shoes=400), threads=1)


def random_genomes(n, seed=0):
    return np.random.default_rng(seed).integers(0, 2, (n, BITS), dtype=np.uint8)


def test_there_are_294_bits_of_three_kinds():
    assert BITS == 260 + 22 + 12


def test_each_play_bit_is_one_cell():
    """Hard 4 … 20, then soft 12 … 20, ten upcards A … 10 each; 1 is hit."""
    encoding = CounterConfig().encoding
    for bit in range(260):
        genome = np.zeros((1, BITS), np.uint8)
        genome[0, bit] = 1
        row, upcard = divmod(bit, 10)
        kind, total = (Kind.HARD, row + 4) if row < 17 else (Kind.SOFT, row - 17 + 12)
        for chart in (Counter.of(genome[0]).chart, encoding.strategy(letters_of(genome)[0])):
            hits = [
                (kind_, total_, up)
                for kind_, totals in ((Kind.HARD, range(4, 21)), (Kind.SOFT, range(12, 21)))
                for total_ in totals
                for up in range(10)
                if chart.cells[1, kind_, total_, up] == Letter.HIT
            ]
            assert hits == [(kind, total, upcard)]


@pytest.mark.parametrize("slot", range(11))
@pytest.mark.parametrize(("bits", "tag"), [((0, 0), -1), ((0, 1), 0), ((1, 0), 1), ((1, 1), 0)])
def test_each_slot_of_two_bits_is_a_tag(slot, bits, tag):
    genome = random_genomes(1, seed=slot)
    before = tags_of(genome)[0].copy()
    genome[0, 260 + 2 * slot : 262 + 2 * slot] = bits
    after = tags_of(genome)[0]
    assert after.shape == (10,)
    if slot < 10:
        assert after[slot] == tag
        before[slot] = tag
    np.testing.assert_array_equal(after, before)  # the eleventh slot changes nothing


@pytest.mark.parametrize("band", range(4))
@pytest.mark.parametrize("units", range(1, 9))
def test_each_three_bits_are_a_bet(band, units):
    genome = random_genomes(1, seed=band)
    before = bets_of(genome)[0].copy()
    genome[0, 282 + 3 * band : 285 + 3 * band] = [int(bit) for bit in f"{units - 1:03b}"]
    before[band] = units
    np.testing.assert_array_equal(bets_of(genome)[0], before)


def test_a_counter_is_its_genome():
    counter = Counter(chart=Strategy.from_genome([1, 0] * 130), tags=HI_LO, bets=(1, 2, 4, 8))
    assert Counter.of(counter.genome()) == counter
    assert "A=-1,2=1" in counter.text()
    with pytest.raises(SettingError, match="294"):
        Counter.of(np.zeros(260, np.uint8))


def test_the_true_count_is_pythons_round_of_the_specifications_words():
    for left in range(1, 313):
        for running in range(-60, 61):
            assert true_count(running, left) == round(running / max(Fraction(1, 2), Fraction(left, 52)))


def session_by_the_specification(counter, config, seed, number):
    """A session in plain Python: the cards of the engine's rounds, the count, the bets and the money from the words."""
    rules = config.game
    table, plays = rules.table(), counter.chart.plays().ravel()
    tags = dict(zip(VALUES, counter.tags, strict=True))
    state = new_rounds(1, Composition.of_rules(rules), dealt=True)
    round_ = state[0]
    shoe = round_["shoe"]
    clear_stamps(shoe)
    begin_shoe(shoe)
    key, money, running, path = key_of(np.uint64(seed), np.uint64(number)), float(config.bankroll), 0, []
    path.append(money)
    for hand in range(config.hands):
        left = int(shoe["size"]) - int(shoe["out"])
        if left <= 78:
            begin_shoe(shoe)
            running, left = 0, 312
        count = round(running / max(Fraction(1, 2), Fraction(left, 52)))
        bet = min(counter.bets[0 if count <= -2 else 1 if count <= 1 else 2 if count <= 4 else 3], money)
        net = play_round(round_, key_of(key, np.uint64(hand)), UNLIMITED, plays, table)
        money += bet * int(net) / table.unit
        for hand_cards in (round_["hands"][DEALER], round_["hands"][1]):
            for card in hand_cards["cards"][: hand_cards["n_cards"]]:
                rank = int(card) >> 2
                running += tags["A" if rank == 12 else str(min(rank + 2, 10))]
        collect(shoe, cards_on_table(round_, table))
        path.append(money)
        if money <= 0:
            break
    return path + [money] * (config.hands + 1 - len(path))


def test_a_session_goes_as_the_specification_says_hand_by_hand(worth):
    config = CounterConfig(hands=120, bankroll=60)
    chart = worth.best_chart
    counters = [Counter(chart=chart, tags=HI_LO, bets=(1, 2, 4, 8)), *(Counter.of(row) for row in random_genomes(3))]
    genomes = np.stack([counter.genome() for counter in counters])
    terms = SessionTerms(hands=120, bankroll=60.0)
    with np.errstate(over="ignore"):
        expected = [session_by_the_specification(each, config, 9, at) for at, each in enumerate(counters)]
    paths = bankroll_paths(gamblers_of(genomes, config.encoding), config.game, terms, seed=9)
    np.testing.assert_array_equal(paths, expected)
    ends = bankrolls(gamblers_of(genomes, config.encoding), config.game, terms, seed=9, threads=2)
    np.testing.assert_array_equal(ends, paths[:, -1])
    assert (paths >= 0).all()
    assert min(min(path) for path in expected) == 0, "somebody is ruined and stays so"


def test_expectations_are_what_sessions_bring(worth):
    config = worth.config
    counter = Counter(chart=worth.best_chart, tags=HI_LO, bets=(1, 1, 2, 8))
    players = gamblers_of(np.repeat(counter.genome()[None], 4000, axis=0), config.encoding)
    ends = bankrolls(players, config.game, SessionTerms(hands=1000, bankroll=1e9), seed=3) - 1e9 + config.bankroll
    error = ends.std() / len(ends) ** 0.5
    assert abs(ends.mean() - worth.counter(counter)) < 4 * error + 0.5


def test_the_games_best_table_loses_two_in_a_hundred_and_edges_are_nearly_exact(worth):
    config = worth.config
    assert ev_of_strategy(worth.best_chart, config.fresh_game) == pytest.approx(-0.02347, abs=1e-5)
    assert worth.best_chart == optimum(config.fresh_game).strategy()
    whole = np.array(Composition.of_rules(config.game).values)
    some = np.random.default_rng(1).choice(len(worth._left), 24, replace=False)
    exact = [value.chart for value in shoe_values(worth.best_chart, config.game, whole - worth._seen[some], threads=1)]
    assert np.corrcoef(exact, worth._edge[some])[0, 1] > 0.98


def test_the_best_counter_is_better_than_flat_bets_and_hi_los_own_best(worth):
    flat = Counter(chart=worth.best_chart, tags=HI_LO, bets=(1, 1, 1, 1))
    assert worth.counter(flat) == pytest.approx(1000 + 1000 * ev_of_strategy(worth.best_chart, worth.config.fresh_game))
    hi_lo = Counter(chart=worth.best_chart, tags=HI_LO, bets=worth.best_bets(HI_LO))
    assert worth.counter(worth.best) >= worth.counter(hi_lo) > worth.counter(flat)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_same_seed_is_the_same_run_on_1_and_2_threads_and_resumed(preset, tmp_path):
    config = CounterConfig.preset(preset, **SMALL, seed=5)
    one = run(config, tmp_path / "one", threads=1)
    two = run_study(config, tmp_path / "two", threads=2)
    assert one.winner == two.winner
    assert one.verdict == two.verdict

    def stop(record):
        if record["generation"] == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(config, tmp_path / "stopped", observer=Observer(record=stop))
    again = run(None, tmp_path / "stopped", resume=True)
    assert again.verdict == one.verdict
    for name in ("history.jsonl", "winner.txt", "consensus.txt", "winner-counter.txt", "consensus-counter.txt"):
        text = (tmp_path / "one" / name).read_bytes()
        assert (tmp_path / "two" / name).read_bytes() == text
        assert (tmp_path / "stopped" / name).read_bytes() == text
    assert read_chart((tmp_path / "one" / "winner.txt").read_text(encoding="utf-8")) == one.winner.chart
    records = [json.loads(line) for line in (tmp_path / "one" / "history.jsonl").read_text().splitlines()]
    assert records[-1]["tags"] == list(one.winner.tags)
    assert records[-1]["expected"] == pytest.approx(one.verdict.expected)


def test_common_cards_are_the_same_for_everybody(worth):
    genomes = np.repeat(random_genomes(1), 3, axis=0)
    config = CounterConfig(hands=50, shoes=100)
    own = CounterFitness(config, worth)(genomes, 0)
    common = CounterFitness(replace(config, cards="common"), worth)(genomes, 0)
    assert len(set(own)) > 1
    assert len(set(common)) == 1


def test_the_consensus_is_the_most_common_of_everything():
    population = random_genomes(5)
    common = most_common(population)
    tags, bets = tags_of(population), bets_of(population)
    for at in range(10):
        assert (tags[:, at] == common.tags[at]).sum() == max((tags[:, at] == tag).sum() for tag in (-1, 0, 1))
    for band in range(4):
        assert (bets[:, band] == common.bets[band]).sum() == max((bets[:, band] == bet).sum() for bet in range(1, 9))
    np.testing.assert_array_equal(common.genome()[:260], population[:, :260].sum(axis=0) > 2)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rules": replace(GAME, limit=22, bj=None)}, "to 21"),
        ({"rules": replace(Rules(), decks=float("inf"))}, "infinite"),
        ({"guidance": 5.0}, "--fitness expected"),
        ({"selection": "roulette", "fitness": "expected"}, "--selection windowed"),
        ({"count_mutation": 2.0}, "count_mutation"),
    ],
)
def test_what_makes_no_study_is_refused(settings, message):
    with pytest.raises(SettingError, match=message):
        CounterConfig(**settings)


def test_a_run_of_another_study_is_refused(tmp_path):
    run(CounterConfig(**SMALL), tmp_path, threads=1)
    options = json.loads((tmp_path / "config.json").read_text())["options"]
    assert CounterConfig.from_options(options) == CounterConfig(**SMALL)
    with pytest.raises(FileProblem, match="not a run"):
        CounterConfig.from_options({**options, "study": "evolve ga"})


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_tuned_finds_the_best_chart_hi_lo_and_the_best_bets(seed, tmp_path):
    outcome = run(CounterConfig.preset("tuned", seed=seed), tmp_path)
    assert outcome.winner.chart == outcome.best.chart
    assert outcome.winner.tags == outcome.best.tags == outcome.best_tags == HI_LO
    assert outcome.winner.bets == outcome.best.bets == (1, 1, 1, 8)
    assert abs(outcome.verdict.fresh.z(outcome.verdict.expected)) < 4
