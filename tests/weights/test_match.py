"""Caffe's rule for copying trained layers."""
from __future__ import annotations

import numpy as np
import pytest

from caffempi.errors import WeightsError
from caffempi.weights import match_blobs, shapes_match


@pytest.mark.parametrize(("old", "new", "fits"), [
    ((5, 3), (5, 3), True), ((1, 1, 5, 3), (5, 3), True), ((1, 1, 1, 5), (5,), True), ((1, 1, 1, 1), (), True),
    ((1, 4, 5, 3), (4, 5, 3), True), ((4, 1, 5, 3), (4, 1, 5, 3), True), ((5, 3, 1, 1), (5, 3), False),
    ((1, 1, 5, 3), (3, 5), False), ((1, 5, 3), (5, 3), False), ((5, 3), (1, 1, 5, 3), False),
    ((2, 1, 5, 3), (5, 3), False), ((1, 1, 1, 1, 5), (5,), False), ((15,), (5, 3), False), ((5,), (5, 1), False)])
def test_old_shapes_match_when_padded_with_leading_ones(old: tuple[int, ...], new: tuple[int, ...], fits: bool) -> None:
    assert shapes_match(old, new) is fits


def test_matching_blobs_come_in_the_nets_shapes() -> None:
    got = match_blobs("ip", [np.ones((1, 1, 5, 3)), np.ones((1, 1, 1, 5))], [(5, 3), (5,)])
    assert [b.shape for b in got if b is not None] == [(5, 3), (5,)]


def test_a_shared_blob_may_be_missing_from_the_file() -> None:
    assert [b is None for b in match_blobs("ip", [None, np.ones(5)], [(5, 3), (5,)], shared={0})] == [True, False]
    assert match_blobs("ip", [], [(5, 3), (5,)], shared={0, 1}) == [None, None]


@pytest.mark.parametrize(("found", "why"), [
    ([], "holds 0 blobs of this layer, the net wants 2"), ([np.ones((5, 3))], "holds 1 blobs"),
    ([np.ones((5, 3)), np.ones(5), np.ones(1)], "holds 3 blobs"), ([None, np.ones(5)], r"missing: \[0\]"),
    ([np.ones((3, 5)), np.ones(5)], "blob 0 has shape 3x5 in the weights file, 5x3 in the net")])
def test_what_does_not_fit_names_layer_and_way_out(found: list[np.ndarray | None], why: str) -> None:
    with pytest.raises(WeightsError, match=why) as caught:
        match_blobs("ip", found, [(5, 3), (5,)], type="InnerProduct")
    assert 'layer "ip" (InnerProduct)' in str(caught.value) and "rename the layer" in str(caught.value)
