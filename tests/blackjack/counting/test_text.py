"""Counting strategies as text: read as they are written, refused with the line that is wrong."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from holecard.blackjack.counting.strategy import CountingStrategy, illustrious_18
from holecard.blackjack.counting.system import CountSystem, find_system
from holecard.blackjack.counting.text import counter_text, is_counter, load_counter, read_counter
from holecard.blackjack.game.rules import Rules
from holecard.blackjack.strategy.named import named_strategy
from holecard.errors import HolecardError

RULES = Rules.from_text("S17 value LS INS dealt cut=0.75")
CHART = named_strategy("basic", replace(RULES, insurance=False, shoe="fresh"))
I18 = CountingStrategy(
    system=find_system("hi-lo"),
    chart=CHART,
    departures=illustrious_18(RULES),
    insurance=3,
    bets=((0, 1.0), (1, 2.5), (2, 1 / 3), (3, 0.0)),
)
OWN = replace(
    I18,
    system=CountSystem(
        name="my own count",
        tags=tuple(Fraction(tag) for tag in ["-1", "1/2", "1", "1", "3/2", "1", "1/2", "0", "-1/2", "-1"]),
        start=Fraction(7, 2),
        start_per_deck=Fraction(-4),
        used_as="running",
    ),
    rounding="truncate",
    deck_estimate="half",
    insurance=None,
    departures=(),
)


@pytest.mark.parametrize("counter", [I18, OWN, replace(I18, system=find_system("KO"))])
def test_a_counter_is_read_as_it_is_written(counter):
    text = counter_text(counter)
    again = read_counter(text, RULES)
    assert is_counter(text)
    assert counter_text(again) == text
    assert np.array_equal(again.chart.cells, counter.chart.cells)
    assert replace(again, chart=CHART) == replace(counter, chart=CHART)


def test_a_few_lines_are_enough_and_the_chart_is_basic_for_the_rules():
    counter = read_counter(
        "# mine\ncount zen   # level 2\n\nbets -1:1, 0:4\nsoft A7 v 2: stand, double from 1\n", RULES
    )
    assert counter.system == find_system("Zen")
    assert counter.bets == ((-1, 1.0), (0, 4.0))
    assert [str(each) for each in counter.departures] == ["A7 v 2 stand, double from +1"]
    assert np.array_equal(counter.chart.cells, CHART.cells)
    named = read_counter("count zen\nchart mimic-dealer\n", RULES)
    assert np.array_equal(named.chart.cells, named_strategy("mimic-dealer", RULES).cells)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("bets 0:1\n", "says first by which count"),
        ("count hi-low\n", "line 1: .*hi-low"),
        ("count x\n", "line 1"),
        ("count x\ntags A=1, 2=0\n", "line 2: .*has none"),
        ("count hi-lo\nstart 4\n", "line 2: 'start' goes with 'tags'"),
        ("count hi-lo\nbets 0:1, 2:4\n", "line 2: bets have a gap"),
        ("count hi-lo\nbets 0:1\nbets 0:1\n", "line 3: 'bets' stands twice"),
        ("count hi-lo\nrounding up\n", "line 2: rounding is floor"),
        ("count hi-lo\nestimate none\n", "line 2: estimate is card"),
        ("count hi-lo\nhard 16 v 10: hit, stand from zero\n", "line 2: a departure reads"),
        ("count hi-lo\nchart nobody\n", "line 2: .*nobody"),
        ("count hi-lo\nhard A 2 3\n", "line 2, column 6"),
        ("count hi-lo\nnonsense\n", "line 2, column 1"),
        ("count x\ntags A=-1,2=1,3=1,4=1,5=1,6=1,7=0,8=0,9=0,10=-1\nstart four\n", "line 3: a count starts"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path, text, words):
    path = tmp_path / "mine.txt"
    path.write_text(text)
    with pytest.raises(HolecardError, match=f"{path}: .*{words}"):
        load_counter(path, RULES)
