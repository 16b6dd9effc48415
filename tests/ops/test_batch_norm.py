"""Batch normalisation: values, running sums, gradients, in place, batches of none and of one."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops import Spec, get_op
from caffempi.ops.batch_norm import BatchNormAttrs
from caffempi.ops.op import nbytes
from tests.helpers.opcheck import check_gradient, forward, gradients

SHAPES = [(5, 3), (2, 3, 4), (2, 2, 3, 2), (1, 3, 4, 4), (6,)]


def stats(channels, dtype=np.float64):
    rand = np.random.default_rng(8)
    return [rand.standard_normal(channels).astype(dtype), rand.uniform(1, 2, channels).astype(dtype),
            np.array([1.7], dtype)]


def count(shape):
    return shape[1] if len(shape) > 1 else 1


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("eps,fraction", [(1e-5, 0.999), (1e-2, 0.5), (0.1, 0.0)])
def test_batch_form_normalises_adds_to_its_sums_and_has_the_right_gradient(shape, eps, fraction):
    x = np.random.default_rng(9).standard_normal(shape) * 2 + 1
    mean, var, factor = state = stats(count(shape))
    before = [s.copy() for s in state]
    (y,) = forward("batch_norm", BatchNormAttrs(eps, fraction), [x], state)
    rows = np.moveaxis(x, 1, 0).reshape(count(shape), -1) if x.ndim > 1 else x[None]
    normal = (rows - rows.mean(1, keepdims=True)) / np.sqrt(rows.var(1, keepdims=True) + eps)
    np.testing.assert_allclose((np.moveaxis(y, 1, 0) if x.ndim > 1 else y).reshape(rows.shape), normal, atol=1e-12)
    np.testing.assert_allclose(factor, before[2] * fraction + 1)
    np.testing.assert_allclose(mean, before[0] * fraction + rows.mean(1))
    np.testing.assert_allclose(var, before[1] * fraction + rows.var(1, ddof=1))
    check_gradient("batch_norm", BatchNormAttrs(eps, fraction), [x], state=state, tol=1e-5)


@pytest.mark.parametrize("shape", [*SHAPES, (0, 3, 2)])
def test_global_form_reads_its_sums_and_leaves_them(shape):
    x = np.random.default_rng(9).standard_normal(shape)
    mean, var, factor = stats(count(shape))
    (y,) = forward("batch_norm_global", BatchNormAttrs(0.01), [x, mean, var, factor])
    along = (-1, *(1,) * (len(shape) - 2)) if len(shape) > 1 else (1,)
    expected = (x - (mean / 1.7).reshape(along)) / np.sqrt((var / 1.7).reshape(along) + 0.01)
    np.testing.assert_allclose(y, expected)
    np.testing.assert_array_equal(mean, stats(count(shape))[0])
    check_gradient("batch_norm_global", BatchNormAttrs(0.01), [x, mean, var, factor])


def test_global_form_without_any_statistics_takes_them_as_zero():
    (y,) = forward("batch_norm_global", BatchNormAttrs(0.25), [np.ones((1, 2)), np.ones(2), np.ones(2), np.zeros(1)])
    np.testing.assert_array_equal(y, [[2, 2]])


def test_one_value_a_channel_gives_zero_and_an_uncorrected_variance():
    state = [np.zeros(2), np.zeros(2), np.zeros(1)]
    (y,) = forward("batch_norm", BatchNormAttrs(), [np.array([[3.0, 4.0]])], state)
    np.testing.assert_array_equal(y, [[0, 0]])
    np.testing.assert_array_equal(state[0], [3, 4])
    np.testing.assert_array_equal(state[1], [0, 0])


def test_an_empty_batch_changes_nothing():
    state = stats(3)
    with np.errstate(all="raise"):
        (y,) = forward("batch_norm", BatchNormAttrs(), [np.empty((0, 3, 2))], state)
        (dx,) = gradients("batch_norm", BatchNormAttrs(), [np.empty((0, 3, 2))], [np.empty((0, 3, 2))], state=state)
    assert y.shape == dx.shape == (0, 3, 2)
    for now, before in zip(state, stats(3), strict=True):
        np.testing.assert_array_equal(now, before)


def test_in_place_float32_and_backward_over_dy():
    x = np.random.default_rng(3).standard_normal((4, 2, 3)).astype(np.float32)
    (y,) = forward("batch_norm", BatchNormAttrs(), [x], stats(2, np.float32))
    assert y.dtype == np.float32
    same, saved, dy = x.copy(), [np.empty(2, np.float32), np.empty(2, np.float32)], np.cos(x)
    get_op("batch_norm").forward(BatchNormAttrs(), [same], [same], saved, stats(2, np.float32), None)
    np.testing.assert_array_equal(same, y)
    (dx,) = gradients("batch_norm", BatchNormAttrs(), [x], [dy], state=stats(2, np.float32))
    get_op("batch_norm_dx").forward(BatchNormAttrs(), [x, *saved, dy], [dy], (), (), None)
    np.testing.assert_array_equal(dy, dx)


@pytest.mark.parametrize("shape", [(2, 4), (4,), ()])
def test_statistics_of_other_channels_are_refused(shape):
    with pytest.raises(ShapeError, match=r"statistics|scalar"):
        forward("batch_norm", BatchNormAttrs(), [np.ones(shape)], stats(3))
    with pytest.raises(ShapeError, match=r"statistics|scalar"):
        forward("batch_norm_global", BatchNormAttrs(), [np.ones(shape), *stats(3)])


@pytest.mark.parametrize("op, ins", [("batch_norm_dx", "xccx"), ("batch_norm_affine_dx", "xcccx")])
def test_the_gradient_reads_x_and_dy_twice(op, ins):
    x, c = Spec((2, 3, 4, 4)), Spec((3,))
    specs = [x if kind == "x" else c for kind in ins]
    outs = get_op(op).infer(BatchNormAttrs(), specs)
    assert get_op(op).cost(BatchNormAttrs(), specs, outs)[1] == nbytes([*specs, *outs]) + 2 * nbytes([x])
