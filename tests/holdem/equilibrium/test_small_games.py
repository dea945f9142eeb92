"""Kuhn and Leduc: known values, best responses by brute force, and OpenSpiel as judge."""

from collections import defaultdict
from itertools import product

import numpy as np
import pytest

from holecard.errors import SettingError
from holecard.holdem.equilibrium.best_response import exploitability_of
from holecard.holdem.equilibrium.regret import Method, solve_tree
from holecard.holdem.equilibrium.small_games import KNOWN_VALUES, SMALL_GAMES, small_game
from holecard.holdem.equilibrium.tree import CHANCE, TERMINAL
from holecard.seeds import stream

UNIFORM = {"kuhn": 0.45833333333333326, "leduc": 2.373611111111111}
"""Exploitability of uniformly random play, by open_spiel 2.0.2 (`exploitability.exploitability`)."""


def even_strategy(tree):
    sizes = np.diff(tree.arrays.first)
    return np.repeat(1 / sizes, sizes)


def random_strategy(tree, seed):
    weights = stream(seed).exponential(size=tree.size)
    first = tree.arrays.first
    return weights / np.repeat(np.add.reduceat(weights, first[:-1]), np.diff(first))


def brute_response(group, shares, responder):
    """The responder's best result from positions with weights, walking through the game itself, not through arrays."""
    total, sets = 0.0, defaultdict(list)
    while group:
        position, weight = group.pop()
        actor = position.actor
        if actor == TERMINAL:
            total += weight * position.payoff * (1 if responder == 0 else -1)
        elif actor == responder:
            sets[position.information].append((position, weight))
        else:
            for name, chance, after in position.moves():
                share = chance if actor == CHANCE else shares[actor, position.information][name]
                group.append((after, weight * share))
    for members in sets.values():
        choices = range(len(members[0][0].moves()))
        total += max(
            brute_response([(position.moves()[at][2], weight) for position, weight in members], shares, responder)
            for at in choices
        )
    return total


def shares_of(tree, strategy):
    named = tree.as_names(strategy)
    owners = tree.arrays.owner
    first = tree.arrays.first
    shares = {}
    for number, name in enumerate(tree.sets):
        places = range(first[number], first[number + 1])
        shares[int(owners[number]), name] = {tree.actions[at]: strategy[at] for at in places}
    assert named[tree.sets[0]] == pytest.approx(shares[int(owners[0]), tree.sets[0]])
    return shares


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
@pytest.mark.parametrize("seed", [1, 2])
def test_best_responses_are_those_of_brute_force(game, seed):
    tree = small_game(game)
    strategy = random_strategy(tree, seed)
    judged = exploitability_of(tree, strategy)
    shares = shares_of(tree, strategy)
    first = brute_response([(SMALL_GAMES[game](), 1.0)], shares, 0)
    other = brute_response([(SMALL_GAMES[game](), 1.0)], shares, 1)
    assert judged.gains[0] == pytest.approx(first - judged.value, abs=1e-12)
    assert judged.gains[1] == pytest.approx(other + judged.value, abs=1e-12)


def test_no_pure_strategy_of_kuhn_beats_the_best_response():
    tree = small_game("kuhn")
    strategy = random_strategy(tree, 3)
    judged = exploitability_of(tree, strategy)
    first, owner = tree.arrays.first, tree.arrays.owner
    for player, sign in ((0, 1), (1, -1)):
        own = [number for number in range(len(tree.sets)) if owner[number] == player]
        results = []
        for choice in product(range(2), repeat=len(own)):
            pure = strategy.copy()
            for number, action in zip(own, choice, strict=True):
                pure[first[number] : first[number + 1]] = 0
                pure[first[number] + action] = 1
            results.append(sign * exploitability_of(tree, pure).value)
        assert max(results) == pytest.approx(sign * judged.value + judged.gains[player], abs=1e-12)


@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_uniform_play_is_as_exploitable_as_openspiel_says(game):
    tree = small_game(game)
    assert exploitability_of(tree, even_strategy(tree)).exploitability == pytest.approx(UNIFORM[game], abs=1e-12)


