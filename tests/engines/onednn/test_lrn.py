"""LRN where the library has more than reference code, through its workspace, and refused alike in both directions elsewhere."""
import numpy as np
import pytest

from caffempi.engines.base import PLAIN, Near
from caffempi.ops.lrn import LrnAttrs
from tests.engines.onednn.test_pooling import near_layouts
from tests.helpers.enginecheck import call_of, check, reference, run


@pytest.mark.parametrize("op", ["lrn_across", "lrn_within"])
@pytest.mark.parametrize("shape", [(2, 16, 7, 6), (1, 32, 5, 5), (2, 20, 6, 6), (1, 3, 4, 9)])
@pytest.mark.parametrize("attrs", [LrnAttrs(), LrnAttrs(5, 1e-4, 0.75, 1.0), LrnAttrs(3, 0.5, 0.75, 2.0), LrnAttrs(7, 5.0), LrnAttrs(5, 1, 0.5)])
def test_forward_and_backward(engine, rand, op, shape, attrs):
    x, dy = rand(*shape), rand(*shape)
    infer, train = call_of(op, attrs, [x]), call_of(op, attrs, [x], train=True)
    if engine.why_not(infer) is None:
        for layout in near_layouts(engine, x):
            assert all(o.saved == () and o.inplace == () for o in check(engine, infer, [x], Near((layout,), (None,)), 1e-5))
    else:
        assert "only reference code" in engine.why_not(infer)
    _, (s,) = reference(train, [x])
    back = call_of(op + "_dx", attrs, [x, s, dy])
    (want,), _ = reference(back, [x, s, dy])
    assert (engine.why_not(train) is None) is (engine.why_not(back) is None)
    if engine.why_not(train) is not None:
        return
    for layout in near_layouts(engine, x):
        for offer in check(engine, train, [x], Near((layout,), (None,)), 1e-5):
            assert offer.saved[0] != PLAIN
            _, (kept,) = run(engine, train, offer, [x])
            fits = [o for o in engine.offers(back, Near((offer.ins[0], offer.saved[0], PLAIN), (None,))) if o.ins[1] == offer.saved[0]]
            assert len(fits) == 1
            (dx,), _ = run(engine, back, fits[0], [x, kept, dy])
            assert np.abs(dx - want).max() < 1e-5 * max(1, np.abs(want).max())


def test_other_exponents_are_refused(engine, rand):
    why = engine.why_not(call_of("lrn_across", LrnAttrs(5, 1, 0.6), [rand(1, 16, 4, 4)]))
    assert why.startswith("engine onednn does not run lrn_across: oneDNN has only reference code for this lrn forward")
