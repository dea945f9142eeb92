"""Holecard: a lab for card-playing strategies.

>>> from holecard import Rules, named_strategy, simulate
>>> rules = Rules.from_text("6d S17 DAS")
>>> result = simulate(named_strategy("basic", rules), rules, rounds=100_000, seed=1)
>>> result.rounds
100000
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from holecard.blackjack.exact import Score, Solution, score, score_many, solve
    from holecard.blackjack.game.actions import Action
    from holecard.blackjack.game.batch import Batch
    from holecard.blackjack.game.game import Game, RoundRecord, SessionResult, View
    from holecard.blackjack.game.rules import Rules
    from holecard.blackjack.game.shoe import Composition
    from holecard.blackjack.play.simulate import compare, simulate
    from holecard.blackjack.play.simulation import Simulation
    from holecard.blackjack.strategy.charts import load_strategy, read_chart, write_chart
    from holecard.blackjack.strategy.named import named_strategy
    from holecard.blackjack.strategy.strategy import Strategy
    from holecard.errors import HolecardError
    from holecard.estimate import Estimate

_HOME = {
    "Action": "blackjack.game.actions",
    "Batch": "blackjack.game.batch",
    "Composition": "blackjack.game.shoe",
    "Estimate": "estimate",
    "Game": "blackjack.game.game",
    "HolecardError": "errors",
    "RoundRecord": "blackjack.game.game",
    "Rules": "blackjack.game.rules",
    "Score": "blackjack.exact",
    "SessionResult": "blackjack.game.game",
    "Simulation": "blackjack.play.simulation",
    "Solution": "blackjack.exact",
    "Strategy": "blackjack.strategy.strategy",
    "View": "blackjack.game.game",
    "compare": "blackjack.play.simulate",
    "load_strategy": "blackjack.strategy.charts",
    "named_strategy": "blackjack.strategy.named",
    "read_chart": "blackjack.strategy.charts",
    "score": "blackjack.exact",
    "score_many": "blackjack.exact",
    "simulate": "blackjack.play.simulate",
    "solve": "blackjack.exact",
    "write_chart": "blackjack.strategy.charts",
}

__all__ = [
    "Action",
    "Batch",
    "Composition",
    "Estimate",
    "Game",
    "HolecardError",
    "RoundRecord",
    "Rules",
    "Score",
    "SessionResult",
    "Simulation",
    "Solution",
    "Strategy",
    "View",
    "compare",
    "load_strategy",
    "named_strategy",
    "read_chart",
    "score",
    "score_many",
    "simulate",
    "solve",
    "write_chart",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first used, so that `import holecard` is quick."""
    if name not in _HOME:
        raise AttributeError(f"module 'holecard' has no attribute {name!r}")
    return getattr(import_module(f"holecard.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return __all__
