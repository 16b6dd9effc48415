"""Convolution and its gradients in every layout offered, against the NumPy definitions."""
from dataclasses import replace

import numpy as np
import pytest

from caffempi.engines.base import PLAIN, Near
from caffempi.ops.conv import ConvAttrs
from caffempi.ops.fused import FusedAttrs
from caffempi.ops.relu import ReluAttrs
from tests.helpers.enginecheck import call_of, check

#        N, C, size, M, kernel, stride, pad, dilation, group
CASES = {
    "odd channels": (2, 5, (9, 7), 7, (3, 3), (1, 1), (1, 1), (1, 1), 1),
    "one channel, batch 1": (1, 1, (12, 12), 20, (5, 5), (1, 1), (0, 0), (1, 1), 1),
    "colour, stride, pad": (3, 3, (11, 13), 32, (5, 3), (2, 3), (2, 1), (1, 1), 1),
    "whole blocks": (2, 16, (8, 8), 32, (3, 3), (1, 1), (1, 1), (1, 1), 1),
    "dilation": (2, 9, (13, 12), 8, (3, 2), (1, 2), (2, 0), (2, 3), 1),
    "groups": (2, 12, (7, 7), 18, (3, 3), (1, 1), (1, 1), (1, 1), 3),
    "wide groups": (1, 32, (6, 5), 32, (3, 3), (2, 2), (1, 1), (1, 1), 2),
    "depthwise": (2, 19, (8, 6), 19, (3, 3), (1, 1), (1, 1), (1, 1), 19),
    "pointwise": (3, 17, (6, 6), 24, (1, 1), (1, 1), (0, 0), (1, 1), 1),
    "strided pointwise": (3, 16, (7, 7), 24, (1, 1), (2, 2), (0, 0), (1, 1), 1),
    "tail of the stride": (2, 8, (10, 9), 8, (3, 3), (4, 4), (1, 1), (1, 1), 1),
    "one place": (4, 6, (5, 5), 10, (5, 5), (1, 1), (0, 0), (1, 1), 1),
    "1-D": (2, 6, (15,), 9, (4,), (2,), (1,), (1,), 1),
    "3-D": (2, 4, (5, 6, 7), 9, (3, 2, 3), (1, 1, 2), (1, 0, 1), (1, 1, 1), 1),
}


