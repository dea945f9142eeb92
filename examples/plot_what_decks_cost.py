"""Plot what decks and the dealer's soft 17 do to the best player's EV: ten exact solutions and a picture.

python examples/plot_what_decks_cost.py [decks.png]
"""

import sys

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from holecard import Rules, solve

decks = (1, 2, 4, 6, 8)
figure = Figure(figsize=(7, 4), layout="constrained")
FigureCanvasAgg(figure)
axes = figure.subplots()
for h17, label in ((False, "stands on soft 17"), (True, "hits soft 17")):
    evs = [solve(Rules(decks=count, h17=h17, split="value")).ev for count in decks]
    axes.plot(decks, evs, "o-", label=f"the dealer {label}")
    print(label, [round(ev, 5) for ev in evs])
axes.axhline(0, color="grey", linewidth=0.8)
axes.set_xticks(decks)
axes.set_xlabel("decks")
axes.set_ylabel("EV per bet, best play")
axes.legend()
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "decks.png", dpi=120)
