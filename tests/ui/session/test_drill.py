"""The counter's drill: questions that can be answered, verdicts that are right, prices that are exact."""

import io
import json
from fractions import Fraction

import pytest

from holecard.blackjack.exact import solve
from holecard.blackjack.game.rules import Rules
from holecard.errors import SettingError
from holecard.ui.session.drill import Drill, value_name

RULES = Rules(decks=2, h17=False, split="value", shoe="dealt", insurance=True)
FRESH = Rules(decks=2, h17=False, split="value", insurance=True)
HI_LO = {"A": -1, "10": -1, **dict.fromkeys("23456", 1), **dict.fromkeys("789", 0)}


@pytest.fixture(scope="module")
def drill():
    return Drill("hi-lo", RULES, seed=3)


def test_the_count_is_that_of_the_cards_that_flash_by(drill):
    for number in range(20):
        question = drill.count_question(number, cards=6)
        added = sum(HI_LO[value_name(card)] for card in question.cards)
        assert question.after.running == question.before.running + added
        assert question.after.left == question.before.left - 6 == question.after.composition.size
        seen = [52 * 2 // 13 - held for held in question.after.composition.ranks]
        assert question.after.running == sum(HI_LO[value_name(4 * rank)] * cards for rank, cards in enumerate(seen))
        assert question.after.count == question.after.running * 52 // question.after.left


def test_a_right_count_costs_nothing_and_a_wrong_one_the_bet_that_follows(drill):
    question = next(
        each for each in map(drill.count_question, range(50)) if drill.bet(each.after.count) > drill.bet(-5)
    )
    right = question.verdict(float(question.after.running))
    assert (right.right, right.price) == (True, 0.0)
    wrong = question.verdict(float(question.after.running) - 30)
    ev = solve(FRESH, deck=question.after.composition).ev
    assert not wrong.right
    assert wrong.price == pytest.approx((drill.bet(question.after.count) - drill.bet(-40)) * ev, abs=1e-12)


def test_a_bet_is_judged_by_the_exact_ev_of_the_cards_left(drill):
    question = drill.bet_question(4)
    wanted, ev = drill.bet(question.shoe.count), solve(FRESH, deck=question.shoe.composition).ev
    assert question.verdict(wanted).right
    verdict = question.verdict(wanted + 3)
    assert not verdict.right
    assert verdict.price == pytest.approx(-3 * ev, abs=1e-12)
    raised = [drill.bet(drill.bet_question(number).shoe.count) > 1 for number in range(12)]
    assert 2 < sum(raised) < 10, "low and raised bets are asked for"


def test_a_play_is_judged_by_exact_evs_and_the_count_knows_its_own_cards(drill):
    for number in range(12):
        question = drill.play_question(number)
        evs = solve(FRESH, deck=question.shoe.composition).evs_of(",".join(question.hand), question.upcard)
        assert question.evs == evs
        assert question.shoe.left == question.shoe.composition.size - 3
        assert question.verdict(question.plays).price == 0.0
        for action in evs:
            verdict = question.verdict(action)
            assert verdict.right == (action == question.plays)
            assert verdict.price == pytest.approx(evs[question.plays] - evs[action], abs=1e-12)


def test_what_is_played_is_the_departure_by_the_count(drill):
    seen = set()
    for number in range(40):
        question = drill.play_question(number)
        if sorted(question.hand) == ["10", "6"] and question.upcard == "10":
            assert question.plays == ("stand" if question.shoe.count >= 0 else "hit")
            seen.add(question.plays)
        if question.hand == ("10", "10"):
            assert question.plays == ("split" if question.shoe.count >= 5 else "stand")
    assert seen


def test_the_same_seed_asks_the_same(drill):
    again, other = Drill("hi-lo", RULES, seed=3), Drill("hi-lo", RULES, seed=4)
    assert again.count_question(7).cards == drill.count_question(7).cards != other.count_question(7).cards
    assert again.play_question(7) == drill.play_question(7)


def test_other_counts_and_what_cannot_be_asked(drill, tmp_path):
    halves = Drill("halves", RULES)
    assert any(halves.count_question(number).after.running.denominator == 2 for number in range(8))
    assert halves.used(Fraction(9, 2), 52) == 4
    assert halves.has("play")
    (plain := tmp_path / "plain.txt").write_text("count Halves\n")
    assert not Drill(str(plain), RULES).has("play")
    with pytest.raises(SettingError, match="no departures"):
        Drill(str(plain), RULES).play_question(0)
    with pytest.raises(SettingError, match="flash by"):
        drill.count_question(0, cards=100)
    with pytest.raises(SettingError, match="legal here"):
        drill.play_question(0).verdict("fold")
    with pytest.raises(SettingError, match="the count, the bet or the play"):
        drill.question("luck", 0)


def test_the_command_asks_judges_and_sums_up(run, drill, monkeypatch):
    words = ("count", "drill", "--decks", "2", "--s17", "--split", "value", "--seed", "3", "--questions", "3", "--json")
    count = drill.question("count", 0).after.running
    typed = f"{float(count):g}\nmany\n1000\n{drill.question('play', 2).plays[0]}\n"
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    code, out, err = run(*words)
    result = json.loads(out)
    assert code == 0, err
    assert [each["right"] for each in result["answers"]] == [True, False, True]
    assert (result["questions"], result["right"]) == (3, 2)
    assert result["price"] == pytest.approx(drill.bet_question(1).verdict(1000.0).price)
    assert "a number is wanted; got 'many'" in err
    monkeypatch.setattr("sys.stdin", io.StringIO("0\n"))
    assert "of 1 right" in run(*words[:-1])[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [(("--ask", "luck"), "count, bet, play or all"), (("--decks", "inf"), "infinite"), (("hilo",), "")],
)
def test_bad_input_is_one_line(run, words, said):
    code, out, err = run("count", "drill", *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
