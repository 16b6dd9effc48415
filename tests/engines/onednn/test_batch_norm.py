"""Batch normalisation with its statistics, running sums, gradients and what is fused to it, in every layout."""
import numpy as np
import pytest

from caffempi.engines.base import PLAIN, Near, Offer, Operands
from caffempi.engines.numpy.engine import NumpyEngine
from caffempi.ops.affine import AffineAttrs
from caffempi.ops.batch_norm import BatchNormAttrs
from caffempi.ops.fused import FusedAttrs
from caffempi.ops.relu import ReluAttrs
from tests.engines.onednn.test_pooling import near_layouts
from tests.helpers.enginecheck import call_of, check, garbage, moved, run

SHAPES = [(4, 5, 4, 3), (2, 16, 3, 3), (3, 19, 6, 5), (6, 7), (2, 6, 5), (2, 3, 2, 3, 4), (9,), (2, 3, 2, 2, 2, 2), (2, 4, 1, 1)]
ATTRS = BatchNormAttrs(1e-4, 0.9)
PARTS = {"scale": AffineAttrs(), "bias": AffineAttrs(), "relu": ReluAttrs()}
TAILS = [(), ("scale",), ("bias",), ("scale", "bias"), ("relu",), ("scale", "relu"), ("scale", "bias", "relu")]


def fused(first, attrs, tail, count):
    return FusedAttrs((*first, *tail), (*attrs, *[PARTS[t] for t in tail]), (count[0], *count[1:], *[int(t != "relu") for t in tail]))


def layouts(engine, x):
    return near_layouts(engine, x) if x.ndim == 4 else [PLAIN]


def execute(engine, call, offer, ins, state):
    """(y, saved) with the state changed."""
    given = tuple(moved(engine, a, s, PLAIN, w) for a, s, w in zip(ins, call.ins, offer.ins, strict=True))
    y = garbage(engine, call.outs[0], offer.outs[0])
    saved = tuple(np.full(s.shape, np.nan, np.float32) for s in call.saved)
    engine.compile(call, offer).bind(Operands(given, (y,), saved, tuple(state), scratch=engine.alloc(max(offer.scratch, 1))))()
    return moved(engine, y, call.outs[0], offer.outs[0], PLAIN), saved


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("train", [True, False])
def test_training_forward_changes_the_running_sums_as_the_op_says(engine, rand, shape, tail, train):
    if len(shape) == 1 and tail and tail != ("relu",):
        return
    x, c = rand(*shape) * 2 + 1, shape[1] if len(shape) > 1 else 1
    ins = [x, *[rand(c) for t in tail if t != "relu"]]
    call = call_of("fused", fused(("batch_norm",), (ATTRS,), tail, (1,)), ins, train=train) if tail else \
        call_of("batch_norm", ATTRS, ins, train=train)
    start = [rand(c), np.abs(rand(c)), np.array([2.5], np.float32)]
    want = [s.copy() for s in start]
    y, kept = execute(NumpyEngine(), call, Offer((PLAIN,) * len(ins), (PLAIN,)), ins, want)
    assert engine.why_not(call) is None
    for layout in layouts(engine, x):
        offers = engine.offers(call, Near((layout, *[PLAIN] * (len(ins) - 1)), (None,)))
        assert offers[0].ins[0] == layout and all(o.inplace == () for o in offers)
        for offer in offers:
            state = [s.copy() for s in start]
            got, saved = execute(engine, call, offer, ins, state)
            assert np.allclose(got, y, atol=2e-5)
            for a, b in zip([*state, *saved], [*want, *kept], strict=True):
                assert np.allclose(a, b, rtol=2e-5, atol=1e-5)


@pytest.mark.parametrize("shape", SHAPES)
def test_gradient(engine, rand, shape):
    x, dy = rand(*shape) + 0.5, rand(*shape)
    axes = (0, *range(2, len(shape)))
    mu = x.mean(axes).reshape(-1)
    inv_std = (1 / np.sqrt(x.var(axes).reshape(-1) + ATTRS.eps)).astype(np.float32)
    ins = [x, mu, inv_std, dy]
    for layout in layouts(engine, x):
        offers = check(engine, call_of("batch_norm_dx", ATTRS, ins), ins, Near((layout, PLAIN, PLAIN, layout), (layout,)), 5e-5)
        assert offers[0].inplace == ((3, 0),)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("weight", [0.0, 1.0, 3.5])
def test_running_statistics(engine, rand, shape, tail, weight):
    if len(shape) == 1 and tail and tail != ("relu",):
        return
    x, c = rand(*shape), shape[1] if len(shape) > 1 else 1
    ins = [x, rand(c), np.abs(rand(c)) + 0.1, np.array([weight], np.float32), *[rand(c) for t in tail if t != "relu"]]
    call = call_of("fused", fused(("batch_norm_global",), (ATTRS,), tail, (4,)), ins) if tail else \
        call_of("batch_norm_global", ATTRS, ins, train=True)
    for layout in layouts(engine, x):
        offers = check(engine, call, ins, Near((layout, *[PLAIN] * (len(ins) - 1)), (None,)), 5e-5)
        if not tail:
            _, (s,) = run(engine, call, offers[0], ins)
            k = 1 / weight if weight else 0
            assert np.allclose(s, 1 / np.sqrt(k * ins[2] + ATTRS.eps), rtol=1e-5)
