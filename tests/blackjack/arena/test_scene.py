"""The table as pictures see it: folded from events, counted by the engine."""

import pytest

from holecard.blackjack.arena.scene import HOLE, Kind, scene_after, steps_of
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.events import Acted, Dealt, Revealed, play_stacked
from holecard.blackjack.game.game import Game
from holecard.blackjack.game.rules import Rules
from holecard.cards import parse_cards
from holecard.ui.session.wording import total_text
from tests.playthroughs.scripts import LETTERS, SCRIPTS
from tests.playthroughs.transcript import transcript


def rounds(text, n=60, seed=2):
    """Finished rounds of a player who splits and doubles what he can, else hits below 15."""
    rules = Rules.from_text(text)
    game = Game(rules, seed=seed)
    for _ in range(n):
        view = game.deal()
        while view is not None:
            wanted = (Action.SPLIT, Action.INSURE, Action.DOUBLE if view.total in (10, 11) else Action.HIT)
            choice = next((action for action in wanted if action in view.legal and view.total < 15), view.legal[-1])
            if view.legal == (Action.INSURE, Action.DECLINE):
                choice = Action.INSURE
            view = game.apply(choice if choice != Action.SURRENDER else Action.STAND)
        yield game.events(), game.record(), rules


@pytest.mark.parametrize("text", ["casino", "1d INS value RSA HSA", "ENHC 5-charlie", "classic"])
def test_the_last_scene_is_the_record(text):
    for events, record, rules in rounds(text):
        scene = scene_after(events, rules)
        assert tuple(lying.card for lying in scene.dealer.cards) == record.dealer
        assert [tuple(lying.card for lying in hand.cards) for hand in scene.hands] == [
            hand.cards for hand in record.hands
        ]
        assert [hand.bets for hand in scene.hands] == [hand.bet for hand in record.hands]
        assert [hand.net for hand in scene.hands] == [hand.net for hand in record.hands]
        assert [hand.natural for hand in scene.hands] == [hand.result == "natural" for hand in record.hands]
        assert [hand.bust for hand in scene.hands] == [hand.result == "bust" for hand in record.hands]
        assert scene.net == record.net
        assert scene.insured == record.insured
        numbers = [lying.number for hand in (scene.dealer, *scene.hands) for lying in hand.cards]
        assert sorted(numbers) == list(range(len(numbers))), "every card once, under its own number"


def test_the_hole_card_lies_face_down_until_it_is_turned():
    for events, _, rules in rounds("casino", 20):
        turned = next(at for at, event in enumerate(events) if isinstance(event, Revealed))
        for upto in range(4, len(events) + 1):
            hole = next(lying for lying in scene_after(events[:upto], rules).dealer.cards if lying.number == HOLE)
            assert (hole.card is None) == (upto <= turned)


def test_steps_tell_the_whole_round_in_order():
    for events, record, rules in rounds("casino", 30):
        steps = steps_of(events)
        assert [step.kind for step in steps] == [
            Kind.DEAL,
            *[Kind.DECIDE, Kind.ACT] * len(record.actions),
            Kind.DEALER,
            Kind.RESULT,
        ]
        upto = [step.upto for step in steps]
        assert upto == sorted(upto)
        assert upto[-1] == len(events)
        for step in steps:
            if step.kind == Kind.DECIDE:
                event = events[step.upto]
                assert isinstance(event, Acted)
                assert event.action == record.actions[step.decision]
        assert scene_after(events[: steps[-2].upto], rules).net is None


def test_a_round_in_play_has_the_steps_so_far():
    game = Game(Rules(), seed=1)
    view = game.deal()
    assert [step.kind for step in steps_of(game.events())] == [Kind.DEAL]
    assert view is not None
    if game.apply(Action.HIT) is not None:
        kinds = [step.kind for step in steps_of(game.events())]
        assert kinds == [Kind.DEAL, Kind.DECIDE, Kind.ACT]


def test_soft_totals_and_dealt_cards_are_seen():
    rules = Rules()
    scene = scene_after([Dealt(1, 48), Dealt(0, 35), Dealt(1, 20), Dealt(0, None)], rules)
    assert (scene.hands[0].total, scene.hands[0].soft) == (18, True)
    assert scene.dealer.total == 10
    assert not scene.dealer.natural


@pytest.mark.parametrize("name", SCRIPTS)
def test_golden_playthroughs_are_counted_as_they_are_told(name):
    """The totals of scenes are those of the transcripts, card by card."""
    text, cards, letters = SCRIPTS[name]
    rules = Rules.from_text(text)
    events = play_stacked(parse_cards(cards), [LETTERS[letter] for letter in letters], rules)
    told = transcript(events, rules).splitlines()
    for upto, (event, line) in enumerate(zip(events, told, strict=True), start=1):
        if isinstance(event, Dealt | Revealed) and not (isinstance(event, Dealt) and event.card is None):
            hand = scene_after(events[:upto], rules).hand(getattr(event, "hand", 0))
            over = ", bust" if hand.bust else ", push" if hand.pushes else ""
            count = f"{'soft ' if hand.soft else ''}{hand.total}{over}"
            assert line.endswith(f": {count}")


def test_a_dealers_22_that_pushes_is_no_bust():
    for word, pushes in (("push-22", True), ("bust-22", False)):
        rules = Rules.from_text(f"casino {word}")
        dealer = scene_after(play_stacked(parse_cards("Ts 6c 9d Th 6h"), [Action.STAND], rules), rules).dealer
        assert (dealer.total, dealer.pushes, dealer.bust) == (22, pushes, not pushes)
        assert total_text(dealer) == ("22  push" if pushes else "22  bust")
