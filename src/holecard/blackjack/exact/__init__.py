"""The exact solver: optimal play, any table's value and its leaks, to twelve digits."""

from holecard.blackjack.exact.score import Leak, Score, score, score_many
from holecard.blackjack.exact.solution import Solution, solve

__all__ = ["Leak", "Score", "Solution", "score", "score_many", "solve"]
