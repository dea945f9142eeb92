"""Score a chart of your own exactly, and see which of its cells lose most.

python examples/score_my_chart.py [mine.txt]     holecard chart basic --text > mine.txt is a good start
"""

import sys

from holecard import Rules, load_strategy, named_strategy, read_chart, score, write_chart

rules = Rules.preset("vegas-strip")
if len(sys.argv) > 1:
    mine = load_strategy(sys.argv[1])
else:  # a common superstition: never hit 16, never split eights against a ten
    text = write_chart(named_strategy("basic", rules))
    text = text.replace("16     H S S S S S H H H H", "16     S S S S S S S S S S")
    mine = read_chart(text.replace("88     P P P P P P P P P P", "88     P P P P P P P P P S"))
result = score(mine, rules)
print(
    f"EV {result.ev:+.6f}, the optimum {result.optimal_ev:+.6f}: {100 * result.regret:.4f} % of every bet is given away"
)
for leak in result.leaks[:5]:
    print(f"{leak.cell:16} plays {leak.plays}, best {leak.best}: {1e4 * leak.cost:.2f} per 10,000 bets")
