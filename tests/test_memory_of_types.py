"""What numba remembers while it compiles a kernel: the same answers, and nothing of it afterwards."""

from __future__ import annotations

import numba
import numpy as np
from numba.core import types
from numba.core.compiler import Flags
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


def test_afterwards_numba_is_as_it_was():
    before = TargetConfig.__hash__, TargetConfig.__eq__, BaseFunction.get_call_type
    with remembering(), remembering():
        assert before[2] is not BaseFunction.get_call_type
    assert (TargetConfig.__hash__, TargetConfig.__eq__, BaseFunction.get_call_type) == before
    assert numba.njit(lambda values: values.sum() + 1)(np.arange(3)) == 4
