"""A sitting: two seats, hand after hand from a seed; players act by themselves, a person is waited for.

The terminal, the studio and duels that are watched sit here. A sitting is its rules, its players, its seed and the
person's actions: the same again give the same hands, and players remember what they remembered.
"""

from __future__ import annotations

from dataclasses import dataclass

from holecard.errors import IllegalAction
from holecard.estimate import Estimate
from holecard.holdem.game.actions import Action, LegalActions
from holecard.holdem.game.hand import HandState, deal_cards
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.players.protocol import Player
from holecard.holdem.players.seated import Thought, thought_of

Seats = tuple[Player | None, Player | None]
"""Who sits where; None is a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """An action that was taken at a sitting."""

    seat: int
    """Who took it."""
    action: Action
    """What it was."""
    pot: int
    """Chips in the pot before it."""
    legal: LegalActions
    """What was allowed."""
    why: str = ""
    """What a player said of it; empty for a person."""
    thought: Thought | None = None
    """What a network answered, and where its memory stood then; None for others."""


class Sitting:
    """Hands in a row; the button moves, and stacks are carried where the rules say so."""

    def __init__(self, rules: HoldemRules, seats: Seats, seed: int) -> None:
        """Deal the first hand and let players act until a person is to, or the hand is over."""
        self.rules, self.seats, self.seed = rules, seats, seed
        self.number = -1
        """The hand's number, from 0."""
        self.start = (rules.stack, rules.stack)
        """Stacks before this hand."""
        self.results: list[int] = []
        """What seat 0 won in each finished hand, in chips."""
        self.decisions: list[Decision] = []
        """Those of this hand."""
        self.thoughts: tuple[list[Thought | None], list[Thought | None]] = ([], [])
        """By seat, a network's last thought in each finished hand; None where it did not decide."""
        self._deal()

    @property
    def is_last(self) -> bool:
        """True if no hand follows this one: it is the last of the rules', or over and somebody has no chip left."""
        return self.number + 1 == self.rules.hands or (self.hand.is_over and 0 in self._carried())

    @property
    def earned(self) -> Estimate:
        """What seat 0 won so far, in thousandths of a big blind a hand."""
        won = [1000 * result / self.rules.big_blind for result in self.results]
        return Estimate.from_sums(sum(won), sum(each * each for each in won), len(won))

    def act(self, action: Action) -> None:
        """The person's action, and what the players answer; an illegal one is refused and changes nothing."""
        self._apply(action, None)
        self._go_on()

    def next_hand(self) -> None:
        """Deal the next hand, once this one is over."""
        if not self.hand.is_over:
            raise IllegalAction(f"hand {self.number + 1} is not over; legal here: {self.hand.legal_actions()}")
        if self.is_last:
            raise IllegalAction(f"hand {self.number + 1} was the last one of this sitting")
        self.start = self._carried()
        self._deal()

    def replayed(self, decisions: int) -> HandState:
        """This hand as it stood after so many decisions."""
        hand = self._new_hand()
        for decision in self.decisions[:decisions]:
            hand.apply(decision.action)
        return hand

    def _carried(self) -> tuple[int, int]:
        return self.hand.stacks if self.rules.carried else (self.rules.stack, self.rules.stack)

    def _deal(self) -> None:
        self.number += 1
        self.decisions = []
        self.hand = self._new_hand()
        self._go_on()

    def _new_hand(self) -> HandState:
        cards = deal_cards(self.seed, self.number)
        return HandState(self.rules, button=self.number & 1, stacks=self.start, cards=cards)

    def _go_on(self) -> None:
        """Let players act until a person is to, or the hand is over."""
        while (seat := self.hand.actor) is not None:
            player = self.seats[seat]
            if player is None:
                return
            self._apply(player.act(self.hand.view(seat), self.number), player)
        self.results.append(self.hand.payoffs[0])
        for seat, thoughts in enumerate(self.thoughts):
            mine = [each.thought for each in self.decisions if each.seat == seat]
            thoughts.append(mine[-1] if mine else None)

    def _apply(self, action: Action, player: Player | None) -> None:
        legal, pot, seat = self.hand.legal_actions(), self.hand.pot, self.hand.actor
        assert seat is not None, "somebody is to act"
        self.hand.apply(action)
        self.decisions.append(
            Decision(
                seat=seat,
                action=action,
                pot=pot,
                legal=legal,
                why="" if player is None else player.last_reason,
                thought=None if player is None else thought_of(player),
            )
        )
