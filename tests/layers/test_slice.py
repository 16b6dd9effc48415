"""Slice layers: equal and stated parts, both names of the axis, one top as an alias, what is refused, cases of the original."""
import numpy as np
import pytest

from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import GOLDEN, check_golden


def net(fields, tops, shape=(2, 6)):
    names = " ".join(f'top: "y{i}"' for i in range(tops))
    return one_layer(f'type: "Slice" bottom: "x" {names} slice_param {{ {fields} }}', x=shape)


@pytest.mark.parametrize("case", sorted(p.name for p in GOLDEN.glob("Slice_*.npz")))
def test_cases_of_the_original(case):
    check_golden(case)


@pytest.mark.parametrize(("fields", "tops", "axis", "points"), [
    ("", 2, 1, [3]), ("axis: -1", 3, 1, [2, 4]), ("slice_dim: 0", 2, 0, [1]), ("slice_point: 1 slice_point: 4", 3, 1, [1, 4]),
    ("axis: 0 slice_point: 1", 2, 0, [1])])
def test_numbers(fields, tops, axis, points):
    x = np.arange(12.0).reshape(2, 6)
    blobs, _ = run(net(fields, tops), {"x": x})
    for i, want in enumerate(np.split(x, points, axis)):
        np.testing.assert_array_equal(blobs[f"y{i}"], want)


def test_one_top_is_handed_on():
    text = net("", 1)
    assert build(text).nodes[-1].op == "reshape"
    np.testing.assert_array_equal(run(text, {"x": np.ones((2, 6))})[0]["y0"], np.ones((2, 6)))


@pytest.mark.parametrize(("fields", "tops", "words"), [
    ("", 4, "field slice_param.axis: the length 6 of axis 1 cannot be cut into 4 equal parts; input 2 x 6; state the slice"),
    ("axis: 2", 2, "field slice_param.axis = 2: axis 2 does not exist"), ("slice_dim: 3", 1, "field slice_param.slice_dim = 3: axis 3"),
    ("axis: 1 slice_dim: 1", 2, "slice_dim = 1: is the old name of axis, which is given too; remove slice_dim"),
    ("slice_point: 1", 3, "field slice_param.slice_point: has 1 entries for 3 top(s); give one less than there are tops, or none"),
    ("slice_point: 3", 1, "has 1 entries for 1 top(s)"), ("slice_point: 0", 2, "field slice_param.slice_point[0] = 0: must be above 0"),
    ("slice_point: 4 slice_point: 4", 3, "field slice_param.slice_point[1] = 4: must be above 4"),
    ("slice_point: 7", 2, "field slice_param.slice_point: axis 1, of length 6, cannot be cut into 2 parts at 7")])
def test_refused(fields, tops, words):
    assert words in refused(net(fields, tops))
