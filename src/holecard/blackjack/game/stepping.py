"""One compiled call per decision, for one round or a batch of them: what `Game` and `Batch` stand on."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard._jit import lean_kernel, rule
from holecard.blackjack.game.dealing import begin_shoe, clear_stamps, collect, is_cut_card_out
from holecard.blackjack.game.hand import is_pair, value_of
from holecard.blackjack.game.round import DEALER, NOBODY, ROUND, UNLIMITED, apply, cards_on_table, deal, legal_actions
from holecard.blackjack.game.rules import Rules, TableRules
from holecard.blackjack.game.shoe import Composition, cut_card
from holecard.seeds import checked_seed, key_of

WAIT: Final = -1
"""In place of an action: this table of a batch stays as it is."""
DEAL_ON, SHOW_NATURALS, LINGER = range(3)
"""What a batch does where a round is over: deals on, naturals settled on the way; deals on, but a round that naturals
end at once is shown and waits for a stand; shows that too, and the end of every round until the next step."""
_STAND: Final = 1
MAX_SERIAL: Final = (1 << 32) - 2
"""Rounds a shoe record can stamp before its serials must start again."""

RULES = np.dtype(
    [(name, np.bool_ if kind == "bool" else np.int64) for name, kind in TableRules.__annotations__.items()]
)
"""The rules as a record: a compiled step called from Python takes a one-element array faster than a tuple."""
PLACE = np.dtype([("shoe", np.int64), ("round", np.int64)])
"""Where a table is in the order of deals: the number of its shoe (with fresh shoes its round), rounds dealt from it."""
ORDER = np.dtype(
    [
        ("seed", np.uint64),
        (
            "stride",
            np.int64,
        ),  # from one shoe of a table to its next, so that a batch's tables share the rounds of a seed
        ("fresh", np.bool_),
        ("cut", np.int64),  # cards behind the cut card of a dealt shoe
    ]
)
"""How the rounds of a seed follow each other."""


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


def table_record(rules: Rules) -> NDArray[np.void]:
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
"""What a player sees of a round at a decision, as one record of a batch."""


def rules_record(rules: Rules | TableRules) -> NDArray[np.void]:
    """The rules as a one-element RULES array."""
    return np.array([tuple(rules.table() if isinstance(rules, Rules) else rules)], RULES)


@rule
def rules_of(record: Any) -> TableRules:
    """The rules of a RULES record, as all rules of play take them."""
    return TableRules(
        record["limit"],
        record["target"],
        record["ace_bonus"],
        record["hits_soft_target"],
        record["naturals"],
        record["dealer_naturals"],
        record["peek"],
        record["original_bets_only"],
        record["double_low"],
        record["double_high"],
        record["double_soft"],
        record["double_after_split"],
        record["max_hands"],
        record["resplit_aces"],
        record["hit_split_aces"],
        record["split_by_rank"],
        record["surrender"],
        record["insurance"],
        record["charlie"],
        record["infinite"],
        record["unit"],
        record["natural_pays"],
        record["plays_at_limit"],
        record["natural_ties"],
    )


@rule
def look(round: Any, active: int, view: Any, rules: TableRules) -> None:
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
def _seen(round: Any, active: int, rules: TableRules) -> Any:
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


@lean_kernel
def deal_one(memory: Any, purse: int) -> Any:
    """Deal a table's next round; the view as a tuple. `memory` is a TABLE as uint8; what was is kept in `before`."""
    table = memory.view(TABLE)[0]
    table["before"] = table["round"]
    rules = rules_of(table["rules"])
    key = next_key(table["round"]["shoe"], table["place"], table["order"])
    return _seen(table["round"], deal(table["round"], key, purse, rules), rules)


@lean_kernel
def deal_key(memory: Any, key: np.uint64, purse: int) -> Any:
    """Deal the round of a key at a table, a TABLE as uint8; the view as a tuple."""
    table = memory.view(TABLE)[0]
    rules = rules_of(table["rules"])
    return _seen(table["round"], deal(table["round"], key, purse, rules), rules)


