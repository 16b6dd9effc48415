"""BNLL layers: values, in place, cases of the original."""
import numpy as np
import pytest

from tests.helpers.inplacecheck import check_in_place
from tests.helpers.layercheck import one_layer, run
from tests.helpers.netcheck import GOLDEN, check_golden


@pytest.mark.parametrize("case", sorted(p.name for p in GOLDEN.glob("BNLL_*.npz")))
def test_cases_of_the_original(case):
    check_golden(case)


def test_values():
    x = np.array([-100.0, 0, 1, 100])
    blobs, own = run(one_layer('type: "BNLL" bottom: "x" top: "y"', x=(4,)), {"x": x})
    np.testing.assert_allclose(blobs["y"], [0, np.log(2), np.log(1 + np.e), 100], rtol=1e-6, atol=1e-30)
    assert own == []


def test_in_place():
    check_in_place('type: "BNLL"', np.linspace(-3, 3, 8).reshape(2, 4))
