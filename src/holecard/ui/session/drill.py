"""A counter's drill: questions about the count, the bet and the play, and what a wrong answer costs, exactly.

Nothing here draws or waits: a terminal, a window and a page ask the same questions. Question i of a seed is the same
question wherever it is asked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.counting.kernels import row_of_count
from holecard.blackjack.counting.shoes import counting_of, plays_by_count
from holecard.blackjack.counting.strategy import LOWEST, CountingStrategy, Departure
from holecard.blackjack.exact import solve
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import VALUES, Composition, cut_card
from holecard.blackjack.players.counter import counter_of
from holecard.blackjack.strategy.cell import Kind
from holecard.blackjack.strategy.letters import Letter
from holecard.cards import ACE_RANK
from holecard.errors import SettingError
from holecard.seeds import stream

DrillKind: TypeAlias = Literal["count", "bet", "play"]
KINDS: Final[tuple[DrillKind, ...]] = ("count", "bet", "play")
_MOST: Final = 10_000
"""No answer is larger."""
_WORDS: Final = {"h": "hit", "s": "stand", "d": "double", "p": "split", "u": "surrender", "r": "surrender"}
_TRIES: Final = 200
"""Shoes that are looked at for a count near an index."""
_NEAR: Final = 2
"""Counts that are near."""
_FIRST_CHOICE: Final = {
    Letter.DOUBLE_ELSE_HIT: ("double", "hit"),
    Letter.DOUBLE_ELSE_STAND: ("double", "stand"),
    Letter.SURRENDER_ELSE_HIT: ("surrender", "hit"),
    Letter.SURRENDER_ELSE_STAND: ("surrender", "stand"),
    Letter.SPLIT: ("split", "hit"),
    Letter.HIT: ("hit", "hit"),
    Letter.STAND: ("stand", "stand"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillVerdict:
    """What became of an answer."""

    right: bool
    expected: str
    """The right answer."""
    price: float
    """What the answer gives away against the right one in the round that follows, in units, exactly; below 0 where
    this shoe happens to favour it."""
    words: str
    """Why, in a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shoe:
    """A shoe at some depth, as a counter knows it."""

    running: Fraction
    """The running count."""
    left: int
    """Cards not seen."""
    count: int
    """The count that is bet and played by."""
    composition: Composition
    """The cards that are left, which a counter does not know."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountQuestion:
    """Cards flash by: what is the running count?"""

    before: Shoe
    """What is known before the first card."""
    cards: tuple[int, ...]
    """The cards, in order."""
    after: Shoe
    """The answer."""
    drill: Drill

    def verdict(self, running: float) -> DrillVerdict:
        """Judge a running count; a wrong one costs what the bet that follows from it costs."""
        right = running == self.after.running
        believed = self.drill.used(Fraction(running).limit_denominator(100), self.after.left)
        verdict = self.drill.bet_verdict(self.after, self.drill.bet(believed))
        words = f"the running count is {signed(self.after.running)}, the count to bet by {self.after.count:+d}"
        if not right:
            words += f"; yours makes {believed:+d}. {verdict.words}"
        return replace(verdict, right=right, expected=signed(self.after.running), words=words)


@dataclass(frozen=True, slots=True, kw_only=True)
class BetQuestion:
    """A running count and cards left: how many units?"""

    shoe: Shoe
    drill: Drill

    def verdict(self, units: float) -> DrillVerdict:
        """Judge a bet."""
        return self.drill.bet_verdict(self.shoe, units)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayQuestion:
    """A hand against an upcard at a count: what do you play?"""

    shoe: Shoe
    """With hand and upcard seen; its composition still has them in it."""
    hand: tuple[str, str]
    """Values such as `10` and `6`."""
    upcard: str
    evs: dict[str, float]
    """What every legal action returns with these cards left, exactly, in bets."""
    plays: str
    """What the counter plays at this count."""

    def verdict(self, action: str) -> DrillVerdict:
        """Judge an action; its price is that against what the counter plays."""
        if action not in self.evs:
            raise SettingError(f"legal here: {', '.join(self.evs)}; got {action!r}")
        best = max(self.evs, key=lambda each: self.evs[each])
        words = f"at {self.shoe.count:+d} the counter plays {self.plays}; exactly, " + ", ".join(
            f"{each} {ev:+.4f}" for each, ev in sorted(self.evs.items(), key=lambda item: -item[1])
        )
        if best != self.plays:
            words += f": with just these cards left {best} is better, which the count cannot know"
        return DrillVerdict(
            right=action == self.plays,
            expected=self.plays,
            price=self.evs[self.plays] - self.evs[action],
            words=words,
        )


Question: TypeAlias = CountQuestion | BetQuestion | PlayQuestion


class Drill:
    """The questions of a seed about one counter at one table.

    >>> drill = Drill("hi-lo", Rules(shoe="dealt"), seed=1)
    >>> question = drill.count_question(0, cards=5)
    >>> len(question.cards), question.verdict(float(question.after.running)).price
    (5, 0.0)
    """

    def __init__(self, counter: str | CountingStrategy, rules: Rules, seed: int = 0) -> None:
        self.rules, self.seed = replace(rules, shoe="dealt"), seed
        self.counter = counter_of(counter, self.rules) if isinstance(counter, str) else counter
        _, charts = plays_by_count(self.counter)
        self._counting = counting_of(self.counter, self.rules.packs, charts)
        self._bets = self.counter.bets_by_row()
        self._deck = Composition.of_rules(self.rules)

    def question(self, kind: DrillKind, number: int, cards: int = 8) -> Question:
        """The question of a number; `cards` flash by where the count is asked."""
        if kind not in KINDS:
            raise SettingError(f"a drill asks for the count, the bet or the play; got {kind!r}")
        if kind == "count":
            return self.count_question(number, cards)
        return self.bet_question(number) if kind == "bet" else self.play_question(number)

    def has(self, kind: DrillKind) -> bool:
        """True if there is something to ask: a count without departures plays its chart alone."""
        return kind != "play" or any(_hands(each) for each in self.counter.departures)

    def count_question(self, number: int, cards: int = 8) -> CountQuestion:
        """So many cards from a shoe at some depth."""
        order, out = self._dealt(number, KINDS.index("count"))
        if not 1 <= cards <= len(order) - 20:
            raise SettingError(f"cards that flash by are 1 to {len(order) - 20}; got {cards}")
        out = min(out, len(order) - cards - 20)
        shown = tuple(int(card) for card in order[out : out + cards])
        return CountQuestion(
            before=self._shoe(order, out), cards=shown, after=self._shoe(order, out + cards), drill=self
        )

    def bet_question(self, number: int) -> BetQuestion:
        """A shoe at some depth, before the deal; one whose bet is not the lowest as often as not."""
        wants_more = bool(stream(self.seed, number, len(KINDS)).integers(2))
        for at in range(_TRIES):
            order, out = self._dealt(number, KINDS.index("bet"), at)
            shoe = self._shoe(order, out)
            if (self.bet(shoe.count) > self._bets.min()) == wants_more:
                break
        return BetQuestion(shoe=shoe, drill=self)

    def play_question(self, number: int) -> PlayQuestion:
        """A hand that is played by the count, at a count near its index where one is found."""
        places = [each for each in self.counter.departures if _hands(each)]
        if not places:
            raise SettingError(
                f"{self.counter.system.name} has no departures to ask for; use hi-lo or a counter's file"
            )
        chosen = places[int(stream(self.seed, number, len(KINDS)).integers(len(places)))]
        found = None
        for at in range(_TRIES):
            order, out = self._dealt(number, KINDS.index("play"), at)
            found = self._at_table(chosen, order, out) or found
            if found is not None and abs(found.shoe.count - chosen.index) <= _NEAR:
                break
        if found is None:
            raise SettingError("no shoe of this game has such a hand left; deal less of it: lower --penetration")
        evs = solve(self._fresh, deck=found.shoe.composition).evs_of(",".join(found.hand), found.upcard)
        letter = Letter(int(self._letters(found.shoe.count)[chosen.cell.kind, chosen.cell.row, chosen.cell.upcard]))
        first, second = _FIRST_CHOICE[letter]
        return replace(found, evs=evs, plays=first if first in evs else second)

    def bet(self, count: int) -> float:
        """The counter's units at a count."""
        return float(self._bets[count - LOWEST])

    def bet_verdict(self, shoe: Shoe, units: float) -> DrillVerdict:
        """Judge a bet before the deal by the exact EV of the next round with the cards that are left."""
        wanted, ev = self.bet(shoe.count), self.ev(shoe)
        words = (
            f"at {shoe.count:+d} the counter bets {wanted:g}; the next round is worth {100 * ev:+.2f} % of a bet, so "
            f"a bet of {wanted:g} wins {wanted * ev:+.4f} and one of {units:g} wins {units * ev:+.4f}"
        )
        return DrillVerdict(
            right=units == wanted, expected=f"{wanted:g}", price=(wanted - units) * ev + 0.0, words=words
        )

    def ev(self, shoe: Shoe) -> float:
        """The exact EV of the next round with the cards that are left, of the best play."""
        return solve(self._fresh, deck=shoe.composition).ev

    def used(self, running: Fraction, left: int) -> int:
        """The count that a running count makes."""
        return int(row_of_count(round(running * self._counting.scale), max(left, 1), self._counting)) + LOWEST

    @cached_property
    def _fresh(self) -> Rules:
        return replace(self.rules, shoe="fresh", cut=None)

    def _letters(self, count: int) -> NDArray[np.uint8]:
        """Letters of first hands at a count, by kind, row and upcard."""
        letters: NDArray[np.uint8] = self.counter.chart_at(count).cells[0]
        return letters

    def _dealt(self, number: int, kind: int, at: int = 0) -> tuple[NDArray[np.uint8], int]:
        """A shuffled shoe and how many of its cards are out, up to the cut."""
        random = stream(self.seed, number, kind, at)
        order = random.permutation(self._deck.cards())
        return order, int(random.integers(0, max(self._deck.size - cut_card(self._deck, self.rules), 1) + 1))

    def _shoe(self, order: NDArray[np.uint8], out: int, seen: tuple[int, ...] = ()) -> Shoe:
        """What is known after the first cards of a shoe, and some others, have been seen."""
        ranks = np.concatenate([order[:out] >> 2, np.array(seen, np.int64) >> 2]).astype(np.int64)
        running = self._counting.start + int(self._counting.tags[ranks].sum())
        left = len(order) - len(ranks)
        count = int(row_of_count(running, max(left, 1), self._counting)) + LOWEST
        held = np.bincount(order[out:] >> 2, minlength=13)
        return Shoe(
            running=Fraction(running, self._counting.scale),
            left=left,
            count=count,
            composition=Composition(tuple(int(cards) for cards in held)),
        )

    def _at_table(self, place: Departure, order: NDArray[np.uint8], out: int) -> PlayQuestion | None:
        """A hand of that cell from the cards left, if they have one."""
        rest = [int(card) for card in order[out:]]
        for hand in _hands(place):
            cards = _taken(rest, (*hand, VALUES[place.cell.upcard]))
            if cards is not None:
                shoe = self._shoe(order, out, cards)
                return PlayQuestion(shoe=shoe, hand=hand, upcard=VALUES[place.cell.upcard], evs={}, plays="")
        return None


