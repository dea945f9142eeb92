"""The cards of a shoe: 13 ranks and four suits for people who look, ten values for the arithmetic."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from holecard.cards import ACE_RANK, RANKS
from holecard.errors import CardError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from holecard.blackjack.game.rules import Rules

MAX_DECKS: Final = 8
MAX_SHOE: Final = 52 * MAX_DECKS
VALUES: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
"""The ten values in the order of every chart and array here: the upcard `VALUES[i]` is column i."""
VALUE_LETTERS: Final = "A23456789T"
"""The ten values, one letter each, as people write hands and pairs."""
TEN_RANKS: Final = (8, 9, 10, 11)


@dataclass(frozen=True, slots=True)
class Composition:
    """How many cards of each rank a shoe holds, ranks in the order 2 … K, A.

    >>> Composition.of_decks(1).values
    (4, 4, 4, 4, 4, 4, 4, 4, 4, 16)
    >>> Composition.from_text("A=3, 2=4, 10=15").values
    (3, 4, 0, 0, 0, 0, 0, 0, 0, 15)
    """

    ranks: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.ranks) != 13:
            raise CardError(f"a composition counts 13 ranks; got {len(self.ranks)}")
        for rank, count in zip(RANKS, self.ranks, strict=True):
            if count < 0:
                raise CardError(f"a shoe cannot hold {count} cards of rank {rank}; counts start at 0")
        if self.size > MAX_SHOE:
            raise CardError(f"a shoe holds at most {MAX_SHOE} cards; got {self.size}")

    @classmethod
    def of_decks(cls, decks: int) -> Composition:
        """Full packs."""
        return cls((4 * decks,) * 13)

    @classmethod
    def of_rules(cls, rules: Rules) -> Composition:
        """A full shoe of these rules; one pack stands for an infinite shoe of full packs."""
        if rules.deck is not None:
            return rules.deck
        return cls.of_decks(1 if rules.is_infinite else int(rules.decks))

    @classmethod
    def of_values(cls, counts: tuple[int, ...]) -> Composition:
        """Ten counts, A to 10; the tens are spread over 10, J, Q and K as evenly as they go."""
        if len(counts) != 10:
            raise CardError(f"a composition by value counts ten values, A to 10; got {len(counts)}")
        tens = tuple((counts[9] + 3 - suit) // 4 for suit in range(4))
        return cls((*counts[1:9], *tens, counts[0]))

    @classmethod
    def from_text(cls, text: str) -> Composition:
        """Counts such as `A=4,2=4,…,10=16`; a value left out counts 0. `10` is all tens; T, J, Q, K are one rank each.

        >>> Composition.from_text("T=1,J=1,A=1").ranks
        (0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1)
        """
        counts: dict[str, int] = {}
        for item in text.split(","):
            name, equals, number = (part.strip() for part in item.partition("="))
            name = name.upper()
            if not equals or not number.removeprefix("-").isdecimal():
                raise CardError(f"a deck is written A=4,2=4,…,10=16; got {item.strip()!r}")
            if name not in VALUES and name not in RANKS:
                raise CardError(f"unknown rank {name!r} in --deck; ranks are {' '.join(VALUES)} (or T J Q K apart)")
            if int(number) < 0:
                raise CardError(f"a shoe cannot hold {number} cards of rank {name}; counts start at 0")
            if name in counts:
                raise CardError(f"rank {name} is counted twice in --deck")
            counts[name] = int(number)
        if "10" in counts and any(rank in counts for rank in "TJQK"):
            raise CardError("count the tens together as 10= or apart as T= J= Q= K=, not both")
        shared = cls.of_values(tuple(counts.get(value, 0) for value in VALUES)).ranks
        return cls(
            tuple(counts.get(rank, shared[at]) if rank in "TJQK" else shared[at] for at, rank in enumerate(RANKS))
        )

    @property
    def values(self) -> tuple[int, ...]:
        """Ten counts, A to 10."""
        return (self.ranks[ACE_RANK], *self.ranks[:8], sum(self.ranks[8:12]))

    @property
    def size(self) -> int:
        """Cards in all."""
        return sum(self.ranks)

    def cards(self) -> NDArray[np.uint8]:
        """The cards themselves, shape (size,), suits dealt out in turn."""
        import numpy as np  # here, because the command line reads decks before it loads numpy

        return np.array(
            [rank * 4 + card % 4 for rank, count in enumerate(self.ranks) for card in range(count)], np.uint8
        )

    def __str__(self) -> str:
        """The counts as `from_text` reads them, tens together if that says it all; ranks that are missing left out."""
        if self == Composition.of_values(self.values):
            counts = list(zip(VALUES, self.values, strict=True))
        else:
            apart = [(RANKS[rank], self.ranks[rank]) for rank in TEN_RANKS]
            counts = [*zip(VALUES[:-1], self.values[:-1], strict=True), *apart]
        return ",".join(f"{name}={count}" for name, count in counts if count)
