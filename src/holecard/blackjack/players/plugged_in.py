"""Agents from outside: `module:Class` or `FILE.py:Class`, made with care and watched while they play.

Whatever is wrong with one is told in a line that names it: a module that does not parse, a constructor that wants
something else, an `act` that raises or answers with something that is no legal action.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from inspect import Parameter, signature
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from holecard.blackjack.game.actions import Action, words_of
from holecard.blackjack.game.game import View
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.session_batch import legal_bits
from holecard.blackjack.game.stepping import rules_record
from holecard.blackjack.game.table_view import MOST_BETS, TableView, TableViews, checked_bets
from holecard.blackjack.players.protocol import Agent, BatchAgent, BatchBettingAgent, BettingAgent, StrategyAgent
from holecard.errors import AgentError, SettingError, nearest_name

_LONGEST: Final = 80
"""Characters of somebody's answer that a message repeats."""
_BY_POSITION: Final = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


def plugged_in(name: str, rules: Rules, seed: int) -> Agent:
    """An agent from outside: `Class()`, `Class(rules)` or `Class(rules, seed)`, looked for here first."""
    place, _, wanted = name.rpartition(":")
    kind = _named_in(_module(place, name), place, wanted, name)
    try:
        takes = [each for each in signature(kind).parameters.values() if each.kind in _BY_POSITION]
        agent = kind(*(given for _, given in zip(takes, (rules, seed), strict=False)))
    except Exception as problem:
        raise AgentError(
            f"cannot make agent {name}: {_in_words(problem)}; its constructor takes nothing, (rules) or (rules, seed)"
        ) from problem
    if not isinstance(agent, Agent) or not callable(agent.act):
        missing = [each for each in ("name", "last_reason", "act") if not hasattr(agent, each)]
        raise AgentError(f"{name} is no agent: it needs name, last_reason and act(view); it lacks {', '.join(missing)}")
    return CheckedAgent(name, agent, rules)


class CheckedAgent:
    """An agent from outside, every answer of which is looked at."""

    def __init__(self, title: str, agent: Agent, rules: Rules) -> None:
        self.name, self.last_reason = str(agent.name), ""
        self._title, self._agent, self._rules = title, agent, rules
        if isinstance(agent, StrategyAgent):
            self.strategy = agent.strategy
        if isinstance(agent, BatchAgent):
            self.act_batch = self._act_batch
        if isinstance(agent, BettingAgent):
            self.bet = self._bet
        if isinstance(agent, BatchBettingAgent):
            self.bet_batch = self._bet_batch

    def act(self, view: View) -> Action:
        """Its answer, if it is a legal action."""
        try:
            answer: Any = self._agent.act(view)
        except Exception as problem:
            raise AgentError(f"agent {self._title} raised {_in_words(problem)} in act") from problem
        is_number = isinstance(answer, int | np.integer) and not isinstance(answer, bool)
        if not is_number or not 0 <= answer < len(Action) or not view.legal_bits >> int(answer) & 1:
            raise AgentError(
                f"agent {self._title} answered {_shown(answer)} to {view.total} against {view.upcard}; act returns an "
                f"Action, such as Action.HIT; legal here: {words_of(view.legal_bits)}"
            )
        self.last_reason = str(self._agent.last_reason or "")
        return Action(int(answer))

    def _bet(self, table: TableView) -> float:
        """Its bet, if it is a number of base bets."""
        try:
            answer: Any = self._agent.bet(table)  # type: ignore[attr-defined]
        except Exception as problem:
            raise AgentError(f"agent {self._title} raised {_in_words(problem)} in bet") from problem
        try:
            return checked_bets(answer)
        except SettingError:
            raise AgentError(
                f"agent {self._title} bet {_shown(answer)}; bet returns base bets, 0 to {MOST_BETS:,}"
            ) from None

    def _bet_batch(self, tables: TableViews) -> NDArray[np.float64]:
        """Its bets, if they are numbers of base bets."""
        try:
            answers: Any = self._agent.bet_batch(tables)  # type: ignore[attr-defined]
        except Exception as problem:
            raise AgentError(f"agent {self._title} raised {_in_words(problem)} in bet_batch") from problem
        found = np.asarray(answers)
        if (
            found.shape != tables.cards_left.shape
            or found.dtype.kind not in "iuf"
            or not ((found >= 0) & (found <= MOST_BETS)).all()
        ):
            raise AgentError(
                f"agent {self._title} bet {_shown(answers)}; bet_batch returns {len(tables.cards_left)} numbers of "
                f"base bets, 0 to {MOST_BETS:,}, in an array"
            )
        return found.astype(np.float64)

    def _act_batch(self, states: NDArray[np.void], rounds: NDArray[np.int64]) -> NDArray[np.int64]:
        """Its answers, if they are legal actions."""
        try:
            answers: Any = self._agent.act_batch(states, rounds)  # type: ignore[attr-defined]
        except Exception as problem:
            raise AgentError(f"agent {self._title} raised {_in_words(problem)} in act_batch") from problem
        found = np.asarray(answers)
        if found.shape != states.shape or found.dtype.kind not in "iu":
            raise AgentError(
                f"agent {self._title} answered {_shown(answers)}; act_batch returns {len(states)} whole numbers, the "
                f"values of Action, in an array"
            )
        legal = legal_bits(states, states["active"].astype(np.int64), rules_record(self._rules))
        wrong = np.flatnonzero(
            (found < 0) | (found >= len(Action)) | ~(legal >> np.clip(found, 0, 62) & 1).astype(bool)
        )
        if wrong.size:
            at = int(wrong[0])
            raise AgentError(
                f"agent {self._title} answered {int(found[at])} at table {at} in act_batch; legal there: "
                f"{words_of(int(legal[at]))}"
            )
        return found.astype(np.int64)


