"""Swish layers: beta, in place, cases of the original."""
import numpy as np
import pytest

from tests.helpers.inplacecheck import check_in_place
from tests.helpers.layercheck import one_layer, run
from tests.helpers.netcheck import GOLDEN, check_golden


@pytest.mark.parametrize("case", sorted(p.name for p in GOLDEN.glob("Swish_*.npz")))
def test_cases_of_the_original(case):
    check_golden(case)


@pytest.mark.parametrize(("fields", "beta"), [("", 1), ("swish_param { beta: 2.5 }", 2.5), ("swish_param { beta: 0 }", 0)])
def test_values(fields, beta):
    x = np.array([-3.0, 0, 1, 5])
    blobs, own = run(one_layer(f'type: "Swish" bottom: "x" top: "y" {fields}', x=(4,)), {"x": x})
    np.testing.assert_allclose(blobs["y"], x / (1 + np.exp(-beta * x)), rtol=1e-6, atol=1e-7)
    assert own == []


def test_in_place():
    check_in_place('type: "Swish" swish_param { beta: 1.5 }', np.linspace(-3, 3, 8).reshape(2, 4))
