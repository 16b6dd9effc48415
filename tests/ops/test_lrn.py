"""LRN in both regions against sums over slices, and finite differences."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops import Spec, get_op
from caffempi.ops.lrn import LrnAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients

ATTRS = [LrnAttrs(3, 0.9, 0.75, 1.5), LrnAttrs(5, 1.3, 0.4), LrnAttrs(1, 0.5, 0.6, 2.0),
         LrnAttrs(9, 2.0, 1.2), LrnAttrs(3, 0.7, 0.0)]


def formula(x, a, within):
    s = np.zeros_like(x)
    half = a.size // 2
    for n, c, h, w in np.ndindex(*x.shape):
        part = (x[n, c, max(0, h - half):h + half + 1, max(0, w - half):w + half + 1] if within
                else x[n, max(0, c - half):c + half + 1, h, w])
        s[n, c, h, w] = (part ** 2).sum()
    return x * ((1 if within else a.k) + a.alpha / a.size ** (2 if within else 1) * s) ** -a.beta


@pytest.mark.parametrize("a", ATTRS)
@pytest.mark.parametrize("shape", [(2, 4, 3, 2), (1, 1, 4, 5), (0, 2, 3, 3)])
@pytest.mark.parametrize("name", ["lrn_across", "lrn_within"])
def test_formula_and_gradient(a, shape, name):
    x = np.random.default_rng(1).standard_normal(shape)
    np.testing.assert_allclose(forward(name, a, [x])[0], formula(x, a, name == "lrn_within"), atol=1e-12)
    check_gradient(name, a, [x])


@pytest.mark.parametrize("name", ["lrn_across", "lrn_within"])
def test_float32_limits_and_sizes_beyond_the_image(name):
    x = np.random.default_rng(2).standard_normal((2, 3, 4, 4)).astype(np.float32)
    (y,) = forward(name, LrnAttrs(), [x])
    (dx,) = gradients(name, LrnAttrs(), [x], [y])
    assert y.dtype == dx.dtype == np.float32
    np.testing.assert_allclose(y, formula(x, LrnAttrs(), name == "lrn_within"), atol=1e-6)
    assert gradients(name, LrnAttrs(), [x], [None]) == [None]
    assert np.isfinite(forward(name, LrnAttrs(2**31 - 1), [x])[0]).all()
    with pytest.raises(ShapeError, match="4 axes"):
        get_op(name).infer(LrnAttrs(), [Spec((2, 3, 4))])
