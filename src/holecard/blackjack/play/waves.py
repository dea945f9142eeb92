"""Fresh rounds of full packs in waves: so many at a time, all of them one step further before any goes on to the next.

A processor that plays round after round guesses at every card where the round goes next, and two or three times a
round it guesses wrong. A wave sorts its rounds instead. Those that hit are on one list, those that stand on another,
and a loop over a list does the same to every round of it: nothing is left to guess, and the random numbers of many
rounds are hashed side by side.

The records of a wave have room for one hand. A round that splits, one in forty, is played again from its key in a
record with room for all of them.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard._jit import Int, rule
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.dealing import begin_shoe
from holecard.blackjack.game.round import (
    DEALER,
    INSURING,
    OVER,
    UNLIMITED,
    act,
    act_by,
    card_bits,
    dealer_draws,
    dealer_plays,
    hit_dealer,
    open_round,
    opening_bits,
    settle,
)
from holecard.blackjack.game.rules import TableRules
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.play.kernels import Block, Counts, Plays, counted, play_round, strategy_action
from holecard.blackjack.play.small_round import small_round
from holecard.seeds import key_of

WAVE: Final = 128
"""Rounds to a wave: what fits a processor's nearest memory. At most 256, so that a byte names a round of it."""
Wave: TypeAlias = Any
"""The record of a `new_wave`."""
List: TypeAlias = Any
"""Rounds of a wave by their places in it, uint8 (WAVE,); its caller knows how many are on it."""
_HIT, _STAND, _SPLIT, _DECLINE = (int(each) for each in (Action.HIT, Action.STAND, Action.SPLIT, Action.DECLINE))
_HASHES: Final = ("keys", "first", "upcard", "second", "hole_card")
_LISTS: Final = ("hits", "stands", "others", "draws")


class Deciding(NamedTuple):
    """How many rounds of a wave are on each list of those that decide: by what they do."""

    hits: int
    stands: int
    others: int
    """Rounds that double, split or surrender."""


def new_wave(rules: TableRules, deck: Composition) -> NDArray[np.void]:
    """An array of one: the rounds of a wave, a round with room for split hands, random bits and lists of rounds."""
    one_hand = small_round(rules._replace(max_hands=1), deck)
    hashes = [(name, np.uint64, (WAVE,)) for name in _HASHES]
    lists = [(name, np.uint8, (WAVE,)) for name in _LISTS]
    fields = [("rounds", one_hand, (WAVE,)), ("split", small_round(rules, deck)), *hashes, *lists]
    return np.zeros(1, np.dtype(fields, align=True))


@rule
def play_wave(wave: Wave, block: Block, plays: Plays, counts: Counts, rules: TableRules) -> Counts:
    """Play a block of at most WAVE rounds by a strategy; the counts with them."""
    _hash_openings(wave, block)
    deciding = _deal(wave, block.n, plays, rules)
    deciding = _hit_all(wave, deciding, plays, rules)
    for index in range(deciding.stands):
        act(wave["rounds"][wave["stands"][index]], 1, _STAND, rules)
    counts = _play_others(wave, deciding.others, plays, counts, rules)
    return _finish_all(wave, block.n, counts, rules)


@rule
def _hash_openings(wave: Wave, block: Block) -> None:
    """Hash the keys of all rounds and the bits of their first four cards."""
    for at in range(block.n):
        key = key_of(block.seed, np.uint64(block.first + at))
        wave["keys"][at] = key
        wave["first"][at], wave["upcard"][at], wave["second"][at], wave["hole_card"][at] = opening_bits(key)


@rule
def _deal(wave: Wave, n: int, plays: Plays, rules: TableRules) -> Deciding:
    """Deal all rounds and file those that decide."""
    deciding = Deciding(0, 0, 0)
    for at in range(n):
        round = wave["rounds"][at]
        begin_shoe(round["shoe"])
        bits = (wave["first"][at], wave["upcard"][at], wave["second"][at], wave["hole_card"][at])
        turn = open_round(round, wave["keys"][at], bits, UNLIMITED, rules)
        if rules.insurance and round["phase"] == INSURING:
            turn = act(round, 1, _DECLINE, rules)
        deciding = _filed(wave, at, turn, strategy_action(plays, round, 1, rules), deciding)
    return deciding


