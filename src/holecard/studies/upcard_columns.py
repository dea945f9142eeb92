"""One upcard's play by (total, ace held, cards held): 72 letters that stand for a program, scored exactly or on cards.

Letters are shape (n, 72) in the order of `players.programs.situations`: what programs say, and all they can say.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.exact import optimum, score_many
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.play.upcards import chips_against
from holecard.blackjack.players.programs import columns_of, situations
from holecard.blackjack.strategy.cell import SHAPE, UPCARDS, Cell, Kind
from holecard.blackjack.strategy.letters import ACTION_OF, MAY_DOUBLE, Letter
from holecard.blackjack.strategy.strategy import Strategy
from holecard.device import Device
from holecard.evolve.selection import Fitness

SituationLetters = NDArray[np.uint8]


def exact_evs(upcard: int, letters: SituationLetters, rules: Rules) -> Fitness:
    """The exact EV per bet of each column, given that the dealer shows `upcard` (0 = ace … 9 = ten)."""
    return np.asarray(score_many(_cells(upcard, letters), rules, upcards=[upcard]).ev_by_upcard[:, upcard])


def sampled_evs(
    upcard: int, letters: SituationLetters, rules: Rules, hands: int, *, seed: int, device: Device = "cpu"
) -> Fitness:
    """The mean result per bet of each column over `hands` rounds that show `upcard`, the same for all."""
    cells = _cells(upcard, letters)
    plays = np.stack([ACTION_OF[options][cells] for options in (0, MAY_DOUBLE)], axis=1)
    chips = chips_against(upcard, plays, rules, hands, seed=seed, threads=1, device=device)
    return np.asarray(chips / (rules.unit * hands))


def strategy_of_letters(letters: SituationLetters, name: str = "") -> Strategy:
    """The chart that plays letters of shape (10, 72), the ace's first."""
    return Strategy(np.moveaxis(columns_of(letters), 0, -1).copy(), name=name)


def upcard_weights(rules: Rules) -> Fitness:
    """How often each upcard is shown, shape (10,)."""
    values = np.array(Composition.of_rules(rules).values)
    return np.asarray(values / values.sum())


@lru_cache(maxsize=4)
def best_letters(rules: Rules) -> SituationLetters:
    """The best chart by total, ace held and cards held, letters of shape (10, 72), found by ascent on the exact EV.

    From the best chart by total, each upcard takes the one change that gains most until none gains.
    """
    chart = optimum(rules).strategy()
    return np.stack([_ascended(upcard, _letters_of(chart, upcard), rules) for upcard in range(UPCARDS)])


def _letters_of(strategy: Strategy, upcard: int) -> SituationLetters:
    """What a chart plays in each situation, shape (72,); an ace is taken to be soft."""
    cells = [
        Cell(kind=Kind.SOFT if each.has_ace else Kind.HARD, row=each.total, cards=each.cards, upcard=upcard)
        for each in situations()
    ]
    codes = np.array([strategy[cell] for cell in cells], np.uint8)
    return np.where(np.isin(codes, (Letter.HIT, Letter.STAND, Letter.DOUBLE_ELSE_HIT)), codes, Letter.STAND).astype(
        np.uint8
    )


def _ascended(upcard: int, letters: SituationLetters, rules: Rules) -> SituationLetters:
    best = float(exact_evs(upcard, letters[None], rules)[0])
    while True:
        changes = np.repeat(letters[None], 2 * len(letters), axis=0)
        places = np.arange(len(changes))
        changes[places, places // 2] = (letters[places // 2] + 1 + places % 2) % 3  # hit, stand and double are 0, 1, 2
        evs = exact_evs(upcard, changes, rules)
        if evs.max() <= best + _ROUNDING:
            return letters
        letters, best = changes[int(evs.argmax())], float(evs.max())


_ROUNDING = 1e-14


def _cells(upcard: int, letters: SituationLetters) -> NDArray[np.uint8]:
    """Charts of shape (n, 3, 4, 32, 10) with one column filled."""
    cells = np.zeros((len(letters), *SHAPE), np.uint8)
    cells[..., upcard] = columns_of(letters)
    return cells
