"""The rules of a blackjack table: one frozen object, its presets, its one-line text, and the form kernels take."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

from holecard.blackjack.game.composition import MAX_DECKS, Composition
from holecard.blackjack.game.rule_words import CHOICE_WORDS, INFINITE, meaning_of, word_for
from holecard.errors import RulesError, unknown_name

MAX_HANDS: Final = 4
MAX_LIMIT: Final = 31
NO_CHARLIE: Final = 99
NO_SURRENDER, LATE_SURRENDER, EARLY_SURRENDER, EARLY_TEN_SURRENDER = 0, 1, 2, 3
SURRENDERS: Final = ("none", "late", "early", "early-10")
DOUBLES: Final[Mapping[str, tuple[int, int, bool]]] = MappingProxyType(
    {"any": (0, MAX_LIMIT, True), "9-11": (9, 11, False), "10-11": (10, 11, False), "none": (1, 0, False)}
)
"""Lowest and highest total that may be doubled, and whether soft hands may."""


class TableRules(NamedTuple):
    """The rules as kernels take them: numbers and flags only. Chips are integers, `unit` of them to a base bet."""

    limit: int
    target: int
    ace_bonus: int
    hits_soft_target: bool
    naturals: bool
    dealer_naturals: bool
    dealer_wins_ties: bool
    pushes_22: bool
    peek: bool
    original_bets_only: bool
    double_low: int
    double_high: int
    double_soft: bool
    double_any_cards: bool
    double_after_split: bool
    double_split_aces: bool
    max_hands: int
    resplit_aces: bool
    hit_split_aces: bool
    split_by_rank: bool
    surrender: int
    insurance: bool
    charlie: int
    infinite: bool
    unit: int
    natural_pays: int
    plays_at_limit: bool
    """The player decides at the limit too, naturals included; a natural is one once he stands on it. Not in `Rules`:
    nobody deals so but Gymnasium."""
    natural_ties: bool
    """With `plays_at_limit`: a natural ties any hand of the dealer at the limit, and is paid as one where it wins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """A blackjack table. The default is the `casino` preset; `str` prints only what differs from it.

    >>> str(Rules(decks=2, h17=False))
    '2d S17'
    >>> Rules.from_text("6d H17 DAS LS 3:2").surrender
    'late'
    """

    decks: float = 6
    """Packs in the shoe, 1 to 8, or `INFINITE`: every card is drawn from an endless mixture."""
    deck: Composition | None = None
    """The cards of the whole shoe where they are no full packs, whatever `decks` says: a pack without tens, say."""
    h17: bool = True
    """The dealer hits soft 17 (soft `target`); if false he stands on all 17s."""
    peek: bool = True
    """The dealer looks for a natural under an ace or ten before play. If false (European), he finds out last."""
    obo: bool = False
    """Without a peek, a dealer's natural takes original bets only, as if he had peeked."""
    bj: Fraction | None = Fraction(3, 2)
    """What a natural pays per bet. `None` is *plain*: an ace and a ten are an ordinary 21, on both sides."""
    dealer_natural: bool = True
    """The dealer's natural beats every other 21. If false it is an ordinary 21 that ties one (Gymnasium's `sab`)."""
    dealer_22: Literal["bust", "push"] = "bust"
    """A dealer's 22 (one above `limit`) is a bust like any other, or pushes every bet that stands. A natural and a
    charlie are paid all the same."""
    ties: Literal["push", "lose"] = "push"
    """Equal totals push, or the dealer wins them. Two naturals push either way."""
    double: Literal["any", "9-11", "10-11", "none"] = "any"
    """Which totals may be doubled: any, hard 9 to 11, hard 10 and 11, none."""
    double_cards: Literal["2", "any"] = "2"
    """Doubling is for two cards, or for any number of them."""
    das: bool = True
    """Doubling is allowed after a split; on split aces only with `dsa`."""
    dsa: bool = False
    """With `das`, split aces may be doubled too, even where they may not be hit."""
    max_hands: int = 4
    """The most hands one player may hold, 1 to 4; 1 forbids splitting."""
    rsa: bool = False
    """Aces may be split again."""
    hsa: bool = False
    """Split aces may be hit; otherwise each gets one card."""
    split: Literal["rank", "value"] = "rank"
    """What makes a pair: the same rank (a king and a jack are none) or the same value."""
    surrender: Literal["none", "late", "early", "early-10"] = "none"
    """Give up the first two cards for half the bet: before the peek (early), after it (late), or before it against a
    ten only (early-10). Without a peek, late surrender is lost whole to the dealer's ace-ten."""
    insurance: bool = False
    """A side bet of half a bet, 2:1, that the dealer has a natural under his ace; even money on a natural."""
    charlie: int | None = None
    """So many cards without a bust win at once: 5, 6, 7 or `None`."""
    target: int = 17
    """The lowest total on which the dealer stands."""
    limit: int = 21
    """The highest total that is not a bust."""
    ace_bonus: int = 10
    """What an ace may count beyond 1."""
    shoe: Literal["fresh", "dealt"] = "fresh"
    """A freshly shuffled shoe each round, or one dealt down to the cut card."""
    penetration: float = 0.75
    """The fraction of a dealt shoe that is used before it is shuffled."""
    cut: int | None = None
    """In place of `penetration`: a round begins only while fewer than so many cards of a dealt shoe are out."""

    def __post_init__(self) -> None:
        _check_fields(self)
        _check_combinations(self)

    @classmethod
    def preset(cls, name: str) -> Rules:
        """The rules of a well-known game by name; `PRESETS` lists them."""
        if name not in PRESETS:
            raise RulesError(unknown_name("rules", name, PRESETS))
        return cls(**PRESETS[name])

    @classmethod
    def from_text(cls, text: str) -> Rules:
        """The rules of a line such as `6d H17 DAS LS 3:2`: the `casino` game with what the line says changed.

        A preset's name may stand first. `str` writes lines that this reads back.

        >>> Rules.from_text("classic").bj is None
        True
        >>> Rules.from_text("1d S17 NDAS 2-hands").max_hands
        2
        """
        changes: dict[str, Any] = {}
        for word in text.replace(",", " ").split():
            if word.lower() in PRESETS and not changes:
                changes = dict(PRESETS[word.lower()])
            else:
                changes.update(meaning_of(word))
        return cls(**changes)

    def __str__(self) -> str:
        words = [
            word_for(field.name, getattr(self, field.name))
            for field in dataclasses.fields(self)
            if getattr(self, field.name) != field.default and not (field.name == "peek" and self.obo)
        ]
        return " ".join(words) or "casino"

    def as_dict(self) -> dict[str, Any]:
        """Every field as plain JSON, with the one-line text under `text`."""
        plain: dict[str, Any] = {"text": str(self), **dataclasses.asdict(self)}
        plain["deck"] = None if self.deck is None else str(self.deck)
        plain["decks"] = "inf" if self.is_infinite else int(self.decks)
        plain["bj"] = "plain" if self.bj is None else f"{self.bj.numerator}:{self.bj.denominator}"
        return plain

    @property
    def is_infinite(self) -> bool:
        """True if cards are drawn from an endless shoe."""
        return self.decks == INFINITE

    @property
    def packs(self) -> int:
        """The packs of 52 cards that the shoe amounts to, at least 1; 8 stand for an infinite one."""
        if self.deck is not None:
            return max(1, round(self.deck.size / 52))
        return MAX_DECKS if self.is_infinite else int(self.decks)

    @property
    def share_dealt(self) -> float:
        """The fraction of a dealt shoe that is used before it is shuffled."""
        if self.cut is None:
            return self.penetration
        return self.cut / (self.deck.size if self.deck is not None else 52 * self.packs)

    @property
    def unit(self) -> int:
        """Chips to a base bet, so that every result (half bets, 6:5 naturals) is a whole number of them."""
        return 2 if self.bj is None else math.lcm(2, self.bj.denominator)

    def table(self) -> TableRules:
        """The same rules as kernels take them."""
        low, high, soft = DOUBLES[self.double]
        ranked = self.bj is not None
        return TableRules(
            limit=self.limit,
            target=self.target,
            ace_bonus=self.ace_bonus,
            hits_soft_target=self.h17,
            naturals=ranked,
            dealer_naturals=ranked and self.dealer_natural,
            dealer_wins_ties=self.ties == "lose",
            pushes_22=self.dealer_22 == "push",
            peek=self.peek,
            original_bets_only=self.obo,
            double_low=low,
            double_high=high,
            double_soft=soft,
            double_any_cards=self.double_cards == "any",
            double_after_split=self.das,
            double_split_aces=self.dsa,
            max_hands=self.max_hands,
            resplit_aces=self.rsa,
            hit_split_aces=self.hsa,
            split_by_rank=self.split == "rank",
            surrender=SURRENDERS.index(self.surrender),
            insurance=self.insurance,
            charlie=self.charlie or NO_CHARLIE,
            infinite=self.is_infinite,
            unit=self.unit,
            natural_pays=int(self.unit * self.bj) if self.bj is not None else self.unit,
            plays_at_limit=False,
            natural_ties=False,
        )