def _hands(place: Departure) -> list[tuple[str, str]]:
    """Two cards that make the hand of a cell; none where it takes more."""
    cell = place.cell
    if cell.kind == Kind.PAIR:
        value = VALUES[max(cell.row // 2, 1) - 1] if cell.row > 2 else "A"
        return [(value, value)]
    if cell.kind == Kind.SOFT:
        return [("A", str(cell.row - 11))] if 13 <= cell.row <= 20 else []
    pairs = [(high, cell.row - high) for high in range(10, 2, -1)]
    return [(str(high), str(low)) for high, low in pairs if 2 <= low < high]


def _taken(cards: list[int], values: tuple[str, ...]) -> tuple[int, ...] | None:
    """The first cards of these values; None where one is missing."""
    left, found = list(cards), []
    for value in values:
        card = next((each for each in left if value_name(each) == value), None)
        if card is None:
            return None
        left.remove(card)
        found.append(card)
    return tuple(found)


def value_name(card: int) -> str:
    """The value of a card: A, 2 … 10.

    >>> value_name(12 * 4), value_name(0), value_name(10 * 4)
    ('A', '2', '10')
    """
    rank = card >> 2
    return "A" if rank == ACE_RANK else str(min(rank + 2, 10))


def parse_number(text: str) -> float:
    """A count or a bet as it was typed.

    >>> parse_number(" −1.5 ")
    -1.5
    """
    try:
        number = float(text.strip().replace("−", "-"))
    except ValueError:
        number = float("nan")
    if not abs(number) <= _MOST:
        raise SettingError(f"a number is wanted; got {text.strip()!r}")
    return number


def parse_play(text: str) -> str:
    """An action as it was typed: its word or its letter.

    >>> parse_play("S"), parse_play("double")
    ('stand', 'double')
    """
    word = text.strip().lower()
    return _WORDS.get(word, word)


def signed(number: Fraction | float) -> str:
    """A count with its sign.

    >>> signed(Fraction(3)), signed(Fraction(-1, 2)), signed(0.0)
    ('+3', '-0.5', '+0')
    """
    return f"{float(number):+g}"
