"""The exact solution of a game: the best play of every hand, its value, and how to ask for it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.exact.best_chart import best_chart
from holecard.blackjack.exact.chart_play import Play, play_of
from holecard.blackjack.exact.departures import Departure, departures
from holecard.blackjack.exact.hands import ACE, BUST, N_VALUES, TEN
from holecard.blackjack.exact.memory import ALWAYS, SPLIT_PLAYS, SplitMemory, solve_splits
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.outcomes import Outcomes, SplitLaw, outcomes_of
from holecard.blackjack.exact.perfect import PerfectSplits, perfect_splits, remembers_more
from holecard.blackjack.exact.perfect_law import law_of_splits
from holecard.blackjack.exact.play_value import split_probability, value_of_play
from holecard.blackjack.exact.returns import NOT_ALLOWED, TIE
from holecard.blackjack.exact.slots import all_slots
from holecard.blackjack.exact.split_net import net_coefficients
from holecard.blackjack.exact.split_play import SplitPlay
from holecard.blackjack.exact.walks import dealer_walks
from holecard.blackjack.exact.worth import evs_of_returns, insurance_net, overall_ev, unsplit_returns
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.hand import has_looked
from holecard.blackjack.game.rules import Rules, TableRules
from holecard.blackjack.game.shoe import VALUES, Composition
from holecard.blackjack.strategy.charts import chart_rows
from holecard.blackjack.strategy.strategy import Strategy
from holecard.errors import CardError, IllegalAction, RulesError

PLAINEST: Final = (Action.STAND, Action.HIT, Action.DOUBLE, Action.SPLIT, Action.SURRENDER)
"""Actions in the order in which ties are broken."""
_WORDS: Final = tuple(action.word for action in Action if action.letter)


class WorkedOut(Protocol):
    """What a solution was found from."""

    @property
    def odds(self) -> Odds:
        """The game."""

    @property
    def after_split(self) -> SplitPlay:
        """How split hands are played."""


class _Kept(NamedTuple):
    """The same, kept since the solve."""

    odds: Odds
    after_split: SplitPlay


@dataclass(frozen=True, kw_only=True, eq=False)
class Solution:
    """The best play of a game from a fresh shoe, composition-dependent: it may look at every card of the hand.

    EVs are per initial bet; `ev` is the whole game's. `ev_of` and `hands` are as the player faces them: once the dealer
    has looked, given that he has no natural; before that, and where he does not look, counting it. See `worth`.
    """

    worked_out: WorkedOut
    """What it was found from."""
    split_play: SplitMemory
    """What the player remembers after a split."""
    first_returns: NDArray[np.float64]
    """(o, 10, 5): what each `Action` returns on a first hand, see `Odds.first_returns`; splits included."""
    ev: float
    """Expected net result per initial bet."""
    seconds: float
    """How long the solve took, kernels loaded."""
    perfect: PerfectSplits | None = None
    """How splits are played with perfect memory; then `after_split` is the best play that looks at one hand only."""

    @property
    def odds(self) -> Odds:
        """The game's cards, its dealer and what unsplit hands can bring."""
        return self.worked_out.odds

    @property
    def after_split(self) -> SplitPlay:
        """How split hands are played."""
        return self.worked_out.after_split

    @property
    def rules(self) -> Rules:
        """The rules solved."""
        return self.odds.rules

    @property
    def house_edge(self) -> float:
        """What the house keeps of an initial bet on average: −ev."""
        return -self.ev

    @cached_property
    def play(self) -> Play:
        """The best play as shares of actions."""
        first = np.zeros_like(self.first_returns)
        plainest = self.first_returns[:, :, PLAINEST] >= self.first_returns.max(axis=2, keepdims=True) - TIE
        np.put_along_axis(first, np.array(PLAINEST)[plainest.argmax(axis=2)][:, :, None], 1.0, axis=2)
        first[self.first_returns.max(axis=2) == NOT_ALLOWED] = 0.0
        returns, standing = self.odds.returns, self.odds.standing
        hits = (returns.hit > returns.stand + TIE) & ~standing.ended[:, None]
        doubles = np.zeros_like(hits)
        if self.odds.table_rules.double_any_cards:
            best = np.where(hits, returns.hit, returns.stand)
            doubles = (returns.double > best + TIE) & standing.doubles[:, None]
        return Play(first, (hits & ~doubles).astype(np.float64), doubles.astype(np.float64), self.after_split)

    @cached_property
    def _chart(self) -> Strategy:
        coefficients = net_coefficients(self.odds, self.odds.stands, ALWAYS)
        return best_chart(self.odds, coefficients, self.play, self.first_returns)

    def strategy(self) -> Strategy:
        """The best total-dependent chart, as a strategy."""
        return self._chart

    @property
    def chart(self) -> Mapping[str, Mapping[str, str]]:
        """That chart as text: hard, soft and pair rows of ten letters, see `chart_rows`."""
        return chart_rows(self._chart)

    @cached_property
    def ev_total_dependent(self) -> float:
        """The EV of the best total-dependent chart."""
        return value_of_play(self.odds, play_of(self.odds, self._chart.cells)).ev

    def exceptions(self) -> list[Departure]:
        """Where this play departs from the chart, costliest first; each prints as a line."""
        return departures(self.odds, self.play, play_of(self.odds, self._chart.cells), self.first_returns)

    @cached_property
    def outcomes(self) -> Outcomes:
        """P(win), P(push), P(lose) by the sign of a round's net result, and its standard deviation."""
        if self.perfect is None:
            return outcomes_of(self.odds, self.play)
        law = law_of_splits(self.perfect, split_probability(self.odds, self.play) > 0.0)
        return outcomes_of(self.odds, self.play, SplitLaw(self.perfect.net, law))

    @property
    def stdev(self) -> float:
        """The standard deviation of a round's net result, in initial bets."""
        return self.outcomes.stdev

    @property
    def insurance_ev(self) -> float:
        """Expected net result per unit staked on insurance, with an ace up and nothing else known."""
        supply = self.odds.supply
        return float(3.0 * supply.counts[TEN] / (supply.size - supply.depletion) - 1.0)

    def ev_of(self, hand: str, upcard: str, action: str) -> float:
        """The EV of an action on a hand (`"T,6"`, `"A 2 4"`), then playing on as well as possible.

        A hand of one card is played on as if it had come by hitting, and makes no natural. Once the dealer has looked,
        given that he has no natural; else his natural is counted. A natural that is more than a 21 is `natural`.
        """
        cards, up = parse_hand(hand), parse_upcard(upcard)
        evs = self._evs(cards, up)
        if action not in evs:
            raise IllegalAction(f"cannot {action} {hand} against {upcard}; legal here: {', '.join(evs)}")
        return evs[action]

    def evs_of(self, hand: str, upcard: str) -> dict[str, float]:
        """The EVs of all legal actions on a hand, by name; see `ev_of`."""
        return self._evs(parse_hand(hand), parse_upcard(upcard))

    def dealer(self, upcard: str, hand: str = "") -> dict[str, float]:
        """Where the dealer ends against a hand, as the player faces it: once he has looked, given no natural.

        A 22 stands apart from `bust` where it pushes.
        """
        up = parse_upcard(upcard)
        number = self._number(parse_hand(hand), up) if hand else 0
        rules, in_play = self.odds.table_rules, self._in_play(number, up)
        bins = self.odds.dealer[number, up]
        natural = float(self.odds.returns.natural[number, up]) if rules.dealer_naturals else 0.0
        ends = {str(rules.target + at): float(chance) / in_play for at, chance in enumerate(bins)}
        ends["bust"] = (1.0 - natural - float(bins.sum())) / in_play
        if rules.dealer_naturals and not has_looked(up + 1, self._is_first(number), rules):
            ends["natural"] = natural
        return ends

    def frequency_of(self, hand: str, upcard: str) -> float:
        """How often a round brings these two cards against this upcard and is still in play when they decide."""
        cards, up = parse_hand(hand), parse_upcard(upcard)
        if len(cards) != 2:
            raise CardError(f"a first hand has two cards, such as T,6; got {hand!r}")
        number, first = self._number(cards, up), self.odds.first_hands
        return float(first.probability[first.hand == number, up].sum()) * self._in_play(number, up)

    def insurance_of(self, hand: str) -> float:
        """Expected net result per unit staked on insurance by who holds this hand against an ace."""
        number = self._number(parse_hand(hand), ACE)
        return 2.0 * insurance_net(float(self.odds.returns.natural[number, ACE]))

    def _is_first(self, number: int) -> bool:
        """True if a hand's decision is the round's first: it has two cards."""
        return bool(self.odds.hands.size[number] == 2)

    def _in_play(self, number: int, upcard: int) -> float:
        """P(the round is still in play when a hand decides)."""
        return float(self.odds.in_play[self._is_first(number)][number, upcard])

    @cached_property
    def hands(self) -> list[dict[str, Any]]:
        """Every first hand against every upcard: `{hand, upcard, ev{stand, hit, double, split, surrender}}`.

        An action that is not allowed is `None`. A natural's `stand` is that of an ordinary 21, its worth is `natural`.
        """
        return [
            {
                "hand": f"{VALUES[low]},{VALUES[high]}",
                "upcard": VALUES[up],
                "ev": dict.fromkeys(_WORDS) | self._evs((low, high), up),
            }
            for up in range(N_VALUES)
            for low in range(N_VALUES)
            for high in range(low, N_VALUES)
            if self.odds.hands.find((low, high)) != BUST and self._is_possible((low, high), up)
        ]

    def _is_possible(self, cards: tuple[int, ...], upcard: int) -> bool:
        held = np.bincount([*cards, upcard], minlength=N_VALUES)
        return bool(
            (self.odds.supply.counts >= (held > 0)).all()
            and (self.odds.supply.counts >= self.odds.supply.depletion * held).all()
        )

    def _number(self, cards: tuple[int, ...], upcard: int) -> int:
        if not cards:
            raise CardError("a hand has one card or more, such as T,6; got none")
        number = self.odds.hands.find(cards)
        if number == BUST:
            raise CardError(f"{_hand_text(cards)} is over {self.rules.limit}")
        if not self._is_possible(cards, upcard):
            raise CardError(f"the deck does not hold {_hand_text(cards)} and an upcard {VALUES[upcard]}")
        return number

    def _evs(self, cards: tuple[int, ...], upcard: int) -> dict[str, float]:
        number, odds = self._number(cards, upcard), self.odds
        in_play = self._in_play(number, upcard)
        if sorted(cards) == [ACE, TEN] and odds.table_rules.naturals:
            pushed = 1.0 - in_play  # a push with the dealer's natural is no part of what is left once he has none
            natural = float(self.first_returns[number, upcard, Action.STAND]) - pushed
            return evs_of_returns({"stand": float(odds.returns.stand[number, upcard]), "natural": natural}, in_play)
        returns = unsplit_returns(odds, self.first_returns, number, upcard)
        return evs_of_returns({action.word: returns[action] for action in PLAINEST if action in returns}, in_play)


