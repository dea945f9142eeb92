"""T,6 and 8,8 against a ten in one deck, followed through the exact solver: the worked hands of docs/exact-solver.md.

PYTHONPATH=src python scripts/worked_hand.py
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.exact import solve
from holecard.blackjack.exact.chart_play import play_of
from holecard.blackjack.exact.dealer import dealer_ends
from holecard.blackjack.exact.hands import BUST, TEN
from holecard.blackjack.exact.memory import ALWAYS
from holecard.blackjack.exact.play_value import value_of_play
from holecard.blackjack.exact.resplits import run_weights
from holecard.blackjack.exact.solution import Solution
from holecard.blackjack.exact.split_net import net_coefficients, split_net
from holecard.blackjack.game.actions import Action
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import VALUES

GAME = "1d S17 value"
CARDS = (5, TEN)
"""A six and a ten, as values 0 = ace … 9 = ten."""


def lines() -> Iterator[str]:
    """The walk, line by line."""
    solution = solve(Rules.from_text(GAME))
    yield from _cards(solution)
    yield from _dealer(solution)
    yield from _actions(solution)
    yield from _round(solution)
    yield from _split(solution)


def _cards(solution: Solution) -> Iterator[str]:
    odds = solution.odds
    hand = odds.hands.find(CARDS)
    yield "hands.all_hands, supply.supply_of, first_hands.first_hands_of"
    yield f"  hand {hand} of {len(odds.hands.size):,}: total {odds.hands.total[hand]}, {odds.hands.size[hand]} cards"
    yield f"  P(T,6 v 10) = 2 × 16 × 4 × 15 / (52 × 51 × 50) = {odds.first_hands.probability[hand, TEN]:.12f}"


def _dealer(solution: Solution) -> Iterator[str]:
    odds = solution.odds
    hand, ends = odds.hands.find(CARDS), dealer_ends(odds.table_rules)
    final = odds.hands.find((2, 3, TEN))
    natural, live = odds.returns.natural[hand, TEN], odds.returns.live[hand, TEN]
    totals = odds.dealer[hand, TEN]
    yield "dealer_totals.dealer_totals, before the peek"
    yield f"  final hands after a ten: {int((ends[TEN] > 0).sum())}"
    yield f"  T-4-3 comes in {ends[TEN, final]:.0f} sequences"
    yield f"  P(T-4-3) = 2 × 4 × 4 / (49 × 48) = {2 * 4 * 4 / (49 * 48):.12f}"
    for total, chance in zip(range(17, 22), totals, strict=True):
        yield f"  P({total}) {chance:17.12f}"
    yield f"  P(natural) = 4 / 49 = {natural:.12f}, so live = {live:.12f}"
    yield f"  P(bust) {1.0 - natural - totals.sum():.12f}"


def _actions(solution: Solution) -> Iterator[str]:
    odds = solution.odds
    hand, returns = odds.hands.find(CARDS), odds.returns
    stand = returns.stand[hand, TEN]
    yield "returns.action_returns"
    yield f"  stand: 2 × live − 2 × Σ P(17 … 21) = {stand:.12f}"
    yield "  hit: the mean of what the next of 49 cards makes of it"
    left = odds.supply.counts - odds.hands.cards[hand] - (np.arange(10) == TEN)
    for value, name in enumerate(VALUES):
        grown = odds.hands.grown[hand, value]
        if grown != BUST:
            stood, hit = returns.stand[grown, TEN], returns.hit[grown, TEN]
            better = "stand" if stood >= hit else "hit"
            yield f"    {left[value]:.0f} × {name}: {odds.hands.total[grown]} returns {max(stood, hit):.12f} ({better})"
    yield f"    the rest bust and return 0: {returns.hit[hand, TEN]:.12f}"
    yield f"  double: 2 × the same with every hand stood on − live = {returns.double[hand, TEN]:.12f}"
    yield "solution.Solution.evs_of: (return − live) / live, given that the dealer has no natural"
    for action, ev in solution.evs_of("T,6", "10").items():
        yield f"  {action:6} {ev:+.12f}"


def _round(solution: Solution) -> Iterator[str]:
    odds = solution.odds
    hand = odds.hands.find(CARDS)
    probability, best = odds.first_hands.probability[hand, TEN], solution.first_returns[hand, TEN].max()
    play = play_of(odds, solution.strategy().cells)
    value = value_of_play(odds, play)
    grown = odds.hands.find((2, 5, TEN))
    yield "worth.overall_ev"
    yield f"  its part of the sum: {probability:.12f} × {best:.12f} = {probability * best:.12f}"
    yield f"  Σ over all first hands − 1 = {solution.ev:+.12f}"
    yield "best_chart.best_chart, play_value.value_of_play"
    yield f"  hard 16 v 10: {'hit' if play.first[hand, TEN, Action.HIT] else 'stand'}"
    yield (
        f"  T-6-3 is reached in {value.sequences[grown, TEN]:.0f} sequences of probability "
        f"{odds.sequence_probability[grown, TEN]:.12f}"
    )
    yield f"  EV of the chart {value.ev:+.12f}"
    yield "departures.departures"
    for departure in solution.exceptions():
        if departure.cell.short == "16 v 10":
            yield f"  {departure}, worth {departure.gain:.12f}"


def _split(solution: Solution) -> Iterator[str]:
    odds, pair = solution.odds, 7
    row = odds.hands.find((pair, pair))
    free, no_pair = run_weights(4)
    coefficients = net_coefficients(odds, odds.stands, ALWAYS)
    net = split_net(odds, solution.after_split, coefficients)[TEN, pair]
    yield "8,8 v 10: resplits, split_play, split_net"
    yield f"  ρ(r), r = 0 … 4: {_numbers(odds.pairs.all_match[TEN, pair], '.9f')}"
    yield f"  weights of J, any second card: {_numbers(free, '.0f')}"
    yield f"  weights of J − P, no pair card: {_numbers(no_pair, '.0f')}"
    yield f"  bets in live rounds {coefficients.bet[TEN, pair]:.12f}"
    yield f"  net of live rounds {net:+.12f}, return {net + odds.returns.live[row, TEN]:.12f}"
    yield f"  split  {solution.ev_of('8,8', '10', 'split'):+.12f}"


def _numbers(numbers: NDArray[np.float64], form: str) -> str:
    return " ".join(format(number, form) for number in numbers)


if __name__ == "__main__":
    print("\n".join(lines()))
