"""Concat layers: both names of the axis, one bottom as an alias, what is refused, cases of the original."""
import numpy as np
import pytest

from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import check_golden


def net(fields, *shapes):
    bottoms = {f"x{i}": s for i, s in enumerate(shapes)}
    names = " ".join(f'bottom: "{b}"' for b in bottoms)
    return one_layer(f'type: "Concat" {names} top: "y" concat_param {{ {fields} }}', **bottoms)


@pytest.mark.parametrize("case", ["Concat_02", "Concat_03"])
def test_cases_of_the_original(case):
    check_golden(f"{case}.npz")


@pytest.mark.parametrize(("fields", "axis"), [("", 1), ("axis: 0", 0), ("axis: -1", 1), ("concat_dim: 0", 0)])
def test_numbers(fields, axis):
    a, b = np.arange(4.0).reshape(2, 2), np.arange(4.0, 8).reshape(2, 2)
    np.testing.assert_array_equal(run(net(fields, (2, 2),
    (2, 2)), {"x0": a, "x1": b})[0]["y"], np.concatenate([a, b], axis))


def test_one_bottom_is_handed_on():
    text = net("", (2, 3))
    assert build(text).nodes[-1].op == "reshape"
    np.testing.assert_array_equal(run(text, {"x0": np.ones((2, 3))})[0]["y"], np.ones((2, 3)))


@pytest.mark.parametrize(("fields", "shapes", "words"), [
    ("axis: 1", [(2, 3),
    (3, 3)], "field concat_param.axis = 1: input 1 is 3 x 3, input 0 is 2 x 3: all but axis 1 must be equal"),
    ("axis: 2", [(2, 3)], "field concat_param.axis = 2: axis 2 does not exist"), ("concat_dim: 2", [(2, 3),
    (2, 3)], "concat_param.concat_dim = 2: axis 2"),
    ("axis: 1 concat_dim: 1", [(2, 3),
    (2, 3)], "concat_dim = 1: is the old name of axis, which is given too; remove concat_dim")])
def test_refused(fields, shapes, words):
    assert words in refused(net(fields, *shapes))
