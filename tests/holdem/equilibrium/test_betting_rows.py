"""What the blueprint sees of the betting."""

from __future__ import annotations

import numpy as np
import pytest

from holecard.holdem.equilibrium.betting_rows import (
    CALLS,
    FOLDS,
    NOT_OFFERED,
    TAKEN_FOR_NONE,
    BetMenu,
    build_betting,
    menu_move,
    place_of,
    row_of,
)
from holecard.holdem.equilibrium.public_tree import END
from holecard.holdem.game.betting import CALL, FOLD, HAND, apply, post
from holecard.holdem.game.rules import Stakes
from holecard.holdem.game.view import LED, NOT_LED, OTHER_LED, VIEW, look

STAKES = Stakes(50, 100, 0)
MENU = BetMenu(np.array([0.5, 1.0, 2.0]), np.array([False, True, False]), 3, 1)


def _view(*moves: int, stack: int = 20_000) -> np.void:
    hand, view = np.zeros(1, HAND)[0], np.zeros(1, VIEW)[0]
    post(hand, 0, stack, stack, STAKES)
    for move in moves:
        apply(hand, move, STAKES)
    look(hand, int(hand["actor"]), STAKES, view)
    return view


def test_the_menu_before_the_flop() -> None:
    moves = [menu_move(MENU, _view(), action) for action in range(6)]
    assert moves == [FOLD, CALL, 200, 300, 500, 20_000]
    limped = [menu_move(MENU, _view(CALL), action) for action in range(6)]
    assert limped == [NOT_OFFERED, CALL, 200, 300, 500, 20_000]


def test_raises_of_a_raise() -> None:
    moves = [menu_move(MENU, _view(300), action) for action in range(6)]
    assert moves == [FOLD, CALL, NOT_OFFERED, 900, NOT_OFFERED, 20_000]
    after_three = [menu_move(MENU, _view(300, 900, 2700), action) for action in range(6)]
    assert after_three == [FOLD, CALL, NOT_OFFERED, NOT_OFFERED, NOT_OFFERED, 20_000]


def test_short_stacks_go_all_in_or_call() -> None:
    moves = [menu_move(MENU, _view(stack=250), action) for action in range(6)]
    assert moves == [FOLD, CALL, 200, NOT_OFFERED, NOT_OFFERED, 250]
    facing = [menu_move(MENU, _view(250, stack=250), action) for action in range(6)]
    assert facing == [FOLD, CALL, *4 * (NOT_OFFERED,)]


def test_raises_on_the_menu_are_taken_for_what_they_are() -> None:
    for at, raise_to in enumerate((200, 300, 500)):
        for point in (0.0, 0.5, 0.999):
            assert place_of(MENU, _view(raise_to), point)[3] == at + 1
    assert place_of(MENU, _view(20_000), 0.5)[3] == 4


@pytest.mark.parametrize("raise_to", [220, 240, 270, 350, 400, 450])
def test_raises_off_the_menu_are_mapped_pseudo_harmonically(raise_to: int) -> None:
    size = (raise_to - 100) / 200
    low, high, at = (0.5, 1.0, 1) if size < 1 else (1.0, 2.0, 2)
    share = (high - size) * (1 + low) / ((high - low) * (1 + size))
    points = np.linspace(0, 1, 2000, endpoint=False)
    taken = np.array([place_of(MENU, _view(raise_to), point)[3] for point in points])
    assert set(taken) == {at, at + 1}
    assert (taken == at).mean() == pytest.approx(share, abs=1e-3)


@pytest.mark.parametrize("bet", [100, 250, 400])
def test_bets_of_little_are_taken_for_none_or_the_smallest(bet: int) -> None:
    """A bluff of x pots against who defends so wins nothing: it is called 1 / (1 + x) of the time."""
    view, size = _view(500, CALL, bet), bet / 1000
    points = np.linspace(0, 1, 2000, endpoint=False)
    rows = np.zeros(MENU.places, np.int32)
    taken = np.array([row_of(rows, MENU, view, point) == TAKEN_FOR_NONE for point in points]).mean()
    smallest_is_called = 1 / (1 + MENU.sizes[0])
    assert taken + (1 - taken) * smallest_is_called == pytest.approx(1 / (1 + size), abs=1e-3)


def test_who_raised_last_on_the_streets_before() -> None:
    flop = _view(300, CALL)  # the button raised, the big blind is to act
    assert flop["led"].tolist() == [OTHER_LED, NOT_LED, NOT_LED]
    turn = _view(CALL, CALL, 100, 300, CALL)
    assert turn["led"].tolist() == [NOT_LED, OTHER_LED, NOT_LED]
    river = _view(300, CALL, 300, CALL, CALL, CALL)
    assert river["led"].tolist() == [OTHER_LED, LED, NOT_LED]
    for remembered, past in ((0, 0), (1, NOT_LED), (2, 3 * LED), (3, 3 * LED + 9 * OTHER_LED)):
        assert place_of(MENU._replace(remembered=remembered), river, 0.5)[1] == past
    bet, checked = (_view(300, CALL, *moves) for moves in ((600, CALL), (CALL, CALL)))
    assert place_of(MENU, bet, 0.5)[1] != place_of(MENU, checked, 0.5)[1]


@pytest.mark.parametrize("remembered", [0, 1, 3])
def test_rows_remember_as_much_as_they_are_asked_to(remembered: int) -> None:
    betting = build_betting(MENU._replace(remembered=remembered), STAKES, 2_000, (1, 1, 1, 1))
    assert betting.rows.shape[2] == 3**remembered
    rivers = betting.tree.street == 3
    assert len(np.unique(betting.tree.row[rivers & (betting.tree.actor != END)])) > 20 * (remembered + 1)


def test_the_tree_ends_in_chips_that_were_there() -> None:
    betting = build_betting(MENU, STAKES, 20_000, (169, 10, 10, 10))
    tree = betting.tree
    ends = tree.actor == END
    assert (np.abs(tree.fixed[ends]) <= 20_000).all()
    assert tree.swing.max() == 20_000
    assert ((tree.fixed[ends] != 0) ^ (tree.swing[ends] != 0)).all()
    assert (tree.child[~ends, CALLS] >= 0).all()
    assert (tree.row[~ends] >= 0).all()
    assert betting.rows.min() >= 0
    assert tree.child[0, FOLDS] >= 0
    assert tree.fixed[tree.child[0, FOLDS]] == -50
    assert int(tree.offset[-1]) == int(np.diff(tree.offset).sum())
