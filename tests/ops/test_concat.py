"""Concatenation: every axis, gradients that are the parts, shapes that do not fit."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops import Spec, get_op
from caffempi.ops.concat import ConcatAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients


@pytest.mark.parametrize("axis", [0, 1, 2, -1, -3])
@pytest.mark.parametrize("sizes", [(2, 3), (1, 1, 4), (2, 0, 1), (3,)])
def test_formula_and_gradient(axis, sizes):
    rand = np.random.default_rng(1)
    ins = []
    for n in sizes:
        shape = [2, 3, 2]
        shape[axis] = n
        ins.append(rand.standard_normal(shape))
    np.testing.assert_array_equal(forward("concat", ConcatAttrs(axis), ins)[0], np.concatenate(ins, axis))
    check_gradient("concat", ConcatAttrs(axis), ins)


def test_only_the_needed_parts_and_float32():
    ins = [np.ones((0, 2), np.float32), np.ones((0, 3), np.float32)]
    got = gradients("concat", ConcatAttrs(), ins, [np.ones((0, 5), np.float32)], [False, True])
    assert got[0] is None and got[1].shape == (0, 3) and got[1].dtype == np.float32
    assert gradients("concat", ConcatAttrs(), ins, [np.ones((0, 5), np.float32)], [False, False]) == [None, None]
    assert gradients("concat", ConcatAttrs(), ins, [None]) == [None, None]


@pytest.mark.parametrize(("shapes", "axis", "words"), [
    (((2, 3), (4, 3)), 1, "input 1 is 4 x 3, input 0 is 2 x 3: all but axis 1 must be equal"), (((2, 3),
    (2, 3, 1)), 1, "input 1 is 2 x 3 x 1"),
    (((2, 3), (2, 3)), 2, "axis 2 does not exist")])
def test_shapes_that_do_not_fit(shapes, axis, words):
    with pytest.raises(ShapeError) as e:
        get_op("concat").infer(ConcatAttrs(axis), [Spec(s) for s in shapes])
    assert words in str(e.value)
