"""Cropping against slices of the array and finite differences; every form of the offset; windows that do not fit."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops import Spec, get_op
from caffempi.ops.crop import CropAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients


@pytest.mark.parametrize(("shape", "ref", "attrs", "window"), [
    ((2, 2, 5, 4), (2, 2, 3, 2), CropAttrs(), np.s_[:, :, :3, :2]),
    ((2, 2, 5, 4), (7, 9, 3, 2), CropAttrs(2, (2,)), np.s_[:, :, 2:5, 2:4]),
    ((2, 2, 5, 4), (1, 1, 3, 2), CropAttrs(-2, (1, 2)), np.s_[:, :, 1:4, 2:4]),
    ((3, 4), (2, 1), CropAttrs(0, (1, 3)), np.s_[1:3, 3:4]), ((3, 4), (3, 4, 8), CropAttrs(1, (0,)), np.s_[:, :]),
    ((0, 1, 3), (0, 1, 2), CropAttrs(2, (1,)), np.s_[:, :, 1:])])
def test_formula_and_gradient(shape, ref, attrs, window):
    x = np.random.default_rng(1).standard_normal(shape)
    np.testing.assert_array_equal(forward("crop", attrs, [x, np.zeros(ref)])[0], x[window])
    check_gradient("crop", attrs, [x, np.zeros(ref)])


def test_the_gradient_is_zero_around_the_window_and_there_is_none_for_the_second_in():
    x, ref = np.zeros((2, 3), np.float32), np.zeros((1, 2), np.float32)
    dx, dref = gradients("crop", CropAttrs(0, (1, 0)), [x, ref], [np.full((1, 2), 4, np.float32)])
    assert dx.tolist() == [[0, 0, 0], [4, 4, 0]] and dx.dtype == np.float32 and dref is None
    assert gradients("crop", CropAttrs(0, (1, 0)), [x, ref], [None]) == [None, None]


@pytest.mark.parametrize(("shape", "ref", "attrs", "words"), [
    ((2, 3, 4), (2, 3), CropAttrs(), "the second bottom 2 x 3 has fewer axes than the first, 2 x 3 x 4"),
    ((2, 3, 4), (2, 3, 5), CropAttrs(), "a window of length 5 at offset 0 does not fit in axis 2 of 2 x 3 x 4"),
    ((2, 3, 4), (2, 3, 3), CropAttrs(2, (2,)), "a window of length 3 at offset 2 does not fit in axis 2"),
    ((2, 3, 4), (2, 3, 3), CropAttrs(2, (1, 1)), "2 offsets are given for 1 cropped axes; give none, one for all, or one"),
    ((2, 3), (2, 3), CropAttrs(2), "axis 2 does not exist")])
def test_shapes_that_do_not_fit(shape, ref, attrs, words):
    with pytest.raises(ShapeError) as e:
        get_op("crop").infer(attrs, [Spec(shape), Spec(ref)])
    assert words in str(e.value)
