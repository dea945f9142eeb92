"""One table and one compiled call per decision: what `Game` stands on. `batch` and `session_batch` play many tables.

Here too: the rules, a place in the order of deals and a player's view as records, which all compiled steps share.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard._jit import record_reader, rule, step_kernel
from holecard.blackjack.game.dealing import Shoe, begin_shoe, clear_stamps, collect, is_cut_card_out
from holecard.blackjack.game.hand import is_pair, value_of
from holecard.blackjack.game.round import DEALER, NOBODY, ROUND, Round, apply, cards_on_table, deal, legal_actions
from holecard.blackjack.game.rules import Rules, TableRules
from holecard.blackjack.game.shoe import Composition, cut_card
from holecard.seeds import checked_seed, key_of

MAX_SERIAL: Final = (1 << 32) - 2
"""Rounds a shoe record can stamp before its serials must start again."""

RULES = np.dtype(
    [(name, np.bool_ if isinstance(value, bool) else np.int64) for name, value in Rules().table()._asdict().items()]
)
"""The rules as a record: a compiled step called from Python takes a one-element array faster than a tuple."""
RulesArray: TypeAlias = NDArray[np.void]
"""RULES of shape (1,)."""
rules_of = record_reader(TableRules)
"""The rules of a RULES record, as all rules of play take them."""


def rules_record(rules: Rules | TableRules) -> RulesArray:
    """The rules as a one-element RULES array."""
    return np.array([tuple(rules.table() if isinstance(rules, Rules) else rules)], RULES)


PLACE = np.dtype([("shoe", np.int64), ("round", np.int64)])
"""Where a table is in the order of deals: the number of its shoe (with fresh shoes its round), rounds dealt from it."""
Place: TypeAlias = Any
"""One PLACE record."""
ORDER = np.dtype(
    [
        ("seed", np.uint64),
        ("stride", np.int64),  # from a table's shoe to its next, so that the tables of a batch share a seed's rounds
        ("fresh", np.bool_),
        ("cut", np.int64),  # cards behind the cut card of a dealt shoe
    ]
)
"""How the rounds of a seed follow each other."""
Order: TypeAlias = Any
"""One ORDER record."""


def order_of(rules: Rules, deck: Composition, seed: int, stride: int = 1) -> NDArray[np.void]:
    """The order of deals as a one-element ORDER array."""
    fresh = rules.shoe == "fresh" or rules.is_infinite
    return np.array([(checked_seed(seed), stride, fresh, cut_card(deck, rules))], ORDER)


TABLE = np.dtype(
    [("round", ROUND), ("before", ROUND), ("rules", RULES), ("place", PLACE), ("order", ORDER)], align=True
)
"""One table: its round, what that was before the last deal, its rules and where it is in the order of deals.

A compiled step called from Python takes one array faster than five, and bytes faster than records: 0.4 µs a call.
"""
TableBytes: TypeAlias = NDArray[Any]
"""A one-element TABLE array seen as bytes, `table.view(np.uint8)`."""


def table_record(rules: Rules | TableRules) -> NDArray[np.void]:
    """A table with these rules and an empty shoe, a one-element TABLE array."""
    table = np.zeros(1, TABLE)
    table["rules"] = rules_record(rules)
    return table


VIEW = np.dtype(
    [
        ("hand", np.int32),  # index of the hand to act; 0: nobody's, the round was over as it was dealt
        ("legal", np.int32),  # bits 1 << Action
        ("total", np.int32),
        ("hard", np.int32),
        ("n_cards", np.int32),
        ("soft", np.bool_),
        ("has_ace", np.bool_),
        ("pair", np.bool_),
        ("upcard", np.int32),  # 1 (ace) … 10
        ("n_hands", np.int32),
        ("decisions", np.int32),  # taken so far in this round
    ],
    align=True,
)
"""What a player sees of a round at a decision, as one record of a batch: the fields of `game.View` in their order."""
ViewRecord: TypeAlias = Any
"""One VIEW record."""
Seen: TypeAlias = tuple[Any, ...]
"""The fields of VIEW as plain numbers, which reach Python faster than a record."""


@rule
def look(round: Round, active: int, view: ViewRecord, rules: TableRules) -> None:
    """Write what the player sees into a VIEW record: his hand and the upcard, nothing hidden."""
    hand = round["hands"][np.uint64(max(active, 1))]
    view["hand"] = active
    view["legal"] = legal_actions(round, active, rules)
    view["total"] = hand["total"]
    view["hard"] = hand["hard"]
    view["n_cards"] = hand["n_cards"]
    view["soft"] = hand["soft"]
    view["has_ace"] = hand["has_ace"]
    view["pair"] = is_pair(hand, rules)
    view["upcard"] = value_of(round["hands"][DEALER]["cards"][0])
    view["n_hands"] = round["n_hands"]
    view["decisions"] = round["decisions"]


@rule
def _seen(round: Round, active: int, rules: TableRules) -> Seen:
    """The fields of VIEW as a tuple of numbers; a finished round's cards are collected."""
    if active == NOBODY:
        collect(round["shoe"], cards_on_table(round, rules))
    hand = round["hands"][np.uint64(max(active, 1))]
    return (
        active,
        legal_actions(round, active, rules),
        int(hand["total"]),
        int(hand["hard"]),
        int(hand["n_cards"]),
        hand["soft"],
        hand["has_ace"],
        is_pair(hand, rules),
        int(value_of(round["hands"][DEALER]["cards"][0])),
        int(round["n_hands"]),
        int(round["decisions"]),
    )


@step_kernel
def deal_one(memory: TableBytes, purse: int) -> Seen:
    """Deal a table's next round; the view as a tuple. `memory` is a TABLE as uint8; what was is kept in `before`."""
    table = memory.view(TABLE)[0]
    table["before"] = table["round"]
    rules = rules_of(table["rules"])
    key = next_key(table["round"]["shoe"], table["place"], table["order"])
    return _seen(table["round"], deal(table["round"], key, purse, rules), rules)


@step_kernel
def deal_key(memory: TableBytes, key: np.uint64, purse: int) -> Seen:
    """Deal the round of a key at a table, a TABLE as uint8; the view as a tuple."""
    table = memory.view(TABLE)[0]
    rules = rules_of(table["rules"])
    return _seen(table["round"], deal(table["round"], key, purse, rules), rules)


@step_kernel
def step_one(memory: TableBytes, action: int) -> Seen:
    """Carry out a legal action at a table, a TABLE as uint8; the view as a tuple."""
    table = memory.view(TABLE)[0]
    round, rules = table["round"], rules_of(table["rules"])
    return _seen(round, apply(round, int(round["active"]), action, rules), rules)


@rule
def next_key(shoe: Shoe, place: Place, order: Order) -> np.uint64:
    """The key of a table's next round, by round with fresh shoes, by shoe and round of the shoe with dealt ones.

    Shuffles where it is time to, and starts the serials again before they run over.
    """
    if not shoe["stacked"] and (order["fresh"] or is_cut_card_out(shoe, order["cut"])):
        place["shoe"] += order["stride"]
        place["round"] = 0
        if shoe["serial"] > MAX_SERIAL:
            clear_stamps(shoe)
        begin_shoe(shoe)
    key = key_of(order["seed"], np.uint64(place["shoe"]))
    if not order["fresh"]:
        key = key_of(key, np.uint64(place["round"]))
    place["round"] += 1
    return key
