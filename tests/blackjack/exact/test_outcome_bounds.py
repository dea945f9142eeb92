"""The bound of what is put together from pairs of hands, against laws that are known and against scipy."""

import itertools

import numpy as np
import pytest
from scipy.optimize import linprog

from holecard.blackjack.exact.outcome_bounds import ManyHands, _first_basis, _results, _upper_bound, error_of
from holecard.blackjack.exact.terms import NETS

rng = np.random.default_rng(16)


def random_law(hands):
    """An exchangeable law of so many hands' nets, and its pairs."""
    law = rng.random((NETS,) * hands) ** 4
    law = sum(law.transpose(order) for order in itertools.permutations(range(hands)))
    law /= law.sum()
    return law, law.sum(axis=tuple(range(2, hands)))


def known_of(pairs):
    return np.array(
        [pairs[i, j] + pairs[j, i] * (i != j) for i, j in itertools.combinations_with_replacement(range(5), 2)]
    )


@pytest.mark.parametrize("hands", [3, 4])
def test_the_bound_is_the_maximum_of_the_linear_program(hands):
    results = _results(hands)
    for _ in range(5):
        known = known_of(random_law(hands)[1])
        basis = _first_basis(results.pairs, known)
        for sign in (1, 0, -1):
            objective = (results.sign == sign).astype(float)
            best = linprog(-objective, A_eq=results.pairs, b_eq=known, method="highs")
            assert _upper_bound(results.pairs, known, objective, basis) == pytest.approx(-best.fun, abs=1e-7)


@pytest.mark.parametrize("hands", [3, 4])
def test_no_law_with_these_pairs_is_further_off(hands):
    net = np.arange(NETS) - 2
    sums = sum(np.meshgrid(*[net] * hands, indexing="ij"))
    for _ in range(20):
        law, pairs = random_law(hands)
        of_two, shares = np.zeros((2, 1, NETS, NETS)), np.zeros((2, 3))
        of_two[hands - 3, 0], shares[hands - 3] = 0.01 * pairs, 0.01 * rng.dirichlet(np.ones(3))
        true = [0.01 * law[np.sign(sums) == sign].sum() for sign in (1, 0, -1)]
        assert np.abs(shares[hands - 3] - true).max() <= error_of(ManyHands(of_two, shares)) + 1e-12


def test_where_pairs_say_all_there_is_no_error():
    always_won = np.zeros((2, 1, NETS, NETS))
    always_won[:, 0, 3, 3] = 0.001
    assert error_of(ManyHands(always_won, np.array([[0.001, 0.0, 0.0]] * 2))) == pytest.approx(0.0, abs=1e-15)
