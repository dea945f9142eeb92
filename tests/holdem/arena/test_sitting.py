"""A sitting: hands in a row as sessions have them, and what networks remember."""

import numpy as np
import pytest

from holecard.errors import IllegalAction
from holecard.holdem.arena.sitting import Sitting
from holecard.holdem.game.hand import HandState, deal_cards
from holecard.holdem.players.presets import preset_named
from holecard.holdem.players.seated import seated, thought_of

PAPER, POKERNET = preset_named("paper").rules, preset_named("pokernet").rules


def sitting_of(first, second, rules, seed=3):
    seats = tuple(name and seated(name, seed=seed, buy_in=rules.stack) for name in (first, second))
    return Sitting(rules, seats, seed)


@pytest.mark.parametrize("rules", [PAPER, POKERNET], ids=["reset", "carried"])
def test_hands_follow_as_the_rules_say(rules):
    """The button moves, stacks are carried or not, cards are the seed's, and chips are neither made nor lost."""
    sitting = sitting_of("smart", "raise", rules)
    stacks = (rules.stack, rules.stack)
    for number in range(8):
        assert (sitting.number, sitting.hand.button, sitting.start) == (number, number & 1, stacks)
        assert sitting.hand.hole(1) == deal_cards(3, number)[2:4]
        stacks = sitting.hand.stacks if rules.carried else stacks
        assert sum(sitting.hand.stacks) == 2 * rules.stack
        if sitting.is_last:
            assert 0 in stacks
            break
        sitting.next_hand()
    assert len(sitting.results) == sitting.number + 1
    assert sitting.earned.mean == pytest.approx(1000 * np.mean(sitting.results) / rules.big_blind)


def test_a_hand_can_be_played_again_to_any_decision():
    sitting = sitting_of("champion:paper", "hothead-maniac", PAPER)
    for at, decision in enumerate(sitting.decisions):
        hand = sitting.replayed(at)
        assert (hand.actor, hand.pot, hand.legal_actions()) == (decision.seat, decision.pot, decision.legal)
    assert sitting.replayed(len(sitting.decisions)).payoffs == sitting.hand.payoffs


def test_a_person_is_waited_for_and_kept_to_the_rules():
    sitting = sitting_of(None, "call", POKERNET)
    assert sitting.hand.actor == 0
    with pytest.raises(IllegalAction, match="hand 1 is not over"):
        sitting.next_hand()
    with pytest.raises(IllegalAction, match="the minimum is 20"):
        sitting.act(sitting.hand.legal_actions().parse("r 11"))
    assert not sitting.decisions
    sitting.act(sitting.hand.legal_actions().parse("a"))
    assert sitting.hand.is_over
    assert sitting.is_last
    with pytest.raises(IllegalAction, match="last one"):
        sitting.next_hand()


def test_a_network_remembers_its_opponent_and_forgets_the_hand():
    """The first decision of a session is taken with the state a network is made with, whatever was played before."""
    rules = PAPER
    sitting = sitting_of("champion:paper", "call", rules)
    for _ in range(5):
        sitting.next_hand()
    thoughts = sitting.thoughts[0]
    assert len(thoughts) == 6
    assert len({thought.opponent for thought in thoughts}) == 6
    assert sitting.thoughts[1] == [None] * 6
    assert sitting_of("champion:paper", "call", rules).thoughts[0] == thoughts[:1]
    fresh = seated("champion:paper", seed=0, buy_in=rules.stack)
    assert (thought_of(fresh).output, thought_of(fresh).opponent) == (0.0, 0.0)
    hand = HandState(rules, button=0, cards=deal_cards(3, 4))
    decision = next(each for each in _fifth(rules).decisions if each.seat == 0)
    fresh.act(hand.view(0), 4)
    assert thought_of(fresh).game == pytest.approx(decision.thought.game)  # the hand's cells know no other hand
    assert thought_of(fresh).opponent != pytest.approx(decision.thought.opponent)


def _fifth(rules):
    sitting = sitting_of("champion:paper", "call", rules)
    for _ in range(4):
        sitting.next_hand()
    return sitting
