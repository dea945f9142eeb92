"""Watched sessions: what is kept is what was played, and what was given away adds up."""

import math
from dataclasses import replace

import pytest

from holecard.blackjack.arena.evaluation import evaluate
from holecard.blackjack.arena.session_file import load_session, save_session
from holecard.blackjack.arena.watched import WatchedTable, play_ahead, seated_agent
from holecard.blackjack.exact import score
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.events import Acted, replay
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.session_terms import SessionTerms
from holecard.blackjack.players.options import AgentOptions
from holecard.blackjack.strategy.named import named_strategy
from holecard.errors import FileProblem

DEALT = Rules(shoe="dealt")


def watched(name="heuristic", options=None, **terms):
    sessions = SessionTerms(**{"rules": DEALT, "rounds": 12, "seed": 3, "bankroll": 1000, "bet": 10, **terms})
    table = WatchedTable(sessions, name)
    for _ in play_ahead(seated_agent(name, sessions, options), table):
        pass
    return table.session()


@pytest.mark.parametrize("name", ["heuristic", "aggressive", "mcts", "exact"])
def test_an_agent_does_what_it_does_in_an_evaluation(name):
    options = AgentOptions(simulations=40)
    session = watched(name, options)
    judged = evaluate(name, SessionTerms(rules=DEALT, rounds=12, seed=3, bankroll=1000, bet=10), 1, options=options)
    assert session.net == pytest.approx(judged.net_profit)
    assert session.count("win") == judged.sessions["wins"][0]


def test_every_round_is_genuine_and_the_money_adds_up():
    session = watched("random", rules=Rules.from_text("1d dealt ES INS RSA HSA value"), rounds=30, bankroll=200)
    money = session.bankroll
    for each in session.rounds:
        assert replay(each.events, session.rules, each.purse) == each.events
        acted = [(event.hand, event.action) for event in each.events if isinstance(event, Acted)]
        assert acted == [(decision.hand, decision.action) for decision in each.decisions]
        money += each.net
        assert each.bankroll == pytest.approx(money)
    assert session.net == pytest.approx(money - session.bankroll)


def test_what_is_given_away_is_best_less_chosen_summed():
    session = watched("random", rounds=40)
    total = 0.0
    for each in session.rounds:
        for decision in each.decisions:
            evs = dict(decision.evs)
            assert decision.action in evs
            total += max(evs.values()) - evs[decision.action]
    assert session.given_away == pytest.approx(total)
    assert total > 1
    mistakes = session.mistakes()
    assert sum(mistake.cost for mistake in mistakes) == pytest.approx(total)
    assert [mistake.cost for mistake in mistakes] == sorted((mistake.cost for mistake in mistakes), reverse=True)


@pytest.mark.parametrize("text", ["casino dealt", "1d dealt ES INS RSA HSA value", "2d OBO dealt", "inf"])
def test_the_optimum_gives_nothing_away(text):
    session = watched("exact", rules=Rules.from_text(text), rounds=40)
    assert session.given_away == 0.0
    assert session.mistakes() == []


def test_on_fresh_shoes_given_away_is_the_regret_of_a_table():
    """Over many rounds the mean of what is given away per round is optimum − table's EV."""
    rules = replace(Rules(decks=1, max_hands=1), shoe="fresh")
    session = watched("aggressive", rules=rules, rounds=1500, bankroll=math.inf)
    costs = [each.given_away for each in session.rounds]
    mean = sum(costs) / len(costs)
    stderr = math.sqrt(sum((cost - mean) ** 2 for cost in costs)) / len(costs)
    regret = score(named_strategy("aggressive", rules), rules).regret
    assert abs(mean - regret) < 4 * stderr


def test_a_session_ends_when_the_money_does():
    session = watched("random", rounds=400, bankroll=20)
    assert len(session.rounds) < 400
    assert session.final_bankroll < 10


