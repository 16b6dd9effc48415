"""Dropout layer: drops in TRAIN alone; its ratio's limits."""
from pathlib import Path

import numpy as np
import pytest

from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import check_golden

GOLDEN = Path(__file__).parents[1] / "golden" / "layers"


@pytest.mark.parametrize("case", ["Dropout_01", "Dropout_04"])
def test_cases_of_the_original(case):
    check_golden(GOLDEN / f"{case}.npz")


@pytest.mark.parametrize("top", ["x", "y"])
def test_test_phase_is_the_identity(top):
    blobs, _ = run(one_layer(f'type: "Dropout" bottom: "x" top: "{top}"', x=(50,)), {"x": np.arange(50)}, phase="TEST")
    np.testing.assert_array_equal(blobs[top], np.arange(50))


@pytest.mark.parametrize("ratio,factor", [("", 2), ("dropout_param { dropout_ratio: 0.75 }", 4)])
def test_train_phase_drops_and_scales(ratio, factor):
    text = one_layer(f'type: "Dropout" bottom: "x" top: "x" {ratio}', x=(1000,))
    blobs, _ = run(text, {"x": np.ones(1000)})
    assert set(np.unique(blobs["x"])) == {0, factor}
    assert [n.op for n in build(text).nodes] == ["dropout"]


@pytest.mark.parametrize("ratio", ["-0.1", "1", "1.5", "nan"])
def test_ratio_outside_its_limits_is_refused(ratio):
    message = refused(one_layer(f'type: "Dropout" bottom: "x" top: "y" dropout_param {{ dropout_ratio: {ratio} }}', x=(2,)))
    assert "field dropout_param.dropout_ratio" in message and "at least 0 and below 1" in message
