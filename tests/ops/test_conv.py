"""Convolution against a loop over its formula and finite differences, for one to three spatial axes and none."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops import Spec, get_op
from caffempi.ops.conv import ConvAttrs
from tests.helpers.opcheck import check_gradient, forward


def attrs(kernel, stride=1, pad=0, dilation=1, group=1, axis=1):
    full = [(v,) * len(kernel) if isinstance(v, int) else v for v in (stride, pad, dilation)]
    return ConvAttrs(tuple(kernel), *full, group, axis)


CASES = {                          # input, filters, attributes
    "3x3": ((2, 3, 5, 6), 4, attrs((3, 3))),
    "stride-pad-dilation": ((2, 2, 7, 6), 3, attrs((2, 3), (2, 1), (1, 2), (2, 1))),
    "groups": ((2, 4, 5, 4), 6, attrs((3, 2), 2, 1, 1, 2)),
    "depthwise": ((1, 3, 4, 4), 3, attrs((3, 3), 1, 1, 1, 3)),
    "pointwise-small": ((2, 4, 3, 3), 2, attrs((1, 1), group=2)),
    "pointwise-large": ((2, 4, 6, 6), 6, attrs((1, 1), group=2)),
    "pointwise-strided": ((2, 2, 5, 5), 3, attrs((1, 1), 2)),
    "pointwise-padded": ((2, 2, 3, 3), 3, attrs((1, 1), 1, 1)),
    "one-axis": ((2, 2, 7), 3, attrs((3,), 2, 1)),
    "three-axes": ((1, 2, 3, 4, 3), 2, attrs((2, 3, 1), (1, 2, 2), (1, 1, 0))),
    "no-axis": ((3, 4), 2, attrs(())),
    "no-axis-groups": ((3, 4), 6, attrs((), group=2)),
    "axis-2": ((2, 3, 2, 4, 3), 3, attrs((2, 2), axis=2)),
    "axis-negative": ((2, 2, 4, 3), 3, attrs((2,), axis=-2)),
    "axis-0": ((3, 5), 2, attrs((2,), axis=0)),
    "kernel-is-image": ((2, 2, 3, 3), 4, attrs((3, 3))),
    "empty": ((0, 2, 4, 4), 3, attrs((3, 3))),
    "empty-pointwise": ((0, 2, 6, 6), 3, attrs((1, 1))),
}


def arrays(shape, filters, a, seed=0, dtype=np.float64):
    rand = np.random.default_rng(seed)
    channels = shape[a.axis]
    return [rand.standard_normal(s).astype(dtype) for s in (shape, (filters, channels // a.group, *a.kernel),
    (filters,))]


def by_loops(a, x, w, b):
    axis = a.axis % x.ndim
    x = x.reshape(-1, *x.shape[axis:])
    pad = [(0, 0), (0, 0), *((p, p) for p in a.pad)]
    x = np.pad(x, pad)
    out = [(n - (d * (k - 1) + 1)) // s + 1 for n, k, s, d in zip(x.shape[2:], a.kernel, a.stride, a.dilation, strict=True)]
    y = np.zeros((len(x), len(w), *out))
    per_in, per_out = w.shape[1], len(w) // a.group
    for n, m, *o in np.ndindex(*y.shape):
        g = m // per_out
        total = b[m]
        for c, *i in np.ndindex(*w.shape[1:]):
            q = [p * s + k * d for p, s, k, d in zip(o, a.stride, i, a.dilation, strict=True)]
            total += w[(m, c, *i)] * x[(n, g * per_in + c, *q)]
        y[(n, m, *o)] = total
    return y


@pytest.mark.parametrize("case", CASES)
def test_forward_is_the_formula(case):
    shape, filters, a = CASES[case]
    x, w, b = arrays(shape, filters, a)
    want = by_loops(a, x, w, b)
    (y,) = forward("conv", a, [x, w, b])
    assert y.shape[:a.axis % x.ndim] == x.shape[:a.axis % x.ndim]
    np.testing.assert_allclose(y.reshape(want.shape), want, atol=1e-12)
    (y,) = forward("conv", a, [x, w])
    np.testing.assert_allclose(y.reshape(want.shape), want - b.reshape(-1, *[1] * len(a.kernel)), atol=1e-12)


@pytest.mark.parametrize("case", CASES)
def test_gradients_by_differences(case):
    shape, filters, a = CASES[case]
    check_gradient("conv", a, arrays(shape, filters, a, 1))
    check_gradient("conv", a, arrays(shape, filters, a, 2)[:2])


def test_random_attributes():
    rand = np.random.default_rng(5)
    for seed in range(12):
        axes = int(rand.integers(1, 4))
        k, s, p, d = (tuple(int(v) for v in rand.integers(lo, hi, axes)) for lo, hi in ((1, 4), (1, 4), (0, 3),
        (1, 3)))
        size = [max(1, dd * (kk - 1) + 1 - 2 * pp) + int(rand.integers(0, 3)) for kk, pp, dd in zip(k, p, d, strict=True)]
        g = int(rand.integers(1, 3))
        a = ConvAttrs(k, s, p, d, g)
        ins = arrays((int(rand.integers(1, 3)), g * int(rand.integers(1, 3)), *size), g, a, seed)
        np.testing.assert_allclose(forward("conv", a, ins)[0], by_loops(a, *ins), atol=1e-12)


def test_float32_stays_float32_and_near_float64_over_several_chunks():
    a = attrs((3, 3), 1, 1)
    ins = arrays((40, 16, 20, 20), 8, a, 3, np.float32)
    (y,) = forward("conv", a, ins)
    assert y.dtype == np.float32
    np.testing.assert_allclose(y, forward("conv", a, [i.astype(np.float64) for i in ins])[0], atol=1e-4)


@pytest.mark.parametrize(("x", "w", "b", "a", "words"), [
    ((1, 3, 4, 4), (2, 4, 3, 3), (2,), attrs((3, 3)), "weights 2 x 4 x 3 x 3 do not fit input 1 x 3 x 4 x 4"),
    ((1, 3, 4, 4), (2, 3, 3, 3), (3,), attrs((3, 3)), "bias 3 does not fit 2 filters"),
    ((1, 3, 4, 4), (2, 1, 3, 3), (2,), attrs((3, 3), group=2), "3 channels cannot be cut into 2 groups"),
    ((1, 4, 4, 4), (3, 2, 3, 3), (3,), attrs((3, 3), group=2), "multiple of 2 filters"),
    ((1, 3, 4), (2, 3, 3, 3), (2,), attrs((3, 3)), "needs a blob of 4 axes; got 1 x 3 x 4"),
    ((1, 3, 4, 4), (2, 3, 3, 3),
    (2,), attrs((3, 3), dilation=2), "reaches over 5 x 5, more than the padded input 4 x 4"),
    ((1, 3, 4, 4), (2, 3, 3, 3), (2,), attrs((3, 3), axis=4), "axis 4 does not exist"),
])
def test_shapes_that_do_not_fit(x, w, b, a, words):
    with pytest.raises(ShapeError) as e:
        get_op("conv").infer(a, [Spec(x), Spec(w), Spec(b)])
    assert words in str(e.value)


def test_cost_counts_multiply_adds_twice():
    a = attrs((3, 3))
    flops, moved = get_op("conv").cost(a, [Spec((2, 4, 5, 5)), Spec((6, 4, 3, 3))], [Spec((2, 6, 3, 3))])
    assert flops == 2 * (2 * 6 * 3 * 3) * (4 * 9) and moved == 4 * (200 + 216 + 108)
