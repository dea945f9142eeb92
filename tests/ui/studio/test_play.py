"""The play page: prices are the solver's, the hole card is hidden until the round is over, leaks are kept in a file."""

import json

import pytest

from holecard.blackjack import Rules, solve
from tests.ui.studio.helpers import client

TABLE = {"rules": "casino", "seed": 11}


@pytest.fixture
def runs(tmp_path):
    return tmp_path / "runs"


@pytest.fixture
def ask(runs):
    studio = client(runs)
    return lambda name, **body: studio.post(f"/api/play/{name}", json=body)


def values(cards):
    return ["10" if card[0] in "TJQK" else card[0] for card in cards]


def dealt(ask, hands="any", after=-1):
    """The next deal that asks for something other than insurance."""
    while True:
        found = ask("deal", **TABLE, after=after, hands=hands).json()
        if not found["over"] and found["legal"][0]["word"] not in ("insure", "decline"):
            return found
        after = found["deal"]


@pytest.mark.parametrize("hands", ["any", "pairs", "soft"])
def test_prices_are_those_of_the_solver(ask, hands):
    solution = solve(Rules.preset("casino"))
    after = -1
    for _ in range(3):
        found = dealt(ask, hands, after)
        after = found["deal"]
        cards = values(found["hands"][0]["cards"])
        wanted = solution.evs_of(",".join(cards), values(found["dealer"])[0])
        [decision] = ask("act", **TABLE, deal=after, actions=["stand"]).json()["decisions"]
        assert {each["action"]: each["ev"] for each in decision["evs"]} == pytest.approx(wanted, abs=1e-9)
        assert {each["word"] for each in found["legal"]} == set(wanted)
        assert decision["cost"] == pytest.approx(max(wanted.values()) - wanted["stand"], abs=1e-9)
        assert decision["good"] == (decision["cost"] <= 1e-9)


def test_drills_deal_what_they_promise(ask):
    after = -1
    for _ in range(5):
        found = dealt(ask, "pairs", after)
        first, second = values(found["hands"][0]["cards"])
        assert first == second
        after = found["deal"]
    for _ in range(5):
        found = dealt(ask, "soft", after)
        assert values(found["hands"][0]["cards"]).count("A") == 1
        after = found["deal"]


def test_the_hole_card_is_in_no_answer_before_the_end(ask):
    checked = 0
    for after in range(-1, 25):
        found = ask("deal", **TABLE, after=after).json()
        assert found["deal"] == after + 1
        while not found["over"]:
            assert len(found["dealer"]) == 1
            checked += 1
            shown = {card for hand in found["hands"] for card in hand["cards"]} | set(found["dealer"])
            cards = {
                text for text in _texts(found) if len(text) == 2 and text[0] in "23456789TJQKA" and text[1] in "cdhs"
            }
            assert cards == shown
            word = found["legal"][-1]["word"] if "hit" not in {each["word"] for each in found["legal"]} else "hit"
            found = ask("act", **TABLE, deal=found["deal"], actions=[*found["actions"], word]).json()
        assert len(found["dealer"]) >= 2
        assert found["net"] == pytest.approx(sum(hand["net"] for hand in found["hands"])) or found["insured"]
    assert checked > 20


def _texts(value):
    if isinstance(value, dict):
        return [text for each in value.values() for text in _texts(each)]
    if isinstance(value, list):
        return [text for each in value for text in _texts(each)]
    return [value] if isinstance(value, str) else []


def test_leaks_are_kept_once_and_listed_costliest_first(ask, runs):
    assert ask("leaks").json()["decisions"] == 0
    assert ask("deal", **TABLE, hands="wrong").status_code == 422
    costs, after = [], -1
    for _ in range(8):
        found = dealt(ask, after=after)
        after = found["deal"]
        word = "double" if "double" in {each["word"] for each in found["legal"]} else "hit"
        for _ in range(2):  # sent twice, kept once
            answer = ask("act", **TABLE, deal=after, actions=[word]).json()
        costs.append(answer["decisions"][0]["cost"])
    kept = ask("leaks").json()
    assert kept["decisions"] == kept["days"][0]["decisions"] == 8
    assert kept["given_away"] == pytest.approx(sum(costs))
    listed = [each["cost"] for each in kept["leaks"]]
    assert listed == sorted(listed, reverse=True)
    assert sum(listed) == pytest.approx(sum(costs))
    again = ask("deal", **TABLE, hands="wrong", after=after).json()
    assert again["spot"] in {each["spot"] for each in kept["leaks"]}
    with (runs / "play.jsonl").open("a") as file:
        file.write('not JSON\n[]\n{"cost": "much"}\n')
    assert ask("leaks").json() == kept
    assert len(json.loads((runs / "play.jsonl").read_text().splitlines()[0])) == 9


@pytest.mark.parametrize(("kind", "wrong"), [("count", "99"), ("bet", "77")])
def test_the_counting_drill(ask, kind, wrong):
    body = {**TABLE, "number": 3, "kind": kind}
    question = ask("question", **body).json()
    assert "expected" not in question
    assert len(question["cards"]) == (8 if kind == "count" else 0)
    miss = ask("verdict", **body, answer=wrong).json()
    assert miss["right"] is False
    hit = ask("verdict", **body, answer=miss["expected"]).json()
    assert hit["right"] is True
    assert hit["price"] == 0.0
    assert miss["sitting"]["decisions"] == 1
    kept = ask("leaks").json()
    assert kept["decisions"] == 1  # the first answer to a question counts
    assert [(each["spot"].split(":")[0], each["cost"]) for each in kept["leaks"]] == [
        ("Hi-Lo", max(miss["price"], 0.0))
    ] * (miss["price"] > 0)


