"""Gradients in bfloat16 that oneDNN gets wrong on CPUs with instructions for it: those kernels are not offered."""
import numpy as np
import pytest

from caffempi.engines.base import PLAIN, Near
from caffempi.ops.conv import ConvAttrs
from caffempi.ops.pool import PoolAttrs
from tests.engines.onednn.test_bf16 import TOL, half_layouts
from tests.engines.onednn.test_conv import layouts
from tests.helpers.bf16 import rounded, widen
from tests.helpers.enginecheck import call_of, check, reference, run


@pytest.mark.parametrize("shape, filters, kernel, stride, dilation, group", [
    ((2, 20, 12, 20), 3, 1, (1, 2), 1, 1), ((3, 3, 9, 23), 1, 1, (3, 1), 1, 1), ((3, 12, 12, 13), 20, 1, (3, 1), 1, 1),
    ((3, 48, 20, 31), 6, 1, (1, 1), 2, 2), ((3, 24, 20, 31), 24, 3, (1, 1), 2, 2), ((2, 32, 9, 8), 48, 1, (2, 2), 1, 1)])
def test_gradients_of_convolutions_that_the_library_gets_wrong_are_not_taken(half_engine, rand, shape, filters, kernel, stride,
                                                                             dilation, group):
    """With channels last that fill no register its kernels gave other numbers, or wrote beyond their scratch memory."""
    attrs = ConvAttrs((kernel,) * 2, stride, (0, 0), (dilation,) * 2, group)
    x, w = rounded(rand(*shape)), rounded(rand(filters, shape[1] // group, kernel, kernel))
    dy = rounded(rand(*call_of("conv", attrs, [x, w]).outs[0].shape))
    for src, dst in layouts(half_engine, attrs, x, w):
        check(half_engine, call_of("conv_dx", attrs, [w, dy], [x.shape]), [w, dy], Near((PLAIN, dst), (src,)), TOL)
        check(half_engine, call_of("conv_dw", attrs, [x, dy], [w.shape]), [x, dy], Near((src, dst), (PLAIN,)), 1e-4)


@pytest.mark.parametrize("size", [15, 16, 28])
def test_winners_of_large_windows(half_engine, rand, size):
    """oneDNN's gradients are wrong where the winner's number takes more than a byte: those are not taken."""
    order = np.argsort(rand(2 * 32, size * size))
    x = widen((0x3F80 + order).astype(np.uint16)).reshape(2, 32, size, size)     # no number twice, all of them bfloat16's
    train = call_of("max_pool", PoolAttrs(global_=True), [x], train=True)
    dy = rounded(rand(2, 32, 1, 1))
    (_,), (winners,) = reference(train, [x])
    back = call_of("max_pool_dx", PoolAttrs(global_=True), [winners, dy], [x.shape])
    (want,), _ = reference(back, [winners, dy])
    for layout in half_layouts(half_engine, x):
        offers = check(half_engine, train, [x], Near((layout,), (None,)), 0.0)
        assert any(o.ins[0].dtype == "bfloat16" for o in offers) is (size < 16)
        for offer in offers:
            _, (kept,) = run(half_engine, train, offer, [x])
            (fit,) = half_engine.offers(back, Near((offer.saved[0], PLAIN), (None,)))
            (dx,), _ = run(half_engine, back, fit, [kept, dy])
            assert np.array_equal(dx, want)
