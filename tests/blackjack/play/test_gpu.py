"""The GPU's kernels in numba's simulator: one thread a round gives the processor's counts, to the last round."""

from __future__ import annotations

import numpy as np
import pytest

from holecard.blackjack.game.dealing import begin_shoe
from holecard.blackjack.game.round import ROUND, UNLIMITED, cards_on_table, new_rounds
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.play import small_round as small_rounds
from holecard.blackjack.play.kernels import NO_ROOM, play_in_step, play_round
from holecard.blackjack.play.simulate import simulate
from holecard.blackjack.play.small_round import is_full_packs, listing_round, small_round
from holecard.blackjack.strategy.named import named_strategy
from holecard.seeds import key_of
from tests.simulated_gpu import run_all_simulated

GAMES = ("classic", "casino", "8d S17 ES RSA INS 5-charlie", "inf ENHC value", "2d OBO HSA")
OWN_DECK = ("casino", "A=20,2=20,5=20,9=20,10=70")
LINKED = [("1d S17 dealt", "0"), ("1d value dealt cut=1", "0"), ("classic", "3"), ("1d dealt", "3")]


@pytest.fixture(scope="module")
def simulated():
    """Counts by the processor and by the GPU, of every check below, from one process."""
    fresh = [("fresh", *words) for words in (*([game] for game in GAMES), OWN_DECK)]
    return run_all_simulated([*fresh, *(("linked", *words) for words in LINKED), ("chosen",)])


@pytest.mark.parametrize("text", GAMES)
def test_fresh_rounds_are_counted_as_the_processor_counts_them(text, simulated):
    cpu, on_gpu = simulated["fresh", text]
    assert cpu == on_gpu
    assert np.array(cpu)[..., 0].min() == 30


def test_a_deck_of_ones_own_is_dealt_card_by_card(simulated):
    cpu, on_gpu = simulated["fresh", *OWN_DECK]
    assert cpu == on_gpu


@pytest.mark.parametrize(("text", "bankroll"), LINKED)
def test_rounds_that_follow_from_each_other_are_the_processors(text, bankroll, simulated):
    cpu, on_gpu = simulated["linked", text, bankroll]
    assert cpu == on_gpu
    assert (bankroll == "0") == (cpu[-1] is None)


def test_chosen_rounds_win_the_same_chips(simulated):
    cpu, on_gpu = simulated["chosen",]
    assert cpu == on_gpu
    assert any(cpu)


def test_a_small_round_has_every_field_of_a_round():
    """One pack without splits must fit the 128 bytes that a compiler takes apart into registers."""
    classic = Rules.preset("classic")
    small = small_round(classic.table(), Composition.of_rules(classic))
    assert small.names == ROUND.names
    assert small["shoe"].names == ROUND["shoe"].names
    assert small["hands"].base.names == ROUND["hands"].base.names
    assert small.itemsize <= 128


@pytest.mark.parametrize(
    ("text", "name"), [("casino", "basic"), ("2d S17 ES RSA", "random"), ("votes", "mimic-dealer")]
)
@pytest.mark.parametrize("listed", [5, small_rounds.LISTED])
def test_a_round_in_registers_is_the_same_round_or_says_that_it_has_no_room(text, name, listed, monkeypatch):
    monkeypatch.setattr(small_rounds, "LISTED", listed)
    rules = Rules.from_text(text)
    table, deck = rules.table(), Composition.of_rules(rules)
    near, whole = np.zeros(1, listing_round(table, deck))[0], new_rounds(1, deck)[0]
    plays = named_strategy(name, rules).plays().ravel()
    no_room = 0
    with np.errstate(over="ignore"):
        for number in range(300):
            key = key_of(np.uint64(11), np.uint64(number))
            for round in (near, whole):
                begin_shoe(round["shoe"])
            net = play_in_step(near, key, plays, table)
            assert play_round(whole, key, UNLIMITED, plays, table) == play_in_step_again(whole, key, plays, table)
            needs_more = whole["n_hands"] > 1 or cards_on_table(whole, table) > listed
            assert net == (NO_ROOM if needs_more else whole["net"])
            no_room += needs_more
    assert listed > 5 or no_room > 50


def play_in_step_again(round, key, plays, table):
    """`play_in_step` on a record that has just played the same round, its cards put back."""
    begin_shoe(round["shoe"])
    return play_in_step(round, key, plays, table)


def test_full_packs_need_no_cards():
    assert is_full_packs(Composition.of_decks(6))
    assert not is_full_packs(Composition.from_text("A=4,2=4"))
    assert not is_full_packs(Composition((3,) * 13))


def test_a_shoe_dealt_to_its_last_card_ends():
    rules = Rules.from_text("1d S17 dealt cut=1")
    assert simulate(named_strategy("mimic-dealer", rules), rules, 5_000, threads=1).rounds == 5_000
