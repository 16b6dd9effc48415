"""Max and average pooling against loops, with Caffe's sizes, borders and ties."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops import Spec, get_op
from caffempi.ops.pool import LOWEST, PoolAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients

CASES = [
    ((2, 3, 6, 6), PoolAttrs((2, 2), (2, 2))), ((2, 2, 7, 5), PoolAttrs((3, 2), (2, 3), (1, 1))),
    ((1, 2, 5, 5), PoolAttrs((3, 3), (1, 1), (2, 2))), ((2, 2, 6, 4), PoolAttrs((3, 3), (4, 2), (2, 0))),
    ((2, 2, 5, 6), PoolAttrs(global_=True)), ((1, 1, 8, 7), PoolAttrs((3, 3), (2, 2), round_mode="FLOOR")),
    ((1, 2, 6, 5), PoolAttrs((3, 3), (2, 2), (1, 1), round_mode="FLOOR")), ((1, 1, 2, 2), PoolAttrs((3, 3), (2, 2))),
    ((1, 2, 5, 5), PoolAttrs((1, 1), (3, 3))), ((0, 2, 4, 4), PoolAttrs((2, 2), (2, 2))),
    ((1, 1, 20, 20), PoolAttrs(global_=True)),
]


def loops(a, x):
    """(maxima, winners, means): Caffe's two loops, in plain words."""
    kernel, out = a.windows(x.shape)
    best = np.full((*x.shape[:2], *out), LOWEST)
    index, mean = np.full(best.shape, -1), np.zeros(best.shape)
    for n, c, i, j in np.ndindex(*best.shape):
        top, left = i * a.stride[0] - a.pad[0], j * a.stride[1] - a.pad[1]
        area = (min(top + kernel[0], x.shape[2] + a.pad[0]) - top) * (min(left + kernel[1], x.shape[3] + a.pad[1]) - left)
        total = 0.0
        for h in range(max(0, top), min(x.shape[2], top + kernel[0])):
            for w in range(max(0, left), min(x.shape[3], left + kernel[1])):
                total += x[n, c, h, w]
                if x[n, c, h, w] > best[n, c, i, j]:
                    best[n, c, i, j], index[n, c, i, j] = x[n, c, h, w], h * x.shape[3] + w
        mean[n, c, i, j] = total / area if area > 0 else 0
    return best, index, mean


@pytest.mark.parametrize(("shape", "a"), CASES)
def test_forward_is_the_loops(shape, a):
    x = np.random.default_rng(1).integers(0, 5, shape).astype(np.float64)      # small integers: many ties
    best, index, mean = loops(a, x)
    masked = PoolAttrs(**{**a.__dict__, "mask": True})
    y, mask = forward("max_pool", masked, [x])
    np.testing.assert_array_equal(y, best)
    np.testing.assert_array_equal(mask, index)
    np.testing.assert_array_equal(forward("max_pool", a, [x])[0], best)
    np.testing.assert_allclose(forward("ave_pool", a, [x])[0], mean, atol=1e-12)


@pytest.mark.parametrize(("shape", "a"), CASES[:-1])
def test_gradients_by_differences(shape, a):
    x = np.random.default_rng(2).permutation(int(np.prod(shape))).reshape(shape) / 7.0      # no ties
    check_gradient("ave_pool", a, [x])
    if a.stride[0] <= a.windows(shape)[0][0]:           # (an empty window's -FLT_MAX swamps the differences)
        check_gradient("max_pool", a, [x])


def test_first_maximum_gets_the_gradient():
    (dx,) = gradients("max_pool", PoolAttrs((2, 2), (1, 1)), [np.ones((1, 1, 3, 3))], [np.ones((1, 1, 2, 2))])
    np.testing.assert_array_equal(dx[0, 0], [[1, 1, 0], [1, 1, 0], [0, 0, 0]])


def test_window_without_a_pixel_and_nan():
    a = PoolAttrs((1, 1), (3, 3), mask=True)
    x = np.ones((1, 1, 5, 5), np.float32)
    y, mask = forward("max_pool", a, [x])
    assert y.shape == (1, 1, 3, 3) and y[0, 0, 2, 2] == np.float32(LOWEST) and mask[0, 0, 2, 2] == -1
    (dx,) = gradients("max_pool", PoolAttrs((1, 1), (3, 3)), [x], [np.ones(y.shape, np.float32)])
    assert dx.sum() == 4 and dx[0, 0, 0, 0] == 1
    x[0, 0, 0] = np.nan
    assert forward("max_pool", PoolAttrs((2, 2), (2, 2)), [x])[0][0, 0, 0, 0] == 1


@pytest.mark.parametrize(("size", "kernel", "stride", "pad", "mode", "want"), [
    (28, 3, 2, 0, "CEIL", 14), (28, 3, 2, 0, "FLOOR", 13), (4, 2, 2, 1, "CEIL", 3), (5, 2, 2, 1, "CEIL", 3),
    (8, 3, 4, 2, "CEIL", 3),
    (2, 3, 2, 0, "CEIL", 1), (6, 3, 2, 1, "CEIL", 4), (6, 3, 2, 1, "FLOOR", 3)])
def test_output_sizes(size, kernel, stride, pad, mode, want):
    a = PoolAttrs((kernel, kernel), (stride, stride), (pad, pad), round_mode=mode)
    assert a.out_shape((1, 2, size, size)) == (1, 2, want, want)


def test_padding_of_one_axis_clips_the_other_too():
    assert PoolAttrs((1, 2), (2, 2), (0, 1)).out_shape((1, 1, 2, 4)) == (1, 1, 1, 3)
    assert PoolAttrs((1, 2), (2, 2), (0, 0)).out_shape((1, 1, 2, 4)) == (1, 1, 2, 2)


@pytest.mark.parametrize("name", ["max_pool", "ave_pool", "stochastic_pool", "stochastic_pool_mean"])
@pytest.mark.parametrize(("shape", "words"), [((2, 3, 4), "4 axes"),
    ((1, 1, 2, 2), "the window 4 x 4 with padding 0 x 0 is too large")])
def test_shapes_that_do_not_fit(name, shape, words):
    with pytest.raises(ShapeError) as e:
        get_op(name).infer(PoolAttrs((4, 4)), [Spec(shape)])
    assert words in str(e.value)


def test_float32_stays_and_cost():
    x = np.random.default_rng(3).standard_normal((2, 2, 6, 6)).astype(np.float32)
    a = PoolAttrs((3, 3), (2, 2))
    for name in ("max_pool", "ave_pool"):
        (y,) = forward(name, a, [x])
        (dx,) = gradients(name, a, [x], [y])
        assert y.dtype == dx.dtype == np.float32
        assert get_op(name).cost(a, [Spec(x.shape)], [Spec(y.shape)])[0] == y.size * 9
    assert gradients("max_pool", a, [x], [None]) == [None]
