"""Many decks of one game, solved on a GPU: what is left to a processor is what first hands and bets come to."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from holecard.blackjack.exact.dealer import bins_of
from holecard.blackjack.exact.exhaustion import refuse_exhaustion
from holecard.blackjack.exact.first_hands import first_hands_of, first_returns_of
from holecard.blackjack.exact.hands import N_VALUES, all_hands
from holecard.blackjack.exact.memory import ALWAYS, solve_splits
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.resplits import PairProbabilities, SplitWeights, pair_probabilities, split_weights
from holecard.blackjack.exact.returns import Returns, surrender_returns
from holecard.blackjack.exact.slots import N_REMOVED, all_slots
from holecard.blackjack.exact.solution import Solution
from holecard.blackjack.exact.split_net import SplitBets, less_bets_of_two
from holecard.blackjack.exact.split_play import SplitPlay
from holecard.blackjack.exact.supply import FallingFactorials, Supply, factorials_of_many, supply_of_many
from holecard.blackjack.exact.worth import overall_evs
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition
from holecard.errors import SettingError

if TYPE_CHECKING:
    from holecard.blackjack.exact.gpu import Solving


def is_for_gpu(rules: Rules) -> bool:
    """True if a GPU solves decks of this game: finite ones, of which only two cards are doubled."""
    return not rules.is_infinite and not rules.table().double_any_cards


class _Decks(NamedTuple):
    """Some decks, and what is known of them before they are solved; every array with an axis of decks in front."""

    cards: Sequence[Composition]
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
    """The zero-memory solutions of many decks, in their order; a processor readies some while a GPU solves others."""
    from holecard.blackjack.exact.gpu import AT_ONCE, BATCH, deck_solver  # numba.cuda takes a second to import
    from holecard.blackjack.exact.gpu_kernels import Shoes

    if not is_for_gpu(rules):
        raise SettingError(f"decks of {rules} are solved on processors only; drop --device cuda")
    solver = deck_solver(rules)
    started: deque[tuple[_Decks, Solving]] = deque()
    for first in range(0, len(decks), BATCH):
        begin = time.perf_counter()
        some = _prepared(decks[first : first + BATCH], rules)
        supply = some.factorials.supply
        shoes = Shoes(supply.counts, supply.tens, np.asarray(supply.size), *some.weights)
        if len(started) == AT_ONCE:
            yield from _solutions(rules, *started.popleft(), begin)
        started.append((some, solver.start(shoes)))
    while started:
        yield from _solutions(rules, *started.popleft(), time.perf_counter())


def _prepared(decks: Sequence[Composition], rules: Rules) -> _Decks:
    table, hands, supply = rules.table(), all_hands(rules.limit, rules.ace_bonus), supply_of_many(decks)
    for counts, tens, size in zip(supply.counts, supply.tens, np.asarray(supply.size).tolist(), strict=True):
        refuse_exhaustion(hands, Supply(counts, tens, size, supply.depletion), table)
    factorials = factorials_of_many(supply, N_REMOVED)  # as far as pairs ask
    pairs = pair_probabilities(factorials, table)
    return _Decks(decks, factorials, pairs, split_weights(pairs, table, ALWAYS))


def _solutions(rules: Rules, decks: _Decks, solving: Solving, begin: float) -> Iterator[Solution]:
    """The solutions of some decks from what a GPU finds; `begin` is when a processor began to wait for it."""
    table, hands = rules.table(), all_hands(rules.limit, rules.ace_bonus)
    found = solving.found()
    stand, hit, double, natural, live = found.first
    returns = Returns(stand, hit, double, surrender_returns(table, natural), natural, live)
    first_hands = first_hands_of(hands, decks.factorials.supply, decks.pairs, table)
    firsts = Odds(  # of hands of two cards: there is no more that first hands ask for
        rules=rules,
        table_rules=table,
        factorials=decks.factorials,
        hands=hands,
        slots=all_slots(rules.limit, rules.ace_bonus),
        dealer=np.zeros((0, N_VALUES, bins_of(table))),
        returns=returns,
        pairs=decks.pairs,
        first_hands=first_hands,
        first_returns=first_returns_of(rules, returns, first_hands),
    )
    net = np.zeros_like(found.split)
    if table.max_hands > 1:
        net = less_bets_of_two(found.doubled, SplitBets(found.bet, found.double_bet), found.split)
    first_returns = firsts.with_splits(net)
    evs = overall_evs(firsts, first_returns).tolist()
    for cards, ev, of_deck in zip(decks.cards, evs, first_returns, strict=True):
        yield Solution(
            worked_out=_OnDemand(rules=rules, deck=cards),
            split_play="zero-memory",
            first_returns=of_deck.copy(),  # else it would keep those of all the others
            ev=ev,
            seconds=(time.perf_counter() - begin) / len(evs),
        )
