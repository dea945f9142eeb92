"""Shoes as they are played, round by round: the cards left before each round and what it brought."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from holecard._jit import lean_kernel
from holecard.blackjack.counting.compositions import running_counts
from holecard.blackjack.counting.system import CountSystem
from holecard.blackjack.game.dealing import begin_shoe, clear_stamps, collect, is_cut_card_out
from holecard.blackjack.game.hand import value_of
from holecard.blackjack.game.rank_counts import cards_of
from holecard.blackjack.game.round import UNLIMITED, Rounds, cards_on_table
from holecard.blackjack.game.rules import Rules, TableRules
from holecard.blackjack.game.shoe import Composition, check_deck, cut_card
from holecard.blackjack.play.kernels import Block, Plays, play_round
from holecard.blackjack.play.small_round import dealt_state
from holecard.blackjack.strategy.strategy import Strategy
from holecard.cards import ACE_RANK
from holecard.errors import RulesError
from holecard.seeds import checked_seed, key_of


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RecordedShoes:
    """Rounds of dealt shoes, in order."""

    shoe: NDArray[np.int64]
    """(n,): the number of the shoe."""
    round: NDArray[np.int64]
    """(n,): the number of the round in its shoe."""
    left: NDArray[np.int64]
    """(n, 10): cards left of each value before the round."""
    net: NDArray[np.float64]
    """(n,): what the round brought, in bets."""

    def running(self, system: CountSystem, rules: Rules) -> NDArray[np.float64]:
        """(n,): the running count of a system before each round."""
        return running_counts(system, rules, self.left)


def record_shoes(strategy: Strategy, rules: Rules, shoes: int, *, seed: int = 0) -> RecordedShoes:
    """So many shoes played by a chart, flat bets; the cards are those of `simulate` with the same rules and seed."""
    if rules.shoe != "dealt" or rules.is_infinite:
        raise RulesError("a shoe that is dealt down has 1 to 8 decks; use --shoe dealt")
    deck = Composition.of_rules(rules)
    check_deck(deck, rules)
    most = shoes * (deck.size // 3)
    places, left, nets = np.zeros((most, 2), np.int64), np.zeros((most, 10), np.int64), np.zeros(most, np.int64)
    block = Block(np.uint64(checked_seed(seed)), 0, shoes)
    n = _record(
        dealt_state(deck),
        block,
        cut_card(deck, rules),
        strategy.plays().ravel(),
        (places, left, nets),
        rules.table(),
    )
    return RecordedShoes(shoe=places[:n, 0], round=places[:n, 1], left=left[:n], net=nets[:n] / rules.unit)


@lean_kernel
def _record(
    state: Rounds,
    block: Block,
    cut: int,
    plays: Plays,
    rows: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    rules: TableRules,
) -> int:
    """Write a row for each round of a block of shoes: where it is, the cards left, its net; returns how many."""
    round, at = state[0], 0
    places, left, nets = rows
    shoe = round["shoe"]
    clear_stamps(shoe)
    for number in range(block.first, block.first + block.n):
        key = key_of(block.seed, np.uint64(number))
        begin_shoe(shoe)
        in_shoe = 0
        while not is_cut_card_out(shoe, cut):
            places[at, 0], places[at, 1] = number, in_shoe
            for rank in range(ACE_RANK + 1):
                left[at, value_of(rank << 2) - 1] += cards_of(shoe["ranks"], shoe["left"], rank)
            nets[at] = play_round(round, key_of(key, np.uint64(in_shoe)), UNLIMITED, plays, rules)
            collect(shoe, cards_on_table(round, rules))
            in_shoe += 1
            at += 1
    return at
