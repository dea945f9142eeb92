"""What numba remembers while it compiles a kernel: the same answers, and nothing of it afterwards."""

from __future__ import annotations

import numba
import numpy as np
from numba.core import types
from numba.core.compiler import Flags, run_frontend
from numba.core.ir import Inst
from numba.core.registry import cpu_target
from numba.core.targetconfig import TargetConfig
from numba.core.types.functions import BaseFunction

from holecard._memory_of_types import remembering


def test_settings_are_as_equal_as_they_were():
    one, other, third = Flags(), Flags(), Flags()
    one.nrt, other.nrt = True, True
    third.nrt = third.is_set("nrt")  # set to what it is by default
    usual = [(hash(each), each == one, each == Flags()) for each in (one, other, third)]
    with remembering():
        assert [(hash(each), each == one, each == Flags()) for each in (one, other, third)] == usual
        assert (one == 3) is False


def test_types_are_found_as_they_were():
    context = cpu_target.typing_context
    context.refresh()
    array = types.Array(types.float64, 2, "C")
    pairs = [(types.int64, types.float64), (types.uint8, types.int32), (types.boolean, types.int64)]
    asked = [("add", pair) for pair in pairs] + [("getitem", (array, types.UniTuple(types.int64, 2)))]

    def found():
        import operator

        return [context.resolve_function_type(getattr(operator, name), args, {}) for name, args in asked]

    usual = found()
    with remembering():
        assert found() == usual
        assert found() == usual, "the second time from memory"


def test_variables_are_listed_as_they_were():
    def several(values, first=3, *more):
        found = [(value, {"a": value}) for value in values if value > first]
        return (found, -values[1:first, ...], more) if found else sum(values)

    code = run_frontend(several)
    instructions = [each for block in code.blocks.values() for each in block.body]
    assert len(instructions) > 20
    usual = [[variable.name for variable in each.list_vars()] for each in instructions]
    with remembering():
        assert [[variable.name for variable in each.list_vars()] for each in instructions] == usual


def test_afterwards_numba_is_as_it_was():
    def changed():
        return TargetConfig.__hash__, TargetConfig.__eq__, BaseFunction.get_call_type, Inst._rec_list_vars

    before = changed()
    with remembering(), remembering():
        assert all(one is not other for one, other in zip(before, changed(), strict=True))
    assert changed() == before
    assert numba.njit(lambda values: values.sum() + 1)(np.arange(3)) == 4
