"""Axes from both ends, products, and how shapes read in messages."""
import pytest

from caffempi.errors import ShapeError
from caffempi.ops.shapes import canonical_axis, check_size, outer_inner, product, text


@pytest.mark.parametrize(("axis", "ndim", "end", "want"), [
    (0, 4, False, 0), (3, 4, False, 3), (-1, 4, False, 3), (-4, 4, False, 0),
    (4, 4, True, 4), (-1, 4, True, 4), (-5, 4, True, 0), (0, 0, True, 0), (-1, 0, True, 0)])
def test_axis_from_both_ends(axis, ndim, end, want):
    assert canonical_axis(axis, ndim, end=end) == want


@pytest.mark.parametrize(("axis", "ndim", "end"), [(4, 4, False), (-5, 4, False), (5, 4, True), (-6, 4, True),
    (0, 0, False)])
def test_an_axis_that_does_not_exist_is_named(axis, ndim, end):
    with pytest.raises(ShapeError, match=f"axis {axis} does not exist in a blob of {ndim} axes"):
        canonical_axis(axis, ndim, end=end)


def test_products_and_text():
    assert product([]) == 1 and product((2, 0, 3)) == 0
    assert outer_inner((2, 3, 4, 5), 1) == (2, 20)
    assert text((2, 3)) == "2 x 3" and text(()) == "scalar"


def test_shapes_that_no_blob_can_have():
    check_size((2**31 - 1,))
    check_size((1,) * 32)
    check_size((0, 2**40))
    with pytest.raises(ShapeError, match="the shape 65536 x 32768 has more than 2147483647 elements"):
        check_size((65536, 32768))
    with pytest.raises(ShapeError, match="a shape of 33 axes is needed; a blob has at most 32"):
        check_size((1,) * 33)
