import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from holecard.blackjack.counting.best import CountSetting, best_count
from holecard.blackjack.counting.correlation import correlation, correlations
from holecard.blackjack.counting.effects import WEIGHTS, effects_of
from holecard.blackjack.counting.insurance import insurance_index, insurance_limits
from holecard.blackjack.counting.system import SYSTEMS, find_system, parse_tags
from holecard.blackjack.game.rules import Rules
from holecard.errors import SettingError

REFERENCE = json.loads((Path(__file__).parents[2] / "reference" / "counting.json").read_text(encoding="utf-8"))
GAMES = {
    "1d_S17_NDAS_2hands": "1d S17 NDAS 2-hands value",
    "1d_H17_NDAS_2hands": "1d H17 NDAS 2-hands value",
    "6d_S17_DAS_2hands": "6d S17 DAS 2-hands value",
    "6d_H17_DAS_2hands": "6d H17 DAS 2-hands value",
}
PUBLISHED = REFERENCE["exact"]["correlations"]["systems"]


@pytest.fixture(scope="module")
def effects():
    return {name: effects_of(Rules.from_text(text)) for name, text in GAMES.items()}


@pytest.fixture(scope="module")
def insured():
    return effects_of(Rules.from_text("1d S17 NDAS 2-hands value INS"))


@pytest.mark.parametrize("name", PUBLISHED)
def test_correlations_of_the_reference(name, effects):
    expected, system = PUBLISHED[name], find_system(name)
    assert list(system.tags_by_value().values()) == expected["tags A 2 ... 10"]
    for game in GAMES:
        found = correlations(system, effects[game])
        assert found.betting == pytest.approx(expected[f"exact_BC {game}"], abs=2e-5)
        assert found.insurance == pytest.approx(expected["exact_IC"], abs=1e-6)
    found = correlations(system, effects["1d_S17_NDAS_2hands"])
    assert found.betting == pytest.approx(expected["published_BC"], abs=0.015)


@pytest.mark.parametrize(
    ("name", "published"),
    [("Hi-Lo", 0.51), ("KO", 0.55), ("Hi-Opt I", 0.61), ("Hi-Opt II", 0.67), ("Zen", 0.63), ("Uston APC", 0.69)],
)
def test_playing_efficiency_is_near_the_published_one(name, published, insured):
    assert correlations(find_system(name), insured).playing == pytest.approx(published, abs=0.035)


def test_effects_have_no_mean(effects):
    for game in effects.values():
        assert abs((game.betting * WEIGHTS).sum()) < 1e-15
        assert np.abs((game.playing * WEIGHTS).sum(axis=1)).max() < 1e-12
        assert (game.lead >= 0).all()


@pytest.mark.parametrize(("deck", "hands"), [("hi-lo 6 decks", 6), ("hi-lo 1 deck", 1)])
def test_insurance_limits_of_the_reference(deck, hands):
    kinds = {"L": 1, "M": 6, "A": 0, "T": 9}
    for name, rows in REFERENCE["exact"]["insurance"][deck].items():
        first, second = (kinds[letter] for letter in name.split("-"))
        limits = insurance_limits(find_system("hi-lo"), hands, (first, second))
        for count, row in rows.items():
            assert [list(run) for run in limits[int(count)]] == row["insure_at_unseen_cards"], (name, count)


@pytest.mark.parametrize(("decks", "index"), [(1, 2), (2, 2), (6, 3), (8, 3)])
def test_insurance_index_of_hi_lo(decks, index):
    assert insurance_index(find_system("Hi-Lo"), decks) == index


def test_insurance_index_of_a_running_count():
    assert insurance_index(find_system("KO"), 6) == pytest.approx(3, abs=1)  # published: +3 with a start of 4 − 4 · 6


def test_limits_of_insurance_by_enumerating_subsets_of_a_small_shoe():
    from itertools import combinations

    from holecard.blackjack.counting.insurance import tens_left

    seen = (0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 0, 1, 2, 3, 4, 5, 6, 7)
    system = find_system("Halves")
    left = tens_left(system, 1, seen)
    unseen = [v for v in range(10) for _ in range((16 if v == 9 else 4) - seen.count(v))]
    tags, total = [int(tag * 2) for tag in system.tags], 0
    counted: dict[tuple[int, int], list[int]] = {}
    for size in range(1, 5):
        for subset in combinations(unseen, size):
            count = total - sum(tags[value] for value in subset)
            entry = counted.setdefault((size, count), [0, 0])
            entry[0] += 1
            entry[1] += subset.count(9)
    for (size, count), (ways, tens) in counted.items():
        column = count - left.lowest
        assert left.ways[size, column] == pytest.approx(ways, rel=1e-12)
        assert left.tens[size, column] == pytest.approx(tens, rel=1e-12, abs=1e-12)


