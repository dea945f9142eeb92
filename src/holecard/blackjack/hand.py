"""The rules of one hand: each is one small function, plain Python for people and compiled for kernels."""

from __future__ import annotations

from holecard._jit import rule
from holecard.blackjack.rules import TableRules


@rule
def dealer_must_hit(total: int, soft: bool, rules: TableRules) -> bool:
    """The whole of the dealer's strategy."""
    return total < rules.target or (total == rules.target and soft and rules.hits_soft_target)
