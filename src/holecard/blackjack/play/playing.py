"""The kernels that play strategy tables: fresh shoes, dealt shoes, trips with a bankroll, many tables, pairs."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from holecard._jit import lean_kernel, rule
from holecard.blackjack.game.dealing import begin_shoe, clear_stamps, collect, is_cut_card_out
from holecard.blackjack.game.hand import BUST, is_pair, value_of
from holecard.blackjack.game.round import (
    DEALER,
    INSURING,
    NOBODY,
    UNLIMITED,
    apply,
    can_hit,
    cards_on_table,
    deal,
    hand_actions,
    hand_in,
    hands_held,
    has_natural,
)
from holecard.blackjack.game.rules import NO_CHARLIE, NO_SURRENDER, Rules, TableRules
from holecard.blackjack.game.stepping import rules_of
from holecard.blackjack.strategy.cell import CELLS, cell_index, held_index, kind_and_row
from holecard.blackjack.strategy.letters import PLAY_ANY
from holecard.seeds import below, key_of

ROUNDS, WINS, PUSHES, NET, NET_SQUARED, NATURALS, BUSTS, TRIPS, RUINS = range(9)
TALLY: Final = 9
_HIT: Final = 0
_STAND: Final = 1
_DECLINE: Final = 6
_CHOICES: Final = 1 << 12
"""Counters for the choices of `?` cells, beyond those of all cards."""
_HIT_OR_STAND: Final = Rules.preset("classic").table()
"""The plain game, one hand hit or stood."""


@rule
def table_action(plays: Any, round: Any, active: int, rules: TableRules) -> int:
    """What a table of plays does now; see `Strategy.plays`."""
    if rules.insurance and round["phase"] == INSURING:
        return _DECLINE
    hand = hand_in(round, active, rules)
    legal = hand_actions(round, hand, rules)
    kind, row = kind_and_row(is_pair(hand, rules), hand["soft"], hand["has_ace"], hand["total"], hand["hard"])
    upcard = value_of(round["hands"][DEALER]["cards"][0]) - 1
    cell = cell_index(held_index(hand["n_cards"]), kind, row, upcard)
    action = int(plays[np.uint64((legal >> 2) * CELLS + cell)])
    if action == PLAY_ANY:
        return _any_action(round, legal)
    return action if action != _HIT or can_hit(hand, rules) else _STAND  # the only play the options do not settle


@rule
def _any_action(round: Any, legal: int) -> int:
    """A legal action chosen uniformly, by the round's key and the number of the decision."""
    count = 0
    for action in range(5):
        count += legal >> action & 1
    chosen = int(below(round["shoe"]["key"], np.uint64(_CHOICES + round["decisions"]), np.uint64(count)))
    for action in range(5):
        if legal >> action & 1:
            if chosen == 0:
                return action
            chosen -= 1
    return _STAND


@lean_kernel
def table_actions(states: Any, plays: Any, record: Any, actions: Any) -> None:
    """Write what a table does in each state: `states` ROUND (n,), `record` RULES (1,), `actions` int64 (n,)."""
    rules = rules_of(record[0])
    for at in range(states.size):
        actions[at] = table_action(plays, states[at], int(states[at]["active"]), rules)


@rule
def play_round(round: Any, key: np.uint64, purse: int, plays: Any, rules: TableRules) -> int:
    """Deal the round of `key` and play it out by a table; the net result in chips."""
    active = deal(round, key, purse, rules)
    while active != NOBODY:
        active = apply(round, active, table_action(plays, round, active, rules), rules)
    return round["net"]


class Counts(NamedTuple):
    """What a kernel adds up, held in registers while it runs."""

    rounds: int
    wins: int
    pushes: int
    net: int
    net_squared: int
    naturals: int
    busts: int


@rule
def counted(counts: Counts, round: Any, net: int, rules: TableRules) -> Counts:
    """The counts with one more round."""
    bust = False
    for index in range(1, hands_held(round, rules) + 1):
        bust = bust or hand_in(round, index, rules)["status"] == BUST
    return Counts(
        counts.rounds + 1,
        counts.wins + int(net > 0),
        counts.pushes + int(net == 0),
        counts.net + net,
        counts.net_squared + net * net,
        counts.naturals + int(has_natural(round, rules)),
        counts.busts + int(bust),
    )


@rule
def _add_to(tally: Any, counts: Counts) -> None:
    tally[ROUNDS] += counts.rounds
    tally[WINS] += counts.wins
    tally[PUSHES] += counts.pushes
    tally[NET] += counts.net
    tally[NET_SQUARED] += counts.net_squared
    tally[NATURALS] += counts.naturals
    tally[BUSTS] += counts.busts


@rule
def _usual(rules: TableRules) -> TableRules:
    """The same rules if they are a usual table's: what such tables agree on is constant, so that compilers drop it."""
    return TableRules(
        limit=21,
        target=17,
        ace_bonus=10,
        hits_soft_target=rules.hits_soft_target,
        naturals=True,
        dealer_naturals=True,
        peek=True,
        original_bets_only=False,
        double_low=rules.double_low,
        double_high=rules.double_high,
        double_soft=rules.double_soft,
        double_after_split=rules.double_after_split,
        max_hands=4,
        resplit_aces=False,
        hit_split_aces=False,
        split_by_rank=rules.split_by_rank,
        surrender=NO_SURRENDER,
        insurance=False,
        charlie=NO_CHARLIE,
        infinite=False,
        unit=rules.unit,
        natural_pays=rules.natural_pays,
        plays_at_limit=False,
        natural_ties=False,
    )


