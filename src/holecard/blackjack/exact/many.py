"""Many decks of one game, solved on a GPU: what is left to a processor is what first hands and bets come to."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.exact.dealer import bins_of
from holecard.blackjack.exact.exhaustion import refuse_exhaustion
from holecard.blackjack.exact.first_hands import first_hands_of, first_returns_of
from holecard.blackjack.exact.hands import N_VALUES, all_hands
from holecard.blackjack.exact.memory import ALWAYS, solve_splits
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.resplits import PairProbabilities, SplitWeights, pair_probabilities, split_weights
from holecard.blackjack.exact.returns import Returns, surrender_returns
from holecard.blackjack.exact.slots import all_slots
from holecard.blackjack.exact.solution import Solution, overall_ev
from holecard.blackjack.exact.split_net import bets_of_splits, less_bets_of_two
from holecard.blackjack.exact.split_play import SplitPlay
from holecard.blackjack.exact.supply import FallingFactorials, falling_factorials, supply_of
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition
from holecard.errors import SettingError


def is_for_gpu(rules: Rules) -> bool:
    """True if a GPU solves decks of this game: finite ones, of which only two cards are doubled."""
    return not rules.is_infinite and not rules.table().double_any_cards


class _Deck(NamedTuple):
    """A deck, and what is known of it before it is solved."""

    cards: Composition
    factorials: FallingFactorials
    pairs: PairProbabilities
    weights: SplitWeights


@dataclass(frozen=True, kw_only=True, eq=False)
class _OnDemand:
    """What a solution from a GPU was found from, worked out again when it is asked for."""

    rules: Rules
    deck: Composition

    @cached_property
    def odds(self) -> Odds:
        """The game."""
        return Odds.of(self.rules, self.deck)

    @cached_property
    def after_split(self) -> SplitPlay:
        """How split hands are played."""
        return solve_splits(self.odds, "zero-memory")[0]


def solve_on_gpu(decks: Sequence[Composition], rules: Rules) -> Iterator[Solution]:
    """The zero-memory solutions of many decks, in their order; the next ones are prepared while a GPU solves some."""
    from holecard.blackjack.exact.gpu import BATCH, Shoes, deck_solver  # numba.cuda takes a second to import

    if not is_for_gpu(rules):
        raise SettingError(f"decks of {rules} are solved on processors only; drop --device cuda")
    solver = deck_solver(rules)
    waiting: list[_Deck] = []
    for first in range(0, len(decks) + BATCH, BATCH):
        begin = time.perf_counter()
        prepared = [_prepared(deck, rules) for deck in decks[first : first + BATCH]]
        found = solver.finish(len(waiting)) if waiting else None
        if prepared:
            supplies = [deck.factorials.supply for deck in prepared]
            solver.start(
                Shoes(
                    counts=np.stack([supply.counts for supply in supplies]),
                    tens=np.stack([supply.tens for supply in supplies]),
                    size=np.array([supply.size for supply in supplies]),
                    of_value=np.stack([deck.factorials.of_value for deck in prepared]),
                    inverse=np.stack([deck.factorials.inverse for deck in prepared]),
                    any_card=np.stack([deck.weights.any_card for deck in prepared]),
                    pair_card=np.stack([deck.weights.pair_card for deck in prepared]),
                )
            )
        if found is not None:
            for at, deck in enumerate(waiting):
                seconds = (time.perf_counter() - begin) / len(waiting)
                yield _solution(rules, deck, (found[0][at], found[1][at], found[2][at]), seconds)
        waiting = prepared


def _prepared(deck: Composition, rules: Rules) -> _Deck:
    table, supply = rules.table(), supply_of(rules, deck)
    refuse_exhaustion(all_hands(rules.limit, rules.ace_bonus), supply, table)
    factorials = falling_factorials(supply, rules.limit)
    pairs = pair_probabilities(factorials, table)
    return _Deck(deck, factorials, pairs, split_weights(pairs, table, ALWAYS))


def _solution(rules: Rules, deck: _Deck, found: tuple[NDArray[np.float64], ...], seconds: float) -> Solution:
    """A solution from what a GPU found: see `gpu.Found` for `first`, `split` and `doubled`."""
    table, hands = rules.table(), all_hands(rules.limit, rules.ace_bonus)
    stand, hit, double, natural, live = found[0].transpose(2, 0, 1)
    returns = Returns(stand, hit, double, surrender_returns(table, natural), natural, live)
    first_hands = first_hands_of(hands, deck.factorials.supply, deck.pairs, table)
    firsts = Odds(  # of hands of two cards: there is no more that first hands ask for
        rules=rules,
        table_rules=table,
        factorials=deck.factorials,
        hands=hands,
        slots=all_slots(rules.limit, rules.ace_bonus),
        dealer=np.zeros((0, N_VALUES, bins_of(table))),
        returns=returns,
        pairs=deck.pairs,
        first_hands=first_hands,
        first_returns=first_returns_of(rules, returns, first_hands),
    )
    net = np.zeros((N_VALUES, N_VALUES))
    if table.max_hands > 1:
        net = less_bets_of_two(found[2], bets_of_splits(firsts, deck.weights), found[1])
    first_returns = firsts.with_splits(net)
    return Solution(
        worked_out=_OnDemand(rules=rules, deck=deck.cards),
        split_play="zero-memory",
        first_returns=first_returns,
        ev=overall_ev(firsts, first_returns),
        seconds=seconds,
    )
