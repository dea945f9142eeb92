"""The exact solver: optimal play, any chart's value and its leaks, to twelve digits."""

from holecard.blackjack.exact.dealer_totals import fill_totals
from holecard.blackjack.exact.departures import Departure
from holecard.blackjack.exact.joint import sum_families
from holecard.blackjack.exact.memory import SPLIT_PLAYS, SplitMemory
from holecard.blackjack.exact.outcomes import Outcomes
from holecard.blackjack.exact.population import Scores
from holecard.blackjack.exact.prices import RulePrice, RulePrices, TableValue, price_rules, value_table
from holecard.blackjack.exact.removal import Removal, effects_of_removal
from holecard.blackjack.exact.score import Leak, Score, ev_of_strategy, optimum, score, score_many
from holecard.blackjack.exact.solution import Solution, solve

KERNELS = (fill_totals, sum_families)
"""The first and the last kernel that a solve with all its figures compiles."""

__all__ = [
    "KERNELS",
    "SPLIT_PLAYS",
    "Departure",
    "Leak",
    "Outcomes",
    "Removal",
    "RulePrice",
    "RulePrices",
    "Score",
    "Scores",
    "Solution",
    "SplitMemory",
    "TableValue",
    "effects_of_removal",
    "ev_of_strategy",
    "optimum",
    "price_rules",
    "score",
    "score_many",
    "solve",
    "value_table",
]
