"""ReLU, sigmoid, tanh, ELU and their gradients in the blob's own layout and plain, in place or not."""
import numpy as np
import pytest

from caffempi.engines.base import PLAIN, Near, Operands
from caffempi.ops.activations import EluAttrs
from caffempi.ops.relu import ReluAttrs
from tests.engines.onednn.test_pooling import near_layouts
from tests.helpers.enginecheck import call_of, check, moved, reference

FUNCTIONS = [("relu", ReluAttrs(0.0)), ("relu", ReluAttrs(0.25)), ("relu", ReluAttrs(-0.5)), ("sigmoid", None), ("tanh", None),
             ("elu", EluAttrs(1.0)), ("elu", EluAttrs(0.3)), ("elu", EluAttrs(-0.7)), ("elu", EluAttrs(0.0))]


def read_by_backward(op, attrs, x):
    """What the gradient reads beside dy: the output, but for a ReLU or ELU whose output hides the sign."""
    if op == "relu" or (op == "elu" and attrs.alpha < 0):
        return x
    return reference(call_of(op, attrs, [x]), [x])[0][0]


@pytest.mark.parametrize(("op", "attrs"), FUNCTIONS)
@pytest.mark.parametrize("shape", [(2, 5, 4, 3), (1, 16, 3, 3), (7,), (3, 2), (2, 3, 2, 2, 2, 2, 2)])
def test_forward_and_backward(engine, rand, op, attrs, shape):
    x, dy = rand(*shape) * 3, rand(*shape)
    x.flat[::3] = 0                                            # where a slope counts
    tol = 1e-7 if op == "relu" else 2e-6
    s = read_by_backward(op, attrs, x)
    for layout in near_layouts(engine, x) if len(shape) == 4 else [PLAIN]:
        offers = check(engine, call_of(op, attrs, [x]), [x], Near((layout,), (None,)), tol)
        assert offers[0].ins[0] == layout or op == "sigmoid"
        back = call_of(op + "_dx", attrs, [s, dy])
        check(engine, back, [s, dy], Near((layout, PLAIN), (None,)), tol)
        check(engine, back, [s, dy], Near((PLAIN, layout), (layout,)), tol)


@pytest.mark.parametrize(("op", "attrs"), FUNCTIONS)
def test_in_place_as_declared(engine, rand, op, attrs):
    x, dy = rand(2, 9, 5, 5), rand(2, 9, 5, 5)
    for name, ins, pair in ((op, [x], (0, 0)), (op + "_dx", [read_by_backward(op, attrs, x), dy], (1, 0))):
        call = call_of(name, attrs, ins)
        (want,), _ = reference(call, ins)
        for offer in engine.offers(call, Near(tuple(near_layouts(engine, x)[0] for _ in ins), (None,))):
            assert offer.inplace == (pair,)
            given = [moved(engine, a.copy(), s, PLAIN, w) for a, s, w in zip(ins, call.ins, offer.ins, strict=True)]
            engine.compile(call, offer).bind(Operands(tuple(given), (given[pair[0]],)))()
            got = moved(engine, given[pair[0]], call.outs[0], offer.outs[0], PLAIN)
            assert np.allclose(got, want, atol=1e-6)


def test_large_inputs_stay_finite(engine):
    x = np.array([-1e4, -100, -20, 20, 100, 1e4], np.float32)
    for op, attrs in (("sigmoid", None), ("tanh", None), ("elu", EluAttrs())):
        check(engine, call_of(op, attrs, [x]), [x], tol=1e-6)
