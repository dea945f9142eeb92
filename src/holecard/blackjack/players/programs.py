"""Blackjack programs that vote: one boolean tree per upcard, turned into a strategy chart.

A program looks at the hand (`HasAce`, `Has4` … `Has20`, `Hold2`, `Hold3`), combines what it sees, and votes: `HitIf(x)`
passes x on and, where x is true, counts one vote for a hit. All parts are evaluated, so every vote counts; the value of
the whole is thrown away. A hit or double needs strictly the most votes; anything else stands. A double on more than two
cards is a hit, which is what the letter `D` means.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.game.shoe import VALUES
from holecard.blackjack.strategy.cell import CARDS_HELD, ROWS, SHAPE, UPCARDS, Kind
from holecard.blackjack.strategy.letters import Letter
from holecard.blackjack.strategy.strategy import Strategy, pairs_by_total
from holecard.errors import ProgramError
from holecard.evolve.trees import (
    BooleanMachine,
    Language,
    Tally,
    Tree,
    Trees,
    function,
    parse_tree,
    simplified,
    stateful,
    terminal,
    text_of,
)

TOTALS: Final = range(4, 21)
HIT, STAND, DOUBLE = "hit", "stand", "double"


class Situation(NamedTuple):
    """What a program can tell hands apart by."""

    total: int
    """The best total, 4 to 20."""
    has_ace: bool
    """Any ace is held, whatever it counts."""
    cards: int
    """Cards held: 2, 3, or 4 for four and more."""


@cache
def situations() -> tuple[Situation, ...]:
    """Every situation in which there is something to decide: 72 of them."""
    reached: set[Situation] = set()
    hands = {(0, False, 0)}  # hard sum, any ace, cards up to 4
    while hands:
        drawn = {
            (low + rank, ace or rank == 1, min(cards + 1, 4)) for low, ace, cards in hands for rank in range(1, 11)
        }
        alive = {(low, ace, cards) for low, ace, cards in drawn if low <= 20}
        for low, ace, cards in alive:
            total = low + 10 if ace and low <= 11 else low
            if cards >= 2 and total <= 20:
                reached.add(Situation(total, ace, cards))
        hands = alive
    return tuple(sorted(reached))


def _voter(counter: str) -> Callable[[bool, Tally], bool]:
    def vote(value: bool, votes: Tally) -> bool:
        votes.add(counter, value)
        return value

    return vote


VOCABULARY: Final = Language.of(
    terminal("HasAce"),
    *(terminal(f"Has{total}") for total in TOTALS),
    terminal("Hold2"),
    terminal("Hold3"),
    function("Or", lambda a, b: a or b),
    function("Or3", lambda a, b, c: a or b or c),
    function("And", lambda a, b: a and b),
    function("And3", lambda a, b, c: a and b and c),
    function("Not", lambda a: not a),
    stateful("HitIf", _voter(HIT)),
    stateful("StandIf", _voter(STAND)),
    stateful("DoubleIf", _voter(DOUBLE)),
)
"""What a voting program is made of."""


def seen(situation: Situation) -> dict[str, bool]:
    """What each terminal says in a situation."""
    return {
        "HasAce": situation.has_ace,
        **{f"Has{total}": situation.total == total for total in TOTALS},
        "Hold2": situation.cards == 2,
        "Hold3": situation.cards == 3,
    }


@cache
def machine() -> BooleanMachine:
    """The vocabulary compiled for all situations."""
    views = [seen(situation) for situation in situations()]
    return BooleanMachine(VOCABULARY, {name: np.array([view[name] for view in views]) for name in views[0]})


def letters_of(trees: Trees) -> NDArray[np.uint8]:
    """What each program plays in each situation: cell codes H, S or D, shape (trees, 72)."""
    compiled = machine()
    winners = compiled.verdicts(trees).winners
    hits = compiled.unpack(winners[:, :, compiled.counters.index(HIT)])
    doubles = compiled.unpack(winners[:, :, compiled.counters.index(DOUBLE)])
    return np.where(hits, Letter.HIT, np.where(doubles, Letter.DOUBLE_ELSE_HIT, Letter.STAND)).astype(np.uint8)


def columns_of(letters: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The columns of a strategy chart, one upcard's cells, that play so: shape (trees, 3, 4, 32)."""
    unreached = np.full((len(letters), 1), Letter.HIT, np.uint8)
    columns: NDArray[np.uint8] = np.concatenate([letters, unreached], axis=1)[:, _situation_of_cells()]
    return columns


def strategy_of(programs: Sequence[Tree], name: str = "") -> Strategy:
    """The chart that ten programs play together, the ace's first."""
    if len(programs) != UPCARDS:
        raise ProgramError(f"a strategy takes {UPCARDS} programs, for the upcards A, 2 … 10; got {len(programs)}")
    columns = [columns_of(letters_of(np.asarray(program)[None]))[0] for program in programs]
    return Strategy(np.stack(columns, axis=-1), name=name)


def shortened(program: Tree) -> Tree:
    """A program no longer than this one that casts the same votes in every situation."""
    return simplified(machine(), program)


def write_programs(programs: Sequence[Tree]) -> str:
    """Ten programs as text, a line for each upcard; `read_programs` reads it back."""
    return "".join(
        f"{upcard}: {text_of(VOCABULARY, program)}\n" for upcard, program in zip(VALUES, programs, strict=True)
    )


def read_programs(text: str) -> list[Tree]:
    """The ten programs of a text, the ace's first; empty lines and lines that begin with # are skipped."""
    found: dict[str, Tree] = {}
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        upcard, colon, program = line.partition(":")
        name = upcard.strip()
        if not colon or name not in VALUES:
            raise ProgramError(
                f"line {number}: a line is an upcard (A, 2 … 10), a colon and a program; got {line[:30]!r}"
            )
        if name in found:
            raise ProgramError(f"line {number}: a second program for {name}")
        try:
            found[name] = parse_tree(VOCABULARY, program)
        except ProgramError as error:
            raise ProgramError(f"line {number}, after the colon, {error}") from None
    missing = [name for name in VALUES if name not in found]
    if missing:
        raise ProgramError(f"no program for upcard {', '.join(missing)}")
    return [found[name] for name in VALUES]


@cache
def _situation_of_cells() -> NDArray[np.int64]:
    """The situation that decides each cell of a column, shape (3, 4, 32); 72 for cells that no hand reaches."""
    cells = np.full(SHAPE, len(situations()), np.uint8)
    for number, situation in enumerate(situations()):
        kinds = (Kind.HARD_ACE, Kind.SOFT) if situation.has_ace else (Kind.HARD,)
        cells[situation.cards - 2, kinds, situation.total] = number
    cells[:, Kind.PAIR] = pairs_by_total(cells)
    column: NDArray[Any] = cells[..., 0]
    assert column.shape == (len(CARDS_HELD), len(Kind), ROWS)
    return column.astype(np.int64)
