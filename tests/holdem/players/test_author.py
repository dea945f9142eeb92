"""The author's game: his opponents play as his program did, and his network sees and says what it saw and said there.

`tests/reference/author_hands.jsonl` holds 100 hands that the public program of the paper's first author played
(github vincci1988/TexasHoldem, Java, autumn 2016), compiled and run.
"""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from holecard.cards import parse_cards
from holecard.errors import SettingError
from holecard.holdem.equities.equity import equity
from holecard.holdem.game.actions import FOLDS, raises_to
from holecard.holdem.game.betting import CALL, FOLD
from holecard.holdem.game.hand import HandState
from holecard.holdem.players.decision_rules import DECISION_RULES, author_move, move_by
from holecard.holdem.players.layout_choices import LAYOUT_CHOICES
from holecard.holdem.players.network import author_deviations, author_positions
from holecard.holdem.players.presets import preset_named
from holecard.holdem.players.rule_players import author_strength, rule_player_named
from holecard.holdem.players.seated import SeatedRulePlayer
from tests.holdem.spots import COVERED, FREE, SHORT, spot

HANDS = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "reference" / "author_hands.jsonl").read_text().splitlines()
]


def hand_of(row):
    """The hand of a row before its first move, hero in seat 0."""
    cards = parse_cards(row["hero"] + row["other"] + row["board"])
    button = 0 if row["button"] == "hero" else 1
    return HandState(preset_named("author").rules, button=button, cards=cards)


def action_of(view, move, chips):
    """A move of the file as an action; all-in is a call where it raises nothing."""
    raises = move in ("raise", "allin") and chips > max(view.bets)
    return raises_to(chips) if raises else FOLDS if move == "fold" else view.legal.of_move(CALL)


@pytest.mark.parametrize("opponent", sorted({row["opponent"] for row in HANDS}))
def test_the_opponents_replay_every_hand_of_the_authors_program_move_by_move(opponent):
    rows = [row for row in HANDS if row["opponent"] == opponent]
    assert len(rows) == 25
    player = SeatedRulePlayer(rule_player_named(f"author:{opponent}"), buy_in=20_000)
    for row in rows:
        hand = hand_of(row)
        for street, who, move, chips in row["moves"]:
            seat = 0 if who == "hero" else 1
            assert (hand.actor, hand.street) == (seat, street), row
            view = hand.view(seat)
            theirs = action_of(view, move, chips)
            if seat == 1:
                assert player.act(view) == theirs, (row, street)
            hand.apply(theirs)
        assert hand.is_over, row
        assert hand.payoffs[0] == row["net"], row


def test_strengths_are_those_of_the_authors_program_to_the_last_bit():
    for row in HANDS:
        for street, dealt in enumerate((0, 3, 4, 5)):
            p = equity(parse_cards(row["other"]), parse_cards(row["board"])[:dealt], ties="win").equity
            assert np.float32(author_strength(spot(street=street, equity=p))) == np.float32(row["p_other"][street])


@pytest.mark.parametrize(
    ("o", "changes", "move", "in_december"),
    [
        (-0.01, {}, FOLD, FOLD),
        (-0.01, FREE, CALL, CALL),
        (0.0, {}, CALL, CALL),  # he calls where the paper's algorithm folds
        (0.0049, {}, CALL, CALL),  # 98 of 20,000
        (0.00995, {}, CALL, CALL),  # 199: no raise to 200
        (0.01, {}, 200, CALL),
        (0.0151, {}, 300, 200),  # 302: the minimum of 200 and one big blind
        (0.0249, {}, 400, 300),
        (0.005, FREE, 100, CALL),  # of 19,950
        (0.0101, FREE, 200, 100),
        (0.99999, {}, 20_000, 20_000),
        (1.0, {}, 20_000, 20_000),
        (0.9, SHORT, 200, CALL),  # 270 of 300
        (0.9, COVERED, CALL, CALL),
    ],
)
def test_the_authors_decision_rule_and_that_of_december(o, changes, move, in_december):
    view = spot(**changes)
    assert author_move(view, o, False) == move_by(DECISION_RULES["author"], view, o) == move
    assert author_move(view, o, True) == move_by(DECISION_RULES["author-december"], view, o) == in_december


def test_the_layout_has_the_authors_3575_genes_and_every_switch_its_words():
    layout = preset_named("author").layout
    assert layout.counts == {"game": 2_450, "opponent": 690, "head": 427, "output": 8}
    assert layout.genes == 3_575
    assert LAYOUT_CHOICES["decision"] == tuple(DECISION_RULES)
    with pytest.raises(SettingError, match="unknown inputs 'six'; choose eight, author, logs, stacks"):
        replace(layout, inputs="six")


def test_first_weights_have_the_authors_deviations():
    layout = preset_named("author").layout
    found = {name: set(array.ravel()) for name, array in layout.arrays(author_deviations(layout)).items()}
    one = {name: float(next(iter(values))) for name, values in found.items() if len(values) == 1}
    assert one.keys() == found.keys()
    assert one["game.input.W"] == one["opponent.output.W"] == pytest.approx(1 / 5)
    assert one["game.forget.R"] == one["game.peepholes"] == one["game.input.b"] == pytest.approx(1 / 5)
    assert one["opponent.forget.R"] == one["opponent.peepholes"] == one["opponent.input.b"] == pytest.approx(1 / 10)
    assert one["game.initial"] == one["opponent.initial"] == one["output.b"] == 1
    assert one["head.W"] == pytest.approx(1 / 60)
    assert one["head.b"] == one["output.w"] == pytest.approx(1 / 7)


def test_every_gene_has_one_place_in_the_authors_order():
    layout = preset_named("author").layout
    places = layout.arrays(author_positions(layout))
    assert sorted(author_positions(layout).tolist()) == list(range(layout.genes))
    assert places["game.candidate.W"][:, 0].tolist() == [0, 1, 2, 3, 4], "the first cell's inputs come first"
    assert places["game.candidate.W"][0, :5].tolist() == [0, 5, 10, 15, 20], "cell by cell"
    assert places["game.input.W"][0, 0] == 25
    assert places["game.candidate.R"][0, 0] == 100
    assert places["game.peepholes"][0, 0] == 200
    assert places["game.candidate.b"][0] == 215
    assert places["game.initial"][:, 0].tolist() == [240, 235], "first the cell, then what leaves it"
    assert places["game.candidate.W"][0, 5] == 245, "then the next block"
    assert places["opponent.candidate.W"][0, 0] == 2_450
    assert places["head.W"][:2, 0].tolist() == [3_140, 3_141]
    assert places["output.b"][0] == 3_574
