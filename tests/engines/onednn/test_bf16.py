"""Kernels of bfloat16 in every layout offered, against the NumPy definitions on inputs rounded to bfloat16.

The tolerance is that of one rounding of the result, 2^-8 of its size, and where a kernel has several, of so many.
"""
from math import prod

import numpy as np
import pytest

from caffempi.engines.base import PLAIN, Layout, Near, Offer
from caffempi.engines.numpy.engine import NumpyEngine
from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.codes import BFLOAT16, FLOAT32
from caffempi.engines.onednn.engine import OneDnnEngine
from caffempi.errors import EngineError
from caffempi.ops.activations import EluAttrs
from caffempi.ops.affine import AffineAttrs
from caffempi.ops.batch_norm import BatchNormAttrs
from caffempi.ops.concat import ConcatAttrs
from caffempi.ops.eltwise import EltwiseProdAttrs, WeightedSumAttrs
from caffempi.ops.fused import FusedAttrs
from caffempi.ops.inner_product import InnerProductAttrs
from caffempi.ops.lrn import LrnAttrs
from caffempi.ops.pool import PoolAttrs
from caffempi.ops.relu import ReluAttrs
from caffempi.ops.slice import SliceAttrs
from caffempi.ops.softmax import SoftmaxAttrs
from tests.engines.onednn.test_batch_norm import TAILS, execute, fused
from tests.engines.onednn.test_conv import CASES, layouts, problem
from tests.engines.onednn.test_pooling import FIT, near_layouts
from tests.helpers.bf16 import narrow, rounded, widen
from tests.helpers.enginecheck import call_of, check, moved, reference, run

TOL = 2 ** -8
SHAPES = [(2, 5, 4, 3), (1, 16, 3, 3), (3, 19, 6, 5), (2, 32, 4, 4)]
NORM = BatchNormAttrs(1e-4, 0.9)


@pytest.fixture
def halves(rand):
    """Random numbers that bfloat16 holds."""
    return lambda *shape: rounded(rand(*shape))


def stored(layouts):
    return [x.dtype for x in layouts]


def half_layouts(engine, x):
    found = [w for w in near_layouts(engine, x) if w.dtype == "bfloat16"]
    assert found
    return found


def test_rounding_goes_to_the_nearest_and_halfway_to_even():
    numbers = np.array([1, 1 + 2 ** -8, 1 + 3 * 2 ** -8, 1 + 2 ** -8 + 2 ** -20, -1 - 2 ** -9, 3.4e38, np.inf, np.nan, 0.0, -0.0],
                       np.float32)
    want = [1, 1, 1 + 2 ** -6, 1 + 2 ** -7, -1, np.inf, np.inf, np.nan, 0, -0.0]
    assert np.array_equal(rounded(numbers), np.array(want, np.float32), equal_nan=True)
    assert np.array_equal(narrow(widen(np.arange(1, 0x7F80, dtype=np.uint16))), np.arange(1, 0x7F80))


@pytest.mark.parametrize("shape", [(2, 19, 5, 4), (7,), (3, 6), (2, 3, 4, 5, 6)])
def test_reorders_cast(half_engine, rand, shape):
    """The library rounds as it should on the way into bfloat16, and loses nothing on the way back."""
    a = rand(*shape)
    call = call_of("copy", None, [a])
    plain = Layout("plain", 2 * a.size, dtype="bfloat16")
    for layout in [plain, *(half_layouts(half_engine, a) if a.ndim == 4 else [])]:
        there = moved(half_engine, a, call.ins[0], PLAIN, layout)
        assert there.nbytes == layout.nbytes
        assert np.array_equal(moved(half_engine, there, call.ins[0], layout, PLAIN), rounded(a))
        if layout != plain:                                    # nor between layouts
            other = moved(half_engine, there, call.ins[0], layout, plain)
            assert np.array_equal(widen(other.view(np.uint16)).reshape(shape), rounded(a))


