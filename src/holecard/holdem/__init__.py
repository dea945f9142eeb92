"""Heads-up no-limit hold'em: the game, exact equity, players, and where they meet.

- `game`: rules, ranks, betting, hands, histories
- `equities`: exact equities, ranges
- `equilibrium`: games and spots solved
- `players`: rule players, networks, champions
- `exploit`: the most that can be won from a known opponent
- `arena`: sessions on duplicate decks, duels, earnings
"""

from holecard._public import public_names

__all__, __getattr__, __dir__ = public_names(__name__, __file__)
