"""ArgMax against sorting (value, index) pairs; ties; shapes with and without an axis."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops import Spec, get_op
from caffempi.ops.argmax import ArgMaxAttrs
from tests.helpers.opcheck import forward


def best(row, k):
    """(positions, values) of the k largest; of equal ones, the higher index first."""
    pairs = sorted(((v, i) for i, v in enumerate(row)), reverse=True)[:k]
    return [i for _, i in pairs], [v for v, _ in pairs]


@pytest.mark.parametrize("values", [False, True])
@pytest.mark.parametrize("k", [1, 2, 4])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("shape", "axis"), [((4, 3), 0), ((2, 4, 3), 1), ((3, 5), -1), ((2, 1, 2, 6), 3), ((5,), 0), ((4, 0), 0),
                                             ((0, 4), 1)])
def test_along_an_axis(shape, axis, k, values, dtype):
    x = np.random.default_rng(1).integers(0, 4, shape).astype(dtype)
    (y,) = forward("argmax", ArgMaxAttrs(axis, k, values), [x])
    want = np.apply_along_axis(lambda row: best(row, k)[values], axis, x) if x.size else np.zeros(y.shape)
    assert y.dtype == dtype and y.shape[axis] == k
    np.testing.assert_array_equal(y, want)


@pytest.mark.parametrize("values", [False, True])
@pytest.mark.parametrize(("shape", "k"), [((3, 5), 2), ((2, 2, 3, 2), 1), ((2, 2, 3, 2), 12), ((2, 1, 2, 1, 2), 3), ((4,), 1),
                                          ((0, 5), 2)])
def test_of_each_item(shape, k, values):
    x = np.random.default_rng(2).integers(0, 4, shape).astype(float)
    (y,) = forward("argmax", ArgMaxAttrs(None, k, values), [x])
    assert y.shape == (shape[0], 1 + values, k, *(1,) * (len(shape) - 3))
    for item, got in zip(x.reshape(shape[0], -1) if shape[0] else [], y.reshape(shape[0], 1 + values, k), strict=True):
        np.testing.assert_array_equal(got, best(item, k)[:1 + values])


@pytest.mark.parametrize(("shape", "attrs", "words"), [
    ((), ArgMaxAttrs(), "needs a bottom of one axis or more"),
    ((2, 3), ArgMaxAttrs(None, 4), "the 4 largest are asked for, but there are 3 to choose from; input 2 x 3"),
    ((5, 3), ArgMaxAttrs(1, 4), "the 4 largest are asked for, but there are 3"),
    ((5, 0), ArgMaxAttrs(1, 1), "there are 0 to choose from"),
    ((5, 3), ArgMaxAttrs(2, 1), "axis 2 does not exist")])
def test_shapes_that_do_not_fit(shape, attrs, words):
    with pytest.raises(ShapeError, match=words):
        get_op("argmax").infer(attrs, [Spec(shape)])


def test_asking_for_a_gradient_is_an_error():
    assert get_op("argmax").grad == "refuse"
