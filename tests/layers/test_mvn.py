"""MVN layers: what is normalised, shapes of fewer axes, in place, cases of the original."""
import numpy as np
import pytest

from tests.helpers.inplacecheck import check_in_place
from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import GOLDEN, check_golden


def net(fields, shape):
    return one_layer(f'type: "MVN" bottom: "x" top: "y" mvn_param {{ {fields} }}', x=shape)


@pytest.mark.parametrize("case", sorted(p.name for p in GOLDEN.glob("MVN_*.npz")))
def test_cases_of_the_original(case):
    check_golden(case)


@pytest.mark.parametrize(("fields", "top"), [
    ("", [-1, 1, -1, 1]), ("normalize_variance: false", [-1, 1, -2, 2]), ("normalize_variance: false across_channels: true",
                                                                       [-3, -1, 0, 4]),
    ("across_channels: true", np.array([-3, -1, 0, 4]) / np.sqrt(6.5)), ("eps: 1", [-0.5, 0.5, -2 / 3, 2 / 3])])
def test_numbers(fields, top):
    blobs, _ = run(net(fields, (1, 2, 1, 2)), {"x": np.array([2.0, 4, 5, 9]).reshape(1, 2, 1, 2)})
    np.testing.assert_allclose(blobs["y"].ravel(), top, rtol=1e-6)


def test_the_top_has_four_axes_and_the_bottom_no_more():
    assert build(net("", (3, 4))).layers[-1].top_values[0].spec.shape == (3, 4, 1, 1)
    assert "at most 4 axes; got 1 x 1 x 1 x 2 x 2" in refused(net("", (1, 1, 1, 2, 2)))
    assert "field mvn_param.eps = -1.0: must be at least 0" in refused(net("eps: -1", (1, 1, 2, 2)))


@pytest.mark.parametrize("fields", ["", "normalize_variance: false", "across_channels: true eps: 0.01"])
def test_in_place(fields):
    check_in_place(f'type: "MVN" mvn_param {{ {fields} }}', np.random.default_rng(1).standard_normal((2, 2, 3, 3)))
