"""Power against its formula and finite differences, with the cases that Caffe sets apart."""
import numpy as np
import pytest

from caffempi.ops import get_op
from caffempi.ops.power import PowerAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients


@pytest.mark.parametrize("power", [0.0, 1.0, 2.0, 3.0, 0.5, -1.0, -2.5])
@pytest.mark.parametrize("scale", [1.0, 0.7, 0.0])
@pytest.mark.parametrize("shift", [0.0, 1.3])
def test_formula_and_gradient(power, scale, shift):
    x = np.random.default_rng(5).uniform(0.5, 2, (2, 3))
    attrs = PowerAttrs(power, scale, shift)
    (y,) = forward("power", attrs, [x])
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(y, (shift + scale * x) ** power)
    if np.isfinite(y).all():
        check_gradient("power", attrs, [x], tol=1e-5)


@pytest.mark.parametrize("attrs", [PowerAttrs(0, 2, 3), PowerAttrs(2, 0, 3), PowerAttrs(0, 0, 0)])
def test_a_constant_ignores_its_input_and_passes_no_gradient(attrs):
    x = np.array([np.nan, np.inf, 0.0])
    (y,) = forward("power", attrs, [x])
    np.testing.assert_array_equal(y, [float(attrs.shift) ** attrs.power] * 3)
    assert gradients("power", attrs, [x], [np.ones(3)]) == [None]


def test_power_one_reads_no_input_in_backward():
    (dx,) = gradients("power", PowerAttrs(1, 3, 5), [np.full(2, np.nan)], [np.ones(2)])
    np.testing.assert_array_equal(dx, [3, 3])
    (dx,) = gradients("power", PowerAttrs(1, 1, 5), [np.full(2, np.nan)], [np.array([7.0, 8.0])])
    np.testing.assert_array_equal(dx, [7, 8])


def test_gradient_is_finite_where_the_base_is_zero():
    for power, expected in ((2, 0), (3, 0), (1.5, 0)):
        (dx,) = gradients("power", PowerAttrs(power, 1, 0), [np.zeros(1)], [np.ones(1)])
        assert dx[0] == expected


@pytest.mark.parametrize("shape", [(), (0, 2), (4,)])
@pytest.mark.parametrize("power", [0.0, 1.0, 2.0, 0.5])
def test_float32_in_place_and_any_shape(shape, power):
    x = np.full(shape, 2, np.float32)
    (y,) = forward("power", PowerAttrs(power, 2, 1), [x])
    get_op("power").forward(PowerAttrs(power, 2, 1), [x], [x], (), (), None)
    assert y.dtype == np.float32
    np.testing.assert_array_equal(x, y)
    assert gradients("power", PowerAttrs(power, 2, 1), [x], [None]) == [None]


def test_negative_base_to_a_fraction_is_nan_without_a_warning():
    with np.errstate(all="raise"):
        (y,) = forward("power", PowerAttrs(0.5), [np.array([-1.0])])
    assert np.isnan(y[0])
