"""Where the composition-dependent optimum departs from the total-dependent chart, in words."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.exact.best_chart import pair_label, soft_label
from holecard.blackjack.exact.chart_play import HIT, Play
from holecard.blackjack.exact.hands import FIRST_PAIRING, N_VALUES
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.play_value import value_of_play
from holecard.blackjack.exact.returns import TIE
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.shoe import VALUES

SHOWN: Final = 6
"""Hands that a line lists before it counts the rest."""
WORDS: Final = ("hit", "stand", "double", "split", "surrender")


@dataclass(frozen=True, slots=True, kw_only=True)
class Departure:
    """Hands of one chart cell that the optimum plays otherwise."""

    cell: str
    """`16 v 10`, `A7 v 2`, `88 v A`."""
    chart: str
    """What the chart does with them."""
    best: str
    """What the optimum does with them."""
    hands: tuple[str, ...]
    """The hands, dearest first."""
    which: str
    """The hands in words: `with 4+ cards`, or a list."""
    gain: float
    """What following the optimum here adds per round."""

    def __str__(self) -> str:
        return f"{self.cell}: {self.chart}, but {self.best} {self.which}"


def departures(odds: Odds, best: Play, chart: Play, first_returns: NDArray[np.float64]) -> list[Departure]:
    """All departures of the optimum's play from a chart's, dearest first; `first_returns` (o, 10, 5) of the optimum."""
    groups: dict[tuple[str, str, str], list[tuple[float, int]]] = defaultdict(list)
    rivals: dict[tuple[str, str], set[int]] = defaultdict(set)
    reach = value_of_play(odds, best).sequences * odds.sequence_probability
    stand_or_hit = np.stack([odds.returns.hit, odds.returns.stand], axis=2)
    for row in range(FIRST_PAIRING, len(odds.first_hands.hand)):
        cell, does = _cell(odds, row), best.first[row].argmax(axis=1)
        should = chart.first[row].argmax(axis=1)
        for upcard in np.flatnonzero(odds.first_hands.probability[row] > 0):
            gain = first_returns[row, upcard, does[upcard]] - first_returns[row, upcard, should[upcard]]
            name = f"{cell} v {VALUES[upcard]}"
            rivals[name, WORDS[should[upcard]]].add(int(odds.first_hands.hand[row]))
            if gain > TIE:
                key = (name, WORDS[should[upcard]], WORDS[does[upcard]])
                groups[key].append((gain * odds.first_hands.probability[row, upcard], int(odds.first_hands.hand[row])))
    later = np.arange(len(reach))[:, None] >= odds.hands.openings
    played, charted = (np.where(play.hit > 0, HIT, Action.STAND) for play in (best, chart))
    at = np.nonzero((reach > 0) & later)
    gains = stand_or_hit[(*at, played[at])] - stand_or_hit[(*at, charted[at])]
    labels = [_total_label(odds, hand) for hand in range(len(reach))]
    rows = zip(*(each.tolist() for each in (*at, played[at], charted[at], gains, gains * reach[at])), strict=True)
    for hand, upcard, best_play, chart_play, gain, worth in rows:
        name, word = f"{labels[hand]} v {VALUES[upcard]}", WORDS[chart_play]
        rivals[name, word].add(hand)
        if gain > TIE:
            groups[name, word, WORDS[best_play]].append((worth, hand))
    found = [_departure(odds, key, members, rivals[key[:2]]) for key, members in groups.items()]
    return sorted(found, key=lambda departure: -departure.gain)


def _departure(odds: Odds, key: tuple[str, str, str], members: list[tuple[float, int]], rivals: set[int]) -> Departure:
    members = sorted(members, reverse=True)
    hands = tuple(hand_label(odds, hand) for _, hand in members)
    which = "with " + " or ".join(hands[:SHOWN]) + (f" and {len(hands) - SHOWN} more" if len(hands) > SHOWN else "")
    departing = {hand for _, hand in members}
    fewest = min(int(odds.hands.size[hand]) for hand in departing)
    large = {hand for hand in rivals if odds.hands.size[hand] >= fewest}
    spared = large - departing
    if len(departing) > 2 and fewest > 2 and len(spared) < SHOWN:
        kept = " or ".join(hand_label(odds, hand) for hand in sorted(spared))
        which = f"with {fewest}+ cards" + (f" except {kept}" if kept else "")
    elif len(departing) > 2 and rivals == departing:
        which = "always"
    gain = float(sum(worth for worth, _ in members))
    return Departure(cell=key[0], chart=key[1], best=key[2], hands=hands, which=which, gain=gain)


def hand_label(odds: Odds, hand: int) -> str:
    """A hand's cards, high ones first: `T,4,2`."""
    names = [("A" if value == 0 else "T" if value == N_VALUES - 1 else VALUES[value]) for value in range(N_VALUES)]
    return ",".join(names[value] for value in reversed(range(N_VALUES)) for _ in range(odds.hands.cards[hand, value]))


def _cell(odds: Odds, row: int) -> str:
    pair = int(odds.first_hands.pair[row])
    return pair_label(pair) if pair >= 0 else _total_label(odds, int(odds.first_hands.hand[row]))


def _total_label(odds: Odds, hand: int) -> str:
    total = int(odds.hands.total[hand])
    return soft_label(total, odds.table_rules.ace_bonus) if odds.hands.soft[hand] else str(total)