def solve(rules: Rules, *, deck: Composition | None = None, split_play: SplitMemory = "zero-memory") -> Solution:
    """The exact solution of a game dealt from a full shoe, or from `deck`.

    >>> round(solve(Rules.preset("textbook")).ev, 9)
    -0.037542739
    """
    if split_play not in SPLIT_PLAYS:
        raise RulesError(f"split play is one of {', '.join(SPLIT_PLAYS)}; got {split_play!r}")
    is_perfect = split_play == "perfect" and remembers_more(rules)
    _load_kernels(split_play if is_perfect or split_play != "perfect" else "pair-aware")
    _lay_out(rules.table())
    start = time.perf_counter()
    odds = Odds.of(rules, deck)
    after_split, split_net = solve_splits(odds, split_play)
    perfect = perfect_splits(odds) if is_perfect else None
    if perfect:
        split_net = perfect.net
    first_returns = odds.with_splits(split_net)
    ev = overall_ev(odds, first_returns)
    seconds = time.perf_counter() - start
    return Solution(
        worked_out=_Kept(odds, after_split),
        split_play=split_play,
        first_returns=first_returns,
        ev=ev,
        seconds=seconds,
        perfect=perfect,
    )


SMALLEST: Final = Rules(decks=1, bj=None, limit=12, target=11, ace_bonus=1, peek=False, max_hands=2)
"""The smallest game there is."""


