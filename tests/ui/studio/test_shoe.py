"""The shoe page: EVs of the cards that are left, counts by their tags, and where a count is wrong."""

import pytest

from holecard.blackjack import SYSTEMS, Composition, Rules, solve
from tests.ui.studio.helpers import client

LEFT = [4, 3, 2, 3, 4, 4, 4, 4, 4, 15]
SINGLE = {"rules": "single-deck", "left": LEFT}


@pytest.fixture(scope="module")
def ask():
    studio = client()
    return lambda name, **body: studio.post(f"/api/shoe/{name}", json=body)


@pytest.fixture(scope="module")
def solution():
    return solve(Rules.preset("single-deck"), deck=Composition.of_values(tuple(LEFT)))


def test_the_next_round_is_that_of_the_cards_left(ask, solution):
    found = ask("round", **SINGLE).json()
    assert (found["ev"], found["insurance_ev"]) == (solution.ev, solution.insurance_ev)
    assert found["cards_left"] == sum(LEFT)
    assert found["chart_ev"] <= found["ev"]
    full = ask("round", rules="single-deck").json()
    assert full["ev"] == full["full_ev"] == solve(Rules.preset("single-deck")).ev


def test_counts_are_the_tags_of_the_cards_gone(ask):
    gone = [4 - each for each in LEFT[:9]] + [16 - LEFT[9]]
    counts = {each["name"]: each for each in ask("round", **SINGLE).json()["counts"]}
    assert set(counts) == set(SYSTEMS)
    for name, system in SYSTEMS.items():
        running = float(system.starts_at(1) + sum(tag * cards for tag, cards in zip(system.tags, gone, strict=True)))
        assert counts[name]["running"] == pytest.approx(running)
        used = running * 52 / sum(LEFT) if system.used_as == "true" else running
        assert counts[name]["used"] == pytest.approx(used)


def test_a_hand(ask, solution):
    found = ask("hand", **SINGLE, hand="T,6", upcard="A").json()
    assert {each["action"]: each["ev"] for each in found["evs"]} == solution.evs_of("T,6", "A")
    assert found["insurance"] == solution.insurance_of("T,6")
    assert found["evs"][0]["ev"] == max(each["ev"] for each in found["evs"])
    assert ask("hand", **SINGLE, hand="2,3,4,5", upcard="6").json()["chart"] is None


def test_where_a_count_parts_from_the_exact_answer(ask, solution):
    found = ask("parting", **SINGLE, system="hi-lo", indices="i18").json()
    assert found["hands"]
    for each in found["hands"]:
        evs = solution.evs_of(each["hand"], each["upcard"])
        assert each["best"] == max(evs, key=evs.get)
        assert each["plays"] != each["best"]
        assert each["cost"] == pytest.approx(evs[each["best"]] - evs[each["plays"]])
    assert found["lost"] >= sum(each["per_round"] for each in found["hands"]) - 1e-15


def test_the_full_shoe_is_played_as_its_indices_say_at_zero(ask):
    """With nothing seen the Illustrious 18 play hands near the best chart: little can be lost."""
    found = ask("parting", rules="6d", left=[24] * 9 + [96], system="hi-lo", indices="i18").json()
    assert found["lost"] < 5e-4
    assert found["insurance"]["takes"] is False


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("round", {"left": [5, *LEFT[1:]]}),
        ("round", {"left": [0] * 10}),
        ("round", {"rules": "inf"}),
        ("hand", {"hand": "T,T,T", "upcard": "2"}),
        ("hand", {"hand": "", "upcard": "2"}),
        ("hand", {"hand": "T,6", "upcard": "AA"}),
        ("hand", {"hand": "3,3,3", "upcard": "2"}),
        ("parting", {"system": "zen", "indices": "i18"}),
        ("parting", {"system": "nobody's", "indices": "i18"}),
    ],
)
def test_what_cannot_be_is_refused(ask, name, more):
    answer = ask(name, **{**SINGLE, **more})
    assert answer.status_code == 422
    assert answer.json()["error"]
