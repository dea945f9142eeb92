"""The reference figures as rules and numbers."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from holecard.blackjack.exact import solve
from holecard.blackjack.game.rule_words import INFINITE
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import VALUES, Composition
from holecard.blackjack.strategy.strategy import Strategy

FOLDER = Path(__file__).parents[2] / "reference"
FIGURES: dict[str, Any] = json.loads((FOLDER / "blackjack.json").read_text())
NEW_RULES: list[dict[str, Any]] = json.loads((FOLDER / "new_rules.json").read_text())["rows"]
PUSH_22: dict[str, Any] = json.loads((FOLDER / "push_22.json").read_text())
HANDS: dict[str, Any] = json.loads((FOLDER / "blackjack_hands.json").read_text())
DOUBLES = {"any two cards": "any", "hard 9-11 only": "9-11", "hard 10-11 only": "10-11"}
TOLERANCE = 1e-10
RULE_SETS = {
    "casino": "the default: 6 decks, H17, DAS, split by rank to 4",
    "1d S17 value": "one deck, resplit to 4, DAS",
    "european": "no peek, double 9–11, one split",
    "6d S17 OBO RSA HSA value": "original bets only, aces resplit and hit",
    "2d 6:5 D10 NDAS LS value": "6:5 naturals, double 10–11, late surrender",
    "8d S17 ES RSA": "early surrender, resplit aces by rank",
    "6d 5-charlie value": "five-card charlie",
    "1d S17 ENHC 3-hands value": "one deck, no peek, three hands",
    "inf S17 value": "infinite deck",
    "textbook": "plain naturals, surrender always a half",
    "gymnasium": "hit and stand, dealer naturals are ordinary 21s",
}
"""Games in which exact and simulated values are compared, in the tests and in docs/validation.md."""


NEW_RULE_SETS = {
    "6d S17 push-22 6:5 NDAS RSA value": "a dealer's 22 pushes",
    "2d ties-lose 6:5 NDAS value": "the dealer wins ties",
    "6d S17 double-any 6:5 value": "double on any number of cards",
    "1d S17 DSA HSA 6:5 2-hands value": "double and hit split aces",
    "1d S17 ENHC LS NDAS RSA value": "late surrender without a peek",
    "1d 6:5 ES10 2-hands value": "early surrender against a ten",
    "2d OBO push-22 ties-lose double-any DSA ES10 INS 6-charlie value": "most of them at once",
}
"""The same for rules that few games have: one set each, and one with most of them."""
_SURRENDERS = ("none", "late", "early", "early-10")


def new_rules_of(row: dict[str, Any]) -> Rules:
    """The rules of a row of `new_rules.json`, whose note says what its keys mean."""
    flags = {name: bool(row.get(name)) for name in ("h17", "das", "rsa", "hsa", "dsa", "peek")}
    return Rules(
        decks=row["decks"],
        max_hands=row["max"],
        bj=Fraction(str(row["bj"])),
        surrender=_SURRENDERS[row.get("surr", 0)],
        dealer_22="push" if row.get("push22") else "bust",
        ties="lose" if row.get("ties") else "push",
        double_cards="any" if row.get("dany") else "2",
        split="value",
        **flags,
    )


def chance_of_22(decks: int, soft_17: str) -> float:
    """P(the dealer draws to 22) from full packs, before any peek and with no other card seen."""
    solution = solve(Rules.from_text(f"{decks}d {soft_17} ENHC push-22 1-hands"))
    shoe = Composition.of_rules(solution.rules)
    shown = zip(VALUES, shoe.values, strict=True)
    return sum(count / shoe.size * solution.dealer(value)["22"] for value, count in shown)


def rules_of(row: dict[str, Any]) -> Rules:
    """The rules of a row of `overall_measured` or `overall_published`."""
    return Rules(
        decks=row["decks"],
        h17=row["soft17"] == "H17",
        peek=row["peek"],
        das=row["das"],
        double=DOUBLES[row["double"]],
        max_hands=row["max_hands"],
        rsa=row["resplit_aces"],
        hsa=row.get("hit_split_aces", False),
        surrender=row["surrender"],
        bj=Fraction(row["bj_payout"]).limit_denominator(10),
        split="value",
    )


def rules_named(name: str) -> Rules:
    """The rules of a name such as `6d_H17_DAS_4hands_peek`."""
    decks, soft, das, hands, *rest = name.split("_")
    peek = "ENHC" if rest == ["ENHC"] else "PEEK"
    return Rules.from_text(f"{decks} {soft} {das} {hands.replace('hands', '-hands')} {peek} value")


def infinite_rules(name: str) -> Rules:
    """The rules of a name of `infinite_deck`, such as `S17_DAS_SPL3_LS` or `S17_hitstand_natural_plain`."""
    words = name.split("_")
    options: dict[str, Any] = {
        "decks": INFINITE,
        "h17": words[0] == "H17",
        "split": "value",
        "peek": "ENHC" not in words,
    }
    if "hitstand" in words:
        plain = "plain" in words
        bj = None if plain else Fraction(1) if "BJ1to1" in words else Fraction(3, 2)
        early = "early" if "earlysurr" in words else "none"
        return Rules(**options | {"double": "none", "max_hands": 1, "das": False, "bj": bj, "surrender": early})
    late = "late" if "LS" in words else "none"
    hands = 4 if "SPL3" in words else 2
    return Rules(**options, das="DAS" in words, max_hands=hands, rsa="RSA" in words, surrender=late)


def mimic_of_the_dealer(soft_17: str) -> Strategy:
    """The strategy that hits and stands as a dealer does, who hits soft 17 (`H17`) or stands on it (`S17`)."""
    genome = np.zeros((26, 10), np.uint8)
    genome[:13] = 1  # hard 4 … 16
    genome[17 : 23 if soft_17 == "H17" else 22] = 1  # soft 12 … 16 or 17
    return Strategy.from_genome(genome.ravel())
