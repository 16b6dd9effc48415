"""A level of a pyramid is the pooling whose windows Caffe's rule gives for the image; sizes that have none."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops import Spec, get_op
from caffempi.ops.pool import PoolAttrs
from caffempi.ops.pyramid_pool import PyramidAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients

WINDOWS = [((8, 8), 1, (8, 8), (0, 0)), ((8, 11), 2, (4, 6), (0, 1)), ((7, 9), 4, (2, 3), (1, 2)), ((8, 16), 8, (1, 2), (0, 0)),
           ((6, 6), 4, (2, 2), (1, 1)), ((3, 1), 1, (3, 1), (0, 0))]


@pytest.mark.parametrize(("size", "bins", "kernel", "pad"), WINDOWS)
@pytest.mark.parametrize("pool", ["max_pool", "ave_pool"])
def test_windows_numbers_and_gradient(size, bins, kernel, pad, pool):
    attrs, plain = PyramidAttrs(bins, pool), PoolAttrs(kernel, kernel, pad)
    assert attrs.at((1, 1, *size)) == plain
    x = np.random.default_rng(1).standard_normal((1, 2, *size))
    (y,) = forward("pyramid_pool", attrs, [x])
    assert y.shape == (1, 2, bins, bins)
    np.testing.assert_array_equal(y, forward(pool, plain, [x])[0])
    check_gradient("pyramid_pool", attrs, [x])
    assert get_op("pyramid_pool").cost(attrs, [Spec(x.shape)], [Spec(y.shape)]) == get_op(pool).cost(
        plain, [Spec(x.shape)], [Spec(y.shape)])


def test_stochastic_levels():
    x = np.random.default_rng(2).uniform(0.1, 1, (2, 1, 4, 8))
    check_gradient("pyramid_pool", PyramidAttrs(2, "stochastic_pool_mean"), [x])
    attrs = PyramidAttrs(2, "stochastic_pool")
    (y,) = forward("pyramid_pool_drawn", attrs, [x])
    assert np.isin(y, x).all()
    (dx,) = gradients("pyramid_pool_drawn", attrs, [x], [np.ones_like(y)])
    np.testing.assert_array_equal(np.sort(x[dx == 1]), np.sort(y.ravel()), "the diffs go to the pixels drawn")
    assert get_op("pyramid_pool_drawn").effects == {"rng"}


def test_empty_batch_float32_and_no_diff():
    attrs, x = PyramidAttrs(2), np.zeros((0, 3, 4, 4), np.float32)
    (y,) = forward("pyramid_pool", attrs, [x])
    assert y.shape == (0, 3, 2, 2) and y.dtype == np.float32
    assert gradients("pyramid_pool", attrs, [x], [y])[0].shape == x.shape
    assert gradients("pyramid_pool", attrs, [x], [None]) == [None]


@pytest.mark.parametrize(("shape", "attrs", "words"), [
    ((1, 1, 5, 8), PyramidAttrs(4), "4 bins along 5 pixels need windows of 2 with a padding of 2, which must be less"),
    ((1, 1, 8, 3), PyramidAttrs(4), "4 bins along 3 pixels need windows of 1 with a padding of 1"),
    ((1, 1, 0, 4), PyramidAttrs(1), "1 bins along 0 pixels need windows of 0"), ((2, 3), PyramidAttrs(1), "4 axes"),
    ((1, 1, 7, 8), PyramidAttrs(2, "stochastic_pool"), "2 bins need a padding of 1 x 0, which stochastic pooling has not")])
def test_images_without_such_a_level(shape, attrs, words):
    with pytest.raises(ShapeError, match=words):
        get_op("pyramid_pool").infer(attrs, [Spec(shape)])
