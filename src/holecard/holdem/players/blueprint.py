"""A blueprint as kernels play it: a mixed strategy by clusters of cards and rows of betting.

Probabilities are whole 64ths. The upper six bits of a view's `chance` draw the action, the lower half of it takes a
raise that is not on the menu for one of its neighbours.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard._jit import Int, rare_rule, rule
from holecard.holdem.equilibrium.betting_rows import LEVELS, NOT_OFFERED, TAKEN_FOR_NONE, BetMenu, menu_move, row_of
from holecard.holdem.equilibrium.blueprint_file import PARTS, StoredBlueprint
from holecard.holdem.equilibrium.clusters import CardTables, Clusters, card_tables, cluster_of
from holecard.holdem.equities.potential import POTENTIAL
from holecard.holdem.equities.tables import EQUITY
from holecard.holdem.game.betting import CALL, FOLD
from holecard.holdem.game.view import View

UNKNOWN: Final = -3
"""The move of a blueprint where training never came."""


class Blueprint(NamedTuple):
    """What to do where, with which probability; enters kernels as it is."""

    menu: BetMenu
    clusters: Clusters
    tables: CardTables
    rows: NDArray[np.int32]
    """(`BetMenu.places`) the row of every place."""
    offset: NDArray[np.int64]
    """(rows + 1) where the shares of each row begin."""
    share: NDArray[np.uint8]
    """64ths of every action, by row, cluster and action; 0 for all where training never came."""


def no_blueprint() -> Blueprint:
    """The blueprint of who has none."""
    equity, potential = np.zeros(0, EQUITY), np.zeros(0, POTENTIAL)
    equity.flags.writeable = potential.flags.writeable = False
    return Blueprint(
        menu=BetMenu(np.zeros(0), np.zeros(0, np.bool_), 0, 0),
        clusters=Clusters(np.zeros((3, 0)), np.zeros((3, 1, 0)), np.zeros((0, 2), np.uint8)),
        tables=CardTables(equity, potential),
        rows=np.zeros((4, 2, 1, 1, 2, LEVELS), np.int32),
        offset=np.zeros(1, np.int64),
        share=np.zeros(0, np.uint8),
    )


def blueprint_of(stored: StoredBlueprint) -> Blueprint:
    """A stored blueprint with the tables that it is played with, which are built at first use."""
    return Blueprint(stored.menu, stored.clusters, card_tables(), stored.rows, stored.offset, stored.share)


@rule
def point_of(chance: Int) -> float:
    """The number, 0 … 1, that takes a raise for one of its neighbours."""
    return float(np.uint64(chance) & np.uint64(0xFFFFFFFF)) / 4294967296.0


@rule
def part_of(chance: Int) -> int:
    """The 64th, 0 … 63, at which the action is drawn."""
    return int(np.uint64(chance) >> np.uint64(58))


@rule
def drawn_move(blueprint: Blueprint, view: View, row: int, cluster: int, part: int) -> int:
    """The move at a 64th of the strategy of a row and cluster, over what is offered; UNKNOWN if there is none."""
    if row == TAKEN_FOR_NONE:
        return CALL
    width = blueprint.menu.sizes.shape[0] + 3
    first = blueprint.offset[row] + cluster * width
    total: Int = 0
    for action in range(width):
        if blueprint.share[first + action] > 0 and menu_move(blueprint.menu, view, action) != NOT_OFFERED:
            total += np.int64(blueprint.share[first + action])
    if total == 0:
        return UNKNOWN
    left: Int = part * total
    for action in range(width):
        if blueprint.share[first + action] > 0:
            move = menu_move(blueprint.menu, view, action)
            if move != NOT_OFFERED:
                left -= np.int64(blueprint.share[first + action]) * PARTS
                if left < 0:
                    return move
    return UNKNOWN


@rule
def cluster_in(blueprint: Blueprint, view: View) -> int:
    """The cluster of the cards in a view."""
    a, b = view["hole"][0], view["hole"][1]
    return cluster_of(blueprint.tables, blueprint.clusters, view["street"], a, b, view["board"], view["equity"])


@rule
def by_pot_odds(view: View) -> int:
    """A call where the chance to win pays for it, else a fold."""
    owed = view["to_call"]
    return CALL if owed == 0 or view["equity"] >= owed / (owed + view["pot"]) else FOLD


@rare_rule
def blueprint_move(blueprint: Blueprint, view: View) -> int:
    """The move of a blueprint in a view with equity; a legal one in any spot."""
    row = row_of(blueprint.rows, blueprint.menu, view, point_of(view["chance"]))
    move = drawn_move(blueprint, view, row, cluster_in(blueprint, view), part_of(view["chance"]))
    return by_pot_odds(view) if move == UNKNOWN else move


class Dice(NamedTuple):
    """What the throws of a decision mean whatever the cards are; enters kernels as it is."""

    throws: NDArray[np.uint64]
    """A `chance` for every throw."""
    rows: NDArray[np.int64]
    """The row that each throw takes the betting for."""
    offered: NDArray[np.int64]
    """(actions) the move of each action of the menu."""


@rare_rule
def throw_dice(blueprint: Blueprint, view: View, dice: Dice) -> None:
    """Fill in what the throws mean at a decision."""
    for throw in range(dice.throws.shape[0]):
        dice.rows[throw] = row_of(blueprint.rows, blueprint.menu, view, point_of(dice.throws[throw]))
    for action in range(blueprint.menu.sizes.shape[0] + 3):
        dice.offered[action] = menu_move(blueprint.menu, view, action)


@rare_rule
def spread_moves(blueprint: Blueprint, view: View, cluster: int, dice: Dice, moves: Any) -> None:
    """Fill moves (throws) with the move at every throw: `blueprint_move` for one hand whose cluster is known."""
    width = blueprint.menu.sizes.shape[0] + 3
    before, first = np.int64(-1), np.int64(0)
    total: Int = 0
    for throw in range(dice.throws.shape[0]):
        if dice.rows[throw] == TAKEN_FOR_NONE:
            moves[throw] = CALL
            continue
        if dice.rows[throw] != before:
            before = dice.rows[throw]
            first = blueprint.offset[before] + cluster * width
            total = 0
            for action in range(width):
                total += np.int64(blueprint.share[first + action]) if dice.offered[action] != NOT_OFFERED else 0
        moves[throw] = by_pot_odds(view) if total == 0 else UNKNOWN
        left: Int = part_of(dice.throws[throw]) * total
        for action in range(width):
            if total > 0 and dice.offered[action] != NOT_OFFERED:
                left -= np.int64(blueprint.share[first + action]) * PARTS
                if left < 0:
                    moves[throw] = dice.offered[action]
                    break


def even_throws() -> NDArray[np.uint64]:
    """A `chance` for every 64th, all equally likely, their lower halves spread evenly too."""
    parts = np.arange(PARTS, dtype=np.uint64)
    spread = (parts * np.uint64(2654435769)) & np.uint64(0xFFFFFFFF)
    return parts << np.uint64(58) | spread
