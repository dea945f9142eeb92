import dataclasses

import numpy as np
import pytest

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.play import fresh
from holecard.blackjack.play import simulate as module
from holecard.blackjack.play.kernels import NET, ROUNDS, WINS
from holecard.blackjack.play.simulate import compare, round_results, simulate, simulate_many
from holecard.blackjack.strategy.named import named_strategy
from holecard.blackjack.strategy.strategy import Strategy
from holecard.errors import CardError, HolecardError

CASINO = Rules.preset("casino")
CLASSIC = Rules.preset("classic")


def counted(result):
    return (result.rounds, result.ev, result.win, result.push, result.natural, result.bust, result.ruin)


@pytest.mark.parametrize("shoe", ["fresh", "dealt"])
@pytest.mark.parametrize("bankroll", [None, 10])
def test_the_same_on_1_2_and_5_threads(shoe, bankroll):
    rules = dataclasses.replace(CASINO, shoe=shoe)
    basic = named_strategy("basic", rules)
    results = [simulate(basic, rules, 2_500_000, seed=3, threads=n, bankroll=bankroll) for n in (1, 2, 5)]
    assert counted(results[0]) == counted(results[1]) == counted(results[2])


@pytest.mark.parametrize(
    "rules",
    [
        CLASSIC,
        CASINO,
        *(Rules.preset(name) for name in ("vegas-strip", "downtown", "single-deck", "atlantic-city", "votes")),
        *(Rules.from_text(text) for text in ("6d H17 DAS LS", "2d ENHC", "8d RSA", "6d H17 1:1", "1d H17 D10")),
    ],
    ids=str,
)
@pytest.mark.parametrize("name", ["basic", "random"])
def test_games_compiled_apart_play_the_rounds_of_the_general_kernel(rules, name):
    """`simulate` runs usual games on a kernel with their rules as constants; single rounds are never played so."""
    table = named_strategy(name, rules)
    tally = simulate_many(table.plays()[None], rules, 30_000, seed=9)[0]
    nets = round_results(table, rules, 30_000, seed=9)
    assert (tally[NET], tally[WINS]) == (nets.sum(), (nets > 0).sum())


@pytest.mark.parametrize("shoe", ["fresh", "dealt"])
def test_the_same_in_any_chunks(shoe, monkeypatch):
    rules = dataclasses.replace(CASINO, shoe=shoe)
    basic = named_strategy("basic", rules)
    whole = simulate(basic, rules, 100_003, seed=3)
    monkeypatch.setattr(module, "CHUNK", 7_777)
    monkeypatch.setattr(module, "THREAD_CHUNK", 7_777)
    assert counted(simulate(basic, rules, 100_003, seed=3)) == counted(whole)
    assert whole.rounds == 100_003


def test_more_rounds_of_a_seed_start_with_the_same_ones():
    basic = named_strategy("basic", CASINO)
    long, short = (round_results(basic, CASINO, n, seed=8) for n in (5000, 1000))
    assert (long[:1000] == short).all()
    assert (round_results(basic, CASINO, 1000, seed=8, first=500)[:500] == short[500:]).all()
    assert not (round_results(basic, CASINO, 1000, seed=9) == short).all()


@pytest.mark.parametrize(
    ("name", "fitness"),
    [("best", 0.478596937344), ("random", 0.340759301685), ("mimic-dealer", 0.459954109952), ("stand", 0.408278344514)],
)
@pytest.mark.parametrize("rounds", [4_000_000, pytest.param(100_000_000, marks=pytest.mark.slow)])
def test_seed_000s_game_has_the_published_fitness(name, fitness, rounds, blackjack_reference):
    result = simulate(classic_strategy(name, blackjack_reference), CLASSIC, rounds, seed=1)
    assert abs(result.fitness.z(fitness)) < 4


def classic_strategy(name, reference):
    if name == "stand":
        return Strategy.from_genome([0] * 260)
    if name != "best":
        return named_strategy(name, CLASSIC)
    published = reference["seed_winrate_260_table"]["optimal_table_plain"]
    rows = {"hard": {}, "soft": {}}
    for label, letters in published.items():
        if label != "columns":
            kind, totals = label.split()
            first, _, last = totals.partition("-")
            for total in range(int(first), int(last or first) + 1):
                rows[kind][total] = letters[9] + letters[:9]  # published from 2 to A, ours from A to 10
    letters = "".join(rows["hard"][total] for total in range(4, 21)) + "".join(
        rows["soft"][total] for total in range(12, 21)
    )
    return Strategy.from_genome([int(letter == "H") for letter in letters])


