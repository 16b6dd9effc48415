"""Split layers: equal tops, summed diffs, cases of the original."""
import numpy as np
import pytest

from tests.helpers.layercheck import one_layer, refused, run
from tests.helpers.netcheck import check_golden


@pytest.mark.parametrize("case", ["Split_02", "Split_04"])
def test_cases_of_the_original(case):
    check_golden(f"{case}.npz")


@pytest.mark.parametrize("n", [1, 2, 5])
def test_all_tops_equal_the_bottom(n):
    x = np.arange(6.0).reshape(2, 3)
    text = one_layer('type: "Split" bottom: "x" ' + " ".join(f'top: "y{i}"' for i in range(n)), x=(2, 3))
    blobs, _ = run(text, {"x": x})
    assert all(np.array_equal(blobs[f"y{i}"], x) for i in range(n))


def test_needs_a_top():
    assert "takes 1 or more top blob(s), the net gives 0" in refused(one_layer('type: "Split" bottom: "x"', x=(2,)))