@pytest.mark.parametrize("case", CASES)
def test_convolution(half_engine, halves, case):
    attrs, x, w, b = problem(case, halves)
    for ins in ([x, w], [x, w, b]):
        call = call_of("conv", attrs, ins)
        for offer in check(half_engine, call, ins, tol=TOL):
            assert stored((*offer.ins, *offer.outs)) == ["bfloat16", "bfloat16", *[None] * (len(ins) - 2), "bfloat16"]
            check(half_engine, call, ins, Near((offer.ins[0], *[PLAIN] * (len(ins) - 1)), (offer.outs[0],)), TOL)
        relu = FusedAttrs(("conv", "relu"), (attrs, ReluAttrs(0.1)), (len(ins), 0))
        check(half_engine, call_of("fused", relu, ins), ins, tol=TOL)
    dy = halves(*call.outs[0].shape)
    for src, dst in layouts(half_engine, attrs, x, w):
        data = check(half_engine, call_of("conv_dx", attrs, [w, dy], [x.shape]), [w, dy], Near((PLAIN, dst), (src,)), TOL)
        assert all(stored((*o.ins, *o.outs)) == ["bfloat16"] * 3 for o in data)
        weights = check(half_engine, call_of("conv_dw", attrs, [x, dy]), [x, dy], Near((src, dst), (PLAIN,)), 5e-5)
        assert all(stored((*o.ins, *o.outs)) == ["bfloat16", "bfloat16", None] for o in weights)
        sums = check(half_engine, call_of("conv_db", attrs, [dy]), [dy], Near((dst,), (PLAIN,)))
        assert sums[0].outs == (PLAIN,)


def test_sums_over_many_places_do_not_lose_small_terms(half_engine, halves):
    dy = halves(2, 16, 130, 70) + 1
    dy = rounded(dy)
    attrs, *_ = problem("whole blocks", halves)
    for layout in half_layouts(half_engine, dy):
        check(half_engine, call_of("conv_db", attrs, [dy]), [dy], Near((layout,), (PLAIN,)), 1e-6)


@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("case", ["odd channels", "whole blocks", "groups", "pointwise"])
def test_convolution_with_running_norm(half_engine, halves, rand, case, tail):
    attrs, x, w, b = problem(case, halves)
    m = w.shape[0]
    ins = [x, w, b, rand(m), np.abs(rand(m)) + 0.1, np.array([2], np.float32), *[rand(m) for t in tail if t != "relu"]]
    call = call_of("fused", fused(("conv", "batch_norm_global"), (attrs, BatchNormAttrs(1e-3)), tail, (3, 3)), ins)
    assert all(o.outs[0].dtype == "bfloat16" for o in check(half_engine, call, ins, tol=TOL))


@pytest.mark.parametrize("shape, k", [((5, 7), 7), ((4, 3, 2, 5), 30), ((64, 50), 50), ((1, 16, 2, 2), 64)])
@pytest.mark.parametrize("transpose", [False, True])
def test_inner_product(half_engine, halves, rand, shape, k, transpose):
    attrs = InnerProductAttrs(1, transpose)
    x, w, b = halves(*shape), halves(*((k, 12) if transpose else (12, k))), rand(12)
    for ins in ([x, w], [x, w, b]):
        call = call_of("inner_product", attrs, ins)
        offers = check(half_engine, call, ins, Near((PLAIN,) * len(ins), (None,)), TOL)
        halves_of = [o for o in offers if o.ins[0] == Layout("plain", 2 * x.size, dtype="bfloat16")]
        assert halves_of == offers[:len(halves_of)] and all(stored((*o.ins[:2], *o.outs)) == ["bfloat16"] * 3 for o in halves_of)
        assert set(stored(o.ins[0] for o in offers)) == {"bfloat16", None}
        seen = half_engine.offers(call, Near((PLAIN,) * len(ins), (PLAIN,)))
        assert seen[0].outs == (PLAIN,) != (seen[0].ins[0],)    # what is looked at need not be rounded
        (y,), _ = run(half_engine, call, seen[0], ins)
        assert np.allclose(y, reference(call, ins)[0][0], atol=1e-4)
    dy = halves(*call.outs[0].shape)
    check(half_engine, call_of("inner_product_dx", attrs, [w, dy], [shape]), [w, dy], tol=TOL)
    grads = check(half_engine, call_of("inner_product_dw", attrs, [x, dy], [w.shape]), [x, dy], tol=5e-5)
    assert all(o.outs[0].dtype is None for o in grads)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("attrs", FIT[:6])
