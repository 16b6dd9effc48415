"""Blobs: views, legacy sizes, reshape."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.net.blob import Blob, LayerView


def blob(shape):
    array, diff, asked = np.zeros(shape), np.zeros(shape), []
    return Blob(lambda: array, lambda: diff, asked.append, lambda: array.shape), array, asked


@pytest.mark.parametrize("shape, legacy", [((2, 3, 4, 5), (2, 3, 4, 5)), ((7, 6), (7, 6, 1, 1)), ((), (1, 1, 1, 1))])
def test_sizes(shape, legacy):
    b, _, _ = blob(shape)
    assert (b.num, b.channels, b.height, b.width) == legacy and b.shape == shape and b.count == int(np.prod(shape))


def test_five_axes_have_no_legacy_sizes():
    with pytest.raises(ShapeError, match="use shape"):
        _ = blob((1, 2, 3, 4, 5))[0].num


def test_data_is_the_array_itself_and_reshape_is_passed_on():
    b, array, asked = blob((2, 2))
    b.data[...] = 3
    assert (array == 3).all() and not b.diff.any()
    b.reshape(4, np.int64(1))
    assert asked == [(4, 1)]
    with pytest.raises(ShapeError):
        b.reshape(2, -1)


def test_layer_view_holds_what_it_is_given():
    v = LayerView("n", "T", [])
    assert (v.name, v.type, v.blobs) == ("n", "T", [])
