"""The compiled search behind the MCTS agent: worlds, one tree of what the player sees, UCB1, rollouts, counts.

A *world* fixes the hole card. The nodes of the tree are what the player sees (his hands and what is legal), never the
hole card, so all worlds share one tree and nobody in it can act on what he cannot know. Cards are chance: each
simulation draws them anew, but for the dealer's, whose ends are worked out before (`mcts_lookahead`). The k-th
simulation of every action meets the same world and the same cards, so that actions are compared on common cards.
"""

from __future__ import annotations

from math import log, sqrt
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard._jit import lean_kernel, rule
from holecard.blackjack.game.concealed import imagine
from holecard.blackjack.game.round import NOBODY, Round, apply, legal_actions
from holecard.blackjack.game.rules import TableRules
from holecard.blackjack.game.stepping import RulesArray, rules_of
from holecard.blackjack.play.kernels import Plays, strategy_action
from holecard.blackjack.players.mcts_lookahead import (
    Lookahead,
    expected_net,
    look_ahead,
    new_lookahead,
    rollout_action,
)
from holecard.seeds import GOLDEN, key_of, mix

ACTIONS: Final = 7
MAX_DEPTH: Final = 64
"""Decisions a path through the tree may hold; a round that goes on is finished by the rollout policy."""
NODE = np.dtype(
    [
        ("key", np.uint64),  # of what the player sees; 0: no node here
        ("stake", np.float64),  # base bets by which rewards are scaled here
        ("passes", np.int32),  # simulations that came by
        ("visits", np.int32, (ACTIONS,)),
        ("worth", np.float64, (ACTIONS,)),  # sum of net results in base bets
    ],
    align=True,
)
"""A decision, and what became of it: the tree is a hash table of these, open addressing, a power of two in size."""
Node: TypeAlias = Any
"""One NODE record."""
Nodes: TypeAlias = NDArray[Any]
"""An array of them."""
STEP = np.dtype([("node", np.int64), ("action", np.int64)])
_DOUBLE: Final = 2
_INSURE: Final = 5
_ROOT = np.uint64(1)


class Effort(NamedTuple):
    """How long and how a search thinks, as kernels take it."""

    simulations: int
    determinizations: int
    ucb_c: float
    """How much the decision at hand explores."""
    later_c: float
    """How much the later ones do."""
    ripe: int
    """Simulations that pass a later decision by the rollout policy before it is searched."""
    looks_ahead: bool
    """The rollout policy looks ahead (`mcts_lookahead`) instead of following a chart."""


class SearchTree(NamedTuple):
    """The arrays that a search writes to; `new_tree` makes them, and one tree serves any number of searches."""

    root: Nodes
    """NODE (1,): the decision at hand, with the visits and rewards of each action after a search."""
    nodes: Nodes
    """NODE (2**k,), more than the simulations: the later decisions, a hash table."""
    path: NDArray[Any]
    """STEP (MAX_DEPTH,): the nodes that the simulation at hand has come through."""
    ahead: Lookahead
    """Where the dealer ends, and what hands are worth for it."""


def new_tree(simulations: int) -> SearchTree:
    """An empty tree with room for so many simulations."""
    nodes = np.zeros(1 << (2 * simulations).bit_length(), NODE)
    return SearchTree(root=np.zeros(1, NODE), nodes=nodes, path=np.zeros(MAX_DEPTH, STEP), ahead=new_lookahead())


@lean_kernel
def search(
    concealed: NDArray[Any],
    possible: int,
    round: NDArray[Any],
    record: RulesArray,
    plays: Plays,
    tree: SearchTree,
    effort: Effort,
    key: np.uint64,
) -> int:
    """The action that most simulations came to choose, all worlds together.

    `concealed` and `possible` are what `conceal` gives; `round` ROUND and `record` RULES have one element;
    `plays` is the rollout policy's table. The root of `tree` gets the visits and rewards of each action.
    """
    rules = rules_of(record[0])
    root = tree.root
    for place in range(tree.nodes.size):
        tree.nodes[place]["key"] = 0
    _open_node(root[0], _ROOT, concealed[0], rules)
    look_ahead(tree.ahead, concealed[0], possible, rules)
    legal = legal_actions(concealed[0], concealed[0]["active"], rules)
    for _ in range(effort.simulations):
        first = choose(root[0], legal, effort.ucb_c)
        number = root[0]["visits"][first]
        imagine(round, concealed, _place(key, number, effort.determinizations, possible), rules)
        round[0]["shoe"]["key"] = key_of(~key, np.uint64(number))
        _simulate(round[0], first, tree, plays, effort, rules)
    return most_visited(root[0])


@rule
def _place(key: np.uint64, number: int, slices: int, possible: int) -> int:
    """The place of a world's hole card. A pass takes one from each of so many slices of the possible cards.

    They lie sorted, so ten worlds hold their share of tens instead of a lucky number of them, and every card is still
    as likely as by drawing freely. The next pass draws within the slices anew.
    """
    within = float(key_of(key, np.uint64(number)) >> np.uint64(11)) / (1 << 53)
    return min(int((number % slices + within) / slices * possible), possible - 1)


