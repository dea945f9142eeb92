"""A seat at a table: a round dealt again from what was done in it, and what every bet and every decision was worth.

Nothing is kept between calls. A round from a fresh shoe is rules, a seed, the number of the deal and the actions taken.
A round from a shoe that is dealt down also has every round before it, each with its bet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from holecard.blackjack.arena.watched import Decision, WatchedTable
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.game import View
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.session_terms import SessionTerms, session_seed
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.game.table_view import TableView
from holecard.blackjack.players.counter import CounterAgent
from holecard.cards import card_text
from holecard.errors import CardError, IllegalAction, SettingError
from holecard.ui.session.action_bar import is_good, verdict_on
from holecard.ui.session.drill import Drill, Shoe, parse_number, signed

MOST_UNITS: Final = 100
"""A bet at a dealt shoe, at most."""
KEYS: Final = {Action.INSURE: "I", Action.DECLINE: "N"}
"""The keys of actions that have no letter, as in the window."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedRound:
    """A round as a page sends it: `4 hit stand`, the units that were bet and the actions taken."""

    units: float
    actions: tuple[Action, ...] = ()

    @classmethod
    def parse(cls, text: str) -> PlayedRound:
        """Read one.

        >>> PlayedRound.parse("4 hit stand").units
        4.0
        """
        bet, *words = text.split() or [""]
        units = parse_number(bet)
        if not 0 <= units <= MOST_UNITS:
            raise SettingError(f"a bet is 0 to {MOST_UNITS} units; got {units:g}")
        return cls(units=units, actions=tuple(map(action_of, words)))


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedBet:
    """What a bet was worth, judged by the cards that were left before the deal."""

    units: float
    wanted: float
    """What the counter bets."""
    count: int
    cost: float
    """What the bet gives away against the counter's, in units; 0 where this shoe happens to favour it."""
    words: str


class DealtShoe:
    """A shoe that is dealt down, replayed to the round in play; a counter looks on."""

    def __init__(self, drill: Drill, seed: int, rounds: Sequence[PlayedRound]) -> None:
        self.drill, self.rounds = drill, rounds
        self.counter = CounterAgent(drill.counter, drill.rules)
        self.table = WatchedTable(SessionTerms(rules=drill.rules, seed=seed), "you")
        self.bet: CountedBet | None = None
        """The bet of the round in play, or of the last one."""
        self.counter_plays: list[str] = []
        """What the counter would have done at each decision of that round."""
        for each in rounds[:-1]:
            self.table.replay(each.actions, each.units)
            if self.is_shuffled:
                raise IllegalAction("the cut card is out: the next round comes from another shoe")
        if rounds:
            self._play(rounds[-1])

    def _play(self, last: PlayedRound) -> None:
        self.bet = self._judged(self.table.table_view(), last.units)
        self.table.deal(last.units)
        for action in last.actions:
            self.counter_plays.append(self.counter.act(due(self.table)).word)
            decide(self.table, action)

    def _judged(self, before: TableView, units: float) -> CountedBet:
        shoe = self.shoe(before)
        try:
            verdict = self.drill.bet_verdict(shoe, units)
        except CardError:
            words = "too few cards are left to say what the round is worth"
            return CountedBet(units=units, wanted=self.drill.bet(shoe.count), count=shoe.count, cost=0.0, words=words)
        wanted, cost = self.drill.bet(shoe.count), max(verdict.price, 0.0)
        return CountedBet(units=units, wanted=wanted, count=shoe.count, cost=cost, words=verdict.words)

    def shoe(self, seen: TableView | View) -> Shoe:
        """The shoe as the counter has it, at the table or between rounds."""
        running, count = self.counter.count(seen.seen, seen.cards_left)
        whole = Composition.of_rules(self.drill.rules).ranks
        left = tuple(int(cards) - int(gone) for cards, gone in zip(whole, seen.seen.reshape(13, 4).sum(1), strict=True))
        return Shoe(running=running, left=seen.cards_left, count=count, composition=Composition(left))

    @property
    def is_shuffled(self) -> bool:
        """True if the next round comes from another shoe."""
        return self.table.view is None and not self.table.table_view().seen.any()

    def json(self) -> dict[str, Any]:
        """The count, the cards left, and the bet of the round in play as it was judged."""
        now = self.shoe(self.table.view or self.table.table_view())
        found: dict[str, Any] = {
            "running": signed(now.running),
            "count": f"{now.count:+d}",
            "left": now.left,
            "shuffled": bool(self.rounds) and self.is_shuffled,
            "bet": None,
        }
        if self.bet is not None:
            found["bet"] = {
                "units": self.bet.units,
                "right": self.bet.cost == 0.0,
                "words": self.bet.words,
                "cost": self.bet.cost,
            }
        return found


def dealt_fresh(rules: Rules, seed: int, number: int, actions: Sequence[Action] = ()) -> WatchedTable:
    """A round from a fresh shoe, after some actions."""
    table = WatchedTable(SessionTerms(rules=rules, rounds=1, seed=session_seed(seed, number)), "you")
    table.deal()
    for action in actions:
        decide(table, action)
    return table


def action_of(word: str) -> Action:
    """An action by its word."""
    try:
        return Action.parse(word)
    except KeyError:
        raise IllegalAction(f"no action is called {word[:20]!r}") from None


def due(table: WatchedTable) -> View:
    """What is seen at the decision that is due."""
    if table.view is None:
        raise IllegalAction("the round is over; deal the next one")
    return table.view


def decide(table: WatchedTable, action: Action) -> None:
    """Carry out a decision, if it is legal."""
    view = due(table)
    if not view.legal_bits >> action & 1:
        raise IllegalAction(f"{action.word} is not legal here; legal: {', '.join(each.word for each in view.legal)}")
    table.decide(action)


def seen_json(table: WatchedTable) -> dict[str, Any]:
    """What lies on the table, and the decisions taken with their prices; the hole card only once the round is over."""
    _, taken = table.current()
    view = table.view
    found: dict[str, Any] = {
        "actions": [each.action.word for each in taken],
        "decisions": [_decision_json(each) for each in taken],
    }
    if view is None:
        return {**found, "over": True, "legal": [], "to_act": None, **_ended(table)}
    return {
        **found,
        "over": False,
        "spot": table.spot(),
        "to_act": view.hand - 1,
        "hands": [{"cards": [card_text(card) for card in cards]} for cards in view.hands],
        "dealer": [card_text(view.upcard_card)],
        "legal": [{"word": each.word, "label": each.label, "key": each.letter or KEYS[each]} for each in view.legal],
    }


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


def with_counts(rules: Rules) -> Rules:
    """The rules of a table whose shoe is dealt down."""
    return replace(rules, shoe="dealt")
