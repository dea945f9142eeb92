"""Blackjack: the game, charts, play at speed, the exact solver, players, and where they are judged.

- `game`: rules, hands, rounds, shoes, a table to sit at
- `strategy`: charts as values, as text, by name
- `play`: rounds by the million, on CPU and GPU
- `exact`: optimum, scores, leaks
- `players`: agents that decide: charts, search, network
- `arena`: sessions, judged decisions
"""

from holecard._public import public_names

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
