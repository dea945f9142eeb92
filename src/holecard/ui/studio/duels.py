"""A duel watched hand by hand: two players play a session from its seed, and one hand of it is told whole."""

from __future__ import annotations

from typing import Any, Final

from holecard.cards import cards_text
from holecard.holdem.arena.sitting import Decision, Sitting
from holecard.holdem.game.actions import Acted
from holecard.holdem.players.presets import PRESETS, preset_named
from holecard.ui.studio.holdem_players import read_player, take_seat
from holecard.ui.studio.judged import memory_json, thought_json, verdicts
from holecard.ui.studio.page import Call

MOST_HANDS: Final = 200
"""Hands of a session: all before the one that is shown are played too, because players remember."""


def duel_hand(call: Call) -> dict[str, Any]:
    """Hand `hand` of a session of two players: cards, events, and why each did what it did."""
    sitting, names = _played(call)
    hand, decisions = sitting.hand, iter(sitting.decisions)
    return {
        "players": names,
        "hand": sitting.number + 1,
        "is_last": sitting.is_last or sitting.number + 1 == MOST_HANDS,
        "button": hand.button,
        "start": list(sitting.start),
        "holes": [cards_json(hand.hole(seat)) for seat in (0, 1)],
        "board": cards_json(hand.board),
        "events": [
            {"text": event_text(event, names)} | (_decision_json(next(decisions)) if isinstance(event, Acted) else {})
            for event in hand.events
        ],
        "payoffs": list(hand.payoffs),
        "memory": [memory_json(thoughts) for thoughts in sitting.thoughts],
    }


def duel_costs(call: Call) -> dict[str, Any]:
    """What the best response would have done at every decision of that hand, where it is known."""
    sitting, names = _played(call)
    return verdicts(sitting, names, (0, 1), call.job)


def _played(call: Call) -> tuple[Sitting, list[str]]:
    """The session of two players up to a hand, and their names."""
    body = call.body
    names = [read_player(call, seat) for seat in ("first", "second")]
    rules = preset_named(body.choice("preset", PRESETS)).rules
    seed, wanted = body.whole("seed", 0, 2**32 - 1), body.whole("hand", 1, MOST_HANDS)
    first, second = (take_seat(call, name, seed=seed + at, buy_in=rules.stack) for at, name in enumerate(names))
    sitting = Sitting(rules, (first, second), seed)
    while sitting.number + 1 < wanted and not sitting.is_last:
        call.job.check()
        sitting.next_hand()
    return sitting, names


def _decision_json(decision: Decision) -> dict[str, Any]:
    return {
        "seat": decision.seat,
        "pot": decision.pot,
        "legal": str(decision.legal),
        "why": decision.why,
        "thought": thought_json(decision),
    }


def event_text(event: object, names: list[str]) -> str:
    """An event in words, with names for seats."""
    return str(event).replace("seat 0", names[0]).replace("seat 1", names[1])


def cards_json(cards: tuple[int, ...]) -> list[str]:
    """Cards as the page draws them."""
    return [cards_text([card]) for card in cards]
