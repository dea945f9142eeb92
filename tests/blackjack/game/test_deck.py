"""A shoe of one's own cards: said in one line, played, valued, solved, as full packs are."""

import numpy as np
import pytest

from holecard.blackjack.exact import score, solve
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.batch import Batch
from holecard.blackjack.game.game import Game
from holecard.blackjack.game.hand import value_of
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import VALUES, Composition
from holecard.blackjack.game.wording import in_words
from holecard.blackjack.play.simulate import simulate
from holecard.blackjack.players.valuation import value_actions
from holecard.blackjack.strategy.named import named_strategy
from holecard.errors import RulesError

SPANISH = Composition((8,) * 8 + (0, 8, 8, 8, 8))
"""Two packs without their tens, court cards kept."""


@pytest.mark.parametrize(
    "deck", [SPANISH, Composition.of_decks(3), Composition.of_values((4, 3, 4, 4, 0, 4, 4, 4, 4, 15))]
)
def test_a_deck_is_said_and_read_in_one_line(deck):
    rules = Rules(deck=deck, h17=False)
    assert Rules.from_text(str(rules)) == rules
    assert Composition.from_text(str(deck)) == deck
    assert rules.as_dict()["deck"] == str(deck)
    assert f"a shoe of {deck.size} cards" in in_words(rules)
    assert Rules.from_text(f"{rules} full-packs") == Rules(h17=False)


def test_the_solver_takes_it_from_the_rules():
    rules = Rules(split="value")
    assert solve(Rules(split="value", deck=SPANISH)).ev == solve(rules, deck=SPANISH).ev != solve(rules).ev


@pytest.mark.parametrize("shoe", ["fresh", "dealt"])
def test_it_is_dealt_and_nothing_else(shoe):
    """Every round of a shoe comes from its 96 cards, none of them a ten of rank ten."""
    rules = Rules(deck=SPANISH, shoe=shoe)
    game, seen = Game(rules, seed=3), np.zeros(13, np.int64)
    for _ in range(60):
        view = game.deal()
        while view is not None:
            view = game.apply(Action.STAND)
        record = game.record()
        for card in (*record.dealer, *(card for hand in record.hands for card in hand.cards)):
            seen[card >> 2] += 1
    assert seen[8] == 0
    assert (np.delete(seen, 8) > 0).all()
    batch = Batch(rules, 4, seed=1)
    assert batch.states[0]["shoe"]["size"] == SPANISH.size


def test_a_dealt_shoe_is_valued_as_it_was_seen():
    rules = Rules(deck=SPANISH, shoe="dealt", split="value")
    game, gone, checked = Game(rules, seed=11), [], 0
    for _ in range(4):
        view = game.deal()
        while view is not None:
            if view.n_hands == 1:
                counts = list(SPANISH.values)
                for card in gone:
                    counts[value_of(card) - 1] -= 1
                solution = solve(rules, deck=Composition.of_values(tuple(counts)))
                hand = ",".join(VALUES[value_of(card) - 1] for card in view.cards)
                asked = solution.evs_of(hand, VALUES[view.upcard - 1])
                for action, ev in value_actions(view).evs.items():
                    assert ev == pytest.approx(asked[action.word], abs=1e-12)
                    checked += 1
            view = game.apply(Action.STAND)
        record = game.record()
        gone += [*record.dealer, *(card for hand in record.hands for card in hand.cards)]
    assert checked > 6


def test_rounds_of_it_agree_with_the_exact_ev():
    rules = Rules(deck=SPANISH)
    chart = named_strategy("basic", rules)
    played = simulate(chart, rules, 400_000, seed=2)
    assert abs(played.ev.z(score(chart, rules).ev)) < 4
    assert simulate(chart, Rules(), 1000, seed=2, deck=SPANISH).ev == simulate(chart, rules, 1000, seed=2).ev


def test_a_deck_is_a_composition():
    with pytest.raises(RulesError, match="deck must be a Composition"):
        Rules(deck=2)
