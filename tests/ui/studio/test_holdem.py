"""Hold'em in the studio: the numbers of `holecard holdem`, and clear refusals."""

import json

import pytest
from typer.testing import CliRunner

from holecard.cards import cards_text, parse_cards
from holecard.holdem.equities.equity import equity
from holecard.holdem.equities.ranges import parse_range
from holecard.holdem.game.hand import HandState, deal_cards
from holecard.holdem.players.presets import preset_named
from holecard.holdem.players.seated import seated
from holecard.ui.cli import app
from tests.ui.studio.helpers import client


@pytest.fixture(scope="module")
def ask():
    studio = client()
    return lambda name, **body: studio.post(f"/api/holdem/{name}", json=body)


def command(*words):
    done = CliRunner().invoke(app, ["holdem", *words, "--json"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


@pytest.mark.parametrize(
    ("mine", "board", "against"),
    [
        ("AhKh", "", "random"),
        ("AhKh", "", "QdQs"),
        ("AhKh", "2c7h9s", "random"),
        ("AhKh", "2c7h9s", "QQ+,AKs"),
        ("7c2d", "2c7h9s3d", "QdQs,AhKh"),
        ("AhKh", "2c7h9s3dKc", "22+"),
    ],
)
def test_a_hand_has_the_equity_of_the_command_line(ask, mine, board, against):
    found = ask("equity", mine=mine, board=board, against=against)
    wanted = command("equity", mine, *([board] if board else []), "--against", against)
    assert {key: found.json()[key] for key in ("win", "tie", "lose", "equity")} == {
        key: wanted[key] for key in ("win", "tie", "lose", "equity")
    }


def test_a_range_is_the_sum_of_its_hands(ask):
    for mine, board, against in (("QQ,AhKh", "2c7h9s", "JJ,AKo"), ("QdQs,QdQh", "2c7h9s4d", "random")):
        found = ask("equity", mine=mine, board=board, against=against).json()
        hands = [equity(hand, parse_cards(board), against=parse_range(against)) for hand in parse_range(mine).hands]
        assert [found[key] for key in ("win", "tie", "lose")] == [
            sum(getattr(each, key) for each in hands) for key in ("win", "tie", "lose")
        ]


def test_ranges_before_the_flop_are_summed_from_the_stored_matchups(ask):
    """One pair of aces against kings stands for all six: by counting every board, as the table was not made here."""
    found = ask("equity", mine="AA", against="KK,72o").json()
    one = equity(parse_cards("AhAd"), against=parse_range("KK,72o"))
    assert [found[key] for key in ("win", "tie", "lose")] == [6 * one.win, 6 * one.tie, 6 * one.lose]


def test_the_grid_has_the_equity_of_every_starting_hand(ask):
    found = ask("grid", against="QdQs", board="2c7h9s").json()["hands"]
    assert len(found) == 169
    for name in ("AA", "QQ", "97s", "72o"):
        hands = parse_range(name).without(set(parse_cards("QdQs2c7h9s")))
        each = [equity(hand, parse_cards("2c7h9s"), against=parse_range("QdQs")) for hand in hands]
        assert found[name]["win"] == sum(one.win for one in each)
        assert found[name]["tie"] == sum(one.tie for one in each)
        assert found[name]["lose"] == sum(one.lose for one in each)
    assert ask("grid", against="22", board="2c2d2h").status_code == 422
    dead = ask("grid", against="AcAd", board="2c2d2h2s9c").json()["hands"]
    assert dead["22"] is None


def test_what_is_painted_can_be_written(ask):
    found = ask("equity", mine="AKs,QQ,AhKd", board="2c7h9s").json()["mine"]
    assert found["parts"] == {"AKs": ["AKs"], "QQ": ["QQ"], "AKo": ["AhKd"]}
    assert found["painted"] == {"AKs": 1.0, "QQ": 1.0, "AKo": 1 / 12}
    assert found["hands"] == 11


def test_push_or_fold_has_the_numbers_of_the_command_line(ask):
    found = ask("pushfold", stack=8.5, ante=0.1).json()
    wanted = command("pushfold", "--stack", "8.5", "--ante", "0.1")
    assert {key: found[key] for key in wanted} == wanted
    assert found["options"] == "--stack 8.5 --ante 0.1"


@pytest.mark.parametrize(
    ("name", "body", "words"),
    [
        ("equity", {"mine": "AhAh"}, "twice"),
        ("equity", {"mine": "AhKh", "board": "Ah7h9s"}, "twice"),
        ("equity", {"mine": "AhKh", "board": "2c2c9s"}, "twice"),
        ("equity", {"mine": "AA,KK", "board": "2c2c9s"}, "twice"),
        ("equity", {"mine": "AhKh", "board": "2c7h"}, "0, 3, 4 or 5"),
        ("equity", {"mine": "AhKh", "against": "AhQd"}, "left"),
        ("equity", {"mine": "AhKh,AhQh", "against": "AhJd,AhTd"}, "left"),
        ("equity", {"mine": "XX"}, "cannot read"),
        ("equity", {"mine": "22+,AhKd", "against": "22+,A2s+"}, "fewer hands"),
        ("grid", {"against": "22+,A2s+,K2s+,Q2s+,J2s+,A2o+,K2o+", "board": "2c7h9s"}, "fewer hands"),
        ("pushfold", {"stack": 0.5}, "stack"),
        ("pushfold", {"stack": 2, "ante": 3}, "stack"),
    ],
)
def test_what_cannot_be_is_refused(ask, name, body, words):
    answer = ask(name, **body)
    assert answer.status_code == 422
    assert words in answer.json()["error"]


DUEL = {"first": "champion:author", "second": "author:hothead-maniac", "preset": "author", "seed": 1}


def test_a_hand_of_a_duel_is_told_whole(ask):
    found = ask("duel", **DUEL, hand=3).json()
    cards = deal_cards(1, 2)
    assert found["holes"] == [[cards_text([card]) for card in cards[at : at + 2]] for at in (0, 2)]
    assert sum(found["payoffs"]) == 0
    decided = [each for each in found["events"] if "why" in each]
    assert decided
    assert all((": o " in each["why"]) == (each["seat"] == 0) for each in decided)


def test_a_duel_plays_what_the_players_play(ask):
    """The same hands by the players themselves: a network remembers the hands before."""
    rules = preset_named("author").rules
    names = (DUEL["first"], DUEL["second"])
    players = [seated(name, seed=1 + at, buy_in=rules.stack) for at, name in enumerate(names)]
    for number in range(4):
        hand = HandState(rules, button=number & 1, cards=deal_cards(1, number))
        while hand.actor is not None:
            hand.apply(players[hand.actor].act(hand.view(hand.actor), number))
    assert ask("duel", **DUEL, hand=4).json()["payoffs"] == list(hand.payoffs)


def test_only_known_players_duel(ask):
    assert ask("duel", **{**DUEL, "first": "/etc/passwd"}, hand=1).status_code == 400
    assert ask("duel", **DUEL, hand=201).status_code == 400
