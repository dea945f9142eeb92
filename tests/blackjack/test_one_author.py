"""Each rule of play is one function: broken there, it is broken in rounds and in the solver, and nowhere else.

The functions of `game/hand.py` get other code, one after another, in a process where nothing is compiled. Rounds and
solver must then answer otherwise than before. The enumeration of `exact/brute.py` has rules of its own: it agrees with
the solver before, and shows by how much the solver is wrong after.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
BROKEN = (
    "showdown",
    "dealer_must_hit",
    "end_of",
    "may_hit",
    "may_double",
    "is_doubling_total",
    "may_double_after_split",
    "most_hands",
    "comes_before_peek",
    "natural_takes_one_bet",
)
SCRIPT = """
import functools, gc, json, warnings
warnings.simplefilter("ignore")
from holecard.blackjack.exact.chart_play import play_of
from holecard.blackjack.exact.odds import Odds
from holecard.blackjack.exact.play_value import value_of_play
from holecard.blackjack.exact.solution import solve
from holecard.blackjack.game import hand
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.game.shoe import Composition
from holecard.blackjack.play.simulate import simulate
from holecard.blackjack.strategy.cell import Kind
from holecard.blackjack.strategy.letters import Letter
from holecard.blackjack.strategy.named import named_strategy
from holecard.blackjack.strategy.strategy import Strategy
from tests.blackjack.exact.brute import Brute, table_decides

TEXT = "1d OBO D10 double-any push-22 ties-lose 2-hands ES 5-charlie limit=12 target=10 ace=1"
RULES = Rules.from_text(TEXT)
DECK = Composition((3, 0, 0, 3, 2, 0, 0, 0, 3, 0, 0, 0, 4))
cells = named_strategy("random", RULES).cells.copy()
cells[:, Kind.PAIR] = Letter.SPLIT
CHART = Strategy(cells, limit=RULES.limit, ace_bonus=RULES.ace_bonus)

BREAKS = {
    "showdown": "lambda total, dealer_total, rules: 1 if total == dealer_total else -1",
    "dealer_must_hit": "lambda total, soft, rules: total < rules.target - 1",
    "end_of": "lambda n_cards, total, rules: BUST if total > rules.limit else STOOD if total > 10 else PLAYING",
    "may_hit": "lambda from_aces, rules: True",
    "may_double": "lambda n_cards, total, soft, is_split, from_aces, rules: False",
    "is_doubling_total": "lambda total, soft, rules: True",
    "may_double_after_split": "lambda from_aces, rules: False",
    "most_hands": "lambda of_aces, rules: 1",
    "comes_before_peek": "lambda upcard, rules: False",
    "natural_takes_one_bet": "lambda rules: False",
}

def answers():
    for found in gc.get_objects():
        if isinstance(found, functools._lru_cache_wrapper) and found.__module__.startswith("holecard"):
            found.cache_clear()
    odds = Odds.of(RULES, DECK)
    exact = value_of_play(odds, play_of(odds, CHART.cells)).ev
    played = simulate(CHART, RULES, 1000, seed=1, deck=DECK, threads=1)
    return {"solver": exact, "rounds": [played.ev.mean, played.win.mean, played.stdev.mean]}

law = Brute(RULES, DECK.ranks).round_law(table_decides(CHART, RULES))
result = {"enumeration": sum(net * p for net, p in law.items()), "whole": answers()}
for name, code in BREAKS.items():
    function = getattr(hand, name)
    kept = function.__code__
    function.__code__ = eval(code).__code__
    result[name] = answers()
    function.__code__ = kept
result["again"] = answers()
before = solve(Rules.from_text(TEXT.replace("OBO", "PEEK")), deck=DECK).evs_of("5,6", "A")
hand.has_looked.__code__ = (lambda upcard, is_first, rules: True).__code__
result["has_looked"] = before != solve(Rules.from_text(TEXT.replace("OBO", "PEEK")), deck=DECK).evs_of("5,6", "A")
print(json.dumps(result))
"""


@pytest.fixture(scope="module")
def answers():
    paths = os.pathsep.join((str(ROOT), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")))
    settings = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": paths}
    command = [sys.executable, "-c", SCRIPT]
    done = subprocess.run(command, env=settings, capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_whole_rules_agree_with_the_enumeration(answers):
    assert answers["whole"]["solver"] == pytest.approx(answers["enumeration"], abs=1e-12)
    assert answers["again"] == answers["whole"]


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_rule_is_broken_everywhere(name, answers):
    assert abs(answers[name]["solver"] - answers["enumeration"]) > 1e-6
    assert answers[name]["rounds"] != answers["whole"]["rounds"]


def test_whether_the_dealer_has_looked_is_said_once(answers):
    assert answers["has_looked"]


def test_the_list_of_the_architecture_is_this_one():
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = page.partition("#### Each rule, and who decides it")[2].partition("**An agent.**")[0]
    assert all(f"`{name}`" in table for name in (*BROKEN, "has_looked"))
