"""PReLU layer: the shape and first values of its slopes."""
from pathlib import Path

import numpy as np
import pytest

from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import check_golden

GOLDEN = Path(__file__).parents[1] / "golden" / "layers"


@pytest.mark.parametrize("case", ["PReLU_02", "PReLU_06"])
def test_cases_of_the_original(case):
    check_golden(GOLDEN / f"{case}.npz")


@pytest.mark.parametrize("param,shape", [("", (3,)), ("prelu_param { channel_shared: true }", ())])
def test_slopes_are_one_a_channel_or_one_for_all_and_start_at_a_quarter(param, shape):
    graph = build(one_layer(f'type: "PReLU" bottom: "x" top: "y" {param}', x=(2, 3, 4)))
    (slopes,) = graph.params
    assert slopes.spec.shape == shape
    assert (slopes.filler.type, slopes.filler.value) == ("constant", 0.25)


def test_filler_in_the_text_counts():
    graph = build(one_layer('type: "PReLU" bottom: "x" top: "y" prelu_param { filler { type: "uniform" max: 0.5 } }', x=(2, 3)))
    assert graph.params[0].filler.type == "uniform"


def test_values_in_place():
    blobs, _ = run(one_layer('type: "PReLU" bottom: "x" top: "x"', x=(1, 2, 2)), {"x": [[[-1, 2], [-3, 4]]]}, [[0.5, 2]])
    np.testing.assert_array_equal(blobs["x"], [[[-0.5, 2], [-6, 4]]])


@pytest.mark.parametrize("layer,shape,words", [
    ('type: "PReLU" bottom: "x" top: "y"', (4,), ('layer "l" (PReLU)', "two axes or more", "this one is 4")),
    ('type: "PReLU" bottom: "x" top: "y" prelu_param { filler { type: "msr" } }', (2, 4),
     ("prelu_param.filler.type", "did you mean msra?")),
    ('type: "PReLU" bottom: "x" top: "y" prelu_param { channel_shared: true filler { type: "xavier" } }', (2, 4),
     ("prelu_param.filler.type", "scalar"))])
def test_refusals(layer, shape, words):
    message = refused(one_layer(layer, x=shape))
    assert all(w in message for w in words), message