def test_pooling(half_engine, halves, shape, attrs):
    x = halves(*shape)
    train = call_of("max_pool", attrs, [x], train=True)
    if half_engine.why_not(train) is not None:
        pytest.skip(half_engine.why_not(train))
    dy = halves(*train.outs[0].shape)
    (_,), (winners,) = reference(train, [x])
    back = call_of("max_pool_dx", attrs, [winners, dy], [shape])
    (want,), _ = reference(back, [winners, dy])
    mean, mean_dx = call_of("ave_pool", attrs, [x]), call_of("ave_pool_dx", attrs, [dy], [shape])
    kernel, _ = attrs.windows(shape)                           # a gradient is rounded after each window that adds to it
    tol = TOL * max(1, prod(-(-k // s) for k, s in zip(kernel, attrs.stride, strict=True)) / 2)
    for layout in half_layouts(half_engine, x):
        assert check(half_engine, call_of("max_pool", attrs, [x]), [x], Near((layout,), (None,)), 0.0)[0].outs[0].dtype == "bfloat16"
        for offer in check(half_engine, train, [x], Near((layout,), (None,)), 0.0):
            _, (kept,) = run(half_engine, train, offer, [x])
            (fit,) = half_engine.offers(back, Near((offer.saved[0], PLAIN), (None,)))
            assert fit.outs[0] == offer.ins[0]
            (dx,), _ = run(half_engine, back, fit, [kept, dy])
            assert np.allclose(dx, want, rtol=0, atol=tol * np.abs(want).max())
        if half_engine.why_not(mean) is None:
            assert check(half_engine, mean, [x], Near((layout,), (None,)), TOL)[0].outs[0].dtype == "bfloat16"
            check(half_engine, mean_dx, [dy], Near((PLAIN,), (layout,)), tol)


@pytest.mark.parametrize("attrs", [LrnAttrs(5, 0.1, 0.75, 1.0), PoolAttrs((3, 3), (2, 2))])
def test_a_blob_that_lies_in_float32_stays_so(half_engine, halves, attrs):
    """Between ops that products of matrices do not touch there is nothing to gain by a cast."""
    op = "lrn_across" if isinstance(attrs, LrnAttrs) else "max_pool"
    assert all(o.ins[0].dtype is None for o in half_engine.offers(call_of(op, attrs, [halves(2, 16, 7, 7)])))


@pytest.mark.parametrize("op", ["lrn_across", "lrn_within"])
@pytest.mark.parametrize("size", [1, 3, 5, 7])
@pytest.mark.parametrize("shape", [(2, 16, 7, 6), (1, 32, 9, 8), (2, 20, 6, 6)])
def test_lrn(half_engine, halves, op, size, shape):
    x, dy, attrs = halves(*shape), halves(*shape), LrnAttrs(size, 0.5, 0.75, 1.0)
    train = call_of(op, attrs, [x], train=True)
    _, (s,) = reference(train, [x])
    back = call_of(op + "_dx", attrs, [x, s, dy])
    (want,), _ = reference(back, [x, s, dy])
    if half_engine.why_not(train) is not None:
        pytest.skip(half_engine.why_not(train))
    for layout in half_layouts(half_engine, x):
        for offer in check(half_engine, train, [x], Near((layout,), (None,)), TOL):
            _, (kept,) = run(half_engine, train, offer, [x])
            fits = [o for o in half_engine.offers(back, Near((offer.ins[0], offer.saved[0], PLAIN), (None,))) if o.ins[1] == offer.saved[0]]
            (dx,), _ = run(half_engine, back, fits[0], [x, kept, dy])
            assert np.abs(dx - want).max() < 3 * TOL * np.abs(want).max()


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("op, attrs", [("relu", ReluAttrs(0.0)), ("relu", ReluAttrs(0.25)), ("sigmoid", None), ("tanh", None),
                                       ("elu", EluAttrs(0.5))])
def test_activations(half_engine, halves, shape, op, attrs):
    x, dy = halves(*shape) * 2, halves(*shape)
    s = x if op == "relu" else rounded(reference(call_of(op, attrs, [x]), [x])[0][0])
    for layout in half_layouts(half_engine, x):
        made = check(half_engine, call_of(op, attrs, [x]), [x], Near((layout,), (None,)), TOL)
        assert made[0].outs[0].dtype == "bfloat16" or op == "sigmoid"   # which is 1/2 in the lanes that fill up blocks
        back = check(half_engine, call_of(op + "_dx", attrs, [s, dy]), [s, dy], Near((layout, PLAIN), (layout,)), TOL)
        assert back[0].outs[0].dtype == "bfloat16"


@pytest.mark.parametrize("shape", SHAPES)
def test_sums_products_maxima_and_copies(half_engine, halves, shape):
    ins = [halves(*shape) for _ in range(3)]
    for op, attrs, tol in (("sum", None, 2), ("eltwise_prod", EltwiseProdAttrs(), 2), ("eltwise_max", None, 0), ("copy", None, 0),
                           ("weighted_sum", WeightedSumAttrs((2.0, -1.0, 0.5)), 2)):
        given = ins[:1] if op == "copy" else ins
        for layout in half_layouts(half_engine, ins[0]):
            offers = check(half_engine, call_of(op, attrs, given), given, Near((layout,) * len(given), (None,)), tol * TOL)
            assert offers[0].outs[0].dtype == "bfloat16" or op == "weighted_sum"
    relu = FusedAttrs(("sum", "relu"), (None, ReluAttrs(0.0)), (2, 0))
    check(half_engine, call_of("fused", relu, ins[:2]), ins[:2], Near((half_layouts(half_engine, ins[0])[0],) * 2, (None,)), TOL)


def test_parts(half_engine, halves):
    parts = [halves(2, n, 4, 3) for n in (16, 32, 5)]
    call = call_of("concat", ConcatAttrs(1), parts)
    whole = halves(*call.outs[0].shape)
    cut = call_of("concat_dx", ConcatAttrs(1), [whole], [p.shape for p in parts])
    sliced = call_of("slice", SliceAttrs(1, 3, (16, 48)), [whole])
    for layout in half_layouts(half_engine, whole):
        offers = check(half_engine, call, parts, Near((PLAIN,) * 3, (layout,)), 0.0)
        assert stored((*offers[0].ins, *offers[0].outs)) == ["bfloat16"] * 4
        for back in (cut, sliced):
            assert check(half_engine, back, [whole], Near((layout,), (None,) * 3), 0.0)[0].ins[0] == layout


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("tail", TAILS)
def test_batch_norm(half_engine, halves, rand, shape, tail):
    """Statistics are those of the rounded batch, in float32; y is rounded once, the gradient from a rounded y."""
    x, c = rounded(halves(*shape) * 2 + 1), shape[1]
    ins = [x, *[rand(c) for t in tail if t != "relu"]]
    call = call_of("fused", fused(("batch_norm",), (NORM,), tail, (1,)), ins, train=True) if tail else \
        call_of("batch_norm", NORM, ins, train=True)
    start = [rand(c), np.abs(rand(c)), np.array([2.5], np.float32)]
    want = [s.copy() for s in start]
    y, kept = execute(NumpyEngine(), call, Offer((PLAIN,) * len(ins), (PLAIN,)), ins, want)
    for layout in half_layouts(half_engine, x):
        offer = half_engine.offers(call, Near((layout, *[PLAIN] * (len(ins) - 1)), (None,)))[0]
        assert offer.ins[0] == layout == offer.outs[0]
        state = [s.copy() for s in start]
        got, saved = execute(half_engine, call, offer, ins, state)
        assert np.abs(got - y).max() <= TOL * np.abs(y).max()
        for a, b in zip([*state, *saved], [*want, *kept], strict=True):
            assert np.allclose(a, b, rtol=2e-5, atol=1e-5)
    dy, w = halves(*shape), rand(c)
    mu, s = kept
    for op, more, outs in (("batch_norm_dx", [], [shape]), ("batch_norm_affine_dx", [w], [shape, (c,), (c,)])):
        back_ins = [x, mu, s, *more, dy]
        back = call_of(op, NORM, back_ins, outs)
        for layout in half_layouts(half_engine, x):
            near = Near((layout, *[PLAIN] * (len(back_ins) - 2), layout), (layout, *[PLAIN] * (len(outs) - 1)))
            offers = check(half_engine, back, back_ins, near, 2 * TOL)
            assert stored((offers[0].ins[0], *offers[0].outs)) == ["bfloat16", "bfloat16", *[None] * (len(outs) - 1)]


@pytest.mark.parametrize("shape", SHAPES)
def test_by_channel(half_engine, halves, rand, shape):
    x, w, dy = halves(*shape), rand(shape[1]), halves(*shape)
    for layout in half_layouts(half_engine, x):
        for op, attrs in (("scale", AffineAttrs()), ("bias", AffineAttrs()), ("prelu", None)):
            assert check(half_engine, call_of(op, attrs, [x, w]), [x, w], Near((layout, PLAIN), (None,)), TOL)
        check(half_engine, call_of("prelu_dx", None, [x, w, dy]), [x, w, dy], Near((layout, PLAIN, layout), (layout,)), TOL)
        check(half_engine, call_of("scale_dw", AffineAttrs(), [x, dy], [w.shape]), [x, dy], Near((layout, layout), (PLAIN,)))


def test_probabilities_are_made_of_float32(half_engine, rand):
    x = rand(6, 9)
    half = Layout("plain", 2 * x.size, dtype="bfloat16")
    y = reference(call_of("softmax", SoftmaxAttrs(1), [x]), [x])[0][0]
    for op, ins in (("softmax", [x]), ("softmax_dx", [y, rand(6, 9)])):
        call = call_of(op, SoftmaxAttrs(1), ins)
        if half_engine.why_not(call) is not None:
            assert "only reference code" in half_engine.why_not(call)
            continue
        offers = check(half_engine, call, ins, Near((half,) * len(ins), (half,)))
        assert all(set(stored((*o.ins, *o.outs))) == {None} for o in offers)


class Without(Library):
    """A library on a CPU without bfloat16."""

    def __init__(self):
        super().__init__()
        self.types, self.isa = (FLOAT32,), "avx512_core_vnni"


def test_a_cpu_that_gains_nothing_is_told(engine):
    with pytest.raises(EngineError, match="precision bf16 asks for a CPU with avx512_bf16 or amx_bf16 instructions; oneDNN finds "
                                          "avx512_core_vnni here; leave the precision out: fp32 is faster"):
        OneDnnEngine("bf16", Without())
    assert OneDnnEngine("fp32", Without()).precisions == ("fp32",)
    with pytest.raises(EngineError, match="engine onednn computes in fp32, bf16, not fp16"):
        OneDnnEngine("fp16")


def test_fp32_stays_what_it_is_where_bf16_could_be_had(half_engine, rand):
    plain = OneDnnEngine("fp32", half_engine.library)
    assert plain.precisions == ("fp32", "bf16") and BFLOAT16 in plain.library.types
    attrs, x, w, b = problem("whole blocks", rand)
    for offer in check(plain, call_of("conv", attrs, [x, w, b]), [x, w, b]):
        assert set(stored((*offer.ins, *offer.outs))) == {None}
