"""Picking rows against NumPy's indexing and finite differences; repeated and missing rows; indices that are none."""
import numpy as np
import pytest

from caffempi.errors import DataError, ShapeError
from caffempi.ops import Spec, get_op
from caffempi.ops.rows import RowsAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients


@pytest.mark.parametrize("index", [[0], [2, 0, 2, 2], [[1, 0], [2, 1]], [], 1, [[[0]]]])
@pytest.mark.parametrize("row", [(), (4,), (2, 3), (2, 0)])
def test_formula_and_gradient(index, row):
    table, index = np.random.default_rng(1).standard_normal((3, *row)), np.array(index, float)
    (y,) = forward("rows", RowsAttrs(), [table, index])
    assert y.shape == (*index.shape, *row)
    np.testing.assert_array_equal(y, table[index.astype(int)])
    check_gradient("rows", RowsAttrs(), [table, index], wrt=[0])


def test_many_repeats_add_up_in_float32_and_fractions_are_cut_off():
    index = np.float32([1.9, -0.5, 1, 1] * 500)
    table, dy = np.zeros((3, 2), np.float32), np.full((2000, 2), 0.25, np.float32)
    dtable, dindex = gradients("rows", RowsAttrs(), [table, index], [dy])
    assert dindex is None and dtable.dtype == np.float32 and dtable.tolist() == [[125, 125], [375, 375], [0, 0]]
    assert gradients("rows", RowsAttrs(), [table, index], [None]) == [None, None]


@pytest.mark.parametrize(("rows", "index", "words"), [
    (3, [0, 3], "index 3 at position 1 is none of the 3 rows, 0..2; correct the indices"),
    (3, [-1], "index -1 at position 0 is none"), (3, [[0, 0], [0, 1e9]], r"index 1e\+09 at position \[1, 1\] is none"),
    (3, np.nan, "index nan is none of the 3 rows"), (0, [0], "index 0 at position 0 is none of the 0 rows; correct")])
def test_indices_that_are_no_rows(rows, index, words):
    with pytest.raises(DataError, match=words):
        forward("rows", RowsAttrs(), [np.zeros((rows, 2)), np.array(index, float)])


def test_a_scalar_has_no_rows():
    with pytest.raises(ShapeError, match="needs a bottom of one axis or more"):
        get_op("rows").infer(RowsAttrs(), [Spec(()), Spec((2,))])
