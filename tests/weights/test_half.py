"""Arrays as float16: what fits is rounded, what does not stays whole."""
from __future__ import annotations

import numpy as np
import pytest

from caffempi.weights.caffemodel import LayerRecord
from caffempi.weights.half import halved, halved_layers


@pytest.mark.parametrize(("values", "vanish", "half"), [
    ([1 / 3, -2.5, 0], False, True), ([65504, 7e-8], False, True), ([65530], True, False), ([-1e9], True, False),
    ([1e-9, 1], True, True), ([1e-9, 1], False, False), ([np.inf, np.nan], False, True), ([], False, True)])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_what_16_bits_hold_is_rounded_and_the_rest_stays(values: list[float], vanish: bool, half: bool, dtype: type) -> None:
    array = np.array(values, dtype)
    got, = halved([array], vanish)
    assert got.dtype == (np.float16 if half else dtype)
    np.testing.assert_allclose(got, array, rtol=2.0**-11, atol=2.0**-25)


def test_a_blob_and_its_gradient_go_together() -> None:
    small, large = np.ones(3, np.float32), np.full(3, 1e6, np.float32)
    layers = [LayerRecord("a", "T", [], [], [small, small, large], [small, large, small]), LayerRecord("b", "T", [], [], [small])]
    a, b = halved_layers(layers)
    assert [x.dtype for x in a.blobs] == [x.dtype for x in a.diffs or []] == [np.float16, np.float32, np.float32]
    assert b.blobs[0].dtype == np.float16 and b.diffs is None
    assert layers[0].blobs[0] is small