@pytest.mark.parametrize("rounds", [10_000_000, pytest.param(200_000_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("decks", "soft17"), [(1, "S17"), (6, "S17"), (6, "H17")])
def test_basic_has_the_ev_of_the_exact_chart(decks, soft17, rounds, blackjack_reference):
    """The landmark rule sets: double any two, DAS, split to 4 hands by value, no resplit of aces."""
    wanted = {"decks": decks, "soft17": soft17, "das": True, "max_hands": 4, "resplit_aces": False, "surrender": "none"}
    row = next(
        row
        for row in blackjack_reference["overall_measured"]
        if all(row[key] == value for key, value in wanted.items()) and row["peek"] and row["double"].startswith("any")
    )
    rules = Rules.from_text(f"{decks}d {soft17} value")
    result = simulate(named_strategy("basic", rules), rules, rounds, seed=2)
    assert abs(result.ev.z(row["ev"]["td"])) < 4


def test_many_tables_play_the_same_cards_as_one():
    names = ("basic", "mimic-dealer", "never-bust")
    tables = [named_strategy(name, CLASSIC) for name in names]
    tallies = simulate_many(np.stack([table.plays() for table in tables]), CLASSIC, 20_000, seed=5, threads=2)
    for table, tally in zip(tables, tallies, strict=True):
        alone = simulate(table, CLASSIC, 20_000, seed=5)
        assert (tally[ROUNDS], tally[WINS] / 20_000) == (20_000, alone.win.mean)
        assert tally[NET] / CLASSIC.unit / 20_000 == alone.ev.mean


def test_pairing_on_common_cards_cuts_the_variance():
    basic, mimic = named_strategy("basic", CASINO), named_strategy("mimic-dealer", CASINO)
    paired = compare(basic, mimic, CASINO, 300_000, seed=1)
    apart = [simulate(table, CASINO, 300_000, seed=seed).ev for table, seed in ((basic, 1), (mimic, 2))]
    assert paired.mean == pytest.approx(
        (round_results(basic, CASINO, 300_000, seed=1).mean() - round_results(mimic, CASINO, 300_000, seed=1).mean())
        / 2
    )
    assert paired.stderr**2 * 3 < apart[0].stderr ** 2 + apart[1].stderr ** 2
    one_cell = basic.cells.copy()
    one_cell[:, 0, 16, 9] = 1
    close = compare(basic, Strategy(one_cell), CASINO, 300_000, seed=1)
    assert close.stderr**2 * 30 < apart[0].stderr ** 2 * 2


def test_ctrl_c_reports_the_rounds_done(monkeypatch):
    monkeypatch.setattr(module, "THREAD_CHUNK", 10_000)
    basic = named_strategy("basic", CASINO)

    def stop(done):
        if done >= 30_000:
            raise KeyboardInterrupt

    result = simulate(basic, CASINO, 1_000_000, seed=1, progress=stop)
    assert not result.complete
    assert counted(result) == counted(simulate(basic, CASINO, result.rounds, seed=1))


def test_ruin_of_a_fair_coin_is_gamblers_ruin():
    """Standing on everything against a dealer who stands at once is nearly a fair ±1 game: compare with a walk."""
    rules = Rules.from_text("8d plain ND NDAS 1-hands target=2")
    result = simulate(named_strategy("mimic-dealer", rules), rules, 4_000_000, seed=1, bankroll=5, trip=100)
    stand = round_results(named_strategy("mimic-dealer", rules), rules, 100_000, seed=7) / rules.unit
    steps = np.random.default_rng(1).choice(stand, size=(20_000, 100)).cumsum(axis=1)
    walk = (steps.min(axis=1) <= -5).mean()
    assert result.ruin.mean == pytest.approx(walk, abs=0.02)
    assert result.long_run_ruin.mean > 0.5


def test_a_bankroll_forbids_doubles_it_cannot_pay():
    rules = CASINO
    result = simulate(named_strategy("basic", rules), rules, 200_000, seed=1, bankroll=1, trip=1)
    assert result.stdev.mean < simulate(named_strategy("basic", rules), rules, 200_000, seed=1).stdev.mean


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"rounds": 0}, "rounds must be 1"),
        ({"rounds": 10, "bankroll": 0.5}, "bankroll must be"),
        ({"rounds": 10, "bankroll": 5, "trip": 0}, "a trip must be"),
        ({"rounds": 10, "threads": 0}, "threads must be"),
        ({"rounds": 10, "seed": -1}, "seed must be"),
    ],
)
def test_requests_that_cannot_be(arguments, word):
    with pytest.raises(HolecardError, match=word):
        simulate(named_strategy("basic", CASINO), CASINO, **arguments)


def test_a_deck_in_play():
    rich = Composition.from_text("A=24,2=20,3=20,4=20,5=20,6=20,7=24,8=24,9=24,10=96")
    basic = named_strategy("basic", CASINO)
    full, high = simulate(basic, CASINO, 2_000_000, seed=1), simulate(basic, CASINO, 2_000_000, seed=1, deck=rich)
    assert high.ev.mean > full.ev.mean + 0.005, "low cards out favour the player"
    with pytest.raises(CardError, match="add cards"):
        simulate(basic, CASINO, 10, deck=Composition.from_text("10=8"))


def test_a_strategy_for_another_limit_is_refused():
    with pytest.raises(HolecardError, match="limit 21"):
        simulate(named_strategy("basic", CASINO), Rules.from_text("limit=22 plain"), 10)


@pytest.mark.parametrize("own_cards", [True, False])
def test_many_strategies_are_played_in_pieces_that_change_nothing(monkeypatch, own_cards):
    """No kernel runs long in one call, however many rounds are asked for."""
    rules = Rules.preset("classic")
    plays = np.stack([named_strategy(name, rules).plays() for name in ("basic", "mimic-dealer", "never-bust")])
    whole = simulate_many(plays, rules, 1050, seed=4, own_cards=own_cards, threads=2)
    lengths = []

    def watched(state, block, apart, strategies, tallies, table, before=fresh.play_fresh):
        lengths.append(block.n * len(strategies))
        before(state, block, apart, strategies, tallies, table)

    monkeypatch.setattr(module, "CHUNK", 100)
    monkeypatch.setattr(fresh, "play_fresh", watched)
    for threads in (1, 2):
        pieces = simulate_many(plays, rules, 1050, seed=4, own_cards=own_cards, threads=threads)
        assert (pieces == whole).all()
    assert max(lengths) == 100
