"""Pooling in every layout offered, with Caffe's borders, and what is refused."""
import numpy as np
import pytest

from caffempi.engines.base import PLAIN, Near
from caffempi.ops.conv import ConvAttrs
from caffempi.ops.pool import PoolAttrs
from tests.helpers.enginecheck import call_of, check, reference, run

SHAPES = [(2, 5, 9, 7), (1, 16, 8, 8), (3, 19, 6, 11), (2, 32, 7, 7), (1, 1, 5, 4)]
FIT = [PoolAttrs((2, 2), (2, 2)), PoolAttrs((3, 3), (2, 2)), PoolAttrs((3, 2), (1, 2)), PoolAttrs((2, 3), (3, 2), (0, 0), False, "FLOOR"),
       PoolAttrs(global_=True), PoolAttrs((3, 3), (1, 1), (1, 1)), PoolAttrs((2, 2), (3, 3), (0, 0), False, "FLOOR")]


def near_layouts(engine, x):
    """Layouts in which convolutions make a blob of that shape."""
    attrs = ConvAttrs((1, 1), (1, 1), (0, 0), (1, 1))
    w = np.zeros((x.shape[1], x.shape[1], 1, 1), np.float32)
    return [o.outs[0] for o in engine.offers(call_of("conv", attrs, [x, w]))]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("attrs", FIT)
@pytest.mark.parametrize("ties", [False, True])
def test_max_forward_and_backward_through_the_workspace(engine, rand, shape, attrs, ties):
    x = np.round(rand(*shape)) if ties else rand(*shape)
    infer, train = call_of("max_pool", attrs, [x]), call_of("max_pool", attrs, [x], train=True)
    if engine.why_not(train) is not None:
        assert "a window lies wholly outside the image" in engine.why_not(train)
        return
    dy = rand(*train.outs[0].shape)
    (_,), (winners,) = reference(train, [x])
    back = call_of("max_pool_dx", attrs, [winners, dy], [shape])
    (want,), _ = reference(back, [winners, dy])
    assert engine.why_not(back) is None
    for layout in near_layouts(engine, x):
        assert check(engine, infer, [x], Near((layout,), (None,)), 0.0)[0].saved == ()
        for offer in check(engine, train, [x], Near((layout,), (None,)), 0.0):
            assert offer.saved[0] != PLAIN
            _, (kept,) = run(engine, train, offer, [x])
            around = Near((offer.saved[0], PLAIN), (None,))
            fits = [o for o in engine.offers(back, around) if o.ins[0] == offer.saved[0]]
            assert len(fits) == 1 and fits[0].outs[0] == offer.ins[0]
            (dx,), _ = run(engine, back, fits[0], [kept, dy])
            assert np.allclose(dx, want, atol=1e-5)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("attrs", FIT)
def test_mean_forward_and_backward(engine, rand, shape, attrs):
    x = rand(*shape)
    call = call_of("ave_pool", attrs, [x])
    if engine.why_not(call) is not None:
        assert "window" in engine.why_not(call)
        return
    dy = rand(*call.outs[0].shape)
    for layout in near_layouts(engine, x):
        check(engine, call, [x], Near((layout,), (None,)))
        check(engine, call_of("ave_pool_dx", attrs, [dy], [shape]), [dy], Near((PLAIN,), (layout,)))


def test_random_windows_are_right_or_refused_alike_in_both_directions(engine):
    rng = np.random.default_rng(5)
    refused = ran = 0
    for _ in range(120):
        kernel, stride = (tuple(int(v) for v in rng.integers(1, 5, 2)) for _ in range(2))
        pad = tuple(int(rng.integers(0, k)) for k in kernel)
        attrs = PoolAttrs(kernel, stride, pad, False, str(rng.choice(["CEIL", "FLOOR"])))
        shape = (int(rng.integers(1, 3)), int(rng.choice([1, 3, 8, 17])), *(int(rng.integers(4, 10)) for _ in range(2)))
        x = rng.standard_normal(shape, dtype=np.float32)
        for op in ("max_pool", "ave_pool"):
            call = call_of(op, attrs, [x], train=True)
            dy = np.ones(call.outs[0].shape, np.float32)
            ins = [np.zeros(dy.shape, np.int32), dy] if op == "max_pool" else [dy]
            back = call_of(op + "_dx", attrs, ins, [shape])
            assert (engine.why_not(call) is None) is (engine.why_not(back) is None)
            if engine.why_not(call) is None:
                check(engine, call, [x], tol=1e-5)
                ran += 1
                if op == "ave_pool":
                    check(engine, back, ins, tol=1e-5)
            else:
                refused += 1
    assert ran > 120 and refused > 5


def test_the_mask_is_refused(engine, rand):
    why = engine.why_not(call_of("max_pool", PoolAttrs((2, 2), (2, 2), mask=True), [rand(1, 2, 4, 4)]))
    assert why == "engine onednn does not run max_pool: does not tell the winners, which the second top asks for"


def test_a_mean_over_a_window_beyond_the_padding_is_refused(engine, rand):
    why = engine.why_not(call_of("ave_pool", PoolAttrs((3, 3), (2, 2), (1, 1)), [rand(1, 2, 6, 6)]))
    assert "reaches beyond the padding" in why


def test_a_window_outside_the_image_is_refused(engine, rand):
    why = engine.why_not(call_of("max_pool", PoolAttrs((1, 1), (3, 3)), [rand(1, 2, 5, 5)]))
    assert "wholly outside the image" in why


def test_what_is_not_a_number_never_wins(engine):
    x = np.full((1, 8, 4, 4), np.nan, np.float32)
    x[:, :, 1, 1] = -3
    call = call_of("max_pool", PoolAttrs((2, 2), (2, 2)), [x])
    for layout in near_layouts(engine, x):
        for offer in engine.offers(call, Near((layout,), (None,))):
            (y,), _ = run(engine, call, offer, [x])
            assert (y[:, :, 0, 0] == -3).all()