@cache
def _load_kernels(split_play: SplitMemory) -> None:
    """Run the kernels once on a small game, so that `seconds` is the solve and not their loading."""
    odds = Odds.of(SMALLEST)
    solve_splits(odds, split_play)
    if split_play == "perfect":
        law_of_splits(perfect_splits(odds), ALWAYS > 0.0)


def _lay_out(table: TableRules) -> None:
    """Have the hands there can be and the dealer's ways listed: they depend on no deck and are kept for all solves."""
    all_slots(table.limit, table.ace_bonus)
    dealer_walks(table)


def parse_hand(text: str) -> tuple[int, ...]:
    """The values of a hand, 0 = ace … 9 = ten, in rising order.

    >>> parse_hand("T,6"), parse_hand("A 10"), parse_hand("88")
    ((5, 9), (0, 9), (7, 7))
    """
    letters = text.upper().replace("10", "T").replace(",", " ").replace(" ", "")
    values = []
    for letter in letters:
        name = "10" if letter in "TJQK" else letter
        if name not in VALUES:
            raise CardError(f"unknown card {letter!r} in hand {text!r}; cards are A 2 … 9 T")
        values.append(VALUES.index(name))
    return tuple(sorted(values))


def parse_upcard(text: str) -> int:
    """The value of an upcard, 0 = ace … 9 = ten."""
    cards = parse_hand(text)
    if len(cards) != 1:
        raise CardError(f"an upcard is one card, A 2 … 9 or 10; got {text!r}")
    return cards[0]


def _hand_text(cards: tuple[int, ...]) -> str:
    return ",".join(VALUES[card] for card in cards)
