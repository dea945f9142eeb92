"""Who can play blackjack: agents by name, by chart file, by run and by `module:Class`. Loaded when they are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

from holecard.blackjack.game.rules import Rules
from holecard.blackjack.players.options import AgentOptions
from holecard.blackjack.players.protocol import Agent, Maker
from holecard.errors import SettingError, unknown_name


@dataclass(frozen=True, slots=True)
class Entry:
    """An agent as people know it."""

    about: str
    """How it plays, in a line."""
    make: Maker
    extra: str = ""
    """The optional dependency it needs, if any."""


def _table(name: str) -> Maker:
    def make(rules: Rules, seed: int, options: AgentOptions) -> Agent:
        from holecard.blackjack.players.chart_agent import ChartAgent
        from holecard.blackjack.strategy.named import named_strategy

        return ChartAgent(named_strategy(name, rules), rules, name=name, seed=seed)

    return make


def _chart(path: Path, rules: Rules, seed: int) -> Agent:
    from holecard.blackjack.players.chart_agent import ChartAgent
    from holecard.blackjack.players.finding import holds_counter, strategy_in

    if holds_counter(path):
        return _counter_named(str(path), rules, seed, path.stem)
    return ChartAgent(strategy_in(path, rules), rules, name=path.stem, seed=seed)


def _mcts(rules: Rules, seed: int, options: AgentOptions) -> Agent:
    from holecard.blackjack.players.mcts import MctsAgent

    return MctsAgent(rules, seed, options)


def _dnn(rules: Rules, seed: int, options: AgentOptions) -> Agent:
    from holecard.blackjack.players.dnn import DnnAgent

    return DnnAgent.load(rules, options.model)


def _exact(rules: Rules, seed: int, options: AgentOptions) -> Agent:
    from holecard.blackjack.players.exact import ExactAgent

    return ExactAgent(rules)


def _counter(rules: Rules, seed: int, options: AgentOptions) -> Agent:
    from holecard.blackjack.players.counter import DEFAULT_COUNT

    return _counter_named(DEFAULT_COUNT, rules, seed)


def _counter_named(text: str, rules: Rules, seed: int, name: str = "") -> Agent:
    from holecard.blackjack.players.counter import CounterAgent, counter_of

    return CounterAgent(counter_of(text, rules), rules, name=name, seed=seed)


AGENTS: Final[Mapping[str, Entry]] = MappingProxyType(
    {
        "random": Entry("any legal action, each as likely", _table("random")),
        "heuristic": Entry("published basic strategy for the rules of the table", _table("basic")),
        "basic": Entry("the same as heuristic", _table("basic")),
        "aggressive": Entry("hits to 17, doubles 10 and 11, splits aces and eights", _table("aggressive")),
        "mimic-dealer": Entry("hits and stands as the dealer must", _table("mimic-dealer")),
        "never-bust": Entry("stands wherever a ten would break it", _table("never-bust")),
        "mcts": Entry("searches worlds that agree with what it has seen", _mcts),
        "dnn": Entry("a neural network that learned from basic strategy", _dnn, extra="dnn"),
        "exact": Entry("the exact optimum for the cards still in the shoe, as it has seen them", _exact),
        "counter": Entry("counts cards, plays and bets by the count: counter:hi-lo, counter:FILE", _counter),
    }
)
"""Every agent with a name."""


def make_agent(name: str, rules: Rules, *, seed: int = 0, options: AgentOptions | None = None) -> Agent:
    """The agent of that name, of the chart, counting strategy or run at that path, or of a `module:Class` of yours.

    >>> make_agent("aggressive", Rules()).name
    'aggressive'
    """
    if name in AGENTS:
        return AGENTS[name].make(rules, seed, options or AgentOptions())
    if name.startswith("counter:"):
        return _counter_named(name.removeprefix("counter:"), rules, seed, name)
    path = Path(name)
    if name and (path.exists() or path.suffix == ".txt"):
        return _chart(path, rules, seed)
    if ":" in name:
        from holecard.blackjack.players.plugged_in import plugged_in

        return plugged_in(name, rules, seed)
    raise SettingError(unknown_name("agent", name, AGENTS, also="a chart file, a run or module:Class"))
