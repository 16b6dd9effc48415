"""InnerProduct layers: shapes of params, numbers, what is refused, cases of the original."""
import numpy as np
import pytest

from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import check_golden


def net(fields, shape):
    return one_layer(f'type: "InnerProduct" bottom: "x" top: "y" inner_product_param {{ {fields} }}', x=shape)


@pytest.mark.parametrize("case", ["InnerProduct_00", "InnerProduct_02"])
def test_cases_of_the_original(case):
    check_golden(f"{case}.npz")


@pytest.mark.parametrize(("fields", "shape", "top", "params"), [
    ("num_output: 5", (2, 3, 4), (2, 5), [(5, 12), (5,)]), ("num_output: 5 bias_term: false axis: 2", (2, 3, 4),
    (2, 3, 5), [(5, 4)]),
    ("num_output: 5 transpose: true axis: -2", (2, 3, 4), (2, 5), [(12, 5), (5,)]),
    ("num_output: 1 axis: 0", (2, 3), (1,), [(1, 6), (1,)]),
    ("num_output: 5", (0, 3), (0, 5), [(5, 3), (5,)])])
def test_shapes(fields, shape, top, params):
    info = build(net(fields, shape)).layers[-1]
    assert info.top_values[0].spec.shape == top and [v.spec.shape for v in info.blobs] == params


def test_numbers():
    x, w = [[1.0, 2], [3, 4]], np.array([[1.0, 0], [0, 1], [1, 1]])
    want = [[1, 2, 13], [3, 4, 17]]
    np.testing.assert_array_equal(run(net("num_output: 3", (2, 2)), {"x": x}, [w, [0, 0, 10]])[0]["y"], want)
    np.testing.assert_array_equal(run(net("num_output: 3 transpose: true", (2, 2)), {"x": x}, [w.T, [0, 0, 10]])[0]["y"], want)


@pytest.mark.parametrize(("fields", "words"), [
    ("", "field inner_product_param.num_output = 0: must be above 0"),
    ("num_output: 3 axis: 2", "field inner_product_param.axis: axis 2 does not exist in a blob of 2 axes (possible: -2..1)")])
def test_refused(fields, words):
    assert words in refused(net(fields, (2, 2)))
