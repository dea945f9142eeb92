"""Play: a table to sit at, every decision priced; drills; your leaks in a file of your own.

Nothing is kept between calls. A round is rules, a seed, the number of the deal and the actions taken; it is dealt again
at every call. The hole card is in no answer before the round is over.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, cast

from holecard.blackjack.arena.watched import Decision, WatchedTable
from holecard.blackjack.counting.system import SYSTEMS
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.game import Game, View
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.session_terms import SessionTerms, session_seed
from holecard.blackjack.players.chart_agent import cell_of, spot_of
from holecard.cards import card_text
from holecard.errors import IllegalAction, RulesError, SettingError
from holecard.ui.session.action_bar import is_good, verdict_on
from holecard.ui.session.drill import (
    KINDS,
    BetQuestion,
    CountQuestion,
    Drill,
    DrillKind,
    Question,
    parse_number,
    parse_play,
    signed,
)
from holecard.ui.studio import play_log
from holecard.ui.studio.page import Call, Endpoint, Page
from holecard.ui.studio.tables import presets, read_table, table_json

HANDS: Final = ("any", "pairs", "soft", "wrong")
"""What is dealt: any hand, pairs, soft hands, what you got wrong lately."""
KEYS: Final = {Action.INSURE: "I", Action.DECLINE: "N"}
"""The keys of actions that have no letter, as in the window."""
_MOST_SEED: Final = 2**53 - 1
_MOST_DEALS: Final = 10**9
_MOST_ACTIONS: Final = 60
_TRIES: Final = 5000
"""Deals that are looked at for a hand."""
_LATELY: Final = 200
"""Decisions back that count as lately."""
_SHOWN: Final = 50
_FLASHED: Final = 8


def deal(call: Call) -> dict[str, Any]:
    """The next round after a deal, with a hand of the kind that is asked for."""
    rules = read_table(call.body)
    seed, after = _seed(call), call.body.whole("after", -1, _MOST_DEALS, default=-1)
    wanted = _wanted(call, rules, call.body.choice("hands", HANDS, default="any"))
    for number in range(after + 1, after + 1 + _TRIES):
        call.job.check()
        if wanted is None or wanted(_game(rules, seed, number)):
            table = _replayed(rules, seed, number, [])
            return {**table_json(rules), "presets": presets(), **_seen(table, seed, number)}
    raise SettingError(f"none of {_TRIES:,} deals had such a hand; choose another drill")


def act(call: Call) -> dict[str, Any]:
    """The round after the actions so far; the last decision goes to your file."""
    rules, seed = read_table(call.body), _seed(call)
    number = call.body.whole("deal", 0, _MOST_DEALS)
    words = call.body.texts("actions", most=_MOST_ACTIONS, longest=12)
    table = _replayed(rules, seed, number, words)
    _, taken = table.current()
    if taken:
        play_log.note(call.studio.runs, str(rules), f"{seed} {number}", taken[-1], len(taken))
    return _seen(table, seed, number)


def leaks(call: Call) -> dict[str, Any]:
    """Your leaks over time, costliest first."""
    rows = play_log.decisions(call.studio.runs)
    found = play_log.leaks(rows)
    return {
        "file": str(call.studio.runs / play_log.NAME),
        "decisions": len(rows),
        "given_away": sum(row["cost"] for row in rows),
        "leaks": found[:_SHOWN],
        "all": len(found),
        "days": play_log.days(rows)[-_SHOWN:],
    }


def question(call: Call) -> dict[str, Any]:
    """A question of the counting drill."""
    drill, kind, number = _asked(call)
    found = drill.question(kind, number, _FLASHED)
    return {"kind": kind, "number": number, "system": drill.counter.system.name, **_question_json(found)}


def verdict(call: Call) -> dict[str, Any]:
    """What an answer to a question of the counting drill is worth."""
    drill, kind, number = _asked(call)
    text = call.body.text("answer", longest=30)
    found = drill.question(kind, number, _FLASHED)
    if isinstance(found, CountQuestion | BetQuestion):
        given = parse_number(text)
        if isinstance(found, BetQuestion) and given < 0:
            raise SettingError(f"a bet is 0 units or more; got {given:g}")
        judged = found.verdict(given)
    else:
        judged = found.verdict(parse_play(text))
    return {"right": judged.right, "expected": judged.expected, "price": judged.price, "words": judged.words}


def _seed(call: Call) -> int:
    return call.body.whole("seed", 0, _MOST_SEED)


def _terms(rules: Rules, seed: int, number: int) -> SessionTerms:
    return SessionTerms(rules=rules, rounds=1, seed=session_seed(seed, number))


def _game(rules: Rules, seed: int, number: int) -> Game:
    game = _terms(rules, seed, number).game(0)
    game.deal()
    return game


def _wanted(call: Call, rules: Rules, hands: str) -> Callable[[Game], bool] | None:
    """Says of a game that was dealt whether its hand is of the kind; None where any is."""
    if hands == "any":
        return None
    if hands == "pairs":
        return lambda game: game.view is not None and game.view.is_pair
    if hands == "soft":
        return lambda game: game.view is not None and game.view.soft and not game.view.is_pair
    rows = [row for row in play_log.decisions(call.studio.runs) if row["rules"] == str(rules)]
    spots = {row["spot"] for row in rows[-_LATELY:] if row["cost"] > 0}
    if not spots:
        raise SettingError("you got nothing wrong lately at this table; play some rounds first")
    return lambda game: game.view is not None and not spots.isdisjoint(_spots(game.view, rules))


def _spots(view: View, rules: Rules) -> set[str]:
    """The decisions that a first hand asks for: that on insurance, where it is offered, and its own."""
    found = {spot_of(cell_of(view, rules.ace_bonus))}
    return found | {"insurance against A"} if view.legal_bits >> Action.DECLINE & 1 else found


def _replayed(rules: Rules, seed: int, number: int, words: list[str]) -> WatchedTable:
    table = WatchedTable(_terms(rules, seed, number), "you")
    table.deal()
    for word in words:
        try:
            action = Action.parse(word)
        except KeyError:
            raise IllegalAction(f"no action is called {word!r}") from None
        if table.view is None:
            raise IllegalAction("the round is over; deal the next one")
        if not table.view.legal_bits >> action & 1:
            raise IllegalAction(f"{word} is not legal here; legal: {', '.join(a.word for a in table.view.legal)}")
        table.decide(action)
    return table


def _seen(table: WatchedTable, seed: int, number: int) -> dict[str, Any]:
    """What lies on the table, and the decisions taken with their prices; the hole card only once the round is over."""
    _, taken = table.current()
    view = table.view
    found: dict[str, Any] = {
        "seed": seed,
        "deal": number,
        "actions": [each.action.word for each in taken],
        "decisions": [_decision_json(each) for each in taken],
    }
    if view is not None:
        return {
            **found,
            "over": False,
            "spot": table.spot(),
            "to_act": view.hand - 1,
            "hands": [{"cards": [card_text(card) for card in cards]} for cards in view.hands],
            "dealer": [card_text(view.upcard_card)],
            "legal": [
                {"word": each.word, "label": each.label, "key": each.letter or KEYS[each]} for each in view.legal
            ],
        }
    return {**found, "over": True, "legal": [], "to_act": None, **_ended(table)}


def _ended(table: WatchedTable) -> dict[str, Any]:
    record, last = table.record(), table.last
    assert last is not None
    return {
        "spot": "",
        "hands": [
            {"cards": [card_text(card) for card in hand.cards], "bet": hand.bet, "net": hand.net, "result": hand.result}
            for hand in record.hands
        ],
        "dealer": [card_text(card) for card in record.dealer],
        "net": record.net,
        "outcome": last.outcome,
        "insured": record.insured,
        "given_away": last.given_away,
    }


def _decision_json(decision: Decision) -> dict[str, Any]:
    return {
        "hand": decision.hand - 1,
        "spot": decision.spot,
        "action": decision.action.word,
        "best": decision.best.word,
        "cost": decision.cost,
        "good": is_good(decision),
        "verdict": verdict_on(decision),
        "fresh": decision.fresh,
        "evs": [{"action": each.word, "ev": ev} for each, ev in sorted(decision.evs, key=lambda pair: -pair[1])],
    }


def _asked(call: Call) -> tuple[Drill, DrillKind, int]:
    rules = read_table(call.body)
    if rules.is_infinite:
        raise RulesError("an endless shoe cannot be counted; choose 1 to 8 decks")
    seed, number = _seed(call), call.body.whole("number", 0, _MOST_DEALS)
    kind = cast(DrillKind, call.body.choice("kind", KINDS))
    drill = _drill(call.body.choice("system", SYSTEMS, default="Hi-Lo"), rules, seed)
    if not drill.has(kind):
        raise SettingError("this count has no departures to ask for; choose Hi-Lo")
    return drill, kind, number


@lru_cache(maxsize=4)
def _drill(system: str, rules: Rules, seed: int) -> Drill:
    return Drill(system, rules, seed)


def _question_json(found: Question) -> dict[str, Any]:
    """What may be known before the answer."""
    if isinstance(found, CountQuestion):
        return {
            "running": signed(found.before.running),
            "left": found.before.left,
            "cards": [card_text(card) for card in found.cards],
            "choices": None,
        }
    known = {"running": signed(found.shoe.running), "left": found.shoe.left}
    if isinstance(found, BetQuestion):
        return {**known, "cards": [], "choices": None}
    return {**known, "cards": list(found.hand), "upcard": found.upcard, "choices": list(found.evs)}


_ROUND: Final = {"rules": "casino", "seed": 7}
_QUESTION: Final = {"rules": "casino", "seed": 7, "number": 0, "kind": "count", "system": "Hi-Lo"}
PAGE: Final = Page(
    name="play",
    title="Play",
    about="A table to sit at: every decision has its exact price.",
    endpoints=(
        Endpoint(name="deal", answer=deal, example={**_ROUND, "after": -1, "hands": "pairs"}),
        Endpoint(name="act", answer=act, example={**_ROUND, "deal": 2, "actions": ["stand"]}),
        Endpoint(name="leaks", answer=leaks),
        Endpoint(name="question", answer=question, example=_QUESTION),
        Endpoint(name="verdict", answer=verdict, example={**_QUESTION, "answer": "3"}),
    ),
)
