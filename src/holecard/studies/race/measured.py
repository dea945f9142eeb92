"""The row of a player that is no chart: it plays the common cards, and is measured from basic strategy."""

from __future__ import annotations

from holecard.blackjack.arena.judging import Judgement
from holecard.blackjack.exact import optimum, score
from holecard.blackjack.strategy.named import named_strategy
from holecard.studies.race.context import RaceContext
from holecard.studies.race.part import Result
from holecard.studies.race.rows import BASIC, Origin, Row, row_of_estimate


def measured_row(context: RaceContext, judgement: Judgement, origin: Origin) -> Row:
    """The row of a player that was judged on the common cards.

    Its EV is the exact one of basic strategy plus what it gains on the same cards.
    """
    rules = context.config.rules
    basic = score(named_strategy(BASIC, rules), rules).ev
    return row_of_estimate(origin, judgement.ev(context.yardstick, basic), judgement.leaks, optimum(rules).strategy())


def decisions_json(judgement: Judgement) -> Result:
    """What a player's decisions cost per round, and how long it thought about one."""
    return {
        "judged": judgement.decision_cost.as_json(),
        "decision_seconds": judgement.thought / judgement.decisions,
    }
