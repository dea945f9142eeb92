"""Who can play a session: agents by name, evolved charts, and you."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from holecard.blackjack.players.registry import AGENTS

YOU: Final = "you"
"""The name of the human player."""
RUNS: Final = Path("runs")
"""The folder whose runs are offered."""
_MOST_RUNS: Final = 40
_WINNER: Final = "winner.txt"
_RESULTS: Final = "stages"
"""The folder of a race with its parts' results."""
_FAMILIAR: Final = ("random", "heuristic", "aggressive", "mcts", "dnn", "exact", "counter")
_TITLES: Final = {
    "random": "Random",
    "heuristic": "Heuristic · basic",
    "basic": "Heuristic · basic",
    "aggressive": "Heuristic · aggressive",
    "mcts": "Monte Carlo tree search",
    "dnn": "Neural network",
    "exact": "The exact optimum",
    "counter": "Card counter · Hi-Lo",
    YOU: "You",
}


@dataclass(frozen=True, slots=True)
class AgentChoice:
    """Somebody who can play: a name the registry knows, a chart, a `module:Class`, or you."""

    name: str
    """What the registry is asked for."""
    title: str
    """What people read."""
    about: str
    """A line about it."""


def agent_choice(name: str) -> AgentChoice:
    """The agent of a name, a chart file or a `module:Class`, with its title and a line about it."""
    if name == YOU:
        return AgentChoice(YOU, _TITLES[YOU], "you play; every decision is priced, your leaks come at the end")
    if name in AGENTS:
        return AgentChoice(name, _TITLES.get(name, name), AGENTS[name].about)
    path = Path(name)
    if name and path.is_dir():
        return AgentChoice(name, path.name, f"the winner of {name}")
    if path.suffix == ".txt":
        return AgentChoice(name, _chart_title(path), f"the strategy chart {name}")
    return AgentChoice(name, name, "an agent of yours")


def _chart_title(path: Path) -> str:
    """What a chart is called: after its run, or its race and its part of it, else after its file."""
    if path.name != _WINNER:
        return path.stem
    run, above = path.parent.name, path.parent.parent
    return f"{above.name} · {run}" if _is_race(above) else run


def _is_race(folder: Path) -> bool:
    """True if a folder is that of a race: its parts' results lie in a folder of their own."""
    return (folder / _RESULTS).is_dir()


def agent_choices(wanted: str | None = None, runs: Path = RUNS) -> tuple[AgentChoice, ...]:
    """Everybody to choose from: the familiar ones, evolved charts of `runs/`, the one asked for, and you."""
    names = [*_FAMILIAR, *evolved_charts(runs)]
    if wanted and wanted not in (*names, YOU):
        names.append("heuristic" if wanted == "basic" else wanted)
    return tuple(agent_choice(name) for name in (*dict.fromkeys(names), YOU))


def evolved_charts(runs: Path = RUNS) -> list[str]:
    """The winners' charts of evolution runs, also of those inside a race, newest first."""
    patterns = (f"*/{_WINNER}", f"*/*/{_WINNER}")
    found = [path for pattern in patterns for path in runs.glob(pattern) if path.is_file()] if runs.is_dir() else []
    return [str(path) for path in sorted(found, key=lambda path: -path.stat().st_mtime)[:_MOST_RUNS]]