@rule
def _play_tables(
    round: Any, first: int, count: int, apart: int, seed: np.uint64, many: Any, tallies: Any, rules: TableRules
) -> None:
    """As `play_fresh`. The key of a round is hashed before the last one is played, whose end is guessed wrong too often
    to go on to it in time."""
    for table in range(many.shape[0]):
        clear_stamps(round["shoe"])
        plays, start, counts = many[table], first + table * apart, Counts(0, 0, 0, 0, 0, 0, 0)
        key = key_of(seed, np.uint64(start))
        for number in range(start, start + count):
            next_key = key_of(seed, np.uint64(number + 1))
            begin_shoe(round["shoe"])
            net = play_round(round, key, UNLIMITED, plays, rules)
            counts = counted(counts, round, net, rules)
            key = next_key
        _add_to(tallies[table], counts)


@lean_kernel
def play_fresh(
    state: Any, first: int, count: int, apart: int, seed: np.uint64, many: Any, tallies: Any, rules: TableRules
) -> None:
    """Rounds first … first + count − 1 of several tables, each round from a fresh shoe.

    `state` is a one-element ROUND array, `many` uint8 (n, cells), `tallies` int64 (n, TALLY), added to. The rounds of
    each table begin `apart` after those of the one before; with `apart` 0 all play the same ones. The games most played
    are compiled apart, without what they lack.
    """
    if rules == _HIT_OR_STAND:
        _play_tables(state[0], first, count, apart, seed, many, tallies, _HIT_OR_STAND)
    elif rules == _usual(rules):
        _play_tables(state[0], first, count, apart, seed, many, tallies, _usual(rules))
    else:
        _play_tables(state[0], first, count, apart, seed, many, tallies, rules)


@lean_kernel
def play_each(state: Any, first: int, count: int, seed: np.uint64, plays: Any, nets: Any, rules: TableRules) -> None:
    """Fresh rounds first … first + count − 1 with each one's net result kept: `nets` int64 of shape (count,)."""
    round = state[0]
    clear_stamps(round["shoe"])
    for number in range(count):
        begin_shoe(round["shoe"])
        nets[number] = play_round(round, key_of(seed, np.uint64(first + number)), UNLIMITED, plays, rules)


@lean_kernel
def play_dealt(
    state: Any, first: int, count: int, most: int, cut: int, seed: np.uint64, plays: Any, tally: Any, rules: TableRules
) -> None:
    """Shoes first … first + count − 1, each dealt until fewer than `cut` cards are left; at most `most` rounds."""
    clear_stamps(state[0]["shoe"])
    counts = Counts(0, 0, 0, 0, 0, 0, 0)
    for number in range(first, first + count):
        counts = play_shoe(state[0], key_of(seed, np.uint64(number)), most, cut, plays, counts, rules)
    _add_to(tally, counts)


@rule
def play_shoe(round: Any, key: np.uint64, most: int, cut: int, plays: Any, counts: Counts, rules: TableRules) -> Counts:
    """Deal the shoe of `key` until fewer than `cut` cards are left or `most` rounds are counted; the counts with it."""
    shoe = round["shoe"]
    begin_shoe(shoe)
    in_shoe = 0
    while counts.rounds < most and not is_cut_card_out(shoe, cut):
        net = play_round(round, key_of(key, np.uint64(in_shoe)), UNLIMITED, plays, rules)
        counts = counted(counts, round, net, rules)
        collect(shoe, cards_on_table(round, rules))
        in_shoe += 1
    return counts


@lean_kernel
def play_trips(
    state: Any,
    first: int,
    count: int,
    length: int,
    bankroll: int,
    cut: int,
    seed: np.uint64,
    plays: Any,
    tally: Any,
    rules: TableRules,
) -> None:
    """Trips first … first + count − 1: up to `length` rounds each, ended when `bankroll` chips no longer pay a bet.

    `cut` is the number of cards left at which a dealt shoe is shuffled; the full size or more means a fresh shoe.
    """
    clear_stamps(state[0]["shoe"])
    counts = Counts(0, 0, 0, 0, 0, 0, 0)
    for number in range(first, first + count):
        counts, ruined = play_trip(
            state[0], key_of(seed, np.uint64(number)), length, bankroll, cut, plays, counts, rules
        )
        tally[RUINS] += ruined
        tally[TRIPS] += 1
    _add_to(tally, counts)


@rule
def play_trip(
    round: Any, key: np.uint64, length: int, bankroll: int, cut: int, plays: Any, counts: Counts, rules: TableRules
) -> tuple[Counts, int]:
    """Play the trip of `key`; the counts with it, and 1 if it was ruined before its last round."""
    shoe, purse = round["shoe"], bankroll
    begin_shoe(shoe)
    for played in range(length):
        if purse < rules.unit:
            return counts, 1
        if is_cut_card_out(shoe, cut):
            begin_shoe(shoe)
        net = play_round(round, key_of(key, np.uint64(played)), purse - rules.unit, plays, rules)
        counts = counted(counts, round, net, rules)
        collect(shoe, cards_on_table(round, rules))
        purse += net
    return counts, 0


@lean_kernel
def play_pairs(
    state: Any, first: int, count: int, seed: np.uint64, plays: Any, others: Any, sums: Any, rules: TableRules
) -> None:
    """Two tables on the same fresh rounds; adds to `sums` (int64) the rounds, the net differences and their squares."""
    round = state[0]
    shoe = round["shoe"]
    clear_stamps(shoe)
    for number in range(first, first + count):
        key = key_of(seed, np.uint64(number))
        begin_shoe(shoe)
        difference = play_round(round, key, UNLIMITED, plays, rules)
        begin_shoe(shoe)
        difference -= play_round(round, key, UNLIMITED, others, rules)
        sums[0] += 1
        sums[1] += difference
        sums[2] += difference * difference
