"""Play: a table to sit at, every bet and every decision priced; drills; your leaks in a file of your own.

Nothing is kept between calls but that file: what was done is sent again and dealt again, see `seat.py`. The hole card
is in no answer before the round is over.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, cast

from holecard.blackjack.arena.watched import WatchedTable
from holecard.blackjack.counting.strategy import CountingStrategy
from holecard.blackjack.counting.system import SYSTEMS
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.game import Game, View
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.session_terms import SessionTerms, session_seed
from holecard.blackjack.players.chart_agent import cell_of, spot_of
from holecard.blackjack.players.counter import counter_of
from holecard.cards import card_text
from holecard.errors import SettingError
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
from holecard.ui.studio.counters import counted
from holecard.ui.studio.page import Call, Endpoint, Page
from holecard.ui.studio.seat import DealtShoe, PlayedRound, action_of, dealt_fresh, seen_json, with_counts
from holecard.ui.studio.tables import presets, read_table, table_json

HANDS: Final = ("any", "pairs", "soft", "wrong")
"""What is dealt: any hand, pairs, soft hands, what you got wrong lately."""
_MOST_SEED: Final = 2**53 - 1
_MOST_DEALS: Final = 10**9
_MOST_ACTIONS: Final = 60
_MOST_ROUNDS: Final = 300
"""Rounds of a shoe."""
_TRIES: Final = 5000
"""Deals that are looked at for a hand."""
_LATELY: Final = 200
"""Decisions back that count as lately."""
_SHOWN: Final = 50
_FLASHED: Final = 8


def choices(call: Call) -> dict[str, Any]:
    """The well-known tables, and the counts."""
    return {"presets": presets(), "systems": list(SYSTEMS)}


def deal(call: Call) -> dict[str, Any]:
    """The next round after a deal, with a hand of the kind that is asked for."""
    rules = read_table(call.body)
    seed, after = _seed(call), call.body.whole("after", -1, _MOST_DEALS, default=-1)
    wanted = _wanted(call, rules, call.body.choice("hands", HANDS, default="any"))
    for number in range(after + 1, after + 1 + _TRIES):
        call.job.check()
        if wanted is None or wanted(_game(rules, seed, number)):
            table = dealt_fresh(rules, seed, number)
            told = _told(call, table, _place(call, rules, f"{seed} {number}"))
            return {**table_json(rules), "seed": seed, "deal": number, **told}
    raise SettingError(f"none of {_TRIES:,} deals had such a hand; choose another drill")


def act(call: Call) -> dict[str, Any]:
    """The round after the actions so far; the last decision goes to your file."""
    rules, seed = read_table(call.body), _seed(call)
    number = call.body.whole("deal", 0, _MOST_DEALS)
    words = call.body.texts("actions", most=_MOST_ACTIONS, longest=12)
    table = dealt_fresh(rules, seed, number, [action_of(word) for word in words])
    place = _place(call, rules, f"{seed} {number}")
    return {"seed": seed, "deal": number, **_told(call, table, place)}


def shoe(call: Call) -> dict[str, Any]:
    """A shoe that is dealt down, round by round: the last round as it stands, its bet judged, and the count."""
    rules, seed = counted(read_table(call.body)), _seed(call)
    sent = [PlayedRound.parse(text) for text in call.body.texts("rounds", most=_MOST_ROUNDS, longest=600)]
    drill = _drill(call.body.choice("system", SYSTEMS, default="Hi-Lo"), rules, 0)
    dealt = DealtShoe(drill, seed, sent)
    found = {**table_json(rules), "system": drill.counter.system.name, "shoe": dealt.json()}
    if dealt.bet is None:
        return {**found, "over": True, "sitting": play_log.sums(call.studio.runs, _sitting(call))}
    place = _place(call, drill.rules, f"{seed} {len(sent)}")
    if not sent[-1].actions:
        spot = f"{drill.counter.system.name}: bet at {dealt.bet.count:+d}"
        play_log.note(place, 0, spot, (f"{dealt.bet.units:g}", f"{dealt.bet.wanted:g}"), dealt.bet.cost)
    told = _told(call, dealt.table, place, dealt.bet.units)
    return {**found, **told, "counter": dealt.counter_plays}


def _told(call: Call, table: WatchedTable, place: play_log.Place, units: float = 1.0) -> dict[str, Any]:
    """What is seen of a round, and the sums of the sitting; the last decision and the end go to your file."""
    _, taken = table.current()
    if taken:
        last = taken[-1]
        play_log.note(place, len(taken), last.spot, (last.action.word, last.best.word), last.cost * units)
    if table.view is None:
        play_log.note_round(place, table.record().net)
    return {**seen_json(table), "sitting": play_log.sums(call.studio.runs, place.sitting)}


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
    """What an answer to a question of the counting drill is worth; it goes to your file."""
    drill, kind, number = _asked(call)
    text = call.body.text("answer", longest=30)
    found = drill.question(kind, number, _FLASHED)
    if isinstance(found, CountQuestion | BetQuestion):
        given = parse_number(text)
        if isinstance(found, BetQuestion) and given < 0:
            raise SettingError(f"a bet is 0 units or more; got {given:g}")
        judged, said = found.verdict(given), f"{given:g}"
    else:
        said = parse_play(text)
        judged = found.verdict(said)
    place = _place(call, drill.rules, f"{drill.seed} {kind} {number}")
    spot = f"{drill.counter.system.name}: {_spot_of_question(found)}"
    cost = 0.0 if judged.right else max(judged.price, 0.0)
    is_count = isinstance(found, CountQuestion)  # every count is another number: mistakes are one leak all the same
    choice = ("right" if judged.right else "wrong", "right") if is_count else (said, judged.expected)
    play_log.note(place, 1, spot, choice, cost)
    sums = play_log.sums(call.studio.runs, place.sitting)
    told = {"right": judged.right, "expected": judged.expected, "price": judged.price, "words": judged.words}
    return {**told, "sitting": sums}


def _spot_of_question(found: Question) -> str:
    if isinstance(found, CountQuestion):
        return f"the running count, {len(found.cards)} cards"
    if isinstance(found, BetQuestion):
        return f"bet at {found.shoe.count:+d}"
    return f"{','.join(found.hand)} against {found.upcard} at {found.shoe.count:+d}"


def _sitting(call: Call) -> int:
    return call.body.whole("sitting", 0, _MOST_SEED, default=0)


def _place(call: Call, rules: Rules, round: str) -> play_log.Place:
    return play_log.Place(runs=call.studio.runs, rules=str(rules), round=round, sitting=_sitting(call))


def _seed(call: Call) -> int:
    return call.body.whole("seed", 0, _MOST_SEED)


def _game(rules: Rules, seed: int, number: int) -> Game:
    game = SessionTerms(rules=rules, rounds=1, seed=session_seed(seed, number)).game(0)
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


def _asked(call: Call) -> tuple[Drill, DrillKind, int]:
    rules = counted(read_table(call.body))
    seed, number = _seed(call), call.body.whole("number", 0, _MOST_DEALS)
    kind = cast(DrillKind, call.body.choice("kind", KINDS))
    drill = _drill(call.body.choice("system", SYSTEMS, default="Hi-Lo"), rules, seed)
    if kind == "play" and not drill.has(kind):
        raise SettingError("this count has no departures to ask for; choose another")
    return drill, kind, number


def _drill(system: str, rules: Rules, seed: int) -> Drill:
    return Drill(_counter(system, with_counts(rules)), rules, seed)


@lru_cache(maxsize=8)
def _counter(system: str, rules: Rules) -> CountingStrategy:
    return counter_of(system, rules)


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
        Endpoint(name="choices", answer=choices, kept=True),
        Endpoint(name="deal", answer=deal, example={**_ROUND, "after": -1, "hands": "pairs"}),
        Endpoint(name="act", answer=act, example={**_ROUND, "deal": 2, "actions": ["stand"]}),
        Endpoint(name="shoe", answer=shoe, example={**_ROUND, "sitting": 1, "system": "KO", "rounds": ["2 stand"]}),
        Endpoint(name="leaks", answer=leaks),
        Endpoint(name="question", answer=question, slow=True, example=_QUESTION),
        Endpoint(name="verdict", answer=verdict, slow=True, example={**_QUESTION, "answer": "3"}),
    ),
)