@lean_kernel
def step_one(memory: Any, action: int) -> Any:
    """Carry out a legal action at a table, a TABLE as uint8; the view as a tuple."""
    table = memory.view(TABLE)[0]
    round, rules = table["round"], rules_of(table["rules"])
    return _seen(round, apply(round, int(round["active"]), action, rules), rules)


@lean_kernel
def deal_batch(states: Any, record: Any, places: Any, order: Any, views: Any, nets: Any, ended: Any, pace: int) -> None:
    """Deal the first rounds of every state; arrays as in `step_batch`."""
    rules = rules_of(record[0])
    for at in range(states.size):
        clear_stamps(states[at]["shoe"])
        places[at]["shoe"] = at - order[0]["stride"]
        states[at]["shoe"]["out"] = states[at]["shoe"]["size"]
        nets[at] = 0
        ended[at] = 0
        _deal_on(states, at, places, order[0], views, nets, ended, pace, rules)


@lean_kernel
def step_batch(
    states: Any,
    record: Any,
    actions: Any,
    places: Any,
    order: Any,
    views: Any,
    finals: Any,
    nets: Any,
    ended: Any,
    pace: int,
) -> int:
    """Carry out one action per state; finished rounds are settled and the next dealt. The first illegal state, or −1.

    All arrays have one element per state: `states` ROUND, `actions` int64, `places` PLACE, `views` VIEW, `finals` VIEW
    (the last hand of a round that ended in this step), `nets` int64 (chips won in rounds that ended in this step),
    `ended` int64 (how many did; more than one only where naturals are settled on the way). Legal bits of 0 say that a
    round has ended and is dealt on by the next step, whatever its action.
    Nothing changes if any action is illegal.
    """
    rules = rules_of(record[0])
    for at in range(states.size):
        legal = int(views[at]["legal"])
        if legal != 0 and (actions[at] < WAIT or (actions[at] >= 0 and not legal >> actions[at] & 1)):
            return at
    for at in range(states.size):
        nets[at] = 0
        ended[at] = 0
        if actions[at] == WAIT:
            continue
        if views[at]["legal"] == 0:
            _deal_on(states, at, places, order[0], views, nets, ended, pace, rules)
            continue
        before = int(states[at]["active"])
        active = apply(states[at], before, actions[at], rules) if before != NOBODY else NOBODY
        if active == NOBODY:
            look(states[at], max(before, 1), views[at] if pace == LINGER else finals[at], rules)
            _settle_into(states, at, nets, ended, rules)
            if pace != LINGER:
                _deal_on(states, at, places, order[0], views, nets, ended, pace, rules)
        else:
            look(states[at], active, views[at], rules)
    return -1


@rule
def _settle_into(states: Any, at: int, nets: Any, ended: Any, rules: TableRules) -> None:
    nets[at] += states[at]["net"]
    ended[at] += 1
    collect(states[at]["shoe"], cards_on_table(states[at], rules))


@rule
def _deal_on(
    states: Any, at: int, places: Any, order: Any, views: Any, nets: Any, ended: Any, pace: int, rules: TableRules
) -> None:
    """Deal rounds until one needs a decision; those that naturals end at once are settled on the way, or shown."""
    active = deal(states[at], next_key(states[at]["shoe"], places[at], order), UNLIMITED, rules)
    while active == NOBODY and pace == DEAL_ON:
        _settle_into(states, at, nets, ended, rules)
        active = deal(states[at], next_key(states[at]["shoe"], places[at], order), UNLIMITED, rules)
    look(states[at], active, views[at], rules)
    if active == NOBODY:
        views[at]["legal"] = 1 << _STAND


@rule
def next_key(shoe: Any, place: Any, order: Any) -> np.uint64:
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
