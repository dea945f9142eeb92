"""What a network sees of a decision: 192 floats, at the offsets of the agents' original.

| offset | size | what                                                                            |
|--------|------|---------------------------------------------------------------------------------|
| 0      | 52   | the hand to act: 1 for every card in it                                         |
| 52     | 52   | cards seen since the shuffle: 1 for every card of which a copy has been seen    |
| 104    | 52   | the dealer's upcard                                                             |
| 156    | 1    | the hand's total / 21                                                           |
| 157    | 1    | 1 for a soft hand                                                               |
| 158    | 1    | 1 for the hand's first action                                                   |
| 159    | 1    | cards left unseen / 312                                                         |
| 160    | 1    | bankroll in base bets / 10,000, at most 1                                       |
| 161    | 1    | the base bet / 500: a base bet is 1                                             |
| 162    | 1    | the round's number in its session / 100, at most 1                              |
| 163    | 1    | 1 after a split                                                                 |
| 164    | 28   | reserved zeros                                                                  |

Cards stand in the order of their codes: 2♣ 2♦ 2♥ 2♠ 3♣ … A♠. Money counts in base bets, so that the stakes at a table
do not change how a network plays.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.blackjack.game.round import DEALER, Round
from holecard.blackjack.game.stepping import RulesArray, rules_of

FEATURES: Final = 192
"""How many numbers the network reads."""
HAND, SEEN, UPCARD, TOTAL, SOFT, FIRST, LEFT, BANKROLL, BET, ROUND_NUMBER, IS_SPLIT, RESERVED = (
    0, 52, 104, 156, 157, 158, 159, 160, 161, 162, 163, 164,
)  # fmt: skip
FULL_SHOE: Final = 312
_LIMIT: Final = 21
Row: TypeAlias = Any
"""The features of one decision, (192) float32."""


def encode(states: NDArray[np.void], rounds: NDArray[np.int64], record: NDArray[np.void]) -> NDArray[np.float32]:
    """The decisions of `states` (ROUND, shape (n,)), concealed or not, as float32 of shape (n, 192).

    `rounds` is each table's round number, from 1; `record` is RULES (1,).
    """
    features = np.zeros((states.size, FEATURES), np.float32)
    encode_states(states, rounds, record, features)
    return features


@kernel
def encode_states(
    states: NDArray[Any], rounds: NDArray[np.int64], record: RulesArray, features: NDArray[np.float32]
) -> None:
    """Write each decision into a row of zeros; see `encode`."""
    rules = rules_of(record[0])
    for at in range(states.size):
        round, row = states[at], features[at]
        hand = round["hands"][np.uint64(round["active"])]
        for number in range(hand["n_cards"]):
            row[HAND + hand["cards"][number]] = 1.0
        left = np.int64(round["shoe"]["size"])
        if rules.infinite:
            _mark_table(round, row)
        else:
            left -= _mark_seen(round, row)
        row[UPCARD + round["hands"][DEALER]["cards"][0]] = 1.0
        row[TOTAL] = hand["total"] / _LIMIT
        row[SOFT] = 1.0 if hand["soft"] else 0.0
        row[FIRST] = 1.0 if hand["n_cards"] == 2 else 0.0
        row[LEFT] = left / FULL_SHOE
        row[BANKROLL] = min(_money(round) / rules.unit / 10_000, 1.0)
        row[BET] = 1 / 500
        row[ROUND_NUMBER] = min(rounds[at] / 100, 1.0)
        row[IS_SPLIT] = 1.0 if round["n_hands"] > 1 else 0.0


@rule
def _money(round: Round) -> int:
    """The bankroll in chips: what is behind and what this round has staked."""
    chips = round["purse"]
    for index in range(1, round["n_hands"] + 1):
        chips += round["hands"][np.uint64(index)]["bet"]
    return chips


@rule
def _mark_table(round: Round, row: Row) -> None:
    row[SEEN + round["hands"][DEALER]["cards"][0]] = 1.0
    for index in range(1, round["n_hands"] + 1):
        hand = round["hands"][np.uint64(index)]
        for number in range(hand["n_cards"]):
            row[SEEN + hand["cards"][number]] = 1.0


@rule
def _mark_seen(round: Round, row: Row) -> int:
    """Mark every card of which a copy is out, the hole card left aside; how many cards are out without it."""
    shoe, dealer = round["shoe"], round["hands"][DEALER]
    hidden = dealer["n_cards"] > 1
    hole_card, copies, out = int(dealer["cards"][1]), 0, 0
    for place in range(np.int64(shoe["size"])):
        if shoe["stamps"][place] >= shoe["since"]:
            card = shoe["cards"][place]
            row[SEEN + card] = 1.0
            copies += int(card == hole_card)
            out += 1
    if not hidden:
        return out
    if copies == 1:
        row[SEEN + hole_card] = 0.0
    return out - 1
