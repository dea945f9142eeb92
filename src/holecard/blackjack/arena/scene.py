"""What lies on the table after some of a round's events, and the steps in which a round is told: what pictures draw.

Cards keep their number from deal to pay, so a picture knows which one moved. Hands are counted by the engine's rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

import numpy as np

from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.events import Acted, Dealt, Event, Moved, Offered, Over, Peeked, Revealed, Settled
from holecard.blackjack.game.hand import HAND, is_ace_ten, receive, showdown
from holecard.blackjack.game.round import DEALER
from holecard.blackjack.game.rules import Rules

HOLE: Final = 3
"""The number of the hole card: it is dealt fourth."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A card on the table: which of the round's cards it is, and its face; None while it lies face down."""

    number: int
    card: int | None


@dataclass(frozen=True, slots=True)
class HandScene:
    """One hand as it lies there."""

    index: int
    """DEALER, or 1 to 4 for the player's hands."""
    cards: tuple[Lying, ...] = ()
    total: int = 0
    """Of the cards that can be seen; 0 without any."""
    soft: bool = False
    natural: bool = False
    bust: bool = False
    pushes: bool = False
    """The dealer's 22 where it is no bust."""
    bets: int = 1
    """Base bets on it."""
    net: float | None = None
    """Base bets it won, once that is settled."""
    last: Action | None = None
    """What was done with it last."""


@dataclass(frozen=True, slots=True)
class Scene:
    """The table at one moment."""

    dealer: HandScene
    hands: tuple[HandScene, ...]
    active: int | None = None
    """The index of the hand that acted last, until the dealer plays."""
    note: str = ""
    """What else happened: the peek, insurance."""
    insured: bool = False
    insurance: float | None = None
    """Base bets the insurance won, once settled."""
    net: float | None = None
    """Base bets won in the round, once it is over."""

    def hand(self, index: int) -> HandScene:
        """The hand of that index."""
        return self.dealer if index == DEALER else self.hands[index - 1]


class Kind(Enum):
    """What a step of a round shows."""

    DEAL = "deal"
    DECIDE = "decide"
    ACT = "act"
    DEALER = "dealer"
    RESULT = "result"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of telling a round: the table after its first `upto` events."""

    kind: Kind
    upto: int
    decision: int | None = None
    """Which decision of the round is being taken or was just carried out."""


def steps_of(events: Sequence[Event]) -> tuple[Step, ...]:
    """The steps of a round: the deal, each decision and what comes of it, the dealer's play, the result.

    Of a round in play, those so far.
    """
    acted = [at for at, event in enumerate(events) if isinstance(event, Acted)]
    ends = next((at for at, event in enumerate(events) if isinstance(event, Revealed)), len(events))
    steps = [Step(Kind.DEAL, acted[0] if acted else ends)]
    for number, at in enumerate(acted):
        until = acted[number + 1] if number + 1 < len(acted) else ends
        steps += [Step(Kind.DECIDE, at, number), Step(Kind.ACT, until, number)]
    if ends < len(events):
        paid = next(at for at, event in enumerate(events) if isinstance(event, Settled | Over))
        steps += [Step(Kind.DEALER, paid), Step(Kind.RESULT, len(events))]
    return tuple(steps)


def scene_after(events: Sequence[Event], rules: Rules) -> Scene:
    """The table after these events, the first ones of a round."""
    scene = Scene(HandScene(DEALER), (HandScene(1),))
    dealt = 0
    for event in events:
        scene = _after(scene, event, dealt, rules)
        dealt += isinstance(event, Dealt)
    return scene


def _after(scene: Scene, event: Event, dealt: int, rules: Rules) -> Scene:
    match event:
        case Dealt(index, card):
            hand = scene.hand(index)
            return _with(scene, replace(hand, cards=(*hand.cards, Lying(dealt, card))), rules)
        case Moved(from_hand, to_hand, card):
            hand = scene.hand(from_hand)
            moved = HandScene(to_hand, (replace(hand.cards[-1], card=card),))
            scene = replace(scene, hands=(*scene.hands, moved))
            return _with(_with(scene, moved, rules), replace(hand, cards=hand.cards[:-1]), rules)
        case Acted(index, action):
            hand = scene.hand(index)
            bets = hand.bets + (action == Action.DOUBLE)
            scene = replace(scene, active=index, insured=scene.insured or action == Action.INSURE)
            return _with(scene, replace(hand, bets=bets, last=action), rules)
        case Revealed(card):
            cards = tuple(Lying(HOLE, card) if lying.number == HOLE else lying for lying in scene.dealer.cards)
            return _with(replace(scene, active=None), replace(scene.dealer, cards=cards), rules)
        case Settled(index, net):
            if index == DEALER:
                return replace(scene, insurance=net)
            return _with(scene, replace(scene.hand(index), net=net), rules)
        case Over(net):
            return replace(scene, net=net, active=None)
        case Offered():
            return replace(scene, note="insurance is offered")
        case Peeked(natural):
            return replace(scene, note=f"the dealer peeks: {'a natural' if natural else 'no natural'}")


def _with(scene: Scene, hand: HandScene, rules: Rules) -> Scene:
    """The scene with a hand as it is now, counted again."""
    record, table = np.zeros(1, HAND)[0], rules.table()
    for lying in hand.cards:
        if lying.card is not None:
            receive(record, lying.card, table)
    whole = record["n_cards"] == len(hand.cards)
    ranked = rules.bj is not None and (hand.index == DEALER or len(scene.hands) == 1)  # a split ace-ten is a 21
    over = bool(record["total"] > rules.limit)
    pushes = over and hand.index == DEALER and showdown(rules.limit, int(record["total"]), table) == 0
    hand = replace(
        hand,
        total=int(record["total"]),
        soft=bool(record["soft"]),
        natural=bool(ranked and whole and is_ace_ten(record)),
        bust=over and not pushes,
        pushes=pushes,
    )
    if hand.index == DEALER:
        return replace(scene, dealer=hand)
    return replace(scene, hands=tuple(hand if each.index == hand.index else each for each in scene.hands))
