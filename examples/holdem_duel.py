"""Hold'em: an exact equity, and a duel between an evolved player and one that goes by rules.

python examples/holdem_duel.py [hands]
"""

import sys

from holecard.holdem import duel, equity, parse_cards, player_named

hands = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
flop = equity(parse_cards("AhKh"), parse_cards("2h7h9s"))
print(f"A♥K♥ on 2♥7♥9♠ against a random hand: {flop.equity:.4f}")
result = duel(player_named("champion:paper"), player_named("calling-machine"), hands=hands, seed=1)
low, high = result.mbb_per_hand.interval()
print(f"{' v '.join(result.names)}: {result.mbb_per_hand.mean:+,.0f} mBB/hand, 95 % {low:+,.0f} … {high:+,.0f}")
for at, name in enumerate(result.names):
    style = result.statistics(at)
    print(f"{name:16} VPIP {style.vpip:.0%}, raises before the flop {style.pfr:.0%}")
