"""What a second process compiles beside the first solve is what the first one needs."""

from __future__ import annotations

import subprocess

import numpy as np
import pytest

from holecard._kernel import Kernel
from holecard.blackjack.exact import first_use
from holecard.blackjack.exact.solution import SMALLEST, solve
from holecard.blackjack.game.rules import Rules


def test_it_compiles_nothing_that_a_solve_does_not(monkeypatch):
    """Machine code depends on the kinds of a kernel's arguments: a solve of another game has loaded all of them."""
    solution = solve(Rules())
    assert solution.chart
    assert solution.outcomes.error >= 0.0
    called = []

    def refuse(self, kinds, arguments, words):
        raise AssertionError(f"{self.__name__} would be compiled for other arguments than a solve's")

    usual = Kernel.__call__
    monkeypatch.setattr(Kernel, "_prepared", refuse)
    monkeypatch.setattr(Kernel, "__call__", lambda self, *a, **k: called.append(self.__name__) or usual(self, *a, **k))
    first_use.compile_what_comes_last()
    assert {"_fill_after_split", "sum_families"} <= set(called), "the chart's and the outcomes'"
    assert "fill_totals" not in called, "what comes first is left to the first process"


def test_plain_python_solves_the_same():
    """The second process's game is solved by the same functions, uncompiled."""
    with first_use.uncompiled(), np.errstate(all="ignore"):
        plain = solve(SMALLEST)
    assert plain.ev == pytest.approx(solve(SMALLEST).ev, abs=1e-14)


@pytest.mark.parametrize(("is_first", "cores", "started"), [(True, 2, 1), (False, 2, 0), (True, 1, 0)])
def test_it_is_started_once_and_ended_with_the_first(monkeypatch, is_first, cores, started):
    class Other:
        ended = 0

        def terminate(self):
            self.ended += 1

        def wait(self):
            self.ended += 1

    others = []
    monkeypatch.setattr(first_use.os, "cpu_count", lambda: cores)
    monkeypatch.setattr(first_use, "can_be_kept", lambda: True)
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **__: others.append(Other()) or others[-1])
    with pytest.raises(KeyboardInterrupt), first_use.compiling_beside(is_first):
        raise KeyboardInterrupt
    assert [other.ended for other in others] == [2] * started
