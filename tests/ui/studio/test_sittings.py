"""A seat at the hold'em table in the studio: what you see, what stays hidden, what is refused, what it costs."""

import shutil

import pytest

from holecard.cards import card_sign, cards_text
from holecard.holdem.arena.sitting import Sitting
from holecard.holdem.game.hand import deal_cards
from holecard.holdem.players.champion import Champion
from holecard.holdem.players.presets import preset_named
from holecard.holdem.players.seated import seated
from holecard.ui.studio import sittings
from holecard.ui.studio.holdem_players import PLAYERS
from tests.ui.studio.helpers import client

PLACE = {"opponent": "call", "preset": "pokernet", "seed": 5}


@pytest.fixture(scope="module")
def ask(tmp_path_factory):
    runs = tmp_path_factory.mktemp("runs")
    champion = runs / "evolved" / "deep"
    champion.mkdir(parents=True)
    Champion.shipped("pokernet").save(champion / "champion.safetensors")
    (runs / "empty").mkdir()
    secret = runs.parent / "secret"
    shutil.copytree(runs / "evolved", secret, dirs_exist_ok=True)
    studio = client(runs)
    return lambda name, **body: studio.post(f"/api/holdem/{name}", json=body)


def sat(ask, moves, **more):
    answer = ask("sit", **{**PLACE, **more, "moves": moves})
    assert answer.status_code == 200, answer.text
    return answer.json()


def passive(ask, steps, **more):
    """The moves of one who checks and calls, so many of them, and what is seen in the end."""
    moves = ""
    for _ in range(steps):
        found = sat(ask, moves, **more)
        moves += ("" if found["is_last"] else "n") if found["over"] else "c"
    return moves, sat(ask, moves, **more)


def test_a_sitting_is_that_of_the_terminal(ask):
    """The same cards and the same answers as a `Sitting`, which `holecard holdem play` plays."""
    rules = preset_named("pokernet").rules
    opponent = seated("champion:pokernet", seed=9, buy_in=rules.stack)
    sitting, moves = Sitting(rules, (None, opponent), 9), ""
    while not (sitting.hand.is_over and sitting.is_last):
        move = "n" if sitting.hand.is_over else "c"
        sitting.next_hand() if move == "n" else sitting.act(sitting.hand.legal_actions().parse("c"))
        moves += move
    assert sitting.number > 2
    found = sat(ask, moves, opponent="champion:pokernet", seed=9)
    assert found["hand"] == sitting.number + 1
    assert found["totals"]["chips"] == sum(sitting.results)
    assert found["totals"]["mbb"] == pytest.approx(sitting.earned.mean)
    assert (found["stacks"], found["pot"]) == (list(sitting.hand.stacks), sitting.hand.pot)
    assert found["memory"]["opponent"] == [each and each.opponent for each in sitting.thoughts[1]]


def test_what_was_played_before_is_not_played_again_and_gives_the_same(ask):
    fresh = client()
    for moves in ("", "c", "cc", "cccc", "ccccn", "ccccnr30", "cc", "ccr20"):
        body = {**PLACE, "opponent": "champion:pokernet", "moves": moves}
        assert ask("sit", **body).json() == client().post("/api/holdem/sit", json=body).json()
        assert ask("sit", **body).json() == fresh.post("/api/holdem/sit", json=body).json()


def test_a_new_sitting_clears_the_memory(ask):
    """After a long sitting a new one of the same seed begins as if nobody had played."""
    more = {"opponent": "champion:pokernet", "seed": 9}
    _, first = passive(ask, 4, **more)
    moves, later = passive(ask, 20, **more)
    assert len(later["memory"]["opponent"]) > 2
    assert sat(ask, moves[:4], **more) == first


@pytest.mark.parametrize("moves", ["", "c", "cc", "r40", "f", "fn", "cr20c"])
def test_the_hidden_cards_are_in_no_answer(ask, monkeypatch, moves):
    """Other cards in the opponent's hand and below the board leave every byte of the answer as it was."""
    before = ask("sit", **PLACE, moves=moves).json()
    costs = ask("sitcosts", **PLACE, moves=moves).content
    dealt = [deal_cards(5, number) for number in range(2)]

    def other_cards(seed, number=0):
        cards = list(dealt[number])
        shown = 4 + len(before["board"]) if number + 1 == before["hand"] else 4
        free = [card for card in range(52) if card not in cards]
        return (*cards[:2], *free[:2], *cards[4:shown], *free[2 : 2 + 9 - shown])

    monkeypatch.setattr("holecard.holdem.arena.sitting.deal_cards", other_cards)
    again = client()
    assert again.post("/api/holdem/sit", json={**PLACE, "moves": moves}).json() == before
    assert again.post("/api/holdem/sitcosts", json={**PLACE, "moves": moves}).content == costs
    assert before["theirs"] is None


@pytest.mark.parametrize("opponent", ["smart", "champion:pokernet", "equilibrium"])
def test_what_the_opponent_saw_waits_for_the_showdown(ask, opponent):
    """Neither its cards nor its chance nor its thoughts are told before; after a showdown they are."""
    moves, told = passive(ask, 40, opponent=opponent)[0], []
    for end in range(len(moves) + 1):
        found = sat(ask, moves[:end], opponent=opponent)
        theirs = [each for each in found["events"] if each.get("seat") == 1]
        cards = deal_cards(5, found["hand"] - 1)[2:4]
        if found["theirs"] is None:
            assert all(each["why"] == "" and each["thought"] is None for each in theirs)
            assert not any(card_sign(card) in each["text"] for card in cards for each in found["events"])
        else:
            assert found["theirs"] == [cards_text([card]) for card in cards]
            assert all(each["why"] for each in theirs)
            told += theirs
    assert told


