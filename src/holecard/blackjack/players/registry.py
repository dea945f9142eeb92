"""Who can play blackjack: agents by name, by chart file, and by `module:Class`. Nothing is loaded before it is made."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from inspect import signature
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


def _chart(name: str, rules: Rules, seed: int) -> Agent:
    from holecard.blackjack.players.chart_agent import ChartAgent
    from holecard.blackjack.strategy.named import find_strategy

    return ChartAgent(find_strategy(name, rules), rules, name=Path(name).stem, seed=seed)


def _mcts(rules: Rules, seed: int, options: AgentOptions) -> Agent:
    from holecard.blackjack.players.mcts import MctsAgent

    return MctsAgent(rules, seed, options)


def _dnn(rules: Rules, seed: int, options: AgentOptions) -> Agent:
    from holecard.blackjack.players.dnn import DnnAgent

    return DnnAgent.load(rules, options.model)


def _exact(rules: Rules, seed: int, options: AgentOptions) -> Agent:
    from holecard.blackjack.players.exact import ExactAgent

    return ExactAgent(rules)


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
    }
)
"""Every agent with a name."""


def make_agent(name: str, rules: Rules, *, seed: int = 0, options: AgentOptions | None = None) -> Agent:
    """The agent of that name, of the chart file at that path, or of a `module:Class` of yours.

    >>> make_agent("aggressive", Rules()).name
    'aggressive'
    """
    if name in AGENTS:
        return AGENTS[name].make(rules, seed, options or AgentOptions())
    if Path(name).is_file() or Path(name).suffix == ".txt":
        return _chart(name, rules, seed)
    if ":" in name:
        return _plugged_in(name, rules, seed)
    raise SettingError(unknown_name("agent", name, AGENTS, also="a chart file or module:Class"))


def _plugged_in(name: str, rules: Rules, seed: int) -> Agent:
    """An agent from outside: `Class()`, `Class(rules)` or `Class(rules, seed)`, looked for here first."""
    module_name, _, class_name = name.partition(":")
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        kind = getattr(import_module(module_name), class_name)
    except ImportError as problem:
        raise SettingError(f"cannot import {module_name!r} of agent {name!r}: {problem}") from None
    except AttributeError:
        raise SettingError(f"module {module_name!r} has no {class_name!r}; write module:Class") from None
    finally:
        sys.path.remove(here)
    wanted = [given for _, given in zip(signature(kind).parameters, (rules, seed), strict=False)]
    agent = kind(*wanted)
    if not isinstance(agent, Agent):
        raise SettingError(f"{name} is no agent: it needs name, last_reason and act(view)")
    return agent