def test_departures_are_asked_for(ask):
    body = {**TABLE, "number": 1, "kind": "play"}
    question = ask("question", **body).json()
    judged = [ask("verdict", **body, answer=word).json() for word in question["choices"]]
    assert [each["right"] for each in judged].count(True) == 1


@pytest.mark.parametrize("system", ["KO", "Zen"])
def test_departures_of_other_counts_are_their_own(ask, system):
    body = {**TABLE, "number": 1, "kind": "play", "system": system}
    question = ask("question", **body).json()
    judged = [ask("verdict", **body, answer=word).json() for word in question["choices"]]
    assert [each["right"] for each in judged].count(True) == 1


SHOE = {"rules": "2d S17 value", "seed": 4, "sitting": 9, "system": "Halves"}


def played_shoe(ask, most=400):
    """Rounds of a shoe until the cut card is out, each with the answer to its bet and its last answer."""
    rounds, answers = [], []
    while len(answers) < most and not (answers and answers[-1][1]["shoe"]["shuffled"]):
        rounds.append(str(1 + len(rounds) % 3))
        first = found = ask("shoe", **SHOE, rounds=rounds).json()
        while not found["over"]:
            assert len(found["dealer"]) == 1
            words = {each["word"] for each in found["legal"]}
            rounds[-1] += " stand" if "stand" in words else " decline"
            found = ask("shoe", **SHOE, rounds=rounds).json()
        answers.append((first, found))
    return rounds, answers


def test_bets_and_plays_of_a_dealt_shoe_are_priced_by_the_cards_that_are_left(ask):
    from fractions import Fraction

    from holecard.blackjack.counting.system import SYSTEMS
    from holecard.blackjack.game.composition import VALUES, Composition

    rules, tags = Rules.from_text("2d S17 value"), SYSTEMS["Halves"].tags_by_value()
    left = dict(zip(VALUES, Composition.of_rules(rules).values, strict=True))
    _, answers = played_shoe(ask, 4)
    for first, last in answers:
        ev = solve(rules, deck=Composition.of_values(tuple(left.values()))).ev
        assert f"worth {100 * ev:+.2f} % of a bet" in first["shoe"]["bet"]["words"]
        if not first["over"]:
            [mine], [up] = (hand["cards"] for hand in first["hands"]), values(first["dealer"])
            evs = solve(rules, deck=Composition.of_values(tuple(left.values()))).evs_of(",".join(values(mine)), up)
            priced = {each["action"]: each["ev"] for each in last["decisions"][0]["evs"]}
            assert priced == pytest.approx(evs, abs=1e-9)
        for card in [card for hand in last["hands"] for card in hand["cards"]] + last["dealer"]:
            left[values([card])[0]] -= 1
        assert last["shoe"]["left"] == sum(left.values())
        full = dict(zip(VALUES, Composition.of_rules(rules).values, strict=True))
        running = sum((full[value] - left[value]) * Fraction(tags[value]) for value in VALUES)
        assert float(last["shoe"]["running"]) == float(running)


def test_a_shoe_ends_at_the_cut_card_and_the_sums_are_the_servers(ask, runs):
    rounds, answers = played_shoe(ask)
    assert len(rounds) > 8
    assert "another shoe" in ask("shoe", **SHOE, rounds=[*rounds, "1"]).json()["error"]
    sums = answers[-1][1]["sitting"]
    assert sums["rounds"] == len(rounds)
    assert sums["net"] == pytest.approx(sum(last["net"] for _, last in answers))
    units = [float(each.split()[0]) for each in rounds]
    plays = sum(bet * each["cost"] for bet, (_, last) in zip(units, answers, strict=True) for each in last["decisions"])
    assert sums["given_away"] == pytest.approx(plays + sum(first["shoe"]["bet"]["cost"] for first, _ in answers))
    assert sums["decisions"] == len(rounds) + sum(len(last["decisions"]) for _, last in answers)
    assert ask("shoe", **{**SHOE, "sitting": 10}, rounds=[]).json()["sitting"]["rounds"] == 0


@pytest.mark.parametrize(
    ("name", "more"),
    [
        ("act", {"deal": 0, "actions": ["fold"]}),
        ("act", {"deal": 0, "actions": ["stand"] * 40}),
        ("act", {"deal": 0, "actions": ["decline"]}),
        ("deal", {"rules": "dealt"}),
        ("question", {"rules": "inf", "number": 0, "kind": "count"}),
        ("shoe", {"rules": "inf", "rounds": []}),
        ("shoe", {"rounds": ["much"]}),
        ("shoe", {"rounds": ["101"]}),
        ("shoe", {"rounds": ["-1 stand"]}),
        ("shoe", {"rounds": ["1 fold"]}),
        ("shoe", {"rounds": ["1", "1"]}),
        ("shoe", {"rounds": ["1 " + "stand " * 9]}),
        ("verdict", {"number": 0, "kind": "count", "answer": "many"}),
        ("verdict", {"number": 0, "kind": "bet", "answer": "-1"}),
        ("verdict", {"number": 0, "kind": "play", "answer": "fold"}),
    ],
)
def test_what_cannot_be_is_refused(ask, runs, name, more):
    answer = ask(name, **{**TABLE, **more})
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]
    assert not (runs / "play.jsonl").exists()
