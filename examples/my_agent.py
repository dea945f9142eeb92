"""An agent of your own, evaluated decision by decision: what it is worth, and where it leaks.

python examples/my_agent.py [rounds]
"""

import sys
from pathlib import Path

from holecard import Action, Rules, View, judge, named_strategy, score


class Cautious:
    """Never busts on purpose, doubles eleven."""

    name = "cautious"
    last_reason = ""

    def act(self, view: View) -> Action:
        """What it does at a view of the table."""
        self.last_reason = f"{view.total} against {view.upcard}"
        if view.total == 11 and Action.DOUBLE in view.legal:
            return Action.DOUBLE
        return Action.HIT if view.hard < 12 and view.total < 18 else Action.STAND


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    rules, rounds = Rules(), int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    basic = judge("basic", rules, rounds, seed=1)
    mine = judge("my_agent:Cautious", rules, rounds, seed=1)
    print("EV per bet:", mine.ev(basic, score(named_strategy("basic", rules), rules).ev))
    for leak in mine.leaks[:5]:
        print(f"{leak.cell:16} mostly {leak.plays}, best {leak.best}: {leak.cost:.5f} bets per round")
