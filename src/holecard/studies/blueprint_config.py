"""What a blueprint is trained for: stakes, how cards and bets are seen, how long."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Final, Self

from holecard.errors import FileProblem, SettingError
from holecard.settings import check_settings, seed_setting, setting

USUAL_MINUTES: Final = 20.0
_MOST_SIZES: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class BlueprintConfig:
    """The settings of a blueprint."""

    preset: str = setting("paper", choices=("paper", "pokernet"), help="The stakes.")
    iterations: int | None = setting(
        None, low=1, high=10**12, metavar="N", help="Train so many iterations, rounded up to whole steps."
    )
    minutes: float | None = setting(
        None, above=0, high=100_000, metavar="M", help="Train so long instead; 20 where neither is given."
    )
    bets: str = setting("1/2,1,2", help="Bets in pots as the pot stands after a call; all-in is always allowed.")
    raises: str = setting("1", help="Those of them that are raises too.")
    most_raises: int = setting(3, low=1, high=6, help="Bets and raises of a street, before only all-in is left.")
    memory: int = setting(3, low=0, high=3, help="Streets before of which it knows who bet last.")
    strengths: int = setting(40, low=2, high=1000, help="Slices of the chance to win, from the flop on.")
    parts: int = setting(4, low=1, high=50, help="Parts of each slice, by draws or by what beats good hands.")
    batch: int = setting(8192, low=1, high=1 << 20, help="Iterations against the same regrets.")
    step: int = setting(50, low=1, high=100_000, help="Batches between two records.")
    seed: int = seed_setting()

    def __post_init__(self) -> None:
        """Refuse what cannot be trained."""
        check_settings(self)
        if self.iterations is not None and self.minutes is not None:
            raise SettingError("give iterations or minutes, not both")
        sizes = self.sizes
        if not 1 <= len(sizes) <= _MOST_SIZES:
            raise SettingError(f"bets must be 1 to {_MOST_SIZES} sizes; got {self.bets!r}")
        if list(sizes) != sorted(set(sizes)):
            raise SettingError(f"bets must be ascending, none twice; got {self.bets!r}")
        missing = [size for size in _sizes("raises", self.raises) if size not in sizes]
        if missing:
            raise SettingError(f"raises must be among the bets, {self.bets}; got {self.raises!r}")

    @property
    def sizes(self) -> tuple[float, ...]:
        """The bets in pots."""
        return _sizes("bets", self.bets)

    @property
    def again(self) -> tuple[bool, ...]:
        """Which of them are raises too."""
        raises = _sizes("raises", self.raises)
        return tuple(size in raises for size in self.sizes)

    @property
    def as_options(self) -> dict[str, Any]:
        """The configuration as a run directory holds it."""
        return asdict(self)

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Self:
        """The configuration of a run directory's options."""
        if set(options) != {each.name for each in fields(cls)}:
            raise FileProblem("the run in this folder is no blueprint; go on with it by the command that began it")
        return cls(**options)


def _sizes(name: str, text: str) -> tuple[float, ...]:
    """Bets as numbers: `1/2,1` is 0.5 and 1.

    >>> _sizes("bets", "1/2,1"), _sizes("raises", "none")
    ((0.5, 1.0), ())
    """
    if text.strip() in ("", "none"):
        return ()
    sizes = []
    for word in text.split(","):
        above, _, below = word.partition("/")
        try:
            size = float(above) / float(below or 1)
        except (ValueError, ZeroDivisionError):
            size = float("nan")
        if not 0.01 <= size <= 100:
            raise SettingError(f"{name} must be pots such as 1/2,1,2, each 0.01 to 100; got {word!r}")
        sizes.append(size)
    return tuple(sizes)