def test_your_decisions_have_their_price(ask):
    found = ask("sitcosts", **PLACE, moves="cccc").json()
    prices = list(found["verdicts"].values())
    assert len(prices) == 4
    assert all(each["known"] and each["cost"] >= 0 for each in prices)
    assert found["given_away"] == [pytest.approx(sum(each["cost"] for each in prices)), None]
    river = prices[-1]
    assert (river["taken"], river["best"]) == ("check", "raise to 990")
    assert sum(each["best"] for each in river["values"]) == 1
    unknown = ask("sitcosts", **{**PLACE, "opponent": "smart"}, moves="c").json()
    assert "looks at its cards" in unknown["verdicts"]["0"]["words"]
    assert unknown["given_away"] == [None, None]
    many = ask("sitcosts", **{**PLACE, "opponent": "mixed-random"}, moves="c").json()["verdicts"]["0"]
    assert not many["known"]
    assert "dice" in many["words"]


def test_everybody_can_be_played(ask):
    known = ask("players").json()
    assert known["players"][-1] == "run:evolved/deep"
    assert set(PLAYERS) < set(known["players"])
    for name in ("author:hothead-maniac", "champion:author", "equilibrium", "run:evolved/deep"):
        assert ask("place", **{**PLACE, "opponent": name}).status_code == 200
        assert sat(ask, "c", opponent=name, preset="paper")["opponent"] == name
    run, shipped = (passive(ask, 14, opponent=name)[1] for name in ("run:evolved/deep", "champion:pokernet"))
    assert run["memory"]["game"] == shipped["memory"]["game"]
    assert (run["hand"], run["stacks"], run["totals"]) == (shipped["hand"], shipped["stacks"], shipped["totals"])


def test_a_sitting_ends_with_its_last_chip(ask):
    found = sat(ask, "a")
    assert found["over"]
    assert found["is_last"]
    assert ask("sit", **PLACE, moves="an").status_code == 422


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"opponent": "nobody"}, 400, "unknown player"),
        ({"opponent": "/etc/passwd"}, 400, "unknown player"),
        ({"opponent": "../secret/deep"}, 400, "unknown player"),
        ({"opponent": "run:../secret/deep"}, 422, "no run is called"),
        ({"opponent": "run:/etc"}, 422, "no run is called"),
        ({"opponent": "run:empty"}, 422, "has no champion"),
        ({"opponent": "run:"}, 422, "no run is called"),
        ({"opponent": "best:smart"}, 400, "unknown player"),
        ({"opponent": 3}, 400, "must be a text"),
        ({"preset": "pokernet2"}, 400, "preset must be one of"),
        ({"seed": -1}, 400, "whole number"),
        ({"seed": 2**32}, 400, "whole number"),
        ({"seed": "5"}, 400, "whole number"),
        ({"moves": ["c"]}, 400, "must be a text"),
        ({"moves": "c" * 60_001}, 400, "at most 60,000"),
        ({"moves": "cx"}, 400, "moves are"),
        ({"moves": "r"}, 400, "moves are"),
        ({"moves": "r" + "9" * 14}, 400, "moves are"),
        ({"moves": "c" * 60_000}, 422, "the hand is over"),
        ({"moves": "r5"}, 422, "move 1, hand 1: cannot raise to 5, the minimum is 20"),
        ({"moves": "r9999999999999"}, 422, "all-in is 1000"),
        ({"moves": "cf"}, 422, "cannot fold when checking is free"),
        ({"moves": "n"}, 422, "hand 1 is not over"),
        ({"moves": "fc"}, 422, "the hand is over"),
    ],
)
@pytest.mark.parametrize("name", ["sit", "sitcosts"])
def test_what_cannot_be_is_refused(ask, name, body, status, words):
    answer = ask(name, **{**PLACE, "moves": "", **body})
    assert answer.status_code == status, answer.text
    assert list(answer.json()) == ["error"]
    assert words in answer.json()["error"]
    assert "\n" not in answer.json()["error"]


def test_after_a_refusal_the_sitting_goes_on(ask):
    before = sat(ask, "cc", seed=8)
    assert ask("sit", **{**PLACE, "seed": 8}, moves="ccr1").status_code == 422
    assert sat(ask, "cc", seed=8) == before


def test_only_the_last_sittings_are_remembered(ask):
    remembered = sittings.Remembered()
    rules = preset_named("pokernet").rules
    sitting = Sitting(rules, (None, seated("call", seed=1, buy_in=rules.stack)), 1)
    for seed in range(100):
        remembered.put(("call", "pokernet", seed), sitting, ["c"])
    assert remembered.take(("call", "pokernet", 0), ["c"]) is None
    assert remembered.take(("call", "pokernet", 99), ["c", "c"]) == (sitting, ["c"])
    assert remembered.take(("call", "pokernet", 99), ["c", "c"]) is None  # taken
    assert remembered.take(("call", "pokernet", 98), ["f"]) is None  # another way
