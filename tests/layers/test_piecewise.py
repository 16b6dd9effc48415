"""AbsVal, Clip and Threshold layers: values, limits, gradients that are refused, in place, cases of the original."""
import numpy as np
import pytest

from tests.helpers.inplacecheck import check_in_place
from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import GOLDEN, check_golden

X = np.array([[-2, -0.5, 0, 1.5]])


@pytest.mark.parametrize("case", sorted(p.name for k in ("AbsVal", "Clip", "Threshold") for p in GOLDEN.glob(f"{k}_*.npz")))
def test_cases_of_the_original(case):
    check_golden(case)


@pytest.mark.parametrize(("layer", "expected"), [
    ('type: "AbsVal"', [2, 0.5, 0, 1.5]), ('type: "Clip" clip_param { min: -1 max: 1 }', [-1, -0.5, 0, 1]),
    ('type: "Clip" clip_param { min: 0 max: 0 }', [0, 0, 0, 0]), ('type: "Clip" clip_param { min: -inf max: 0.5 }', [-2, -0.5, 0, 0.5]),
    ('type: "Threshold"', [0, 0, 0, 1]), ('type: "Threshold" threshold_param { threshold: -0.5 }', [0, 0, 1, 1])])
def test_values(layer, expected):
    assert run(one_layer(f'{layer} bottom: "x" top: "y"', x=X.shape), {"x": X})[0]["y"].tolist() == [expected]


def test_in_place():
    check_in_place('type: "Clip" clip_param { min: -0.5 max: 0.5 }', np.linspace(-1, 1, 8).reshape(2, 4) + 0.01)
    assert 'field top = "x": cannot work in place; give the top' in refused(
        one_layer('type: "AbsVal" bottom: "x" top: "x"', x=(2,)))


@pytest.mark.parametrize(("fields", "words"), [
    ("", "field clip_param.min: is missing; give both"), ("clip_param { min: 1 }", "field clip_param.max: is missing"),
    ("clip_param { min: 1 max: 0.5 }", "field clip_param.min = 1: must not be above max, 0.5"),
    ("clip_param { min: nan max: 0.5 }", "field clip_param.min = nan: must not be above max")])
def test_clip_refused(fields, words):
    assert words in refused(one_layer(f'type: "Clip" bottom: "x" top: "y" {fields}', x=(2,)))


def test_a_threshold_has_no_gradient_to_give():
    layer = 'type: "Threshold" bottom: "x" top: "y" {} }} layer {{ name: "loss" type: "Reduction" bottom: "y" top: "r" loss_weight: 1'
    assert "bottom \"x\" can get no gradient" in refused(one_layer(layer.format("propagate_down: true"), x=(2,)))
    graph = build("force_backward: true " + one_layer(layer.format(""), x=(2,)))
    assert graph.layers[1].bottom_need == (False,)
