"""What the parts of a race work with: the configuration, the folder, threads, and where progress goes."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from holecard.blackjack.arena.judging import Judgement, judge
from holecard.blackjack.players.options import AgentOptions
from holecard.evolve.observer import Observer
from holecard.evolve.run_directory import CONFIG
from holecard.studies.race.config import RaceConfig
from holecard.studies.race.rows import BASIC


@dataclass(kw_only=True)
class RaceContext:
    """One race while it runs; every part gets the same one."""

    config: RaceConfig
    path: Path
    """The race's folder."""
    threads: int | None
    executor: Executor | None = None
    """A cluster, or another executor, for what can travel; duels, scores and training stay here."""
    tell: Callable[[float, str], None]
    """Called with the share of the part in play that is done, and a word about it."""
    note: Callable[[str], None] = field(default=lambda text: None)
    """Called with what a user should know."""

    @cached_property
    def yardstick(self) -> Judgement:
        """Basic strategy on the common cards. Its exact EV is known, so others are measured from it."""
        return self._judge(BASIC, None, lambda done, word: None)  # the part that asks first has told its own progress

    def judge(self, agent: str, options: AgentOptions | None = None) -> Judgement:
        """An agent on the common cards, every decision judged exactly."""
        return self._judge(agent, options, self.tell)

    def _judge(self, agent: str, options: AgentOptions | None, tell: Callable[[float, str], None]) -> Judgement:
        rounds = self.config.rounds
        return judge(
            agent,
            self.config.rules,
            rounds,
            seed=self.config.seed,
            options=options,
            threads=self.threads,
            executor=self.executor,
            progress=lambda done: tell(done / rounds, f"{done:,} of {rounds:,} rounds"),
        )

    @property
    def observer(self) -> Observer:
        """What a study inside the race is told to call."""
        return Observer(note=self.note, progress=self.tell)

    def has_begun(self, name: str) -> bool:
        """True if a study of that name inside the race has a run directory: it goes on, or is finished."""
        return (self.path / name / CONFIG).exists()
