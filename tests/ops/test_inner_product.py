"""Inner product: every axis, both storages of the weights, with and without bias."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops import Spec, get_op
from caffempi.ops.inner_product import InnerProductAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients


@pytest.mark.parametrize(("shape", "axis"), [(s, a) for s in ((4, 6), (2, 3, 2, 2), (0, 5), (3, 1, 4), (6,))
                                             for a in (0, 1, 2, -1, -2) if -len(s) <= a < len(s)])
@pytest.mark.parametrize("transpose", [False, True])
def test_formula_and_gradient(shape, axis, transpose):
    rand = np.random.default_rng(1)
    cut = axis % len(shape)
    k = int(np.prod(shape[cut:]))
    x, w, b = rand.standard_normal(shape), rand.standard_normal((3, k)), rand.standard_normal(3)
    a = InnerProductAttrs(axis, transpose)
    stored = w.T.copy() if transpose else w
    (y,) = forward("inner_product", a, [x, stored, b])
    assert y.shape == (*shape[:cut], 3)
    np.testing.assert_allclose(y, x.reshape(*shape[:cut], k) @ w.T + b, atol=1e-12)
    check_gradient("inner_product", a, [x, stored, b])
    check_gradient("inner_product", a, [x, stored])


@pytest.mark.parametrize(("x", "w", "b", "a", "words"), [
    ((2, 3, 4), (5, 10),
    (5,), InnerProductAttrs(), "gives 12 numbers an item (from axis 1 on), so the weights must be outputs x 12; "
                                                   "they are 5 x 10"),
    ((2, 3, 4), (5, 12), (5,), InnerProductAttrs(transpose=True), "must be 12 x outputs; they are 5 x 12"),
    ((2, 3), (5, 3), (4,), InnerProductAttrs(), "bias 4 does not fit 5 outputs"),
    ((2, 3), (5, 3), (5,), InnerProductAttrs(2), "axis 2 does not exist"),
    ((2, 3), (5, 3, 1), (5,), InnerProductAttrs(), "they are 5 x 3 x 1")])
def test_shapes_that_do_not_fit(x, w, b, a, words):
    with pytest.raises(ShapeError) as e:
        get_op("inner_product").infer(a, [Spec(x), Spec(w), Spec(b)])
    assert words in str(e.value)


@pytest.mark.parametrize("transpose", [False, True])
def test_float32_shapes_of_gradients_and_cost(transpose):
    a = InnerProductAttrs(1, transpose)
    x, w, b = (np.ones(s, np.float32) for s in ((4, 2, 3), (6, 5) if transpose else (5, 6), (5,)))
    (y,) = forward("inner_product", a, [x, w, b])
    assert y.dtype == np.float32
    assert all(g.dtype == np.float32 for g in gradients("inner_product", a, [x, w, b], [y]))
    sx, sw, sy = Spec(x.shape), Spec(w.shape), Spec(y.shape)
    assert get_op("inner_product_dw").infer(a, [sx, sy]) == [sw]
    assert get_op("inner_product_db").infer(a, [sy]) == [Spec((5,))]
    assert get_op("inner_product").cost(a, [sx, sw], [sy])[0] == 2 * 4 * 6 * 5
    assert get_op("inner_product_dx").cost(a, [sw, sy], [sx])[0] == get_op("inner_product_dw").cost(a, [sx, sy], [sw])[0] == 240
    assert gradients("inner_product", a, [x, w, b], [None]) == [None] * 3
