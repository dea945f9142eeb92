"""Records that hold what tuples and classes hold: every list of fields against the others."""

import numpy as np
import pytest

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.batch import DEAL_ON, Batch
from holecard.blackjack.game.game import Game, View
from holecard.blackjack.game.rules import Rules, TableRules
from holecard.blackjack.game.stepping import RULES, VIEW, rules_of, rules_record


def distinct_rules() -> TableRules:
    """Rules in which every number differs from every other and from all flags."""
    flags = [isinstance(value, bool) for value in Rules().table()]
    return TableRules(*(bool(at % 2) if flag else 100 + at for at, flag in enumerate(flags)))


def test_a_record_of_rules_has_the_fields_of_the_tuple_and_their_types():
    assert RULES.names == TableRules._fields
    for name, value in Rules().table()._asdict().items():
        assert RULES[name] == (np.bool_ if isinstance(value, bool) else np.int64), name


@pytest.mark.parametrize("name", TableRules._fields)
def test_a_field_of_the_rules_comes_back_from_a_record_alone(name):
    rules = distinct_rules()
    value = getattr(rules, name)
    changed = rules._replace(**{name: not value if isinstance(value, bool) else 7})
    one, other = rules_of(rules_record(rules)[0]), rules_of(rules_record(changed)[0])
    assert (one, other) == (rules, changed)
    assert [field for field in TableRules._fields if getattr(one, field) != getattr(other, field)] == [name]


def test_a_record_of_a_view_has_the_fields_of_a_view():
    names = [{"legal_bits": "legal", "is_pair": "pair"}.get(name, name) for name in View._fields]
    assert [*VIEW.names, "table"] == names


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("text", ["casino", "1d ES INS value RSA"])
def test_a_game_and_a_batch_see_the_same(text, seed):
    """One table of a batch and a game of the same seed, decision by decision, every field of the view."""
    rules = Rules.from_text(text)
    game, batch = Game(rules, seed=seed), Batch(rules, 1, seed=seed, pace=DEAL_ON)
    batch.deal()
    for _ in range(60):
        view = game.view
        while view is None:
            view = game.deal()
        assert tuple(batch.views[0].tolist()) == tuple(view)[:-1]
        action = view.legal[seed % len(view.legal)]
        game.apply(Action(action))
        batch.step(np.array([action]))
