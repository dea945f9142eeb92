"""Kuhn's and Leduc poker: games small enough to be known exactly, against which solvers are judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Final

from holecard.errors import SettingError, unknown_name
from holecard.holdem.equilibrium.tree import CHANCE, TERMINAL, GameTree, Position, build_tree


@dataclass(frozen=True, slots=True)
class Kuhn:
    """Kuhn poker (1950): three cards, one each, an ante of 1, one bet of 1."""

    cards: tuple[int, ...] = ()
    """Each player's card, 0 (jack) to 2 (king); empty before the deal."""
    history: str = ""
    """`p` for a pass (check or fold), `b` for a bet (or call)."""

    @property
    def actor(self) -> int:
        """Chance deals, then the players alternate."""
        if not self.cards:
            return CHANCE
        return TERMINAL if self.history in ("pp", "bp", "bb", "pbp", "pbb") else len(self.history) % 2

    @property
    def information(self) -> str:
        """The own card and the bets so far."""
        return f"{'JQK'[self.cards[self.actor]]} {self.history}".strip()

    @property
    def payoff(self) -> float:
        """1 or 2 chips to the winner."""
        if self.history in ("bp", "pbp"):  # somebody folded
            return 1.0 if self.history == "bp" else -1.0
        stake = 2.0 if self.history.endswith("bb") else 1.0
        return stake if self.cards[0] > self.cards[1] else -stake

    def moves(self) -> list[tuple[str, float, Position]]:
        """Six deals, or pass and bet."""
        if self.actor == CHANCE:
            return [("deal", 1 / 6, Kuhn(cards)) for cards in permutations(range(3), 2)]
        if self.actor == TERMINAL:
            return []
        return [(name, 1.0, replace(self, history=self.history + name[0])) for name in ("pass", "bet")]


@dataclass(frozen=True, slots=True)
class Leduc:
    """Leduc hold'em (Southey and others 2005): two suits of jack, queen and king, one card each and one on the board.

    An ante of 1; two rounds of bets of 2 and 4 with at most two raises each; the first player begins both.
    A pair with the board wins, else the higher card. Suits mean nothing, so cards are ranks.
    """

    cards: tuple[int, ...] = ()
    """The players' ranks, 0 to 2."""
    board: int = -1
    """The rank on the board; −1 before it is dealt."""
    rounds: tuple[str, ...] = ("",)
    """The moves of each round: `c` for check or call, `r` for a raise, `f` for a fold."""
    paid: tuple[int, int] = (1, 1)
    """Chips each has put in."""

    @property
    def actor(self) -> int:
        """Chance deals cards and board; in a round the players alternate."""
        if not self.cards:
            return CHANCE
        if self.rounds[-1].endswith("f"):
            return TERMINAL
        if self._closed:
            return TERMINAL if self.board >= 0 else CHANCE
        return len(self.rounds[-1]) % 2

    @property
    def _closed(self) -> bool:
        return len(self.rounds[-1]) > 1 and self.rounds[-1].endswith("c")

    @property
    def information(self) -> str:
        """The own card, the board and the bets so far."""
        board = "JQK"[self.board] if self.board >= 0 else "-"
        return f"{'JQK'[self.cards[self.actor]]}{board} {'/'.join(self.rounds)}".strip()

    @property
    def payoff(self) -> float:
        """What the other has put in, to the winner."""
        if self.rounds[-1].endswith("f"):
            folded = (len(self.rounds[-1]) - 1) % 2
            return float(self.paid[1]) if folded == 1 else -float(self.paid[0])
        first, other = (3 if card == self.board else card for card in self.cards)
        return float(self.paid[0]) * ((first > other) - (first < other))

    def moves(self) -> list[tuple[str, float, Position]]:
        """The cards that are left by rank, or fold, call and raise where they are allowed."""
        actor = self.actor
        if actor == TERMINAL:
            return []
        if actor == CHANCE and not self.cards:
            deals = [(first, other) for first in range(3) for other in range(3)]
            return [("deal", (1 if a == b else 2) / 15, replace(self, cards=(a, b))) for a, b in deals]
        if actor == CHANCE:
            left = [2 - self.cards.count(rank) for rank in range(3)]
            ranks = [rank for rank in range(3) if left[rank]]
            return [("board", left[rank] / 4, replace(self, board=rank, rounds=(*self.rounds, ""))) for rank in ranks]
        size, facing = 2 * len(self.rounds), max(self.paid) - self.paid[actor]
        moves: list[tuple[str, float, Position]] = [("fold", 1.0, self._after("f", 0))] if facing else []
        moves.append(("call", 1.0, self._after("c", facing)))
        if self.rounds[-1].count("r") < 2:
            moves.append(("raise", 1.0, self._after("r", facing + size)))
        return moves

    def _after(self, move: str, chips: int) -> Leduc:
        paid = [*self.paid]
        paid[self.actor] += chips
        return replace(self, rounds=(*self.rounds[:-1], self.rounds[-1] + move), paid=(paid[0], paid[1]))


SMALL_GAMES: Final[dict[str, Callable[[], Position]]] = {"kuhn": Kuhn, "leduc": Leduc}
"""Small games by name."""

KNOWN_VALUES: Final = {"kuhn": -1 / 18, "leduc": -0.085606424078}
"""What the first player wins at an equilibrium: Kuhn (1950), and OpenSpiel's sequence-form linear program."""


def small_game(name: str) -> GameTree:
    """The small game of that name.

    >>> small_game("kuhn").size, len(small_game("leduc").sets)
    (24, 288)
    """
    if name not in SMALL_GAMES:
        raise SettingError(unknown_name("game", name, SMALL_GAMES))
    return build_tree(SMALL_GAMES[name]())
