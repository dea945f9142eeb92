"""Many decks on a simulated GPU are worth what each is worth on a processor."""

from __future__ import annotations

import numpy as np
import pytest

from holecard.blackjack import Composition, Rules, solve_many
from holecard.blackjack.exact.first_hands import first_hands_of
from holecard.blackjack.exact.hands import all_hands
from holecard.blackjack.exact.resplits import pair_probabilities
from holecard.blackjack.exact.supply import factorials_of_many, falling_factorials, supply_of, supply_of_many
from holecard.errors import SettingError
from tests.simulated_gpu import run_simulated

SMALL = "target=11 limit=12 ace=1"
"""Few hands: numba's simulator is slow."""
DECKS = ("4,4,4,4,4,4,4,4,4,16", "3,4,0,2,4,1,4,3,4,12", "1,2,4,4,0,4,3,4,1,9")


GAMES = (
    f"1d plain PEEK rank LS DSA RSA HSA {SMALL}",
    f"1d plain OBO push-22 ES 5-charlie {SMALL}",
    f"1d plain ties-lose 1-hands {SMALL}",
    f"1d plain ENHC value 3-hands {SMALL}",
)


@pytest.mark.parametrize(
    ("text", "decks"),
    [
        (GAMES[0], DECKS[:2]),
        (GAMES[1], DECKS[:2]),
        (GAMES[2], DECKS[:1]),
        *(pytest.param(text, DECKS, marks=pytest.mark.slow) for text in GAMES),
    ],
)
def test_decks_on_a_gpu_are_worth_what_they_are_on_a_processor(text: str, decks: tuple[str, ...]) -> None:
    cpu, on_gpu, apart, insurance = run_simulated("solved", text, *decks)
    assert len(cpu) == len(on_gpu) == len(decks)
    assert on_gpu == pytest.approx(cpu, abs=1e-12)
    assert max(apart) < 1e-12
    assert insurance == pytest.approx(3 * 16 / 51 - 1)


def test_a_gpu_says_which_games_it_does_not_solve() -> None:
    from holecard.blackjack.exact.many import solve_on_gpu

    for text in ("inf", "double-any"):
        with pytest.raises(SettingError, match="processors only"):
            next(solve_on_gpu([Composition.of_decks(1)], Rules.from_text(text)))


def test_without_a_gpu_auto_is_the_processor() -> None:
    rules = Rules.preset("single-deck")
    (found,) = solve_many([Composition.of_decks(1)], rules, device="auto")
    assert found.odds.rules == rules


@pytest.mark.parametrize("text", ["6d value", "2d rank ES INS", "1d plain rank"])
def test_many_decks_together_are_what_each_is_alone(text: str) -> None:
    rules, table = Rules.from_text(text), Rules.from_text(text).table()
    decks = [Composition.of_values(tuple(map(int, deck.split(",")))) for deck in DECKS]
    hands, together = all_hands(rules.limit, rules.ace_bonus), supply_of_many(decks)
    all_factorials = factorials_of_many(together, rules.limit)
    all_pairs = pair_probabilities(all_factorials, table)
    all_firsts = first_hands_of(hands, together, all_pairs, table)
    for at, deck in enumerate(decks):
        supply = supply_of(rules, deck)
        factorials = falling_factorials(supply, rules.limit)
        pairs = pair_probabilities(factorials, table)
        firsts = first_hands_of(hands, supply, pairs, table)
        assert (np.asarray(together.size)[at], together.depletion) == (supply.size, supply.depletion)
        for many, one in (
            *zip((together.counts, together.tens), (supply.counts, supply.tens), strict=True),
            *zip(all_factorials[1:], factorials[1:], strict=True),
            *zip(all_pairs, pairs, strict=True),
            *zip(all_firsts[2:], firsts[2:], strict=True),
        ):
            assert np.array_equal(many[at], one)
