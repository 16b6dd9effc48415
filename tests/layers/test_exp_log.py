"""Exp and Log layers: bases, values, in place, what is refused, cases of the original."""
import numpy as np
import pytest

from tests.helpers.inplacecheck import check_in_place
from tests.helpers.layercheck import one_layer, refused, run
from tests.helpers.netcheck import GOLDEN, check_golden

X = np.array([[0.25, 1, 2, 8]])


@pytest.mark.parametrize("case", sorted(p.name for k in ("Exp", "Log") for p in GOLDEN.glob(f"{k}_*.npz")))
def test_cases_of_the_original(case):
    check_golden(case)


@pytest.mark.parametrize(("layer", "expected"), [
    ('type: "Exp"', np.exp(X)), ('type: "Exp" exp_param { base: 2 }', 2 ** X),
    ('type: "Exp" exp_param { base: 10 scale: -0.5 shift: 1 }', 10 ** (1 - 0.5 * X)),
    ('type: "Exp" exp_param { shift: 2 }', np.exp(2 + X)), ('type: "Exp" exp_param { base: 1 shift: 3 }', np.ones_like(X)),
    ('type: "Exp" exp_param { base: 3 scale: 0 shift: 2 }', np.full_like(X, 9)),
    ('type: "Log"', np.log(X)), ('type: "Log" log_param { base: 2 }', np.log2(X)),
    ('type: "Log" log_param { base: 0.5 scale: 3 shift: 1 }', -np.log2(1 + 3 * X))])
@pytest.mark.parametrize("top", ["y", "x"])
def test_values(layer, expected, top):
    blobs, own = run(one_layer(f'{layer} bottom: "x" top: "{top}"', x=X.shape), {"x": X})
    np.testing.assert_allclose(blobs[top], expected, rtol=1e-5, atol=1e-7)
    assert own == []


@pytest.mark.parametrize("layer", ['type: "Exp" exp_param { base: 2 scale: 0.5 shift: 1 }', 'type: "Log" log_param { base: 3 shift: 2 }'])
def test_in_place(layer):
    check_in_place(layer, np.linspace(0.1, 2, 8).reshape(2, 4))


@pytest.mark.parametrize(("layer", "words"), [
    ("Exp exp base: 0", "field exp_param.base = 0: must be above 0, or -1 for e"), ("Exp exp base: -2", "exp_param.base = -2"),
    ("Exp exp base: inf", "exp_param.base = inf"), ("Log log base: nan", "log_param.base = nan: must be above 0, or -1 for e"),
    ("Log log base: 0", "log_param.base = 0"), ("Log log base: 1", "field log_param.base = 1: has no logarithms"),
    ("Exp exp shift: 1000", "field exp_param.shift = 1000: makes base^shift too large")])
def test_refused(layer, words):
    kind, stem, field = layer.split(" ", 2)
    assert words in refused(one_layer(f'type: "{kind}" bottom: "x" top: "y" {stem}_param {{ {field} }}', x=(2,)))
