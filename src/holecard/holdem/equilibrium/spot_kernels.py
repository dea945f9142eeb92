"""Regret minimisation on a spot in vector form: every decision for all hands at once, showdowns by one sorted walk.

The walk through the tree keeps one row of every array for each depth. For the player whose turn it is to learn it
carries two vectors down: the other's probabilities to hold each hand and to have come here, and its own. Values come
back up: what each hand wins against all that the other may hold, cards in common left out.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import kernel, rule
from holecard.holdem.equilibrium.spot_tree import DEAL, DECISION, FOLDED, SHOWDOWN, TreeOfSpot

LEARN: Final = 0
JUDGE: Final = 1
RESPOND: Final = 2
MOST_ACTIONS: Final = 12


class SpotHands(NamedTuple):
    """The hands of a spot, h in all, and their order on every river."""

    first: NDArray[np.int64]
    """(h) one card of each hand."""
    second: NDArray[np.int64]
    """(h) the other."""
    order: NDArray[np.int64]
    """(rivers, h) hands that the river allows, the weakest first."""
    group: NDArray[np.int64]
    """(rivers, h) the number of each place's strength in that order, ascending; equal hands have the same."""
    counts: NDArray[np.int64]
    """(rivers) how many hands the river allows."""
    allowed: NDArray[np.float32]
    """(rivers, h) 1 if the river is none of the hand's cards, else 0."""


class SpotRegrets(NamedTuple):
    """What iterations keep: (actions of all decisions, h) each."""

    regret: NDArray[np.float32]
    total: NDArray[np.float32]


class SpotWork(NamedTuple):
    """One row for every depth of the tree."""

    node: NDArray[np.int64]
    """(d)"""
    child: NDArray[np.int64]
    """(d) the next child to visit."""
    own: NDArray[np.float32]
    """(d, h)"""
    other: NDArray[np.float32]
    """(d, h)"""
    value: NDArray[np.float32]
    """(d, h)"""
    share: NDArray[np.float32]
    """(d, actions, h) what is played."""
    result: NDArray[np.float32]
    """(d, actions, h) what each action is worth."""


class Pass(NamedTuple):
    """What a walk through the tree is for."""

    player: int
    """Whose values are computed."""
    mode: int
    """LEARN (regrets and averages), JUDGE (both play their average), RESPOND (the player its best response)."""
    positive: float
    """The factor of positive regrets."""
    negative: float
    """The factor of negative ones."""
    weight: float
    """The weight of what is played in the average."""


@rule
def _folded(hands: SpotHands, other: Any, value: Any, amount: float, sums: Any) -> None:
    """value = amount × the other's probability, without the hands that share a card."""
    sums[:] = 0.0
    total = 0.0
    for hand in range(other.shape[0]):
        weight = other[hand]
        total += weight
        sums[hands.first[hand]] += weight
        sums[hands.second[hand]] += weight
    for hand in range(other.shape[0]):
        against = total - sums[hands.first[hand]] - sums[hands.second[hand]] + other[hand]
        value[hand] = np.float32(amount * against)


@rule
def _shown(hands: SpotHands, river: int, other: Any, value: Any, amount: float, sums: Any) -> None:
    """value = amount × (the other's probability to be weaker − to be stronger); 0 for hands that the river forbids."""
    order, group, count = hands.order[river], hands.group[river], hands.counts[river]
    value[:] = np.float32(0.0)
    for direction in range(2):
        sums[:] = 0.0
        total, at = 0.0, 0
        factor = amount if direction == 0 else -amount
        while at < count:
            start = at
            level = group[at if direction == 0 else count - 1 - at]
            while at < count and group[at if direction == 0 else count - 1 - at] == level:
                hand = order[at if direction == 0 else count - 1 - at]
                met = total - sums[hands.first[hand]] - sums[hands.second[hand]]
                value[hand] += np.float32(factor * met)
                at += 1
            for place in range(start, at):
                hand = order[place if direction == 0 else count - 1 - place]
                weight = other[hand]
                total += weight
                sums[hands.first[hand]] += weight
                sums[hands.second[hand]] += weight


@rule
def _play(numbers: Any, share: Any, actions: int) -> None:
    """share (actions, h) in proportion to the positive numbers (actions, h); even where there are none."""
    hands = numbers.shape[1]
    even = np.float32(1.0 / actions)
    total = share[actions - 1]
    for hand in range(hands):
        total[hand] = max(numbers[actions - 1, hand], np.float32(0.0))
    for action in range(actions - 1):
        row, source = share[action], numbers[action]
        for hand in range(hands):
            row[hand] = max(source[hand], np.float32(0.0))
            total[hand] += row[hand]
    last = numbers[actions - 1]
    for action in range(actions - 1):
        row = share[action]
        for hand in range(hands):
            row[hand] = row[hand] / total[hand] if total[hand] > np.float32(0.0) else even
    for hand in range(hands):
        kept = max(last[hand], np.float32(0.0))
        total[hand] = kept / total[hand] if total[hand] > np.float32(0.0) else even


