"""Solve the table in front of you: what it costs to sit there, the best chart, and where the cards of a hand matter.

python examples/solve_a_table.py "6d S17 DAS LS"
"""

import sys

from holecard import Rules, solve, write_chart

rules = Rules.from_text(sys.argv[1] if len(sys.argv) > 1 else "6d H17 DAS")
best = solve(rules)
print(f"{rules or 'casino'}: EV {best.ev:+.6f} per bet, so the house keeps {100 * best.house_edge:.3f} %")
print(write_chart(best.strategy()))
print("10-6 against a ten:", {action: round(ev, 4) for action, ev in best.evs_of("T,6", "10").items()})
for exception in best.exceptions()[:5]:
    print("but", exception)
