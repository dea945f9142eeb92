"""The EV of a decision is one number: the solver's, the leaks', a judged agent's, and what `watch` shows."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from holecard.blackjack.arena.judging import _Scale
from holecard.blackjack.exact import score, solve
from holecard.blackjack.exact.hands import N_VALUES
from holecard.blackjack.exact.odds import _OF_PLAY, Odds, _stands_of
from holecard.blackjack.exact.resplits import count_removed
from holecard.blackjack.exact.slots import split_stands
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.game import Game
from holecard.blackjack.game.hand import value_of
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import VALUES
from holecard.blackjack.players.valuation import value_actions
from holecard.blackjack.strategy.cell import Cell, Kind
from holecard.blackjack.strategy.letters import Letter
from holecard.blackjack.strategy.strategy import Strategy

GAMES = ("6d S17 value", "6d S17 OBO value", "2d ES value", "2d ES10 value", "1d ENHC LS value", "1d ENHC value",
         "2d LS INS value", "1d OBO double-any push-22 ES10 value")  # fmt: skip


@pytest.mark.parametrize("text", GAMES)
def test_all_who_value_a_decision_say_the_same(text):
    rules = Rules.from_text(text)
    solution, game = solve(rules), Game(rules, seed=8)
    scale, compared = _Scale(solution), 0
    for _ in range(40):
        view = game.deal()
        while view is not None and view.n_hands == 1:
            watched, judged = value_actions(view).evs, scale.values(view)
            assert watched == pytest.approx(judged, abs=1e-12)
            if Action.DECLINE not in view.legal:
                hand = ",".join(VALUES[value_of(card) - 1] for card in view.cards)
                asked = solution.evs_of(hand, VALUES[view.upcard - 1])
                assert {action.word: ev for action, ev in watched.items()} == pytest.approx(asked, abs=1e-12)
                compared += 1
            view = game.apply(Action.HIT if Action.HIT in view.legal else view.legal[-1])
        while view is not None:
            view = game.apply(Action.STAND)
    assert compared > 25


@pytest.mark.parametrize("text", GAMES)
def test_a_leak_is_its_frequency_times_a_difference_of_evs(text):
    """T-T is the only hand of its cell: doubling it against an ace costs what `ev_of` says."""
    rules = Rules.from_text(text)
    solution = solve(rules)
    cell = Cell(kind=Kind.PAIR, row=20, upcard=0)
    (leak,) = (leak for leak in score(_doubling_tens(solution), rules).leaks if leak.cell == cell)
    evs = solution.evs_of("T,T", "A")
    assert leak.cost / leak.frequency == pytest.approx(max(evs.values()) - evs["double"], abs=1e-10)


def _doubling_tens(solution):
    cells = solution.strategy().cells.copy()
    cells[:, Kind.PAIR, 20, 0] = Letter.DOUBLE_ELSE_STAND
    return Strategy(np.ascontiguousarray(cells))


def test_original_bets_only_count_the_natural_that_may_still_come():
    """The figures of docs/exact-solver.md."""
    peek, obo = (solve(Rules.from_text(f"6d S17 {word} value")) for word in ("PEEK", "OBO"))
    assert peek.ev_of("T,T", "A", "stand") == pytest.approx(0.654581667409, abs=1e-12)
    assert obo.ev_of("T,T", "A", "stand") == pytest.approx(0.151246143990, abs=1e-12)
    assert obo.ev == pytest.approx(peek.ev, abs=1e-13)


def test_what_standing_returns_on_split_hands_does_not_follow_from_what_players_may_do():
    """Tables that differ in those rules share one array; each is worked out here by itself."""
    base = Rules(decks=1, max_hands=3)
    changes = [
        {"double": "10-11", "das": False},
        {"double_cards": "any"},
        {"dsa": True},
        {"rsa": True, "hsa": True},
        {"surrender": "late", "insurance": True},
        {"bj": Fraction(6, 5)},
    ]
    _stands_of.cache_clear()
    shared = Odds.of(base).stands
    changed = set()
    for change in changes:
        odds = Odds.of(replace(base, **change))
        changed |= {name for name in _OF_PLAY if getattr(odds.table_rules, name) != getattr(base.table(), name)}
        assert odds.stands is shared
        wanted = np.ones((N_VALUES, len(odds.slots.hand)), np.bool_)
        alone = split_stands(odds.slots, odds.factorials, odds.table_rules, wanted, count_removed(odds.table_rules))
        assert np.array_equal(alone, shared)
    assert changed == set(_OF_PLAY)
    for other in (
        {"h17": False},
        {"ties": "lose"},
        {"dealer_22": "push"},
        {"charlie": 5},
        {"decks": 2},
    ):
        assert not np.array_equal(Odds.of(replace(base, **other)).stands, shared)
