"""Reshape and split hand on memory, copy and sum make their own; shapes by the rules of Flatten and Reshape."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops import get_op
from caffempi.ops.share import FlattenAttrs, ReshapeAttrs, SplitAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients


@pytest.mark.parametrize(("attrs", "x", "y"), [
    (FlattenAttrs(), (2, 3, 4), (2, 12)), (FlattenAttrs(0, 1), (2, 3, 4), (6, 4)), (FlattenAttrs(-2, -2),
    (2, 3, 4), (2, 3, 4)),
    (FlattenAttrs(1, -3), (2, 1, 4, 5), (2, 1, 4, 5)), (FlattenAttrs(0), (0, 3), (0,)), (FlattenAttrs(),
    (0, 3, 4), (0, 12)),
    (FlattenAttrs(0, 0), (7,), (7,)),
    (ReshapeAttrs((0, -1)), (2, 3, 4), (2, 12)), (ReshapeAttrs((0, -1)), (0, 3, 4), (0, 12)),
    (ReshapeAttrs((4, 6)), (2, 3, 4), (4, 6)),
    (ReshapeAttrs((-1,), 1), (2, 3, 4), (2, 12)), (ReshapeAttrs((6, 2), 1, 2), (2, 3, 4, 5), (2, 6, 2, 5)),
    (ReshapeAttrs((1,), 1, 0), (2, 3), (2, 1, 3)), (ReshapeAttrs((1, 1), -1, 0), (2, 3), (2, 3, 1, 1)),
    (ReshapeAttrs(()), (1, 1), ()),
    (ReshapeAttrs((0, 0, -1, 1), 0, 3), (2, 3, 4, 5), (2, 3, 4, 1, 5)), (ReshapeAttrs((), 0, 0), (2, 3), (2, 3))])
def test_shapes(attrs, x, y):
    a = np.random.default_rng(1).standard_normal(x)
    (got,) = forward("reshape", attrs, [a])
    assert got.shape == y and np.shares_memory(got, a) == bool(a.size)
    check_gradient("reshape", attrs, [a])


@pytest.mark.parametrize(("attrs", "x", "words"), [
    (FlattenAttrs(2, 1), (2, 3, 4), "the last axis to join (1) lies before the first (2)"), (FlattenAttrs(3),
    (2, 3), "axis 3"),
    (ReshapeAttrs((5, 5)), (2, 3), "has 6 numbers, the shape 5 x 5 would have 25"), (ReshapeAttrs((4, -1)),
    (2, 3), "4 does not divide 6"),
    (ReshapeAttrs((0,), 2, 0), (2, 3), "copies from axis 2"), (ReshapeAttrs((1,), 1, 3),
    (2, 3), "axes 1 to 3 do not all exist"),
    (ReshapeAttrs((1,), 3), (2, 3), "axis 3 does not exist")])
def test_shapes_that_do_not_fit(attrs, x, words):
    with pytest.raises(ShapeError) as e:
        attrs.shape(x)
    assert words in str(e.value)


@pytest.mark.parametrize("shape", [(2, 3), (0, 3), ()])
def test_split_shares_data_and_sums_diffs(shape):
    x = np.random.default_rng(2).standard_normal(shape)
    outs = forward("split", SplitAttrs(3), [x])
    assert len(outs) == 3 and all(np.shares_memory(o, x) == bool(x.size) for o in outs)
    check_gradient("split", SplitAttrs(3), [x])
    douts = [np.full(shape, 2.0), None, np.full(shape, 3.0)]
    np.testing.assert_array_equal(gradients("split", SplitAttrs(3), [x], douts)[0], np.full(shape, 5.0))
    one = gradients("split", SplitAttrs(1), [x], [douts[0]])[0]
    assert not np.shares_memory(one, douts[0]) and np.array_equal(one, douts[0])
    assert gradients("split", SplitAttrs(2), [x], [None, None]) == [None]


@pytest.mark.parametrize("n", [1, 2, 3, 5])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_sum_of_any_number_even_of_the_same_array_in_place(n, dtype):
    rand = np.random.default_rng(3)
    ins = [rand.standard_normal((2, 3)).astype(dtype) for _ in range(n)]
    kept = [i.copy() for i in ins]
    (y,) = forward("sum", None, ins)
    np.testing.assert_allclose(y, np.sum(kept, 0), rtol=1e-5)
    assert y.dtype == dtype and all(np.array_equal(i, k) for i, k in zip(ins, kept, strict=True))
    check_gradient("sum", None, ins)
    get_op("sum").forward(None, ins, [ins[0]], (), (), None)
    np.testing.assert_array_equal(ins[0], y)
    x = kept[0].copy()
    get_op("sum").forward(None, [x] * n, [x], (), (), None)
    np.testing.assert_allclose(x, n * kept[0], rtol=1e-5)


def test_sum_of_unequal_shapes_is_refused():
    with pytest.raises(ShapeError, match="input 1 of a sum is 3, input 0 is 2"):
        forward("sum", None, [np.zeros(2), np.zeros(3)])


def test_copy_has_memory_of_its_own():
    x = np.arange(6.0).reshape(2, 3)
    (y,) = forward("copy", None, [x])
    assert np.array_equal(x, y) and not np.shares_memory(x, y)
    check_gradient("copy", None, [x])


@pytest.mark.parametrize("name", ["reshape", "reshape_like", "split"])
def test_aliases_can_also_copy(name):
    x, outs = np.arange(6.0), [np.zeros((2, 3)), np.zeros((3, 2))]
    get_op(name).forward(None, [x], outs, (), (), None)
    assert all(np.array_equal(o.ravel(), x) for o in outs) and get_op(name).cost(None, [], []) == (0, 0)
