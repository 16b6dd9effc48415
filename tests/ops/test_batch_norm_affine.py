"""The joined gradients of batch norm, factor and term are those of the four ops that they stand for."""
import numpy as np
import pytest

from caffempi.ops import Spec, get_op
from caffempi.ops.affine import AffineAttrs
from caffempi.ops.batch_norm import BatchNormAttrs

ATTRS = BatchNormAttrs(1e-3, 0.9)


def run(op, attrs, ins, outs):
    made = [np.full(s, np.nan) for s in outs]
    get_op(op).forward(attrs, ins, made, (), (), None)
    return made


@pytest.mark.parametrize("shape", [(4, 3), (3, 5, 4, 2), (1, 2, 3), (2, 1, 2, 2, 2)])
@pytest.mark.parametrize("term", [True, False])
def test_equals_its_parts(shape, term):
    rng = np.random.default_rng(1)
    x, dy, w = rng.standard_normal(shape) + 2, rng.standard_normal(shape), rng.standard_normal(shape[1])
    axes, wide = (0, *range(2, len(shape))), (-1, *(1,) * (len(shape) - 2))
    mu, s = x.mean(axes), 1 / np.sqrt(x.var(axes) + ATTRS.eps)
    h = (x - mu.reshape(wide)) * s.reshape(wide)
    (middle,) = run("scale", AffineAttrs(), [dy, w], [shape])
    (dx,) = run("batch_norm_dx", ATTRS, [x, mu, s, middle], [shape])
    (dw,) = run("scale_dw", AffineAttrs(), [h, dy], [w.shape])
    (db,) = run("bias_db", AffineAttrs(), [dy], [w.shape])
    got = run("batch_norm_affine_dx", ATTRS, [x, mu, s, w, dy], [shape, w.shape, w.shape][:2 + term])
    for a, b in zip(got, [dx, dw, db], strict=False):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)
    np.copyto(middle, dy)
    get_op("batch_norm_affine_dx").forward(ATTRS, [x, mu, s, w, middle], [middle, dw, db], (), (), None)
    np.testing.assert_allclose(middle, got[0])


@pytest.mark.parametrize(("shape", "replaced"), [((1, 3, 4), {1}), ((2, 3, 4), set()), ((1, 1, 4), set()), ((2, 1), set())])
def test_the_factor_is_overwritten_where_scale_overwrites_it(shape, replaced):
    w = Spec((shape[1],))
    specs = [Spec(shape), w, w, w, Spec(shape)]
    assert get_op("batch_norm_affine_dx").replaces(ATTRS, specs, [specs[0], w, w]) == replaced
    alone = get_op("scale_dw").replaces(AffineAttrs(), [specs[0], specs[0]], [w])
    assert bool(alone) is bool(replaced)


def test_an_empty_batch_gives_zero():
    x, c = np.zeros((0, 3, 2)), np.ones(3)
    dx, dw, db = run("batch_norm_affine_dx", ATTRS, [x, c, c, c, x], [x.shape, (3,), (3,)])
    assert not dw.any() and not db.any() and dx.size == 0