def test_a_table_that_you_play_keeps_what_you_do():
    table = WatchedTable(SessionTerms(rules=DEALT, rounds=2, seed=1, bankroll=100, bet=5), "you")
    while not table.is_over:
        table.deal()
        while table.view is not None:
            before = table.valuation()
            decision = table.decide(Action.STAND, "nerves")
            assert decision.cost == before.cost(Action.STAND)
            assert decision.reason == "nerves"
            assert table.current()[1][-1] == decision
    assert [each.number for each in table.session().rounds] == [1, 2]


# files


def test_a_saved_session_comes_back_whole(tmp_path):
    for number, text in enumerate(("casino dealt", "1d dealt ES INS RSA HSA value", "inf 5-charlie", "european dealt")):
        session = watched("random", rules=Rules.from_text(text), rounds=25, bankroll=300)
        save_session(session, tmp_path / f"{number}.json")
        assert load_session(tmp_path / f"{number}.json") == session


def test_no_limit_and_short_purses_come_back(tmp_path):
    session = watched("random", bankroll=math.inf)
    save_session(session, tmp_path / "a.json")
    assert load_session(tmp_path / "a.json") == session
    short = watched("random", rules=Rules(decks=1, rsa=True, shoe="dealt"), rounds=200, bankroll=25, seed=8)
    save_session(short, tmp_path / "b.json")
    assert load_session(tmp_path / "b.json") == short


def changed(path, old, new, *, sign=True):
    """The file with something changed, signed anew so that the change itself is looked at."""
    import json

    from holecard.blackjack.arena.session_file import _checksum

    whole = json.loads(path.read_text(encoding="utf-8").replace(old, new, 1))
    if sign:
        body = {name: value for name, value in whole.items() if name not in ("format", "version", "checksum")}
        whole["checksum"] = _checksum(body)
    path.write_text(json.dumps(whole), encoding="utf-8")


@pytest.mark.parametrize(
    ("damage", "line"),
    [
        (lambda path: path.write_bytes(path.read_bytes()[:900]), "not JSON, or cut short"),
        (lambda path: path.write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe"), "not JSON, or cut short"),
        (lambda path: path.write_text("[1, 2]"), "does not say format"),
        (lambda path: path.write_text('{"format": "something else"}'), "does not say format"),
        (lambda path: path.write_text("[" * 100_000), "not JSON, or cut short"),
        (lambda path: changed(path, '"version": 1', '"version": 9'), "version 9; this program reads 1"),
        (lambda path: changed(path, '"seed": 3', '"seed": 4', sign=False), "checksum does not fit"),
        (lambda path: changed(path, '"rules": "', '"rules": "9d '), "decks must be 1 to 8"),
        (lambda path: changed(path, '"bet": 10', '"bet": "x"'), "damaged session"),
        (lambda path: changed(path, '"bet": 10', '"bet": 1e9'), "damaged session"),
        (lambda path: changed(path, '"net": ', '"net": 1'), "and not"),
        (lambda path: changed(path, '"action": "stand"', '"action": "split"'), "damaged session"),
        (lambda path: changed(path, '"action": "stand"', '"action": "fold"'), "damaged session"),
        (lambda path: changed(path, '"seat": 1', '"seat": 2'), "does not end where its decisions do"),
        (lambda path: changed(path, '"cards": "', '"cards": "Zz'), "damaged session"),
        (lambda path: changed(path, '"purse"', '"pouch"'), "no 'purse'"),
        (lambda path: path.unlink(), "no session at"),
    ],
)
def test_damaged_and_foreign_files_are_refused_in_a_line(tmp_path, damage, line):
    path = tmp_path / "session.json"
    save_session(watched(), path)
    damage(path)
    with pytest.raises(FileProblem) as caught:
        load_session(path)
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_folder_is_no_session_and_no_place_to_save(tmp_path):
    with pytest.raises(FileProblem, match="cannot read"):
        load_session(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(FileProblem, match="cannot write"):
        save_session(watched(rounds=1), tmp_path / "file" / "a.json")
