"""Scale, Bias and PReLU by channel in every layout, their gradients, and what is left to numpy."""
import numpy as np
import pytest

from caffempi.engines.base import PLAIN, Near
from caffempi.ops.affine import AffineAttrs
from tests.engines.onednn.test_pooling import near_layouts
from tests.helpers.enginecheck import call_of, check

SHAPES = [(2, 5, 4, 3), (1, 16, 3, 3), (3, 19, 6, 5), (4, 7), (2, 6, 5), (2, 3, 2, 3, 4)]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("axis", [1, None])
def test_factors_and_terms(engine, rand, shape, axis):
    attrs = AffineAttrs(1 if axis else 1 - len(shape))
    x, dy, w = rand(*shape), rand(*shape), rand(shape[1])
    for layout in near_layouts(engine, x) if len(shape) == 4 else [PLAIN]:
        near = Near((layout, PLAIN), (None,))
        for op in ("scale", "bias"):
            offers = check(engine, call_of(op, attrs, [x, w]), [x, w], near, 1e-6)
            assert offers[0].ins[0] == offers[0].outs[0] == layout and offers[0].inplace == ((0, 0),)
        check(engine, call_of("batch_norm_global_dx", None, [w, dy]), [w, dy], Near((PLAIN, layout), (layout,)), 1e-6)
        check(engine, call_of("scale_dw", attrs, [x, dy], [w.shape]), [x, dy], Near((layout, layout), (PLAIN,)))
        check(engine, call_of("bias_db", attrs, [dy], [w.shape]), [dy], Near((layout,), (PLAIN,)))


@pytest.mark.parametrize("shape", SHAPES)
def test_prelu(engine, rand, shape):
    x, dy, w = rand(*shape), rand(*shape), rand(shape[1])
    x.flat[::3] = 0
    for layout in near_layouts(engine, x) if len(shape) == 4 else [PLAIN]:
        check(engine, call_of("prelu", None, [x, w]), [x, w], Near((layout, PLAIN), (None,)), 1e-6)
        check(engine, call_of("prelu_dx", None, [x, w, dy]), [x, w, dy], Near((layout, PLAIN, layout), (layout,)), 1e-6)
        check(engine, call_of("prelu_dw", None, [x, dy], [w.shape]), [x, dy], Near((layout, layout), (PLAIN,)))


def test_the_vector_is_read_anew_at_each_run(engine, rand):
    from caffempi.engines.base import Operands
    x, w, y = rand(2, 3, 2, 2), rand(3), np.zeros((2, 3, 2, 2), np.float32)
    call = call_of("scale", AffineAttrs(), [x, w])
    run = engine.compile(call, engine.offers(call)[0]).bind(Operands((x, w), (y,)))
    for _ in range(2):
        run()
        assert np.allclose(y, x * w[:, None, None])
        w += 1


@pytest.mark.parametrize(("op", "ins", "outs"), [
    ("scale", [(2, 3, 4), (3, 4)], None), ("scale", [(2, 3, 4), ()], None), ("scale", [(3,), (3,)], None),
    ("prelu", [(2, 3, 4), (1,)], None), ("scale_dw", [(2, 3, 4), (2, 3, 4)], [(3, 4)]), ("bias_db", [(2, 3, 4)], [()])])
def test_other_axes_are_refused(engine, rand, op, ins, outs):
    arrays = [rand(*s) if s else np.float32(2).reshape(()) for s in ins]
    attrs = None if op == "prelu" else AffineAttrs(0 if ins[0] == (3,) else 1)
    why = engine.why_not(call_of(op, attrs, arrays, outs))
    assert "one number a channel" in why or "two axes or more" in why