def test_the_best_count_of_a_level_is_the_best_of_all(effects):
    from itertools import product

    game = effects["6d_S17_DAS_2hands"]
    best = best_count(CountSetting(effects=game), 1)
    reached = float(correlation(np.array([float(tag) for tag in best.tags]), game.betting))
    every = np.array([tags for tags in product((-1.0, 0.0, 1.0), repeat=10) if len(set(tags)) > 1])
    centred = every - (every * WEIGHTS).sum(axis=1, keepdims=True)
    along = (centred * game.betting * WEIGHTS).sum(axis=1)
    all_of_them = along / np.sqrt((centred**2 * WEIGHTS).sum(axis=1) * (game.betting**2 * WEIGHTS).sum())
    assert reached == pytest.approx(all_of_them.max(), abs=1e-12)


def test_a_balanced_best_count_is_balanced(effects):
    game = effects["6d_S17_DAS_2hands"]
    for level in (1, 2):
        assert best_count(CountSetting(effects=game), level, balanced=True).is_balanced
    assert best_count(CountSetting(effects=game), 1, balanced=True).tags == SYSTEMS["Hi-Lo"].tags
    free = best_count(CountSetting(effects=game), 1)
    assert free.tags == SYSTEMS["KO"].tags
    assert (free.used_as, free.starts_at(6)) == ("running", -24)


def test_levels_gain_and_real_tags_are_perfect(effects):
    game = effects["1d_S17_NDAS_2hands"]
    reached = [correlations(best_count(CountSetting(effects=game), level), game).betting for level in (1, 2, 3, "real")]
    assert reached == sorted(reached)
    assert reached[-1] > 0.9999
    assert reached[0] > max(correlations(SYSTEMS[name], game).betting for name in ("Hi-Lo", "Hi-Opt I"))


@pytest.mark.slow
def test_the_best_playing_count_beats_the_known_ones(effects):
    game = effects["1d_S17_NDAS_2hands"]
    best = best_count(CountSetting(effects=game, aim="playing"), 2)
    found = correlations(best, game).playing
    assert all(found >= correlations(SYSTEMS[name], game).playing for name in ("Zen", "Hi-Opt II", "Omega II"))


def test_names_and_tags():
    assert find_system("uston-apc") is SYSTEMS["Uston APC"]
    assert find_system(" HI-LO ") is SYSTEMS["Hi-Lo"]
    assert parse_tags("A=-1,2=1/2,3=1,4=1,5=3/2,6=1,7=1/2,8=0,9=-1/2,10=-1").tags == SYSTEMS["Halves"].tags
    assert SYSTEMS["Halves"].level == 3
    assert SYSTEMS["KO"].starts_at(1) == 0
    assert {name for name, system in SYSTEMS.items() if not system.is_balanced} == {"KO", "Red 7"}
    assert SYSTEMS["Red 7"].tags[6] == Fraction(1, 2)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("hilo2", "unknown count"),
        ("A=-1,2=1,3=1,4=1,5=1,6=1,7=0,8=0,9=0", "10 has none"),
        ("A=1,A=2", "two tags"),
        ("A=x", "number"),
        ("A=0,2=0,3=0,4=0,5=0,6=0,7=0,8=0,9=0,10=0", "tells cards apart"),
        ("A=1000,2=1,3=1,4=1,5=1,6=1,7=0,8=0,9=0,10=0", "-100 to 100"),
    ],
)
def test_bad_counts_are_refused(text, words):
    with pytest.raises(SettingError, match=words):
        find_system(text)


def test_insurance_index_follows_how_counts_are_made_whole():
    """Two decks, Zen: of true counts 3.5 to 4.5 the lower ones come more often, and those lose."""
    zen = find_system("zen")
    assert [insurance_index(zen, 2, 0.75, each) for each in ("floor", "exact", "truncate", "round")] == [4, 4, 4, 5]