_REAL = {"split": "value"}  # casinos pair any two tens; the agents' original asks for identical ranks
_HIT_OR_STAND = {"double": "none", "das": False, "max_hands": 1, "split": "value"}
_CLASSIC = {"decks": 1, "h17": False, "peek": False, "bj": None, **_HIT_OR_STAND}
PRESETS: Final[Mapping[str, Mapping[str, Any]]] = MappingProxyType(
    {
        "casino": {},
        "classic": _CLASSIC,
        "textbook": {**_CLASSIC, "surrender": "early"},
        "votes": {"decks": 2, "h17": False, "das": False, "max_hands": 1, **_REAL},
        "vegas-strip": {"decks": 4, "h17": False, **_REAL},
        "downtown": {"decks": 2, **_REAL},
        "atlantic-city": {"decks": 8, "h17": False, "surrender": "late", **_REAL},
        "european": {"decks": 6, "h17": False, "peek": False, "double": "9-11", "max_hands": 2, **_REAL},
        "single-deck": {"decks": 1, "das": False, **_REAL},
        "gymnasium": {
            **{"decks": INFINITE, "h17": False, "peek": False, "bj": Fraction(1), "dealer_natural": False},
            **_HIT_OR_STAND,
        },
    }
)
"""What each named game changes of the default, `casino`."""


