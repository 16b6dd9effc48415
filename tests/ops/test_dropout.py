"""Dropout: which elements are kept, their scale, what backward reads, and that the numbers are Philox's."""
import numpy as np
import pytest

from caffempi.ops import get_op
from caffempi.ops.dropout import DropoutAttrs
from caffempi.ops.philox import Rng
from tests.helpers.opcheck import check_gradient, forward, gradients


@pytest.mark.parametrize("ratio", [0.0, 0.2, 0.5, 0.9])
def test_keeps_the_right_share_scaled_so_that_the_mean_stays(ratio):
    x = np.ones((100, 200))
    (y,) = forward("dropout", DropoutAttrs(ratio), [x])
    kept = y != 0
    np.testing.assert_allclose(y[kept], 1 / (1 - ratio))
    assert abs(kept.mean() - (1 - ratio)) < 4 * np.sqrt(ratio * (1 - ratio) / x.size) + 1e-12


def test_mask_is_the_stream_of_the_step_against_the_threshold():
    x, mask, y = np.ones(64, np.float32), np.zeros(64, np.uint8), np.empty(64, np.float32)
    rng = Rng(7, "dropout", "drop1")
    get_op("dropout").forward(DropoutAttrs(0.25), [x], [y], [mask], (), rng)
    np.testing.assert_array_equal(mask, Rng(7, "dropout", "drop1").uint32(64) >= 2**30)
    np.testing.assert_array_equal(y, mask * np.float32(1 / 0.75))
    rng.run = 1
    get_op("dropout").forward(DropoutAttrs(0.25), [x], [x], (), (), rng)
    assert (x != y).any(), "another run draws other numbers"


@pytest.mark.parametrize("shape", [(6,), (2, 3, 4), (0, 5), ()])
@pytest.mark.parametrize("ratio", [0.0, 0.3])
def test_gradient(shape, ratio):
    check_gradient("dropout", DropoutAttrs(ratio), [np.random.default_rng(6).standard_normal(shape)])


def test_backward_reads_the_mask_alone_and_keeps_float32():
    x = np.full((3, 4), np.nan, np.float32)
    (dx,) = gradients("dropout", DropoutAttrs(0.5), [x], [np.ones_like(x)])
    assert dx.dtype == np.float32 and set(np.unique(dx)) <= {0, 2}
    assert gradients("dropout", DropoutAttrs(0.5), [x], [None]) == [None]
