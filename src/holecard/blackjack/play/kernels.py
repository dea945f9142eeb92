"""The loops that are compiled: rounds by a strategy from fresh shoes. `dealt` has those that follow from each other.

`simulate` calls them on a processor; `gpu` plays the same rounds by the same rules with loops of its own.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard._jit import lean_kernel, rule
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.dealing import begin_shoe, clear_stamps, has_forgotten
from holecard.blackjack.game.hand import BUST, is_pair, value_of
from holecard.blackjack.game.round import (
    DEALER,
    INSURING,
    NOBODY,
    UNLIMITED,
    Round,
    Rounds,
    act,
    apply,
    can_hit,
    cards_on_table,
    deal,
    finish,
    hand_actions,
    hand_in,
    hands_held,
    has_natural,
    open_round,
    opening_bits,
)
from holecard.blackjack.game.rules import TableRules
from holecard.blackjack.game.stepping import RulesArray, rules_of
from holecard.blackjack.strategy.cell import CELLS, cell_index, held_index, kind_and_row
from holecard.blackjack.strategy.letters import PLAY_ANY
from holecard.seeds import below, key_of

Plays: TypeAlias = NDArray[np.uint8]
"""What a strategy plays, `Strategy.plays().ravel()`, uint8 (cells,); of several strategies, (n, cells)."""
Tally: TypeAlias = NDArray[np.int64]
"""What became of rounds, int64 (TALLY,): ROUNDS, WINS, … are the places of the counts. Kernels add to it."""
_STAND: Final = int(Action.STAND)
_DECLINE: Final = int(Action.DECLINE)
"""Plain numbers where a rule returns them: numba does not mix an enum's members with the uint8 of `Plays`."""
_HAND_ACTIONS: Final = int(Action.SURRENDER) + 1
"""Actions on a hand: all that come before insurance."""
_CHOICES: Final = 1 << 12
"""Counters for the choices of `?` cells, beyond those of all cards."""
NO_ROOM: Final = 1 << 40
"""In place of a result: the record has no room for the round, for it splits or has too many cards."""


class Block(NamedTuple):
    """Rounds (or shoes, or trips) of a seed that follow each other: the numbers first … first + n − 1."""

    seed: np.uint64
    first: int
    n: int


class Counts(NamedTuple):
    """What a kernel adds up, held in registers while it runs: the first places of a tally, in their order."""

    rounds: int
    wins: int
    pushes: int
    net: int
    net_squared: int
    naturals: int
    busts: int


NO_COUNTS: Final = Counts(*(0 for _ in Counts._fields))
ROUNDS, WINS, PUSHES, NET, NET_SQUARED, NATURALS, BUSTS = range(len(Counts._fields))
TRIPS, RUINS = len(Counts._fields), len(Counts._fields) + 1
TALLY: Final = len(Counts._fields) + 2


@rule
def strategy_action(plays: Plays, round: Round, active: int, rules: TableRules) -> int:
    """What a strategy does now; see `Strategy.plays`."""
    if rules.insurance and round["phase"] == INSURING:
        return _DECLINE
    hand = hand_in(round, active, rules)
    legal = hand_actions(round, hand, rules)
    kind, row = kind_and_row(is_pair(hand, rules), hand["soft"], hand["has_ace"], hand["total"], hand["hard"])
    upcard = value_of(round["hands"][DEALER]["cards"][0]) - 1
    cell = cell_index(held_index(hand["n_cards"]), kind, row, upcard)
    options = legal >> Action.DOUBLE  # may double, split, surrender
    action = int(plays[np.uint64(options * CELLS + cell)])
    if action == PLAY_ANY:
        return _any_action(round, legal)
    return action if can_hit(hand, rules) or action != Action.HIT else _STAND  # all that the options do not settle


@rule
def _any_action(round: Round, legal: int) -> int:
    """A legal action chosen uniformly, by the round's key and the number of the decision."""
    count = 0
    for action in range(_HAND_ACTIONS):
        count += legal >> action & 1
    chosen = int(below(round["shoe"]["key"], np.uint64(_CHOICES + round["decisions"]), np.uint64(count)))
    for action in range(_HAND_ACTIONS):
        if legal >> action & 1:
            if chosen == 0:
                return action
            chosen -= 1
    return _STAND


@lean_kernel
def strategy_actions(states: Rounds, plays: Plays, record: RulesArray, actions: NDArray[np.int64]) -> None:
    """Write what a strategy does in each state into `actions`, int64 (n,)."""
    rules = rules_of(record[0])
    for at in range(states.size):
        actions[at] = strategy_action(plays, states[at], int(states[at]["active"]), rules)