def _check_fields(rules: Rules) -> None:
    def refuse(name: str, limits: str) -> None:
        raise RulesError(f"{name} must be {limits}; got {getattr(rules, name)}")

    if rules.deck is not None and not isinstance(rules.deck, Composition):
        refuse("deck", "a Composition, such as Composition.from_text('A=4,10=16'), or None")
    if rules.decks != INFINITE and not (1 <= rules.decks <= MAX_DECKS and rules.decks == int(rules.decks)):
        refuse("decks", f"1 to {MAX_DECKS} or inf")
    if not 1 <= rules.max_hands <= MAX_HANDS:
        refuse("max_hands", f"1 to {MAX_HANDS} (1: no split)")
    for name, words in CHOICE_WORDS.items():
        if getattr(rules, name) not in words:
            *others, last = words
            refuse(name, f"{', '.join(others)} or {last}")
    if rules.charlie not in (None, 5, 6, 7):
        refuse("charlie", "none, 5, 6 or 7")
    if rules.bj is not None and not 0 < rules.bj <= 100:
        refuse("bj", "above 0:1 and at most 100:1, or plain")
    if not 12 <= rules.limit <= MAX_LIMIT:
        refuse("limit", f"12 to {MAX_LIMIT}")
    if not rules.target >= 2:
        refuse("target", "2 or more")
    if not 0 <= rules.ace_bonus <= rules.limit - 2:
        refuse("ace_bonus", f"0 to {rules.limit - 2}")
    if not 0.1 <= rules.penetration <= 1:
        refuse("penetration", "0.1 to 1")
    if rules.cut is not None and not 1 <= rules.cut <= 52 * MAX_DECKS:
        refuse("cut", f"1 to {52 * MAX_DECKS} cards")


def _check_combinations(rules: Rules) -> None:
    if rules.target > rules.limit:
        raise RulesError(
            f"the dealer's target cannot lie above the limit; got target {rules.target}, limit {rules.limit}"
        )
    if rules.bj is not None and rules.ace_bonus + 11 != rules.limit:
        raise RulesError(
            f"an ace and a ten make {rules.ace_bonus + 11}, not the limit {rules.limit}; there is no natural: use plain"
        )
    if rules.obo and rules.peek:
        raise RulesError("original bets only is for tables without a peek; drop obo or the peek")
    if rules.double_cards == "any" and rules.double == "none":
        raise RulesError(
            "doubling on any number of cards takes doubling; got double none: drop double_cards or allow it"
        )
    if rules.rsa and rules.max_hands < 3:
        raise RulesError(f"resplitting aces takes 3 hands or more; got max_hands {rules.max_hands}")
    if rules.hsa and rules.max_hands < 2:
        raise RulesError("hitting split aces takes a split; got max_hands 1")
    if rules.insurance and not (rules.bj is not None and rules.dealer_natural):
        raise RulesError("insurance is a bet on the dealer's natural, and here that is an ordinary 21; drop insurance")
    if not rules.dealer_natural and rules.bj is None:
        raise RulesError("with plain naturals the dealer has none either; drop dealer_natural=False")
    size = rules.deck.size if rules.deck is not None else 52 * rules.packs
    if rules.cut is not None and rules.cut >= size:
        raise RulesError(f"the cut lies in the shoe, behind card 1 to {size - 1}; got cut {rules.cut}")
    if rules.shoe == "dealt" and rules.is_infinite:
        raise RulesError("an infinite shoe is never dealt down; use a fresh shoe or 1 to 8 decks")
