"""Slicing against numpy.split and finite differences; equal and stated parts; parts without a diff."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops import Spec, get_op
from caffempi.ops.slice import SliceAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients


@pytest.mark.parametrize(("shape", "attrs", "points"), [
    ((6, 2), SliceAttrs(0, 3), [2, 4]), ((2, 6), SliceAttrs(1, 2), [3]), ((2, 6, 2), SliceAttrs(-2, 3, (1, 4)), [1, 4]),
    ((2, 3, 4), SliceAttrs(2, 4, (1, 2, 3)), [1, 2, 3]), ((2, 3), SliceAttrs(1, 2, (3,)), [3]), ((0, 4), SliceAttrs(1, 2), [2]),
    ((0, 4), SliceAttrs(0, 2), [0]), ((5,), SliceAttrs(0, 2, (4,)), [4])])
def test_formula_and_gradient(shape, attrs, points):
    x = np.random.default_rng(1).standard_normal(shape)
    parts = forward("slice", attrs, [x])
    for got, want in zip(parts, np.split(x, points, attrs.axis), strict=True):
        np.testing.assert_array_equal(got, want)
    check_gradient("slice", attrs, [x])


def test_a_part_without_a_diff_counts_as_zero():
    x = np.zeros((2, 3), np.float32)
    (dx,) = gradients("slice", SliceAttrs(1, 3), [x], [None, np.full((2, 1), 2, np.float32), None])
    assert dx.tolist() == [[0, 2, 0]] * 2 and dx.dtype == np.float32
    assert gradients("slice", SliceAttrs(1, 3), [x], [None, None, None]) == [None]


@pytest.mark.parametrize(("shape", "attrs", "words"), [
    ((2, 5), SliceAttrs(1, 2), "the length 5 of axis 1 cannot be cut into 2 equal parts; input 2 x 5"),
    ((2, 5), SliceAttrs(1, 2, (6,)), "axis 1, of length 5, cannot be cut into 2 parts at 6; input 2 x 5"),
    ((2, 1), SliceAttrs(1, 2, (1,)), "axis 1, of length 1, cannot be cut into 2 parts at 1"),
    ((2, 5), SliceAttrs(2, 2), "axis 2 does not exist"), ((), SliceAttrs(0, 2), "axis 0 does not exist")])
def test_shapes_that_do_not_fit(shape, attrs, words):
    with pytest.raises(ShapeError) as e:
        get_op("slice").infer(attrs, [Spec(shape)])
    assert words in str(e.value)
