"""One engine at every speed: kernels, plain Python, Game and Batch play the same rounds on the same cards."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.batch import Batch
from holecard.blackjack.game.dealing import begin_shoe, fill
from holecard.blackjack.game.game import Game
from holecard.blackjack.game.round import ROUND, UNLIMITED
from holecard.blackjack.game.rule_words import INFINITE
from holecard.blackjack.game.rules import PRESETS, Rules
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.play.kernels import play_round
from holecard.blackjack.play.simulate import round_results, simulate
from holecard.blackjack.strategy.cell import SHAPE
from holecard.blackjack.strategy.named import named_strategy
from holecard.blackjack.strategy.strategy import Strategy
from holecard.errors import IllegalAction
from holecard.seeds import key_of
from tests.conftest import any_rules


def random_table(seed, rules):
    """A table with every letter in it, so that every branch of the engine is taken."""
    cells = np.random.default_rng(seed).integers(0, 8, SHAPE, dtype=np.uint8)
    return Strategy(cells, limit=rules.limit, ace_bonus=rules.ace_bonus)


def plain_results(strategy, rules, rounds, seed):
    """The net results of the same rounds by the same functions as plain Python."""
    state = np.zeros(1, ROUND)[0]
    fill(state["shoe"], Composition.of_rules(rules))
    plays, table = strategy.plays().ravel(), rules.table()
    nets = []
    with np.errstate(over="ignore"):
        for number in range(rounds):
            begin_shoe(state["shoe"])
            nets.append(int(play_round(state, key_of(np.uint64(seed), np.uint64(number)), UNLIMITED, plays, table)))
    return nets


@pytest.mark.parametrize("half", [2_000, pytest.param(10_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("preset", PRESETS)
def test_kernel_is_plain_python_round_by_round(preset, half):
    rules = Rules.preset(preset)
    basic, mixed = named_strategy("basic", rules), random_table(7, rules)
    assert round_results(basic, rules, half, seed=5).tolist() == plain_results(basic, rules, half, seed=5)
    assert round_results(mixed, rules, half, seed=6).tolist() == plain_results(mixed, rules, half, seed=6)


@settings(max_examples=25)
@given(any_rules(), st.integers(0, 2**32))
def test_kernel_is_plain_python_on_any_rules(rules, seed):
    table = random_table(seed, rules)
    assert round_results(table, rules, 60, seed=seed).tolist() == plain_results(table, rules, 60, seed=seed)


def choose_by(strategy, rules):
    """A function from view to action that looks a chart up, written apart from the kernel's."""
    plays = strategy.plays()

    def choose(view):
        if Action.DECLINE in view.legal:
            return Action.DECLINE
        kind = 3 if view.is_pair else 2 if view.soft else 1 if view.has_ace else 0
        row = view.hard if view.is_pair else view.total
        action = plays[view.legal_bits >> 2 & 7, min(view.n_cards, 4) - 2, kind, row, view.upcard - 1]
        return Action(action) if view.legal_bits >> int(action) & 1 else Action.STAND

    return choose


@pytest.mark.parametrize("shoe", ["fresh", "dealt"])
@pytest.mark.parametrize("text", ["casino", "1d S17 ES INS RSA value", "european", "2d 5-charlie HSA LS 6:5"])
def test_game_and_batch_play_the_rounds_of_simulate(text, shoe):
    rules = dataclasses.replace(Rules.from_text(text), shoe=shoe)
    strategy, rounds = named_strategy("basic", rules), 3000
    game = Game(rules, seed=11)
    nets = [game.play(choose_by(strategy, rules)) for _ in range(rounds)]
    result = simulate(strategy, rules, rounds, seed=11)
    assert sum(nets) / rounds == pytest.approx(result.ev.mean, abs=1e-12)
    assert sum(net > 0 for net in nets) == round(result.win.mean * rounds)
    if shoe == "fresh":
        assert [round(net * rules.unit) for net in nets] == round_results(strategy, rules, rounds, seed=11).tolist()


def test_batch_is_scalar_round_by_round():
    rules = Rules.from_text("6d H17 LS RSA")
    strategy, n = named_strategy("basic", rules), 50
    plays = strategy.plays()
    batch = Batch(rules, n=n, seed=4)
    batch.deal()
    played = [[] for _ in range(n)]
    nets, ended = batch.results
    sums, counts = nets.copy(), ended.copy()
    while counts.min() < 100:
        views = batch.views
        kind = np.select([views["pair"], views["soft"], views["has_ace"]], [3, 2, 1], 0)
        row = np.where(views["pair"], views["hard"], views["total"])
        held = np.minimum(views["n_cards"], 4) - 2
        action = plays[views["legal"] >> 2 & 7, held, kind, row, views["upcard"] - 1]
        action = np.where(views["legal"] >> action & 1, action, Action.STAND)
        nets, ended = batch.step(action)
        for at in np.flatnonzero(ended):
            played[at].append((counts[at] + ended[at], sums[at] + nets[at]))
        sums += nets
        counts += ended
    results = round_results(strategy, rules, n * int(counts.max()), seed=4) / rules.unit
    for at in range(n):
        mine = results[at::n].cumsum()
        assert all(total == pytest.approx(mine[count - 1]) for count, total in played[at])