def _module(place: str, name: str) -> ModuleType:
    """The module that an agent is in: a file, or one that can be imported from here."""
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        return _from_file(Path(place)) if place.endswith(".py") else import_module(place)
    except (Exception, SystemExit) as problem:  # a module can raise anything while it is imported
        raise AgentError(f"cannot import {place!r} of agent {name!r}: {_in_words(problem)}") from problem
    finally:
        sys.path.remove(here)


def _from_file(path: Path) -> ModuleType:
    title = f"holecard_agent_{path.resolve()}"
    if title not in sys.modules:
        spec = spec_from_file_location(title, path)
        assert spec is not None
        assert spec.loader is not None
        sys.modules[title] = module_from_spec(spec)
        try:
            spec.loader.exec_module(sys.modules[title])
        except BaseException:
            del sys.modules[title]
            raise
    return sys.modules[title]


def _named_in(module: ModuleType, place: str, wanted: str, name: str) -> Any:
    """The class of that name, or a function that makes an agent."""
    kind = getattr(module, wanted, None) if wanted else None
    if kind is None:
        classes = [each for each, value in vars(module).items() if isinstance(value, type) and hasattr(value, "act")]
        near = nearest_name(wanted, classes)
        hint = f"did you mean {near}?" if near else f"it has {', '.join(classes) or 'no class with act'}"
        raise AgentError(f"module {place!r} has no {wanted!r}; {hint}; write module:Class")
    if not callable(kind):
        raise AgentError(f"{name} is no class but {_shown(kind)}; write module:Class")
    return kind


def _in_words(problem: BaseException) -> str:
    """An exception in one line."""
    return f"{type(problem).__name__}: {' '.join(str(problem).split())}".removesuffix(": ")


def _shown(answer: object) -> str:
    """Somebody's answer, as Python writes it, cut to a length, with its type."""
    try:
        text = " ".join(repr(answer).split())
    except Exception:
        text = "something that cannot be printed"
    return f"{text[:_LONGEST]} ({type(answer).__name__})" if answer is not None else "None"