@rule
def _filed(wave: Wave, at: Int, turn: int, action: int, deciding: Deciding) -> Deciding:
    """The lists with one more round, on the one of what it does, unless it is the dealer's turn."""
    decides = int(turn != DEALER)
    return Deciding(
        hits=_put(wave["hits"], deciding.hits, at, decides & int(action == _HIT)),
        stands=_put(wave["stands"], deciding.stands, at, decides & int(action == _STAND)),
        others=_put(wave["others"], deciding.others, at, decides & int(action > _STAND)),
    )


@rule
def _put(places: List, count: int, at: Int, belongs: int) -> int:
    """Put a round behind the `count` on a list; how many are on it then, one more if it `belongs` there (1, else 0)."""
    places[np.uint64(count)] = at
    return count + belongs


@rule
def _hit_all(wave: Wave, deciding: Deciding, plays: Plays, rules: TableRules) -> Deciding:
    """Give every round that hits its next card and file it again, until none hits; the lists then."""
    cards = 2
    while deciding.hits > 0:
        n = deciding.hits
        _hash_next(wave, wave["hits"], n, 1, cards)
        deciding = Deciding(0, deciding.stands, deciding.others)
        for index in range(n):
            at = wave["hits"][index]
            round = wave["rounds"][at]
            turn = act_by(round, 1, _HIT, wave["first"][index], rules)
            deciding = _filed(wave, at, turn, strategy_action(plays, round, 1, rules), deciding)
        cards += 1
    return deciding


@rule
def _hash_next(wave: Wave, places: List, n: int, hand: int, cards: int) -> None:
    """Hash the bits of the next card to a hand, which holds so many cards in each of `n` rounds on a list."""
    for index in range(n):
        wave["first"][index] = card_bits(wave["keys"][places[index]], hand, cards)


@rule
def _play_others(wave: Wave, n: int, plays: Plays, counts: Counts, rules: TableRules) -> Counts:
    """Play the rounds that double, split or surrender; the counts with those that split, which are over then."""
    for index in range(n):
        round = wave["rounds"][wave["others"][index]]
        action = strategy_action(plays, round, 1, rules)
        if action == _SPLIT:
            whole = wave["split"]
            begin_shoe(whole["shoe"])
            net = play_round(whole, round["shoe"]["key"], UNLIMITED, plays, rules)
            counts = counted(counts, whole, net, rules)
            round["phase"] = OVER
        else:
            act(round, 1, action, rules)
    return counts


@rule
def _finish_all(wave: Wave, n: int, counts: Counts, rules: TableRules) -> Counts:
    """The dealer plays, and all rounds but those that are over are settled; the counts with them."""
    draws, stands, others = 0, 0, 0
    for at in range(n):
        round = wave["rounds"][at]
        against = int(dealer_plays(round, rules))
        draws = _put(wave["draws"], draws, at, against & int(dealer_draws(round, rules)))
        stands = _put(wave["stands"], stands, at, against)
        others = _put(wave["others"], others, at, 1 - against)
    _draw_all(wave, draws, rules)
    for index in range(stands):
        round = wave["rounds"][wave["stands"][index]]
        counts = counted(counts, round, settle(round, rules), rules)
    for index in range(others):
        round = wave["rounds"][wave["others"][index]]
        if round["phase"] != OVER:
            counts = counted(counts, round, settle(round, rules), rules)
    return counts


@rule
def _draw_all(wave: Wave, n: int, rules: TableRules) -> None:
    """Give the dealer of every round on the list of draws one card after another, until none takes one."""
    cards = 2
    while n > 0:
        _hash_next(wave, wave["draws"], n, DEALER, cards)
        left = 0
        for index in range(n):
            at = wave["draws"][index]
            round = wave["rounds"][at]
            hit_dealer(round, wave["first"][index], rules)
            left = _put(wave["draws"], left, at, int(dealer_draws(round, rules)))
        n = left
        cards += 1