def test_an_illegal_action_in_a_batch_changes_nothing():
    batch = Batch(Rules.preset("classic"), n=8, seed=1)
    batch.deal()
    before = batch.states.tobytes()
    actions = np.full(8, Action.STAND)
    actions[5] = Action.SPLIT
    with pytest.raises(IllegalAction, match="table 5 cannot take action 3; legal there: hit, stand"):
        batch.step(actions)
    assert batch.states.tobytes() == before
    with pytest.raises(IllegalAction, match="one action per table"):
        batch.step(actions[:3])
    assert batch.legal().sum(axis=1).tolist() == [2] * 8


@settings(max_examples=60)
@given(any_rules(), st.integers(0, 2**40), st.data())
def test_a_legal_action_never_raises_and_an_illegal_one_changes_nothing(rules, seed, data):
    game = Game(rules, seed=seed)
    for _ in range(5):
        view = game.deal()
        while view:
            before = game._state.tobytes()
            for action in set(Action) - set(view.legal):
                with pytest.raises(IllegalAction, match="legal here: "):
                    game.apply(action)
            assert game._state.tobytes() == before
            view = game.apply(data.draw(st.sampled_from(view.legal)))
        with pytest.raises(IllegalAction, match="deal a round"):
            game.apply(Action.HIT)


@settings(max_examples=60)
@given(any_rules(), st.integers(0, 2**40), st.data())
def test_chips_are_conserved(rules, seed, data):
    game = Game(rules, seed=seed, bankroll=20, bet=2)
    while game.bankroll >= game.bet and game.rounds < 10:
        before = game.bankroll
        game.play(lambda view: data.draw(st.sampled_from(view.legal)))
        record = game.record()
        settled = [event.net for event in game.events() if type(event).__name__ == "Settled"]
        assert sum(settled) * game.bet == pytest.approx(game.net)
        assert sum(hand.net for hand in record.hands) <= game.net + game.bet
        assert game.bankroll == pytest.approx(before + game.net)
        assert game.bankroll >= 0, "nobody can lose more than he has"


@settings(max_examples=40)
@given(st.integers(0, 2**40), st.sampled_from([rules for rules in PRESETS if rules != "gymnasium"]), st.integers(0, 3))
def test_the_view_does_not_change_when_hidden_cards_do(seed, preset, place):
    rules = dataclasses.replace(Rules.preset(preset), shoe="dealt")
    game = Game(rules, seed=seed)
    for _ in range(place):
        game.play(lambda view: Action.STAND)
    view = game.deal()
    if view is None:
        return

    def seen():
        return (view[:-1], view.cards, view.hands, view.upcard_card, view.seen.tolist(), view.cards_left, view.bankroll)

    before, state = seen(), game._state[0]
    shoe, hole = state["shoe"], int(state["hands"][0]["cards"][1])
    inside = np.flatnonzero(shoe["stamps"][: shoe["size"]] < shoe["since"])
    swap = next(at for at in inside if shoe["cards"][at] != hole)
    lies = next(
        at for at in np.flatnonzero(shoe["stamps"][: shoe["size"]] == shoe["serial"]) if shoe["cards"][at] == hole
    )
    shoe["cards"][lies], shoe["cards"][swap] = shoe["cards"][swap], hole
    state["hands"][0]["cards"][1] = shoe["cards"][lies]
    rest = shoe["cards"][inside]
    shoe["cards"][inside] = rest[::-1]
    assert seen() == before


@pytest.mark.parametrize("decks", [1, 6, INFINITE])
def test_draws_are_uniform_and_never_repeat_a_card_of_a_pack(decks):
    rules = Rules(decks=decks, double="none", das=False, max_hands=1)
    game = Game(rules, seed=9)
    counts = np.zeros(52)
    for _ in range(4000):
        game.play(lambda view: Action.HIT if view.total < 15 else Action.STAND)
        record = game.record()
        cards = [*record.dealer, *(card for hand in record.hands for card in hand.cards)]
        assert decks == INFINITE or max(np.bincount(cards, minlength=52)) <= decks
        counts += np.bincount(cards[:2], minlength=52)
    expected = counts.sum() / 52
    assert ((counts - expected) ** 2 / expected).sum() < 100, "chi-square of 51 degrees of freedom"


def test_a_shoe_that_runs_out_takes_the_discards_back():
    """Penetration 1 on one deck: every card is dealt before a shuffle, and a round may need more than are left."""
    rules = Rules(decks=1, shoe="dealt", penetration=1.0)
    game = Game(rules, seed=2)
    ran_out = 0
    for _ in range(2000):
        view = game.deal()
        before = int(game._state[0]["shoe"]["since"])
        while view:
            view = game.apply(Action.HIT if view.total < 17 else Action.STAND)
        shoe = game._state[0]["shoe"]
        record = game.record()
        table = [*record.dealer, *(card for hand in record.hands for card in hand.cards)]
        assert len(set(table)) == len(table), "no card lies on the table twice"
        assert 0 <= shoe["out"] <= 52
        ran_out += int(shoe["since"]) != before
    assert ran_out > 20