@rule
def play_round(round: Round, key: np.uint64, purse: int, plays: Plays, rules: TableRules) -> int:
    """Deal the round of `key` and play it out by a strategy; the net result in chips."""
    active = deal(round, key, purse, rules)
    while active != NOBODY:
        active = apply(round, active, strategy_action(plays, round, active, rules), rules)
    return round["net"]


@rule
def play_in_step(round: Round, key: np.uint64, plays: Plays, rules: TableRules) -> int:
    """As `play_round` with an unlimited purse, made for rounds side by side: they come to the dealer's turn together.

    NO_ROOM where the record has too little room for the round, which is left then.
    """
    turn = open_round(round, key, opening_bits(key), UNLIMITED, rules)
    while turn != DEALER:
        action = strategy_action(plays, round, turn, rules)
        if rules.max_hands > 1 and action == Action.SPLIT and round["hands"].shape[0] <= rules.max_hands:
            return NO_ROOM
        turn = act(round, turn, action, rules)
    net = finish(round, rules)
    return NO_ROOM if has_forgotten(round["shoe"], cards_on_table(round, rules)) else net


@rule
def counted(counts: Counts, round: Round, net: int, rules: TableRules) -> Counts:
    """The counts with one more round."""
    bust = False
    for index in range(1, hands_held(round, rules) + 1):
        bust = bust or hand_in(round, index, rules)["status"] == BUST
    return Counts(
        rounds=counts.rounds + 1,
        wins=counts.wins + int(net > 0),
        pushes=counts.pushes + int(net == 0),
        net=counts.net + net,
        net_squared=counts.net_squared + net * net,
        naturals=counts.naturals + int(has_natural(round, rules)),
        busts=counts.busts + int(bust),
    )


@rule
def add_to(tally: Tally, counts: Counts) -> None:
    """Add the counts to a tally."""
    for place in range(len(counts)):
        tally[place] += counts[place]


@rule
def play_fresh_by(
    round: Round, block: Block, apart: int, strategies: Plays, tallies: NDArray[np.int64], rules: TableRules
) -> None:
    """As `play_fresh`, for rules that may be constants.

    The key of a round is hashed before the last one is played, whose end is guessed wrong too often to go on to it in
    time.
    """
    seed = block.seed
    for at in range(strategies.shape[0]):
        clear_stamps(round["shoe"])
        plays, start, counts = strategies[at], block.first + at * apart, NO_COUNTS
        key = key_of(seed, np.uint64(start))
        for number in range(start, start + block.n):
            next_key = key_of(seed, np.uint64(number + 1))
            begin_shoe(round["shoe"])
            net = play_round(round, key, UNLIMITED, plays, rules)
            counts = counted(counts, round, net, rules)
            key = next_key
        add_to(tallies[at], counts)


@lean_kernel
def play_fresh(
    state: Rounds, block: Block, apart: int, strategies: Plays, tallies: NDArray[np.int64], rules: TableRules
) -> None:
    """A block of rounds by each of several strategies, each round from a fresh shoe.

    `state` is a one-element ROUND array, `strategies` uint8 (n, cells), `tallies` int64 (n, TALLY), added to. The
    rounds of each strategy begin `apart` after those of the one before; with `apart` 0 all play the same ones. Any game
    will do; `fresh` has kernels made for one.
    """
    play_fresh_by(state[0], block, apart, strategies, tallies, rules)


@lean_kernel
def play_each(state: Rounds, block: Block, plays: Plays, nets: NDArray[np.int64], rules: TableRules) -> None:
    """A block of fresh rounds with each one's net result kept: `nets` int64 of shape (n,)."""
    round = state[0]
    clear_stamps(round["shoe"])
    for at in range(block.n):
        begin_shoe(round["shoe"])
        nets[at] = play_round(round, key_of(block.seed, np.uint64(block.first + at)), UNLIMITED, plays, rules)


@lean_kernel
def play_pairs(
    state: Rounds, block: Block, plays: Plays, others: Plays, sums: NDArray[np.int64], rules: TableRules
) -> None:
    """Two strategies on the same fresh rounds; adds to `sums` the rounds, the net differences and their squares."""
    round = state[0]
    shoe = round["shoe"]
    clear_stamps(shoe)
    for number in range(block.first, block.first + block.n):
        key = key_of(block.seed, np.uint64(number))
        begin_shoe(shoe)
        difference = play_round(round, key, UNLIMITED, plays, rules)
        begin_shoe(shoe)
        difference -= play_round(round, key, UNLIMITED, others, rules)
        sums[0] += 1
        sums[1] += difference
        sums[2] += difference * difference