@rule
def _learn(regret: Any, total: Any, work: SpotWork, depth: int, actions: int, goal: Pass) -> None:
    """Add regrets and the average of a decision of the player who learns."""
    value, own = work.value[depth], work.own[depth]
    positive, negative, weight = np.float32(goal.positive), np.float32(goal.negative), np.float32(goal.weight)
    for action in range(actions):
        row, result = regret[action], work.result[depth, action]
        for hand in range(value.shape[0]):
            before = row[hand]
            row[hand] = before * (positive if before > np.float32(0.0) else negative) + (result[hand] - value[hand])
        sums, share = total[action], work.share[depth, action]
        for hand in range(value.shape[0]):
            sums[hand] += weight * own[hand] * share[hand]


@rule
def _enter(tree: TreeOfSpot, hands: SpotHands, state: SpotRegrets, work: SpotWork, depth: int, goal: Pass) -> None:
    """A decision or deal is met for the first time: what is played there, and values of 0."""
    node = work.node[depth]
    work.value[depth, :] = np.float32(0.0)
    if tree.kind[node] == DECISION:
        actions, offset = tree.children[node], tree.offset[node]
        learned = state.regret if goal.mode == LEARN else state.total
        _play(learned[offset : offset + actions], work.share[depth], actions)


@rule
def _descend(tree: TreeOfSpot, hands: SpotHands, work: SpotWork, depth: int, goal: Pass) -> None:
    """Probabilities of the next child."""
    node, child = work.node[depth], work.child[depth]
    below = tree.first[node] + child
    own, other = work.own[depth], work.other[depth]
    next_own, next_other = work.own[depth + 1], work.other[depth + 1]
    if tree.kind[node] == DEAL:
        allowed = hands.allowed[child]
        for hand in range(own.shape[0]):
            next_own[hand] = own[hand] * allowed[hand]
            next_other[hand] = other[hand] * allowed[hand]
    elif tree.actor[node] == goal.player:
        share = work.share[depth, child]
        for hand in range(own.shape[0]):
            next_own[hand] = own[hand] * share[hand]
            next_other[hand] = other[hand]
    else:
        share = work.share[depth, child]
        for hand in range(own.shape[0]):
            next_own[hand] = own[hand]
            next_other[hand] = other[hand] * share[hand]
    work.node[depth + 1] = below
    work.child[depth + 1] = 0
    work.child[depth] = child + 1


@rule
def _return(tree: TreeOfSpot, hands: SpotHands, work: SpotWork, depth: int, goal: Pass, chance: float) -> None:
    """Take in the values of the child that was visited last."""
    node, child = work.node[depth], work.child[depth] - 1
    value, below = work.value[depth], work.value[depth + 1]
    if tree.kind[node] == DEAL:
        allowed, factor = hands.allowed[child], np.float32(chance)
        for hand in range(value.shape[0]):
            value[hand] += factor * allowed[hand] * below[hand]
    elif tree.actor[node] == goal.player:
        result, share = work.result[depth, child], work.share[depth, child]
        for hand in range(value.shape[0]):
            result[hand] = below[hand]
            if goal.mode != RESPOND:
                value[hand] += share[hand] * below[hand]
            elif child == 0 or below[hand] > value[hand]:
                value[hand] = below[hand]
    else:
        for hand in range(value.shape[0]):
            value[hand] += below[hand]


@kernel
def walk(
    tree: TreeOfSpot,
    hands: SpotHands,
    state: SpotRegrets,
    work: SpotWork,
    own: Any,
    other: Any,
    goal: Pass,
    results: Any,
) -> None:
    """One pass through the tree from the weights own (h) and other (h); the values of the root lie in work.value[0].

    With JUDGE, results (nodes, actions, h) is filled for decisions of the player among its first nodes.
    """
    sums = np.zeros(52)
    work.own[0, :] = own
    work.other[0, :] = other
    work.node[0] = 0
    work.child[0] = 0
    chance = 1.0 / 44.0  # rivers that two hands and four cards of the board leave
    depth = 0
    while depth >= 0:
        node = work.node[depth]
        kind = tree.kind[node]
        if kind == FOLDED:
            amount = -tree.amount[node] if tree.actor[node] == goal.player else tree.amount[node]
            _folded(hands, work.other[depth], work.value[depth], amount, sums)
            depth -= 1
            continue
        if kind == SHOWDOWN:
            _shown(hands, tree.river[node], work.other[depth], work.value[depth], tree.amount[node], sums)
            depth -= 1
            continue
        if work.child[depth] == 0:
            _enter(tree, hands, state, work, depth, goal)
        else:
            _return(tree, hands, work, depth, goal, chance)
        if work.child[depth] < tree.children[node]:
            _descend(tree, hands, work, depth, goal)
            depth += 1
            continue
        if kind == DECISION and tree.actor[node] == goal.player:
            actions, offset = tree.children[node], tree.offset[node]
            if goal.mode == LEARN:
                regret, total = state.regret[offset : offset + actions], state.total[offset : offset + actions]
                _learn(regret, total, work, depth, actions, goal)
            elif goal.mode == JUDGE and node < results.shape[0]:
                results[node, :actions] = work.result[depth, :actions]
        depth -= 1
