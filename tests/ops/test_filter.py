"""Filter's definition: items by selector, none and all of them, the gradient back to where they came from."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops import Spec, get_op


@pytest.mark.parametrize("selector", [[1, 0, 2, 0], [0, 0, 0, 0], [1, 1, -1, 1]])
@pytest.mark.parametrize("shape", [(4, 3), (4, 2, 2, 1), (4,)])
def test_items_and_their_gradient(selector, shape):
    rule, back = get_op("filter"), get_op("filter_dx")
    x, s = np.random.default_rng(0).standard_normal(shape), np.array(selector, float).reshape(4, 1)
    keep = np.flatnonzero(selector)
    (spec,) = rule.actual(None, [x, s])
    assert spec.shape == (len(keep), *shape[1:])
    y, saved = np.full(spec.shape, np.nan), np.full(4, -1)
    rule.forward(None, [x, s], [y], [saved], [], None)
    np.testing.assert_array_equal(y, x[keep])
    dx = np.full(shape, np.nan)
    back.forward(None, [saved, y + 1], [dx], [], [], None)
    want = np.zeros(shape)
    want[keep] = y + 1
    np.testing.assert_array_equal(dx, want)


def test_infer_gives_the_upper_bound_and_checks_sizes():
    rule = get_op("filter")
    assert rule.infer(None, [Spec((4, 3)), Spec((4, 1))]) == [Spec((4, 3))]
    for bad in ([Spec((4, 3)), Spec((5, 1))], [Spec((4, 3)), Spec((4, 2))], [Spec((4,)), Spec(())]):
        with pytest.raises(ShapeError):
            rule.infer(None, bad)
