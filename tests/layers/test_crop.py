"""Crop layers: axis and offsets, what is refused, cases of the original."""
import numpy as np
import pytest

from tests.helpers.layercheck import one_layer, refused, run
from tests.helpers.netcheck import GOLDEN, check_golden


def net(fields, x=(1, 2, 4, 5), ref=(1, 1, 2, 3)):
    return one_layer(f'type: "Crop" bottom: "x" bottom: "r" top: "y" crop_param {{ {fields} }}', x=x, r=ref)


@pytest.mark.parametrize("case", sorted(p.name for p in GOLDEN.glob("Crop_*.npz")))
def test_cases_of_the_original(case):
    check_golden(case)


@pytest.mark.parametrize(("fields", "window"), [
    ("", np.s_[:, :, :2, :3]), ("offset: 2", np.s_[:, :, 2:4, 2:5]), ("offset: 1 offset: 0", np.s_[:, :, 1:3, :3]),
    ("axis: 3 offset: 1", np.s_[:, :, :, 1:4]), ("axis: -1", np.s_[:, :, :, :3]),
    ("axis: 1 offset: 1 offset: 2 offset: 0", np.s_[:, 1:2, 2:4, :3])])
def test_numbers(fields, window):
    x = np.arange(40.0).reshape(1, 2, 4, 5)
    np.testing.assert_array_equal(run(net(fields), {"x": x, "r": np.zeros((1, 1, 2, 3))})[0]["y"], x[window])


@pytest.mark.parametrize(("fields", "words"), [
    ("axis: 4", "field crop_param.axis = 4: axis 4 does not exist"),
    ("offset: 1 offset: 1 offset: 1", "field crop_param.offset: 3 offsets are given for 2 cropped axes; give none, one for all"),
    ("offset: 3", "field crop_param.offset: a window of length 2 at offset 3 does not fit in axis 2 of 1 x 2 x 4 x 5")])
def test_refused(fields, words):
    assert words in refused(net(fields))


def test_a_second_bottom_that_does_not_fit():
    assert "field bottom[1]: a window of length 9 at offset 0 does not fit in axis 3" in refused(net("", ref=(1, 1, 2, 9)))
    assert "field bottom[1]: the second bottom 4 x 5 has fewer axes than the first" in refused(net("", ref=(4, 5)))
