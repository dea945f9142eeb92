"""A round told in words, from its events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.events import Acted, Dealt, Event, Moved, Offered, Over, Peeked, Revealed, Settled
from holecard.blackjack.game.hand import value_of
from holecard.blackjack.game.round import DEALER
from holecard.blackjack.game.rules import Rules
from holecard.cards import card_sign

_VERBS = {
    Action.HIT: "hits",
    Action.STAND: "stands",
    Action.DOUBLE: "doubles",
    Action.SPLIT: "splits",
    Action.SURRENDER: "surrenders",
    Action.INSURE: "takes insurance",
    Action.DECLINE: "declines insurance",
}


def transcript(events: Iterable[Event], rules: Rules) -> str:
    """The round as lines of text, one event a line, with each hand's total after every card."""
    return "\n".join(_lines(events, rules)) + "\n"


def _lines(events: Iterable[Event], rules: Rules) -> Iterator[str]:
    hands: dict[int, list[int]] = {}
    for event in events:
        if isinstance(event, Dealt):
            if event.card is None:
                yield "dealer gets the hole card, face down"
                continue
            hands.setdefault(event.hand, []).append(event.card)
            yield f"{_name(event.hand)} gets {card_sign(event.card)}: {_total(event.hand, hands[event.hand], rules)}"
        elif isinstance(event, Offered):
            yield "insurance is offered"
        elif isinstance(event, Peeked):
            yield f"dealer peeks: {'a natural' if event.natural else 'no natural'}"
        elif isinstance(event, Acted):
            yield f"{_name(event.hand)} {_VERBS[event.action]}"
        elif isinstance(event, Moved):
            hands[event.from_hand].pop()
            hands[event.to_hand] = [event.card]
            yield f"{card_sign(event.card)} moves to {_name(event.to_hand)}"
        elif isinstance(event, Revealed):
            hands[DEALER].insert(1, event.card)
            yield f"dealer turns {card_sign(event.card)}: {_total(DEALER, hands[DEALER], rules)}"
        elif isinstance(event, Settled):
            name = "insurance" if event.hand == DEALER else _name(event.hand)
            yield f"{name} {_money(event.net)}"
        elif isinstance(event, Over):
            yield f"net {event.net:+g}"


def _name(hand: int) -> str:
    return "dealer" if hand == DEALER else f"hand {hand}"


def _total(hand: int, cards: list[int], rules: Rules) -> str:
    hard = sum(value_of(card) for card in cards)
    soft = any(value_of(card) == 1 for card in cards) and hard + rules.ace_bonus <= rules.limit
    total = hard + rules.ace_bonus if soft else hard
    if hand == DEALER and rules.dealer_22 == "push" and total == rules.limit + 1:
        return f"{total}, push"
    if total > rules.limit:
        return f"{total}, bust"
    return f"{'soft ' if soft else ''}{total}"


def _money(net: float) -> str:
    return f"wins {net:g}" if net > 0 else f"loses {-net:g}" if net < 0 else "pushes"
