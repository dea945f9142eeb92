import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.events import Dealt, Over, Revealed, play_stacked, replay
from holecard.blackjack.game.game import Game
from holecard.blackjack.game.rules import Rules
from holecard.cards import parse_cards
from holecard.errors import CardError, HolecardError, IllegalAction
from tests.conftest import any_rules


def stacked(text, cards, **options):
    game = Game(Rules.from_text(text), **options)
    game.stack(parse_cards(cards))
    return game


@settings(max_examples=80)
@given(any_rules(), st.integers(0, 2**40), st.data())
def test_events_replay_to_the_same_round(rules, seed, data):
    game = Game(rules, seed=seed)
    for _ in range(6):
        view = game.deal()
        while view:
            assert not any(isinstance(event, Over | Revealed) for event in game.events())
            view = game.apply(data.draw(st.sampled_from(view.legal)))
        events = game.events()
        assert replay(events, rules) == events
        assert events[-1] == Over(game.net)
        record = game.record()
        on_table = sorted([*record.dealer, *(card for hand in record.hands for card in hand.cards)])
        told = [event.card for event in events if isinstance(event, Dealt | Revealed) and event.card is not None]
        assert sorted(told) == on_table


def test_a_refused_action_says_what_is_legal():
    game = stacked("casino", "5c 9d 7h 8s 2c Kd")
    view = game.deal()
    assert [action.name for action in view.legal] == ["HIT", "STAND", "DOUBLE"]
    game.apply(Action.HIT)
    with pytest.raises(IllegalAction, match="cannot double 14 on three cards; legal here: hit, stand"):
        game.apply(Action.DOUBLE)
    with pytest.raises(IllegalAction, match="the round is not over"):
        game.deal()
    with pytest.raises(IllegalAction, match="cannot do 99"):
        game.apply(99)


def test_a_view_is_what_a_player_sees():
    game = stacked("casino", "8c 9d 8h Ks 3c 2d Td 5s 9h Jc")
    view = game.deal()
    assert (view.total, view.is_pair, view.upcard, view.n_cards, view.soft) == (16, True, 9, 2, False)
    assert Action.SPLIT in view.legal
    view = game.apply(Action.SPLIT)
    assert view.hands == (tuple(parse_cards("8c3c")), tuple(parse_cards("8h")))
    assert (view.hand, view.n_hands, view.total) == (1, 2, 11)
    assert sum(view.seen) == 4, "upcard and three of the player's cards; the hole card stays hidden"


def test_a_bankroll_limits_doubles_and_splits():
    game = stacked("casino", "8c 9d 8h Ks 3c 2d Td 5s 9h Jc", bankroll=10, bet=10)
    assert [action.name for action in game.deal().legal] == ["HIT", "STAND"]
    game = stacked("casino", "8c 9d 8h Ks 3c 2d Td 5s 9h Jc", bankroll=20, bet=10)
    view = game.deal()
    assert {Action.DOUBLE, Action.SPLIT} <= set(view.legal)
    view = game.apply(Action.SPLIT)
    assert Action.DOUBLE not in view.legal


def test_a_session_ends_when_the_bankroll_does():
    game = Game(Rules(), seed=1, bankroll=3, bet=1)
    result = game.play_session(lambda view: view.legal[0], 10_000, keep=True)
    assert result.rounds < 10_000
    assert result.bankroll == 3 + result.net < 1
    assert result.rounds == result.wins + result.pushes + result.losses == len(result.records)
    assert result.win_rate == result.wins / result.rounds
    assert result.net == pytest.approx(sum(record.net for record in result.records))
    with pytest.raises(HolecardError, match="does not pay a bet"):
        game.deal()


def test_records_say_how_hands_ended():
    def only(text, cards, *actions):
        game = stacked(text, cards)
        view = game.deal()
        for action in actions:
            view = game.apply(action)
        assert view is None
        return game.record()

    assert only("casino", "As 9c Kd 7h").hands[0].result == "natural"
    assert only("casino", "As 9c Kd 7h").net == 1.5
    assert only("casino LS", "Ts 9c 6d 7h", Action.SURRENDER).hands[0].result == "surrendered"
    assert only("casino", "Ts 9c 6d 7h Kc", Action.HIT).hands[0].result == "bust"
    assert only("casino", "Ts 9c 9d 9h", Action.STAND).outcome == "win"
    assert only("casino", "Ts Tc 9d Ah").hands[0].result == "unplayed"


def test_a_stacked_shoe_that_runs_out_is_said():
    game = stacked("casino", "5c 9d 5h 8s")
    game.deal()
    with pytest.raises(CardError, match="ran out"):
        game.apply(Action.DOUBLE)
    with pytest.raises(CardError, match="takes 5 cards"):
        play_stacked(parse_cards("5c 9d 5h 8s"), [Action.DOUBLE], Rules())
    with pytest.raises(IllegalAction, match="cannot split"):
        play_stacked(parse_cards("5c 9d 6h 8s"), [Action.SPLIT], Rules())


def test_money_that_cannot_be():
    with pytest.raises(HolecardError, match="bet must be above 0"):
        Game(Rules(), bet=0)
    with pytest.raises(HolecardError, match="no round is finished"):
        Game(Rules()).record()
    assert Game(Rules()).bankroll == math.inf
    assert Game(Rules()).events() == ()