@pytest.mark.parametrize("method", list(Method))
def test_every_method_comes_to_the_known_values(method):
    for game, iterations in (("kuhn", 2000), ("leduc", 1000)):
        judged = solve_tree(small_game(game), iterations=iterations, method=method).judged
        assert judged.exploitability < (0.02 if method == Method.CFR else 1e-3)
        assert abs(judged.value - KNOWN_VALUES[game]) <= 2 * judged.exploitability
        assert min(judged.gains) >= -1e-12


def test_the_values_are_known_to_many_digits():
    kuhn = solve_tree(small_game("kuhn"), iterations=10_000)
    leduc = solve_tree(small_game("leduc"), iterations=10_000)
    assert abs(kuhn.judged.value + 1 / 18) < 1e-10
    assert abs(leduc.judged.value - KNOWN_VALUES["leduc"]) < 1e-6
    assert leduc.judged.exploitability < 1e-4
    assert [step.iterations for step in kuhn.steps][-3:] == [6310, 7943, 10_000]


def test_kuhns_equilibrium_is_one_of_kuhns():
    """The first player bets a jack with probability a ≤ ⅓ and a king with 3a; the other calls a queen one time in 3."""
    tree = small_game("kuhn")
    played = tree.as_names(solve_tree(tree, iterations=5000).strategy)
    bluff = played["J"]["bet"]
    assert bluff <= 1 / 3 + 1e-6
    assert played["K"]["bet"] == pytest.approx(3 * bluff, abs=1e-4)
    assert played["Q b"]["bet"] == pytest.approx(1 / 3, abs=1e-4)
    assert played["J p"]["bet"] == pytest.approx(1 / 3, abs=1e-4)


def test_what_is_no_game_or_method_is_refused():
    with pytest.raises(SettingError, match="did you mean kuhn"):
        small_game("khun")
    with pytest.raises(SettingError, match="choose cfr, cfr"):
        Method.named("newton")
    with pytest.raises(SettingError, match="1 or more"):
        solve_tree(small_game("kuhn"), iterations=0)


@pytest.mark.slow
@pytest.mark.parametrize("game", ["kuhn", "leduc"])
def test_openspiels_best_response_says_the_same(game):
    pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install open_spiel")
    tree = small_game(game)
    strategy = random_strategy(tree, 5)
    shares = shares_of(tree, strategy)
    policy: dict[str, list[tuple[int, float]]] = {}

    def walk(state, position):
        if state.is_terminal():
            return
        if state.is_chance_node():
            for action, _ in state.chance_outcomes():
                walk(state.child(action), dealt(position, state.child(action)))
            return
        probabilities = shares[position.actor, position.information]
        moves = position.moves()
        actions = sorted(state.legal_actions())
        assert len(actions) == len(moves)
        policy[state.information_state_string()] = [
            (action, probabilities[name]) for action, (name, _, _) in zip(actions, moves, strict=True)
        ]
        for action, (_, _, after) in zip(actions, moves, strict=True):
            walk(state.child(action), after)

    def dealt(position, state):
        """Our position after a card: players' cards come one at a time there."""
        history = [action for player, action in _cards(state) if player == CHANCE]
        ranks = history if game == "kuhn" else [card // 2 for card in history]
        if len(ranks) < 2:
            return position
        if len(ranks) == 2:
            return next(after for _, _, after in SMALL_GAMES[game]().moves() if tuple(after.cards) == tuple(ranks))
        return next(after for _, _, after in position.moves() if after.board == ranks[2])

    def _cards(state):
        return [(CHANCE if player == pyspiel.PlayerId.CHANCE else player, action) for player, action in _history(state)]

    def _history(state):
        return [(step.player, step.action) for step in state.full_history()]

    played = pyspiel.load_game(f"{game}_poker")
    walk(played.new_initial_state(), SMALL_GAMES[game]())
    theirs = pyspiel.exploitability(played, pyspiel.TabularPolicy(policy))
    assert exploitability_of(tree, strategy).exploitability == pytest.approx(theirs, abs=1e-10)
