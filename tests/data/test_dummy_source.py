"""DummyData: shapes, fillers, and what is refused."""
from __future__ import annotations

import numpy as np
import pytest

from caffempi.data.dummy_source import DummyBatches, dummy_shapes
from caffempi.errors import DataError
from tests.data.helpers import layer


def param(text: str):
    return layer(f'type: "DummyData" dummy_data_param {{ {text} }}').dummy_data_param


@pytest.mark.parametrize("text, tops, want", [
    ("shape { dim: 2 dim: 3 }", 1, [(2, 3)]),
    ("shape { dim: 2 dim: 3 }", 3, [(2, 3)] * 3),
    ("shape { dim: 2 dim: 3 } shape { dim: 5 }", 2, [(2, 3), (5,)]),
    ("shape { }", 1, [()]),
    ("num: 2 channels: 3 height: 4 width: 5", 2, [(2, 3, 4, 5)] * 2),
    ("num: 2 num: 9 channels: 3 height: 4 width: 5 width: 1", 2, [(2, 3, 4, 5), (9, 3, 4, 1)]),
])
def test_shapes_once_or_once_a_top(text, tops, want):
    assert dummy_shapes(param(text), tops) == want


@pytest.mark.parametrize("text, tops", [
    ("", 1), ("shape { dim: 2 } shape { dim: 2 }", 3), ("num: 2 channels: 3 height: 4", 1),
    ("num: 1 num: 2 channels: 3 height: 4 width: 5", 3), ("shape { dim: -2 }", 1), ("shape { dim: 1 } num: 1", 1)])
def test_unfit_shapes_are_refused(text, tops):
    with pytest.raises(DataError, match="dummy_data_param"):
        dummy_shapes(param(text), tops)


def test_a_batch_takes_the_place_of_axis_0_where_all_tops_agree():
    assert dummy_shapes(param("shape { dim: 8 dim: 3 } shape { dim: 8 }"), 2, 4) == [(4, 3), (4,)]
    with pytest.raises(DataError, match="axis 0"):
        dummy_shapes(param("shape { dim: 8 dim: 3 } shape { dim: 4 }"), 2, 4)


def test_constants_stay_and_others_are_drawn_anew():
    text = 'shape { dim: 4 dim: 50 } data_filler { value: 2.5 } data_filler { type: "gaussian" std: 2 }'
    maker = DummyBatches(param(text), 2, seed=3, batch=None)
    (a, x), (b, y) = maker.make(0), maker.make(4)
    assert (a == 2.5).all() and (b == 2.5).all() and not np.array_equal(x, y)
    np.testing.assert_array_equal(maker.make(0)[1], x)
    assert not np.array_equal(DummyBatches(param(text), 2, seed=4, batch=None).make(0)[1], x)
    assert 1 < x.std() < 3


def test_no_filler_is_zero_and_a_filler_count_must_fit():
    assert not DummyBatches(param("shape { dim: 3 }"), 2, 0, None).make(0)[1].any()
    with pytest.raises(DataError, match="data_filler"):
        DummyBatches(param("shape { dim: 3 } data_filler { } data_filler { }"), 3, 0, None)
