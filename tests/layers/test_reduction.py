"""Reduction layers: operations, axes, coeff, as a loss, what is refused, cases of the original."""
import numpy as np
import pytest

from tests.helpers.layercheck import one_layer, refused, run
from tests.helpers.netcheck import GOLDEN, check_golden

X = np.array([[1.0, -2, 3], [-4, 5, -6]])


def net(fields):
    return one_layer(f'type: "Reduction" bottom: "x" top: "y" reduction_param {{ {fields} }}', x=(2, 3))


@pytest.mark.parametrize("case", sorted(p.name for p in GOLDEN.glob("Reduction_*.npz")))
def test_cases_of_the_original(case):
    check_golden(case)


@pytest.mark.parametrize(("fields", "top"), [
    ("", -3), ("axis: 1", [2, -5]), ("axis: -1 coeff: 2", [4, -10]), ("operation: ASUM", 21), ("operation: ASUM axis: 1", [6, 15]),
    ("operation: SUMSQ axis: 1 coeff: -1", [-14, -77]), ("operation: MEAN", -0.5), ("operation: MEAN axis: 1 coeff: 3", [2, -5]),
    ("operation: SUM axis: -2", -3)])
def test_numbers(fields, top):
    np.testing.assert_allclose(run(net(fields), {"x": X})[0]["y"], top, rtol=1e-6)


@pytest.mark.parametrize("axis", [2, -3])
def test_refused(axis):
    assert f"field reduction_param.axis = {axis}: axis {axis} does not exist" in refused(net(f"axis: {axis}"))
