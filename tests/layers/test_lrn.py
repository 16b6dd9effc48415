"""LRN layers: both regions, fields, what is refused, cases of the original."""
import numpy as np
import pytest

from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import check_golden


def net(fields, shape):
    return one_layer(f'type: "LRN" bottom: "x" top: "y" lrn_param {{ {fields} }}', x=shape)


@pytest.mark.parametrize("case", ["LRN_01", "LRN_05"])
def test_cases_of_the_original(case):
    check_golden(f"{case}.npz")


def test_numbers_of_both_regions():
    x = np.array([1.0, 2, 3]).reshape(1, 3, 1, 1)
    y = run(net("local_size: 3 alpha: 3 beta: 1 k: 2", x.shape), {"x": x}, dtype="float64")[0]["y"]
    np.testing.assert_allclose(y.ravel(), [1 / 7, 2 / 16, 3 / 15])
    y = run(net("local_size: 3 alpha: 9 beta: 1 k: 2 norm_region: WITHIN_CHANNEL", x.shape), {"x": x}, dtype="float64")[0]["y"]
    np.testing.assert_allclose(y.ravel(), [1 / 2, 2 / 5, 3 / 10])


def test_defaults():
    node = build(net("", (1, 3, 2, 2))).nodes[-1]
    assert node.op == "lrn_across" and (node.attrs.size, node.attrs.alpha, node.attrs.beta, node.attrs.k) == (5, 1.0, 0.75, 1.0)


@pytest.mark.parametrize(("fields", "shape", "words"), [
    ("local_size: 4", (1, 3, 2, 2), "field lrn_param.local_size = 4: must be odd"),
    ("", (1, 3, 2), "4 axes (N x C x H x W); got 1 x 3 x 2"),
    ("local_size: 0", (1, 3, 2, 2), "must be odd")])
def test_refused(fields, shape, words):
    assert words in refused(net(fields, shape))
