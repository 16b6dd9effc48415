"""ReLU and its gradient in the blob's own layout and plain, in place or not."""
import numpy as np
import pytest

from caffempi.engines.base import PLAIN, Near, Operands
from caffempi.ops.relu import ReluAttrs
from tests.engines.onednn.test_pooling import near_layouts
from tests.helpers.enginecheck import call_of, check, moved, reference


@pytest.mark.parametrize("slope", [0.0, 0.25, -0.5])
@pytest.mark.parametrize("shape", [(2, 5, 4, 3), (1, 16, 3, 3), (7,), (3, 2), (2, 3, 2, 2, 2, 2, 2)])
def test_forward_and_backward(engine, rand, slope, shape):
    attrs, x, dy = ReluAttrs(slope), rand(*shape), rand(*shape)
    x.flat[::3] = 0                                            # where the slope counts
    for layout in near_layouts(engine, x) if len(shape) == 4 else [PLAIN]:
        offers = check(engine, call_of("relu", attrs, [x]), [x], Near((layout,), (None,)), 1e-7)
        assert offers[0].ins[0] == layout
        check(engine, call_of("relu_dx", attrs, [x, dy]), [x, dy], Near((layout, PLAIN), (None,)), 1e-7)
        check(engine, call_of("relu_dx", attrs, [x, dy]), [x, dy], Near((PLAIN, layout), (layout,)), 1e-7)


def test_in_place_as_declared(engine, rand):
    x, dy = rand(2, 9, 5, 5), rand(2, 9, 5, 5)
    for op, ins, pair in (("relu", [x], (0, 0)), ("relu_dx", [x, dy], (1, 0))):
        call = call_of(op, ReluAttrs(0.1), ins)
        (want,), _ = reference(call, ins)
        for offer in engine.offers(call, Near(tuple(near_layouts(engine, x)[0] for _ in ins), (None,))):
            assert offer.inplace == (pair,)
            given = [moved(engine, a.copy(), s, PLAIN, w) for a, s, w in zip(ins, call.ins, offer.ins, strict=True)]
            engine.compile(call, offer).bind(Operands(tuple(given), (given[pair[0]],)))()
            got = moved(engine, given[pair[0]], call.outs[0], offer.outs[0], PLAIN)
            assert np.allclose(got, want, atol=1e-7)