@rule
def at_stake(round: Round, active: int, rules: TableRules) -> float:
    """The base bets on the table, and one more where the hand may be doubled or split: the scale of rewards here."""
    bets = 0.0
    for index in range(1, round["n_hands"] + 1):
        bets += round["hands"][np.uint64(index)]["bet"]
    may_raise = legal_actions(round, active, rules) >> _DOUBLE & 3  # double and split are neighbours
    return bets / rules.unit + min(may_raise, 1)


@rule
def _simulate(round: Round, first: int, tree: SearchTree, plays: Plays, effort: Effort, rules: TableRules) -> None:
    """One simulation: by UCB1 where nodes are ripe, by the rollout policy elsewhere, one new node, rewards to the path.

    A node that few simulations reach would spend them on trying bad moves once, and the mean of all nodes above would
    suffer for it: the wider the tree (a split), the more. So a node is searched once it is worth searching, and
    explores less than the decision at hand.
    """
    nodes, path = tree.nodes, tree.path
    active, action, depth, is_new = int(round["active"]), first, 0, False
    while True:  # one call of `apply`, whoever chose: it is large, and compiled wherever it is called
        active = apply(round, active, action, rules)
        if active == NOBODY:
            break
        legal = legal_actions(round, active, rules)
        sight = _sight(round, active, legal)
        at = _find(nodes, sight)
        if nodes[at]["key"] != 0 and nodes[at]["passes"] >= effort.ripe and depth < MAX_DEPTH:
            action = choose(nodes[at], legal, effort.later_c)
            path[depth]["node"] = at
            path[depth]["action"] = action
            depth += 1
            continue
        if nodes[at]["key"] == 0 and not is_new:
            _open_node(nodes[at], sight, round, rules)
            is_new = True
        nodes[at]["passes"] += 1
        if effort.looks_ahead and legal >> _INSURE == 0:
            action = rollout_action(tree.ahead, round, active, legal)
        else:
            action = strategy_action(plays, round, active, rules)
    net = expected_net(tree.ahead, round, rules) / rules.unit
    _credit(tree.root[0], first, net)
    for step in range(depth):
        _credit(nodes[path[step]["node"]], path[step]["action"], net)


@rule
def _credit(node: Node, action: int, net: float) -> None:
    node["visits"][action] += 1
    node["worth"][action] += net


@rule
def _open_node(node: Node, key: np.uint64, round: Round, rules: TableRules) -> None:
    node["key"] = key
    node["passes"] = 0
    node["stake"] = at_stake(round, round["active"], rules)
    for action in range(ACTIONS):
        node["visits"][action] = 0
        node["worth"][action] = 0.0


@rule
def choose(node: Node, legal: int, ucb_c: float) -> int:
    """The legal action of highest UCB1: mean reward in [−1, 1] + c · √(ln N / n); one never tried comes first.

    A reward is the net result over what is at stake, so that a doubled bet counts double. Resplits and doubles after
    a split can stake more than that; dividing every reward by the most that might be staked would drown the rest.
    """
    visits = 0
    for action in range(ACTIONS):
        if legal >> action & 1 and node["visits"][action] == 0:
            return action
        visits += node["visits"][action]
    spread = log(float(visits))
    best, highest = 0, -np.inf
    for action in range(ACTIONS):
        if legal >> action & 1:
            tried = float(node["visits"][action])
            reward = min(max(node["worth"][action] / (tried * node["stake"]), -1.0), 1.0)
            bound = reward + ucb_c * sqrt(spread / tried)
            if bound > highest:
                best, highest = action, bound
    return best


@rule
def most_visited(node: Node) -> int:
    """The action with most visits; of equals, the one that won more per visit."""
    best = -1
    for action in range(ACTIONS):
        visits = node["visits"][action]
        if visits > 0 and (
            best < 0
            or visits > node["visits"][best]
            or (visits == node["visits"][best] and node["worth"][action] > node["worth"][best])
        ):
            best = action
    return best


@rule
def _sight(round: Round, active: int, legal: int) -> np.uint64:
    """A hash of what the decision depends on: the hand to play, how many hands there are, what is legal; never 0.

    What the other hands of a split hold is left out, as in the solver's zero-memory play: it says next to nothing about
    this hand, and a tree that told all combinations apart would meet each of them once and learn nothing.
    """
    hand = round["hands"][np.uint64(active)]
    seen = ((hand["hard"] * 2 + hand["has_ace"]) * 32 + hand["n_cards"]) * 8 + round["n_hands"]
    return mix(np.uint64(seen * 128 + legal) * GOLDEN) | np.uint64(1)


@rule
def _find(nodes: Nodes, key: np.uint64) -> int:
    """The place of a node, or the empty place where it belongs. There is always one: a simulation adds one node."""
    last = np.uint64(nodes.size - 1)
    place = key >> np.uint64(1) & last
    while nodes[place]["key"] != 0 and nodes[place]["key"] != key:
        place = (place + np.uint64(1)) & last
    return int(place)
