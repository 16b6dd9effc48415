"""Single ops on flat memory: bound in place, by the base where an engine has no kernel, refused where in place is wrong."""
from __future__ import annotations

import numpy as np
import pytest

from caffempi.engines.base import PLAIN, Engine, Layout, Offer
from caffempi.engines.numpy.engine import NumpyEngine
from caffempi.errors import EngineError
from caffempi.ops.eltwise import WeightedSumAttrs
from caffempi.plan.flat import bind_flat, flat


class Odd(Engine):
    """Offers a layout of its own, then a plain one that works in place on its second in only, with scratch memory."""

    name = "odd"

    def why_not(self, call):
        return None

    def offers(self, call, near=None):
        strange = Layout("strange")
        return [Offer((strange, strange), (strange,)), Offer((PLAIN, PLAIN), (PLAIN,), inplace=((1, 0),), scratch=12)]

    def compile(self, call, offer):
        self.compiled = offer
        return self

    def bind(self, ptrs):
        self.bound = ptrs
        return lambda: None


def test_a_bound_call_works_on_the_very_arrays():
    x, y = np.arange(3.0), np.ones(3)
    call = bind_flat(NumpyEngine(), "weighted_sum", WeightedSumAttrs((2.0, 1.0)), (x, y), (x,))
    call()
    call()
    np.testing.assert_array_equal(x, [3, 7, 11])


def test_offers_that_do_not_fit_are_passed_over():
    x, y, engine = np.zeros(3), np.zeros(3), Odd()
    bind_flat(engine, "sum", None, (x, y), (y,))
    assert engine.compiled.inplace == ((1, 0),)
    assert engine.bound.outs[0] is y and engine.bound.scratch.nbytes == 12
    with pytest.raises(EngineError, match='odd does not run op "sum" in place'):
        bind_flat(engine, "sum", None, (x, y), (x,))


def test_the_base_serves_where_the_engine_has_no_kernel():
    engine = Engine()
    engine.base = NumpyEngine()
    x = np.ones(2)
    bind_flat(engine, "weighted_sum", WeightedSumAttrs((3.0,)), (x,), (x,))()
    np.testing.assert_array_equal(x, [3, 3])


@pytest.mark.parametrize("shape", [(5,), (2, 3), (0,)])
def test_memory_is_zeroed_and_of_the_engine(shape):
    made = []

    class Counting(NumpyEngine):
        def alloc(self, nbytes):
            made.append(nbytes)
            return super().alloc(nbytes)
    array = flat(Counting(), shape, "float64")
    assert array.shape == shape and array.dtype == np.float64 and not array.any() and made == [array.nbytes]
