"""What happens in a round, as frozen events: what pictures draw and histories keep; they replay to the same round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.game.actions import Action, words_of
from holecard.blackjack.game.dealing import stack
from holecard.blackjack.game.hand import value_of
from holecard.blackjack.game.round import (
    DEALER,
    INSURING,
    OVER,
    UNLIMITED,
    Round,
    hand_result,
    insurance_result,
    surrenders_early,
)
from holecard.blackjack.game.rules import Rules, TableRules
from holecard.blackjack.game.stepping import deal_key, step_one, table_record
from holecard.errors import CardError, IllegalAction


@dataclass(frozen=True, slots=True)
class Dealt:
    """A card goes to a hand (0: the dealer's, 1 to 4: the player's); the hole card comes face down, as None."""

    hand: int
    card: int | None


@dataclass(frozen=True, slots=True)
class Offered:
    """Insurance is offered."""


@dataclass(frozen=True, slots=True)
class Peeked:
    """The dealer looks under his ace or ten."""

    natural: bool


@dataclass(frozen=True, slots=True)
class Acted:
    """The player acts on one of his hands, 1 to 4."""

    hand: int
    action: Action


@dataclass(frozen=True, slots=True)
class Moved:
    """A split moves a card to a new hand."""

    from_hand: int
    to_hand: int
    card: int


@dataclass(frozen=True, slots=True)
class Revealed:
    """The dealer turns his hole card."""

    card: int


@dataclass(frozen=True, slots=True)
class Settled:
    """A hand wins or loses so many base bets (hand 0: the insurance bet)."""

    hand: int
    net: float


@dataclass(frozen=True, slots=True)
class Over:
    """The round is over; its net result in base bets."""

    net: float


Event = Dealt | Offered | Peeked | Acted | Moved | Revealed | Settled | Over


def narrate(start: NDArray[np.void], key: int, purse: int, actions: Iterable[Action], rules: Rules) -> Iterator[Event]:
    """The events of a round, told by playing it again from the table's state before the deal."""
    tables, table = table_record(rules), rules.table()
    tables["round"] = start
    round = tables[0]["round"]
    tables["rules"]["infinite"] &= not round["shoe"]["stacked"]
    deal_key(tables.view(np.uint8), np.uint64(key), purse)
    player, dealer = round["hands"][1], round["hands"][DEALER]
    yield Dealt(1, int(player["cards"][0]))
    yield Dealt(DEALER, int(dealer["cards"][0]))
    yield Dealt(1, int(player["cards"][1]))
    yield Dealt(DEALER, None)
    if round["phase"] == INSURING:
        yield Offered()
    elif not surrenders_early(round, table) or round["phase"] == OVER:
        yield from _peek(round, table)
    for action in actions:
        yield from _tell_action(tables, action, table)
    if round["phase"] == OVER:
        yield from _tell_end(round, table)


def _peek(round: Round, table: TableRules) -> Iterator[Event]:
    dealer = round["hands"][DEALER]
    if table.peek and table.dealer_naturals and value_of(int(dealer["cards"][0])) in (1, 10):
        yield Peeked(bool(dealer["hard"] == 11 and dealer["n_cards"] == 2 and dealer["has_ace"]))


def _tell_action(tables: NDArray[np.void], action: Action, table: TableRules) -> Iterator[Event]:
    round = tables[0]["round"]
    active, insuring, early = int(round["active"]), round["phase"] == INSURING, surrenders_early(round, table)
    held = [int(hand["n_cards"]) for hand in round["hands"]]
    yield Acted(active, action)
    step_one(tables.view(np.uint8), int(action))
    hands = round["hands"]
    if (not early or round["phase"] == OVER) if insuring else (early and action != Action.SURRENDER):
        yield from _peek(round, table)
    if insuring:
        return
    if action == Action.SPLIT and round["n_hands"] > 1:
        new = int(round["n_hands"])
        held[active] = held[new] = 1
        yield Moved(active, new, int(hands[new]["cards"][0]))
    for index in range(active, int(round["n_hands"]) + 1):
        for at in range(held[index], int(hands[index]["n_cards"])):
            yield Dealt(index, int(hands[index]["cards"][at]))


def _tell_end(round: Round, table: TableRules) -> Iterator[Event]:
    dealer = round["hands"][DEALER]
    yield Revealed(int(dealer["cards"][1]))
    for at in range(2, int(dealer["n_cards"])):
        yield Dealt(DEALER, int(dealer["cards"][at]))
    if round["insured"]:
        yield Settled(DEALER, float(insurance_result(round, table)) / table.unit)
    for index in range(1, int(round["n_hands"]) + 1):
        yield Settled(index, float(hand_result(round, index, table)) / table.unit)
    yield Over(int(round["net"]) / table.unit)


def cards_in_order(events: Iterable[Event]) -> list[int]:
    """The cards of a finished round in the order they were dealt, the hole card in its place."""
    cards: list[int] = []
    for event in events:
        if isinstance(event, Dealt):
            cards.append(-1 if event.card is None else event.card)
        elif isinstance(event, Revealed):
            cards[3] = event.card
    return cards


def replay(events: Sequence[Event], rules: Rules, purse: int = UNLIMITED) -> tuple[Event, ...]:
    """The events of the round that these cards and actions make under the rules: the same ones, if they are genuine."""
    actions = [event.action for event in events if isinstance(event, Acted)]
    return play_stacked(cards_in_order(events), actions, rules, purse)


def play_stacked(
    cards: Sequence[int], actions: Sequence[Action], rules: Rules, purse: int = UNLIMITED
) -> tuple[Event, ...]:
    """The events of a round dealt from a stacked shoe and played by a list of actions.

    `purse` is what the player had behind the bet, in chips: without it, aces that could be split again wait for a word.
    """
    probe = table_record(rules)
    stack(probe[0]["round"]["shoe"], cards)
    probe["rules"]["infinite"] = False
    start = probe["round"].copy()
    view = deal_key(probe.view(np.uint8), np.uint64(0), purse)
    for action in actions:
        if not view[1] >> action & 1:
            legal = words_of(view[1]) or "none, the round is over"
            raise IllegalAction(f"cannot {action.word} here; legal here: {legal}")
        view = step_one(probe.view(np.uint8), int(action))
    taken = int(probe[0]["round"]["shoe"]["next"])
    if taken > len(cards):
        raise CardError(f"the stacked shoe ran out: this round takes {taken} cards; got {len(cards)}")
    return tuple(narrate(start, 0, purse, actions, rules))
