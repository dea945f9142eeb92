"""The readable face of the engine: a table you deal at, look at and act on, decision by decision.

>>> game = Game(Rules.preset("casino"), seed=3)
>>> view = game.deal()
>>> while view:
...     view = game.apply(Action.STAND if view.total >= 17 else Action.HIT)
>>> game.net
-1.0
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.game.actions import Action, words_of
from holecard.blackjack.game.concealed import CODES, PILES, conceal
from holecard.blackjack.game.dealing import begin_shoe, fill, stack
from holecard.blackjack.game.events import Event, narrate
from holecard.blackjack.game.hand import CHARLIE, STOOD, SURRENDERED
from holecard.blackjack.game.records import HandRecord, RoundRecord, SessionResult
from holecard.blackjack.game.round import DEALER, NOBODY, ROUND, UNLIMITED, hand_result
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition, check_deck, with_deck
from holecard.blackjack.game.stepping import Seen, deal_one, order_of, step_one, table_record
from holecard.blackjack.game.table_view import TableView, cards_out, checked_bets
from holecard.errors import CardError, HolecardError, IllegalAction

_ACTIONS: Final = len(Action)
_ALL_IN: Final = 1 - 1e-12
"""The share of a bet that must be there: all the money, as a number of base bets, may be a rounding above it."""
_LEGAL: Final = tuple(tuple(action for action in Action if bits >> action & 1) for bits in range(1 << len(Action)))
_NUMBER_WORDS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


Bettor: TypeAlias = Callable[[TableView], float]
"""Says between rounds how many base bets to make on the next."""


class View(NamedTuple):
    """What a player sees at a decision, and nothing hidden. Lists of cards are read from the table when asked for,
    so a view speaks of the table only until the next action."""

    hand: int
    """Which hand is to act, 1 to 4."""
    legal_bits: int
    """The legal actions, bits `1 << Action`."""
    total: int
    hard: int
    """The total with every ace counted 1."""
    n_cards: int
    soft: bool
    has_ace: bool
    is_pair: bool
    upcard: int
    """The dealer's card by value, 1 (ace) to 10."""
    n_hands: int
    decisions: int
    """Decisions taken in this round so far."""
    table: Game

    @property
    def legal(self) -> tuple[Action, ...]:
        """The legal actions."""
        return _LEGAL[self.legal_bits]

    @property
    def cards(self) -> tuple[int, ...]:
        """The cards of the hand to act."""
        return self.table.hand(self.hand)

    @property
    def hands(self) -> tuple[tuple[int, ...], ...]:
        """The cards of all the player's hands."""
        return tuple(self.table.hand(index) for index in range(1, self.n_hands + 1))

    @property
    def upcard_card(self) -> int:
        """The dealer's face-up card, with its suit."""
        return self.table.upcard

    @property
    def seen(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """How many of each of the 52 cards have been seen since the shuffle, int64 of shape (52,)."""
        return self.table.seen()

    @property
    def cards_left(self) -> int:
        """Cards not yet seen in the shoe, the hole card among them."""
        return self.table.cards_left

    def concealed(self) -> tuple[NDArray[np.void], int]:
        """The round with everything hidden taken out, for players that think ahead; see `Game.concealed`."""
        return self.table.concealed()

    @property
    def bankroll(self) -> float:
        """Money behind, this round's bets not counted; infinite where there is no limit."""
        return self.table.bankroll

    @property
    def bet(self) -> float:
        """The base bet."""
        return self.table.bet

    @property
    def bets(self) -> float:
        """Base bets on this round's first hand."""
        return self.table.bets

    @property
    def round_number(self) -> int:
        """Rounds dealt at this table, this one among them."""
        return self.table.rounds


class Game:
    """A table with a dealer, a shoe and one player.

    The same seed deals the same rounds as `simulate` plays: by round with a fresh shoe, by shoe with a dealt one.
    """

    def __init__(
        self,
        rules: Rules | None = None,
        seed: int = 0,
        *,
        deck: Composition | None = None,
        bankroll: float = math.inf,
        bet: float = 1.0,
    ) -> None:
        self.rules = with_deck(rules or Rules(), deck)
        self.seed = seed
        self.bankroll, self.bet, self.rounds, self.net = bankroll, bet, 0, 0.0
        self.bets = 1.0
        """Base bets on the round in play, or on the last one."""
        if not 0 < bet < math.inf:
            raise HolecardError(f"bet must be above 0; got {bet:g}")
        deck = Composition.of_rules(self.rules)
        check_deck(deck, self.rules)
        table = table_record(self.rules)
        self._memory = table.view(np.uint8)
        self._state, self._before, self._record, self._place = (
            table[name] for name in ("round", "before", "rules", "place")
        )
        self._place["shoe"] = self._place["round"] = -1
        self._packs = np.bincount(deck.cards(), minlength=CODES).astype(np.int64)
        self._concealed, self._piles = np.zeros(1, ROUND), np.zeros((PILES, CODES), np.int64)
        fill(self._state[0]["shoe"], deck, dealt=self.rules.shoe == "dealt")
        self._state["shoe"]["out"] = deck.size
        self._order = order_of(self.rules, deck, seed)
        table["order"] = self._order
        self._nets = self._state["net"]  # a view into the record
        self._actions: list[Action] = []
        self._view: View | None = None
        self._purse = UNLIMITED
        self._unit = self.rules.unit
        self._stacked = False

    def stack(self, cards: Sequence[int]) -> None:
        """Deal exactly these cards from now on: player, upcard, player, hole card, then as they are drawn."""
        stack(self._state[0]["shoe"], cards)
        self._stacked = True
        self._record["infinite"] = False

    def deal(self, bets: float = 1.0) -> View | None:
        """Deal the next round for so many base bets; the first decision, or None if naturals have ended it already.

        A round for no bet is played like any other and wins nothing.
        """
        if self._view is not None:
            raise IllegalAction(f"the round is not over; legal here: {words_of(self._view.legal_bits)}")
        stake = self.bet if bets == 1.0 else checked_bets(bets) * self.bet
        if self.bankroll < stake * _ALL_IN:
            raise HolecardError(
                f"the bankroll of {self.bankroll:g} does not pay a bet of {stake:g}; the session is over"
            )
        if self.bankroll != math.inf:
            self._purse = int((self.bankroll - stake) / stake * self._unit) if stake else UNLIMITED
        self.bets = float(bets)
        self._actions = []
        self.rounds += 1
        return self._see(deal_one(self._memory, self._purse))

    def table_view(self) -> TableView:
        """What the player sees between rounds, before he bets."""
        if self._view is not None:
            raise IllegalAction("the round is not over; bets are made between rounds")
        seen = self.seen() if self._stacked and self.rounds else cards_out(self._state, self._order)[0]
        return TableView(
            rules=self.rules,
            seen=seen,
            cards_left=int(self._state[0]["shoe"]["size"]) - int(seen.sum()),
            bankroll=self.bankroll,
            bet=self.bet,
            round_number=self.rounds + 1,
        )

    @property
    def view(self) -> View | None:
        """What the player sees now; None between rounds."""
        return self._view

    @property
    def purse(self) -> int:
        """Chips behind the bet when this round was dealt, `rules.unit` to a base bet."""
        return self._purse

    def apply(self, action: Action) -> View | None:
        """Carry out an action; the next decision, or None when the round is over."""
        view = self._view
        if view is None or not 0 <= action < _ACTIONS or not view.legal_bits >> action & 1:
            raise IllegalAction(self._refusal(action))
        self._actions.append(action)
        return self._see(step_one(self._memory, int(action)))

    def play(self, choose: Callable[[View], Action], bet: Bettor | None = None) -> float:
        """Play a whole round by a function from view to action; the money won or lost.

        `bet` says before the deal how many base bets to make; what the bankroll does not pay is left out.
        """
        view = self.deal() if bet is None else self.deal(min(checked_bets(bet(self.table_view())), self._most_bets))
        while view is not None:
            view = self.apply(choose(view))
        return self.net

    @property
    def _most_bets(self) -> float:
        return self.bankroll / self.bet

    def play_session(
        self, choose: Callable[[View], Action], rounds: int, *, bet: Bettor | None = None, keep: bool = False
    ) -> SessionResult:
        """Play up to `rounds` rounds while the bankroll pays the base bet; `keep` keeps every `RoundRecord`."""
        nets: list[float] = []
        records: list[RoundRecord] = []
        decisions, staked = 0, 0.0
        while len(nets) < rounds and self.bankroll >= self.bet:
            nets.append(self.play(choose, bet))
            decisions += len(self._actions)
            staked += self.bets
            if keep:
                records.append(self.record())
        wins, losses = sum(net > 0 for net in nets), sum(net < 0 for net in nets)
        return SessionResult(
            rounds=len(nets),
            wins=wins,
            pushes=len(nets) - wins - losses,
            losses=losses,
            net=math.fsum(nets),
            staked=staked * self.bet,
            bankroll=self.bankroll,
            decisions=decisions,
            records=tuple(records),
        )

    def _see(self, seen: Seen) -> View | None:
        if seen[0] != NOBODY:
            self._view = tuple.__new__(View, (*seen, self))
            return self._view
        self._view = None
        if self._stacked and self._state[0]["shoe"]["next"] > self._state[0]["shoe"]["size"]:
            raise CardError("the stacked shoe ran out of cards in this round; stack more")
        self.net = self._nets.item() / self._unit * self.bets * self.bet
        self.bankroll += self.net
        return None

    def hand(self, index: int) -> tuple[int, ...]:
        """The cards of one of the player's hands, 1 to 4."""
        hand = self._state[0]["hands"][index]
        return tuple(hand["cards"][: hand["n_cards"]].tolist())

    @property
    def upcard(self) -> int:
        """The dealer's face-up card."""
        return int(self._state[0]["hands"][DEALER]["cards"][0])

    def seen(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """How many of each of the 52 cards lie open or have been discarded since the shuffle, int64 of shape (52,)."""
        shoe = self._state[0]["shoe"]
        size = int(shoe["size"])
        if self.rules.is_infinite or self._stacked:
            hands = self._state[0]["hands"][1 : self._state[0]["n_hands"] + 1]
            counts = np.bincount(
                [self.upcard, *(card for hand in hands for card in hand["cards"][: hand["n_cards"]])], minlength=52
            )
            return counts.astype(np.int64)
        out = shoe["cards"][:size][shoe["stamps"][:size] >= shoe["since"]]
        counts = np.bincount(out, minlength=52).astype(np.int64)
        if self._view is not None:
            counts[self._state[0]["hands"][DEALER]["cards"][1]] -= 1
        return counts

    def concealed(self) -> tuple[NDArray[np.void], int]:
        """The round as the player may know it, a one-element ROUND array, and how many cards may be the hole card.

        See `blackjack.concealed`. The record is written anew at every call: copy it to keep it.
        """
        possible = conceal(self._state, self._packs, self._piles, self._concealed, self._record)
        return self._concealed, possible

    @property
    def cards_left(self) -> int:
        """Cards nobody has seen, the hole card among them."""
        return int(self._state[0]["shoe"]["size"]) - int(self.seen().sum())

    def record(self) -> RoundRecord:
        """The finished round."""
        if self._view is not None or not self.rounds:
            raise HolecardError("no round is finished yet; deal and play one first")
        round, table, stake = self._state[0], self.rules.table(), self.bets * self.bet
        hands = []
        for index in range(1, int(round["n_hands"]) + 1):
            net = float(hand_result(round, index, table)) / table.unit * stake
            bet = int(round["hands"][index]["bet"]) / table.unit * stake
            hands.append(HandRecord(cards=self.hand(index), bet=bet, result=self._result_word(index), net=net))
        dealer = round["hands"][DEALER]
        return RoundRecord(
            number=self.rounds,
            bet=stake,
            hands=tuple(hands),
            dealer=tuple(dealer["cards"][: dealer["n_cards"]].tolist()),
            actions=tuple(self._actions),
            insured=bool(round["insured"]),
            net=self.net,
            bankroll=self.bankroll,
        )

    def events(self) -> tuple[Event, ...]:
        """The events of this round so far; of a finished round they replay to the same record."""
        if not self.rounds:
            return ()
        before, key = self._before.copy(), int(self._state[0]["shoe"]["key"])
        if self._place[0]["round"] == 1 and not self._stacked:  # the shuffle came with this deal
            begin_shoe(before[0]["shoe"])
        return tuple(narrate(before, key, self._purse, self._actions, self.rules))

    def _result_word(self, index: int) -> str:
        hand, naturals = self._state[0]["hands"][index], self.rules.bj is not None
        if (
            naturals
            and self._state[0]["n_hands"] == 1
            and hand["n_cards"] == 2
            and hand["has_ace"]
            and hand["hard"] == 11
        ):
            return "natural"
        words = {STOOD: "stood", CHARLIE: "charlie", SURRENDERED: "surrendered"}
        over = hand["total"] > self.rules.limit
        return words.get(int(hand["status"]), "bust" if over else "unplayed")

    def _refusal(self, action: Action) -> str:
        if self._view is None:
            return "no decision is due; deal a round first"
        view, name = self._view, Action(action).word if 0 <= action < len(Action) else f"do {action}"
        kind = "soft " if view.soft else ""
        cards = _NUMBER_WORDS[view.n_cards] if view.n_cards < len(_NUMBER_WORDS) else str(view.n_cards)
        return f"cannot {name} {kind}{view.total} on {cards} cards; legal here: {words_of(view.legal_bits)}"