def problem(case, rand):
    n, c, size, m, kernel, stride, pad, dilation, group = CASES[case]
    return (ConvAttrs(kernel, stride, pad, dilation, group), rand(n, c, *size), rand(m, c // group, *kernel), rand(m))


def layouts(engine, attrs, x, w):
    """Pairs of layouts of (x, y) that a forward is offered in: what the gradients can be met with."""
    return [(o.ins[0], o.outs[0]) for o in engine.offers(call_of("conv", attrs, [x, w]))]


@pytest.mark.parametrize("case", CASES)
def test_forward_with_and_without_bias_and_relu(engine, rand, case):
    attrs, x, w, b = problem(case, rand)
    for ins in ([x, w], [x, w, b]):
        call = call_of("conv", attrs, ins)
        offers = check(engine, call, ins)
        for offer in offers:
            check(engine, call, ins, Near((offer.ins[0], *[PLAIN] * (len(ins) - 1)), (offer.outs[0],)))
        for slope in (0.0, 0.1, -0.5):
            fused = FusedAttrs(("conv", "relu"), (attrs, ReluAttrs(slope)), (len(ins), 0))
            check(engine, call_of("fused", fused, ins), ins)


@pytest.mark.parametrize("case", CASES)
def test_gradients(engine, rand, case):
    attrs, x, w, _b = problem(case, rand)
    dy = rand(*call_of("conv", attrs, [x, w]).outs[0].shape)
    for src, dst in layouts(engine, attrs, x, w):
        check(engine, call_of("conv_dx", attrs, [w, dy], [x.shape]), [w, dy], Near((PLAIN, dst), (src,)), 5e-5)
        check(engine, call_of("conv_dw", attrs, [x, dy]), [x, dy], Near((src, dst), (PLAIN,)), 5e-5)
        check(engine, call_of("conv_db", attrs, [dy]), [dy], Near((dst,), (PLAIN,)))


def test_random_shapes(engine):
    rng = np.random.default_rng(3)
    for _ in range(40):
        group = int(rng.choice([1, 1, 1, 2, 3]))
        n, c, m = int(rng.integers(1, 4)), group * int(rng.integers(1, 14)), group * int(rng.integers(1, 14))
        kernel, stride, dilation = (tuple(int(v) for v in rng.integers(1, 4, 2)) for _ in range(3))
        pad = tuple(int(v) for v in rng.integers(0, 3, 2))
        size = tuple(d * (k - 1) + 1 + int(rng.integers(0, 6)) for d, k in zip(dilation, kernel, strict=True))
        attrs = ConvAttrs(kernel, stride, pad, dilation, group)
        x, w = (rng.standard_normal(s, dtype=np.float32) for s in ((n, c, *size), (m, c // group, *kernel)))
        call = call_of("conv", attrs, [x, w])
        check(engine, call, [x, w])
        dy = rng.standard_normal(call.outs[0].shape, dtype=np.float32)
        check(engine, call_of("conv_dx", attrs, [w, dy], [x.shape]), [w, dy], tol=5e-5)
        check(engine, call_of("conv_dw", attrs, [x, dy]), [x, dy], tol=5e-5)


def test_a_blocked_and_a_plain_form_are_offered(engine, rand):
    attrs, x, w, _ = problem("whole blocks", rand)
    offers = engine.offers(call_of("conv", attrs, [x, w]))
    assert any(o.ins[0] == PLAIN == o.outs[0] for o in offers)
    assert any("B" in o.ins[0].tag and "B" in o.outs[0].tag and o.ins[1] != PLAIN for o in offers)
    assert min(offers, key=lambda o: o.cost).ins[0] != PLAIN


def test_the_neighbours_layouts_are_among_the_offers(engine, rand):
    attrs, x, w, _ = problem("odd channels", rand)
    call = call_of("conv", attrs, [x, w])
    for src, dst in layouts(engine, attrs, x, w):
        assert any(o.ins[0] == src for o in engine.offers(call, Near((src, PLAIN), (dst,))))


@pytest.mark.parametrize(("change", "reason"), [
    ({"axis": 2}, "takes the channels from axis 1, not 2"),
    ({"axis": 0, "kernel": (2, 1, 1, 1)}, "axis 1, not 0")])
def test_what_is_not_covered_is_refused_with_its_reason(engine, rand, change, reason):
    x = rand(2, 3, 4, 5, 6)
    attrs = replace(ConvAttrs((2, 2), (1, 1), (0, 0), (1, 1)), **change)
    if attrs.axis == 0:
        attrs = replace(attrs, stride=(1,) * 4, pad=(0,) * 4, dilation=(1,) * 4)
    w = rand(7, x.shape[attrs.axis], *attrs.kernel)
    call = call_of("conv", attrs, [x, w])
    assert reason in engine.why_not(call) and engine.offers(call) == []


def test_four_spatial_axes_are_refused(engine, rand):
    attrs = ConvAttrs((1,) * 4, (1,) * 4, (0,) * 4, (1,) * 4)
    assert "1 to 3 spatial axes, not 4" in engine.why_not(call_of("conv", attrs, [rand(1, 2, 2, 2, 2, 2), rand(3, 2, 1, 1, 1, 1)]))


@pytest.mark.parametrize("shape, kernel, stride, pad", [((4, 1, 30, 12), (3, 3), (1, 1), (1, 2)), ((4, 1, 22, 28), (5, 5), (4, 4), (1, 0)),
                                                        ((2, 1, 27, 29), (1, 1), (1, 1), (0, 0)), ((2, 1, 31, 11), (7, 7), (1, 1), (5, 5))])
def test_one_channel_lies_alike_in_many_layouts_and_each_kernel_is_its_own(engine, rand, shape, kernel, stride, pad):
    """The library's cache took the kernel of one layout for that of another: garbage, or memory beyond its scratch."""
    attrs = ConvAttrs(kernel, stride, pad, (1, 1))
    x, w, b = rand(*shape), rand(1, 1, *kernel), rand(1)
    call = call_of("conv", attrs, [x, w, b])
    check(engine, call, [x, w, b], tol=1e-5)
    dy = rand(*call.outs[0].shape)
    for src, dst in layouts(engine, attrs, x, w):
        check(engine, call_of("conv_dx", attrs, [w, dy], [shape]), [w, dy], Near((PLAIN, dst), (src,)), 1e-5)
        check(engine, call_of("conv_dw", attrs, [x, dy], [w.shape]), [x, dy], Near((src, dst), (PLAIN,)), 1e-4)
