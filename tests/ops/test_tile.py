"""Tiling against numpy.tile and finite differences, along every axis."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops import Spec, get_op
from caffempi.ops.tile import TileAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients


@pytest.mark.parametrize("tiles", [1, 2, 3])
@pytest.mark.parametrize(("shape", "axis"), [((2, 3), 0), ((2, 3), 1), ((2, 3, 2), -2), ((4,), -1), ((0, 2), 1), ((0, 2), 0)])
def test_formula_and_gradient(shape, axis, tiles):
    x = np.random.default_rng(1).standard_normal(shape)
    times = [tiles if i == axis % len(shape) else 1 for i in range(len(shape))]
    np.testing.assert_array_equal(forward("tile", TileAttrs(axis, tiles), [x])[0], np.tile(x, times))
    check_gradient("tile", TileAttrs(axis, tiles), [x])


def test_float32_stays_and_no_gradient_flows_where_none_comes():
    x = np.ones((2, 2), np.float32)
    (dx,) = gradients("tile", TileAttrs(0, 3), [x], [np.ones((6, 2), np.float32)])
    assert dx.dtype == np.float32 and (dx == 3).all()
    assert gradients("tile", TileAttrs(0, 3), [x], [None]) == [None]


@pytest.mark.parametrize(("shape", "axis"), [((), 0), ((2, 3), 2)])
def test_an_axis_that_does_not_exist(shape, axis):
    with pytest.raises(ShapeError, match="does not exist"):
        get_op("tile").infer(TileAttrs(axis, 2), [Spec(shape)])
