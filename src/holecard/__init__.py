"""Holecard: a lab for card-playing strategies.

>>> from holecard import Rules, named_strategy, simulate
>>> rules = Rules.from_text("6d S17 DAS")
>>> result = simulate(named_strategy("basic", rules), rules, rounds=100_000, seed=1)
>>> result.rounds
100000
"""

from holecard._public import public_names

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
