"""Flatten layers: which axes are joined, what is refused, cases of the original."""
import numpy as np
import pytest

from tests.helpers.layercheck import one_layer, refused, run
from tests.helpers.netcheck import check_golden


def net(fields, shape=(2, 3, 4, 5)):
    return one_layer(f'type: "Flatten" bottom: "x" top: "y" flatten_param {{ {fields} }}', x=shape)


@pytest.mark.parametrize("case", ["Flatten_04", "Flatten_06"])
def test_cases_of_the_original(case):
    check_golden(f"{case}.npz")


@pytest.mark.parametrize(("fields", "top"), [
    ("", (2, 60)), ("axis: 0", (120,)), ("axis: 2", (2, 3, 20)), ("axis: 1 end_axis: 2", (2, 12, 5)),
    ("axis: -3 end_axis: -2", (2, 12, 5))])
def test_shapes_and_order(fields, top):
    x = np.arange(120.0).reshape(2, 3, 4, 5)
    np.testing.assert_array_equal(run(net(fields), {"x": x})[0]["y"], x.reshape(top))


@pytest.mark.parametrize(("fields", "words"), [
    ("axis: 4", "field flatten_param.axis: axis 4 does not exist"),
    ("end_axis: -5", "field flatten_param.end_axis: axis -5 does not exist"),
    ("axis: 2 end_axis: 1", "flatten_param.end_axis: the last axis to join (1) lies before the first (2); input 2 x 3")])
def test_refused(fields, words):
    assert words in refused(net(fields))
