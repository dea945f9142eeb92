"""Strategies by name: published ones, chart files, voting programs, the winners of runs, agents that follow a chart."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from holecard.blackjack.counting.text import is_counter, load_counter
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.players.programs import read_programs, strategy_of
from holecard.blackjack.players.protocol import StrategyAgent
from holecard.blackjack.players.registry import AGENTS, make_agent
from holecard.blackjack.strategy.charts import load_strategy
from holecard.blackjack.strategy.named import ALIASES, NAMED, named_strategy
from holecard.blackjack.strategy.strategy import Strategy
from holecard.errors import FileProblem, ProgramError, SettingError
from holecard.files import read_text

WINNER: Final = "winner.txt"
"""The chart that an evolution leaves in its folder."""
_PROGRAM: Final = re.compile(r"(?:A|10|[2-9])\s*:")
"""How a line of voting programs begins."""


def find_strategy(name: str, rules: Rules) -> Strategy:
    """The strategy of that name; of a chart or of voting programs in a file; or of the winner of an evolution's run.

    An agent of yours (`module:Class`) that has a `strategy` is one, too.
    """
    found = strategy_if_any(name, rules)
    if found is None:
        raise SettingError(
            f"{name} is an agent and no chart; let it play: holecard score {name}, or evaluate --agent {name}"
        )
    return found


def strategy_if_any(name: str, rules: Rules) -> Strategy | None:
    """As `find_strategy`, but None for an agent that follows no chart."""
    if ALIASES.get(name, name) in NAMED:
        return named_strategy(name, rules)
    path = Path(name)
    if name and (path.exists() or path.suffix == ".txt"):
        return strategy_in(path, rules)
    if name in AGENTS or name.startswith("counter:"):
        return None
    if ":" in name:
        agent = make_agent(name, rules)
        return agent.strategy if isinstance(agent, StrategyAgent) else None
    return load_strategy(name) if path.suffix or "/" in name else named_strategy(name, rules)


def strategy_in(path: Path, rules: Rules) -> Strategy:
    """The strategy of a chart file, of a file of voting programs, or of the run of an evolution in a folder.

    Of a counting strategy it is the chart, what is played where the count says nothing else.
    """
    if path.is_dir():
        if not (path / WINNER).is_file():
            raise FileProblem(f"{path} has no {WINNER}: it is no run of `holecard evolve`, or not finished")
        return load_strategy(path / WINNER)
    if holds_counter(path):
        return load_counter(path, rules).chart
    return _voted(path) if path.is_file() and _holds_programs(path) else load_strategy(path)


def holds_counter(path: Path) -> bool:
    """True if a file holds a counting strategy."""
    return path.is_file() and is_counter(read_text(path))


def _holds_programs(path: Path) -> bool:
    """True if the first line that says something begins as a program does: `A: Or(…`."""
    lines = (line.strip() for line in read_text(path).splitlines())
    return bool(_PROGRAM.match(next((line for line in lines if line and not line.startswith("#")), "")))


def _voted(path: Path) -> Strategy:
    try:
        return strategy_of(read_programs(read_text(path)), name=path.stem)
    except ProgramError as problem:
        raise ProgramError(f"{path}: {problem}") from None
