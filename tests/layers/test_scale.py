"""Scale layer: values, and the term that bias_term adds."""
from pathlib import Path

import numpy as np
import pytest

from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import check_golden

GOLDEN = Path(__file__).parents[1] / "golden" / "layers"

X = np.arange(12.0).reshape(2, 3, 2)


@pytest.mark.parametrize("case", ["Scale_00", "Scale_02", "Scale_07"])
def test_cases_of_the_original(case):
    check_golden(GOLDEN / f"{case}.npz")


@pytest.mark.parametrize("top", ["x", "y"])
def test_one_bottom_with_bias_term(top):
    text = one_layer(f'type: "Scale" bottom: "x" top: "{top}" scale_param {{ bias_term: true }}', x=X.shape)
    blobs, _ = run(text, {"x": X}, [[1, 2, 3], [10, 20, 30]])
    np.testing.assert_array_equal(blobs[top], X * [[1], [2], [3]] + [[10], [20], [30]])


def test_two_bottoms_with_bias_term_have_the_term_as_first_blob():
    text = one_layer('type: "Scale" bottom: "x" bottom: "g" top: "y" scale_param { axis: 1 bias_term: true }',
                     x=X.shape, g=(3, 2))
    g = np.arange(6.0).reshape(3, 2)
    blobs, _ = run(text, {"x": X, "g": g}, [np.ones((3, 2))])
    np.testing.assert_array_equal(blobs["y"], X * g + 1)


def test_fillers_of_both_blobs():
    graph = build(one_layer('type: "Scale" bottom: "x" top: "y" scale_param { bias_term: true }', x=X.shape))
    assert [(p.spec.shape, p.filler and p.filler.value) for p in graph.params] == [((3,), 1), ((3,), None)]
    message = refused(one_layer('type: "Scale" bottom: "x" top: "y" scale_param { bias_term: true '
                                'bias_filler { type: "bilinear" } }', x=X.shape))
    assert "scale_param.bias_filler.type" in message and "4 axes" in message
