"""A blueprint trained to its end: a run directory with its history, checkpoints and the player that comes of it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard.device import Device
from holecard.errors import FileProblem
from holecard.evolve.observer import Observer, Record
from holecard.evolve.run_directory import RunDirectory, carry_on
from holecard.holdem.equilibrium.betting_rows import BetMenu, Betting, build_betting
from holecard.holdem.equilibrium.blueprint_file import BLUEPRINT, StoredBlueprint, quantised
from holecard.holdem.equilibrium.clusters import (
    Clusters,
    card_tables,
    cluster_counts,
    deal_clusters,
    find_clusters,
    good_hands,
)
from holecard.holdem.equilibrium.training import Engine, Trainer
from holecard.holdem.game.rules import HoldemRules
from holecard.holdem.players.presets import preset_named
from holecard.studies.blueprint_config import USUAL_MINUTES, BlueprintConfig

_SECONDS_BETWEEN: Final = 30.0
"""Between checkpoints, which hold all regrets."""
_LEAST_JUDGED: Final = 10_000
_MOST_JUDGED: Final = 100_000
"""Hands that a best response is judged by: as many as were trained, within these."""
_LEAST_LEARNED: Final = 8
_LEARNS: Final = 8
"""A best response learns in this share of the batches that were trained."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BlueprintOutcome:
    """A blueprint once it is trained."""

    folder: Path
    """Its run directory."""
    path: Path
    """The player's file."""
    record: Record
    """The last record."""
    information_sets: int
    """Information sets of the abstraction."""


class _Training:
    """A blueprint being trained, as `carry_on` takes it."""

    def __init__(self, config: BlueprintConfig, threads: int | None, device: Device) -> None:
        self.config = config
        self._device = device
        self.rules: HoldemRules = preset_named(config.preset).rules
        self._threads = threads
        self._seconds = 0.0
        self._records = 0
        self.menu = BetMenu(np.array(config.sizes), np.array(config.again), config.most_raises, config.memory)
        self.clusters: Clusters
        self.betting: Betting
        self.trainer: Trainer
        self._ready = False

    def prepare(self, clusters: Clusters | None = None) -> None:
        """Find clusters, unless they are known, and lay out the game."""
        config, tables = self.config, card_tables()
        found = clusters or find_clusters(config.strengths, config.parts, seed=config.seed, threads=self._threads)
        self.clusters = found
        self.betting = build_betting(self.menu, self.rules.stakes, self.rules.stack, cluster_counts(found))
        seed = config.seed
        self.trainer = Trainer(
            tree=self.betting.tree,
            dealer=lambda first, count: deal_clusters(tables, found, seed, first, count),
            seed=seed,
            batch=config.batch,
            engine=self._engine(),
        )
        self._ready = True

    def _engine(self) -> Engine | None:
        """A GPU, if one was asked for."""
        if self._device == "cpu":
            return None
        from holecard.holdem.equilibrium.gpu import OnGpu, device_dealer

        return OnGpu(self.betting.tree, device_dealer(card_tables(), self.clusters, self.config.seed))

    @property
    def finished(self) -> bool:
        """True once so many iterations are done, or so many minutes."""
        if not self._ready:
            return False
        if self.config.iterations is not None:
            return self.trainer.iterations >= self.config.iterations
        return self._seconds >= 60 * (self.config.minutes or USUAL_MINUTES)

    @property
    def share(self) -> float:
        """How much of it is done, 0 to 1."""
        if self.config.iterations is not None:
            return min(1.0, self.trainer.iterations / self.config.iterations)
        return min(1.0, self._seconds / (60 * (self.config.minutes or USUAL_MINUTES)))

    def step(self) -> Record:
        """Some batches more, and what is known then."""
        if not self._ready:
            self.prepare()
        start = time.perf_counter()
        self.trainer.run(self.config.step, threads=self._threads)
        self._seconds += time.perf_counter() - start
        self._records += 1
        trainer, milli = self.trainer, 1000 / self.rules.big_blind
        record: dict[str, Any] = {
            "iterations": trainer.iterations,
            "regret_mbb": trainer.regret_per_iteration * milli,
        }
        if self.finished or self._records & (self._records - 1) == 0:
            batches = max(_LEAST_LEARNED, trainer.batches // _LEARNS)
            hands = min(max(trainer.iterations, _LEAST_JUDGED), _MOST_JUDGED)
            gains = [trainer.respond(player, batches=batches, hands=hands, threads=self._threads) for player in (0, 1)]
            mean = (gains[0].mean + gains[1].mean) / 2
            stderr = (gains[0].stderr ** 2 + gains[1].stderr ** 2) ** 0.5 / 2
            record |= {"exploitability_mbb": max(mean * milli, 0.0), "stderr_mbb": stderr * milli}
        return record

    def state(self) -> dict[str, NDArray[Any]]:
        """Everything needed to go on."""
        return {
            "regret": self.trainer.regret,
            "average": self.trainer.average,
            "batches": np.array(self.trainer.batches),
            "records_done": np.array(self._records),
            "seconds": np.array(self._seconds),
            "chance": self.clusters.chance,
            "second": self.clusters.second,
        }

    def restore(self, state: Mapping[str, NDArray[Any]]) -> None:
        """Take up a state."""
        self.prepare(Clusters(state["chance"], state["second"], good_hands()))
        like = self.trainer.regret
        if any(state[name].shape != like.shape or state[name].dtype != like.dtype for name in ("regret", "average")):
            raise FileProblem("the checkpoint is of another version; train again in another folder")
        self.trainer.regret[:] = state["regret"]
        self.trainer.average[:] = state["average"]
        self.trainer.batches = int(state["batches"])
        self._records, self._seconds = int(state["records_done"]), float(state["seconds"])

    def stored(self) -> StoredBlueprint:
        """The player that comes of it."""
        tree = self.betting.tree
        return StoredBlueprint(
            facts={"iterations": self.trainer.iterations, "settings": self.config.as_options},
            menu=self.menu,
            clusters=self.clusters,
            rows=self.betting.rows,
            offset=tree.offset,
            share=quantised(self.trainer.average.astype(np.float64), tree.child.shape[1]),
        )


def run(
    config: BlueprintConfig,
    folder: Path,
    *,
    resume: bool = False,
    threads: int | None = None,
    device: Device = "cpu",
    observer: Observer | None = None,
    command: Sequence[str] | None = None,
) -> BlueprintOutcome:
    """Train a blueprint, or go on with the one in the folder; the same bits on any number of threads and on a GPU."""
    directory = RunDirectory.open(folder) if resume else RunDirectory.create(folder, config.as_options, command)
    training, told = _Training(config, threads, device), observer or Observer()

    def step() -> Record:
        record = training.step()
        told.progress(training.share, f"{training.trainer.iterations:,} iterations")
        return record

    carry_on(training, step, directory, observer=told, seconds_between_checkpoints=_SECONDS_BETWEEN)
    path = folder / BLUEPRINT
    training.stored().save(path)
    tree = training.betting.tree
    return BlueprintOutcome(
        folder=folder,
        path=path,
        record=directory.history.records()[-1],
        information_sets=int(tree.offset[-1]) // tree.child.shape[1],
    )
