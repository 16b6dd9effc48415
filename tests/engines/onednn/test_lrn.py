"""LRN, by the library's kernels with their workspace and by passes, in every layout that may be offered."""
import numpy as np
import pytest

from caffempi.engines.base import PLAIN, Near
from caffempi.engines.onednn.codes import BFLOAT16, FLOAT32
from caffempi.engines.onednn.layouts import layout_of
from caffempi.engines.onednn.lrn import Workspace, _Problem
from caffempi.errors import EngineError
from caffempi.ops.lrn import LrnAttrs
from tests.engines.onednn.test_pooling import near_layouts
from tests.helpers.enginecheck import call_of, check, reference, run

SHAPES = [(2, 16, 7, 6), (1, 32, 5, 5), (2, 20, 6, 6), (1, 3, 4, 9), (6, 24, 24, 24)]
ATTRS = [LrnAttrs(), LrnAttrs(5, 1e-4, 0.75, 1.0), LrnAttrs(3, 0.5, 0.75, 2.0), LrnAttrs(7, 5.0), LrnAttrs(5, 1, 0.5),
         LrnAttrs(19, 2.0, 1.3, 0.5), LrnAttrs(1, 1.0, 0.75, 1.0)]


@pytest.mark.parametrize("op", ["lrn_across", "lrn_within"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("attrs", ATTRS)
def test_forward_and_backward(engine, rand, op, shape, attrs):
    x, dy = rand(*shape), rand(*shape)
    infer, train = call_of(op, attrs, [x]), call_of(op, attrs, [x], train=True)
    _, (s,) = reference(train, [x])
    back = call_of(op + "_dx", attrs, [x, s, dy])
    (want,), _ = reference(back, [x, s, dy])
    for layout in near_layouts(engine, x):
        near = Near((layout,), (None,))
        assert all(o.saved == () and o.inplace == () for o in check(engine, infer, [x], near, 1e-5))
        for offer in check(engine, train, [x], near, 1e-5):
            _, (kept,) = run(engine, train, offer, [x])
            fits = [o for o in engine.offers(back, Near((offer.ins[0], offer.saved[0], PLAIN), (None,)))
                    if o.ins[1] == offer.saved[0]]
            assert len(fits) == 1
            (dx,), _ = run(engine, back, fits[0], [x, kept, dy])
            assert np.abs(dx - want).max() < 1e-5 * max(1, np.abs(want).max())


def test_what_the_library_keeps_is_used_where_it_has_both_directions(engine, rand):
    call = call_of("lrn_across", LrnAttrs(), [rand(2, 32, 6, 6)], train=True)
    kept = [isinstance(o.saved[0].key, Workspace) for o in engine.offers(call)]
    assert any(kept) == engine.library.isa.startswith("avx512") and not all(kept)
    assert kept == sorted(kept, reverse=True)                  # the library's first


@pytest.mark.parametrize("size, channels, dtype, why", [
    (7, 20, FLOAT32, "are wrong"), (9, 24, FLOAT32, "are wrong"), (7, 16, FLOAT32, ""), (5, 20, FLOAT32, ""), (3, 17, FLOAT32, ""),
    (5, 20, BFLOAT16, "are wrong for windows of 5 over 20 channels that lie last in bfloat16"), (3, 17, BFLOAT16, "are wrong"),
    (7, 32, BFLOAT16, "are wrong"), (5, 32, BFLOAT16, ""),
    (1, 16, FLOAT32, "end in a crash"), (1, 20, FLOAT32, "end in a crash")])
def test_gradients_that_the_library_gets_wrong_are_not_taken(engine, rand, size, channels, dtype, why):
    """AVX-512, channels last: the test above meets them there; that they are refused can be seen on any processor."""
    call = call_of("lrn_across_dx", LrnAttrs(size, 1.0), [rand(1, channels, 2, 2)] * 3)
    p = _Problem(engine.library, call, call.attrs)
    plain, last = p.plain, engine.library.channels_last(p.plain.dims, dtype)
    try:
        reason = p.backward(last, p.forward(plain, True, hint=True)).impl
    except EngineError as e:
        reason = e.why
    assert why in reason and bool(why) is ("oneDNN's gradients of lrn" in reason)


def test_a_workspace_is_read_by_the_kernel_that_wrote_it_alone(engine, rand):
    """Sixteen channels lie alike in one block and channels last, but the library has a kernel for each name, and each keeps
    other things: which one a net asked for before must not matter."""
    x, dy, attrs = rand(2, 16, 7, 6), rand(2, 16, 7, 6), LrnAttrs(5, 1.0)
    train = call_of("lrn_across", attrs, [x], train=True)
    _, (s,) = reference(train, [x])
    back = call_of("lrn_across_dx", attrs, [x, s, dy])
    (want,), _ = reference(back, [x, s, dy])
    plain = engine.library.plain(x.shape)
    for desc in (engine.library.channels_last(x.shape), *engine.library.blocked(x.shape), engine.library.channels_last(x.shape)):
        for offer in engine.offers(train, Near((layout_of(desc, plain),), (None,))):
            _, (kept,) = run(engine, train, offer, [x])
            for fit in engine.offers(back, Near((PLAIN, offer.saved[0], PLAIN), (None,))):
                if fit.ins[1] == offer.saved[0]:
                    assert np.abs(run(engine, back, fit, [x, kept, dy])[0][0] - want).max() < 1e-5 * np.abs(want).max()
