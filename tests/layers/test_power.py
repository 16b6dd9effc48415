"""Power layer: its three fields and their defaults."""
from pathlib import Path

import numpy as np
import pytest

from tests.helpers.layercheck import one_layer, run
from tests.helpers.netcheck import check_golden

GOLDEN = Path(__file__).parents[1] / "golden" / "layers"


@pytest.mark.parametrize("case", ["Power_00", "Power_05", "Power_06"])
def test_cases_of_the_original(case):
    check_golden(GOLDEN / f"{case}.npz")


@pytest.mark.parametrize("param,expected", [
    ("", [1, 2, 3]), ("power_param { power: 2 scale: 3 shift: 1 }", [16, 49, 100]), ("power_param { scale: -1 }", [-1, -2, -3]),
    ("power_param { power: 0 }", [1, 1, 1]), ("power_param { power: -1 shift: 1 }", [1 / 2, 1 / 3, 1 / 4])])
@pytest.mark.parametrize("top", ["x", "y"])
def test_values(param, expected, top):
    blobs, _ = run(one_layer(f'type: "Power" bottom: "x" top: "{top}" {param}', x=(3,)), {"x": [1, 2, 3]})
    np.testing.assert_allclose(blobs[top], expected, rtol=1e-6)
