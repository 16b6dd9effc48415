"""The zeros op fills its out."""
import numpy as np

from caffempi.ops import get_op


def test_fills_with_zeros():
    out = np.full((2, 3), np.nan)
    get_op("zeros").forward(None, [], [out], [], [], None)
    np.testing.assert_array_equal(out, np.zeros((2, 3)))
    assert get_op("zeros").cost(None, [], []) == (0, 0)
