"""A duel watched hand by hand: two players play a session from its seed, and one hand of it is told whole."""

from __future__ import annotations

from typing import Any, Final

from holecard.cards import cards_text
from holecard.holdem.game.actions import Acted
from holecard.holdem.game.hand import HandState, deal_cards
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.players.presets import PRESETS, preset_named
from holecard.holdem.players.protocol import Player
from holecard.holdem.players.rule_players import RULE_PLAYERS, RulePlayer
from holecard.holdem.players.seated import seated
from holecard.ui.studio.page import Call

PLAYERS: Final = (
    *(f"champion:{name}" for name in PRESETS),
    *RULE_PLAYERS,
    *(f"best:{player.title}" for player in RulePlayer if player.wants_equity),
)
"""Who can be watched: best responses too, where their play is computed at the table and nothing beforehand."""
MOST_HANDS: Final = 200
"""Hands of a session: all before the one that is shown are played too, because players remember."""


def duel_hand(call: Call) -> dict[str, Any]:
    """Hand `hand` of a session of two players: cards, events, and why each did what it did."""
    body = call.body
    names = [body.choice(seat, PLAYERS) for seat in ("first", "second")]
    rules = preset_named(body.choice("preset", PRESETS)).rules
    seed, wanted = body.whole("seed", 0, 2**32 - 1), body.whole("hand", 1, MOST_HANDS)
    players = [seated(name, seed=seed + at, buy_in=rules.stack) for at, name in enumerate(names)]
    stacks = (rules.stack, rules.stack)
    for number in range(wanted):
        call.job.check()
        start = stacks
        hand, decisions = _play(rules, players, stacks, number, seed)
        stacks = hand.stacks if rules.carried else stacks
        if 0 in stacks:
            break
    return {
        "players": names,
        "choices": list(PLAYERS),
        "presets": list(PRESETS),
        "hand": number + 1,
        "is_last": 0 in stacks or number + 1 == MOST_HANDS,
        "button": hand.button,
        "start": list(start),
        "holes": [_cards(hand.hole(seat)) for seat in (0, 1)],
        "board": _cards(hand.board),
        "events": [
            {"text": str(event).replace("seat 0", names[0]).replace("seat 1", names[1])}
            | (decisions.pop(0) if isinstance(event, Acted) else {})
            for event in hand.events
        ],
        "payoffs": list(hand.payoffs),
    }


def _play(
    rules: HoldemRules, players: list[Player], stacks: tuple[int, int], number: int, seed: int
) -> tuple[HandState, list[dict[str, Any]]]:
    """One hand, and what each decision was made from."""
    hand = HandState(rules, button=number & 1, stacks=stacks, cards=deal_cards(seed, number))
    decisions = []
    while (seat := hand.actor) is not None:
        pot, legal = hand.pot, str(hand.legal_actions())
        action = players[seat].act(hand.view(seat), number)
        decisions.append({"seat": seat, "pot": pot, "legal": legal, "why": players[seat].last_reason})
        hand.apply(action)
    return hand, decisions


def _cards(cards: tuple[int, ...]) -> list[str]:
    return [cards_text([card]) for card in cards]
