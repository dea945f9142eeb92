"""A blueprint as a file: the menu, the edges of clusters, rows, and probabilities in 64ths; small enough to ship.

A plain `.npz` with a checksum over all arrays; nothing is ever unpickled.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard.errors import FileProblem
from holecard.evolve.checkpoint import digest_of, read_checked
from holecard.files import write_file
from holecard.holdem.equilibrium.betting_rows import FIRST_SIZE, BetMenu
from holecard.holdem.equilibrium.clusters import Clusters, cluster_counts

FORMAT: Final = "holecard blueprint 2"
BLUEPRINT: Final = "blueprint.npz"
"""The name of the file in the folder of a run."""
PARTS: Final = 64
"""Probabilities are whole numbers of these."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StoredBlueprint:
    """What a blueprint plays, and what it was made for."""

    facts: dict[str, Any]
    """Stakes, iterations, settings, as plain JSON."""
    menu: BetMenu
    """What may be bet."""
    clusters: Clusters
    """How cards are seen."""
    rows: NDArray[np.int32]
    """(`BetMenu.places`) how the betting is seen."""
    offset: NDArray[np.int64]
    """(rows + 1) where the shares of each row begin."""
    share: NDArray[np.uint8]
    """64ths of every action, by row, cluster and action."""

    def save(self, path: Path) -> None:
        """Write the file."""
        arrays: dict[str, NDArray[Any]] = {
            "facts": np.frombuffer(json.dumps({"format": FORMAT} | self.facts).encode(), np.uint8),
            "sizes": self.menu.sizes,
            "again": self.menu.again,
            "most_raises": np.array(self.menu.most_raises),
            "remembered": np.array(self.menu.remembered),
            "chance": self.clusters.chance,
            "second": self.clusters.second,
            "good": self.clusters.good,
            "rows": self.rows,
            "offset": self.offset,
            "share": self.share,
        }
        contents = BytesIO()
        np.savez_compressed(contents, allow_pickle=False, **arrays, sha256=digest_of(arrays))
        write_file(path, contents.getvalue())

    @classmethod
    def load(cls, path: Path) -> StoredBlueprint:
        """The blueprint of a sound file."""
        arrays = read_checked(path)
        try:
            stored = cls(
                facts=json.loads(arrays["facts"].tobytes()),
                menu=BetMenu(arrays["sizes"], arrays["again"], int(arrays["most_raises"]), int(arrays["remembered"])),
                clusters=Clusters(arrays["chance"], arrays["second"], arrays["good"]),
                rows=arrays["rows"],
                offset=arrays["offset"],
                share=arrays["share"],
            )
            sound = stored._is_sound()
        except (KeyError, ValueError, TypeError, IndexError):
            sound = False
        if not sound:
            raise FileProblem(f"{path} is no blueprint of this version; train one with holecard holdem blueprint")
        return stored

    def _is_sound(self) -> bool:
        """True if every place leads to shares that exist."""
        counts, sizes = cluster_counts(self.clusters), len(self.menu.sizes)
        if self.facts["format"] != FORMAT or self.rows.shape != self.menu.places or self.offset[-1] != len(self.share):
            return False
        if self.rows.min() < 0 or self.rows.max() >= len(self.offset) - 1:
            return False
        room = np.diff(self.offset)
        width = FIRST_SIZE + sizes + 1
        return all(bool((room[self.rows[street]] == counts[street] * width).all()) for street in range(4))


def quantised(average: NDArray[np.float64], width: int) -> NDArray[np.uint8]:
    """Weighted sums of strategies as whole 64ths that sum to 64, by largest remainders; 0 where nothing was played.

    >>> quantised(np.array([1.0, 1.0, 1.0, 0.0, 0.0, 0.0]), 3).tolist()
    [22, 21, 21, 0, 0, 0]
    """
    table = average.reshape(-1, width)
    sums = table.sum(axis=1, keepdims=True)
    exact = np.divide(table * PARTS, sums, out=np.zeros_like(table), where=sums > 0)
    whole = np.floor(exact)
    missing = np.where(sums[:, 0] > 0, PARTS - whole.sum(axis=1), 0).astype(int)
    order = np.argsort(-(exact - whole), axis=1, kind="stable")
    rank = np.empty_like(order)
    np.put_along_axis(rank, order, np.arange(width)[None, :].repeat(len(table), 0), axis=1)
    whole += rank < missing[:, None]
    return whole.astype(np.uint8).reshape(-1)
