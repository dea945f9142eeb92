"""Many decks on a simulated GPU are worth what each is worth on a processor."""

from __future__ import annotations

import pytest

from holecard.blackjack import Composition, Rules, solve_many
from holecard.errors import SettingError
from tests.simulated_gpu import run_simulated

SMALL = "target=11 limit=12 ace=1"
"""Few hands: numba's simulator is slow."""
DECKS = ("4,4,4,4,4,4,4,4,4,16", "3,4,0,2,4,1,4,3,4,12", "1,2,4,4,0,4,3,4,1,9")


@pytest.mark.parametrize(
    "text",
    [
        f"1d plain ENHC value 3-hands {SMALL}",
        f"1d plain PEEK rank LS DSA RSA HSA {SMALL}",
        f"1d plain OBO push-22 ES 5-charlie {SMALL}",
        f"1d plain ties-lose 1-hands {SMALL}",
    ],
)
def test_decks_on_a_gpu_are_worth_what_they_are_on_a_processor(text: str) -> None:
    cpu, on_gpu, apart, insurance = run_simulated("solved", text, *DECKS)
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
