"""Softmax and its gradient where the library has more than reference code."""
import pytest

from caffempi.engines.base import PLAIN, Near
from caffempi.ops.softmax import SoftmaxAttrs
from tests.engines.onednn.test_pooling import near_layouts
from tests.helpers.enginecheck import call_of, check, reference


@pytest.mark.parametrize(("shape", "axis"), [((4, 10), 1), ((3, 7), -1), ((2, 19, 5, 4), 1), ((2, 16, 3, 3), 1), ((2, 3, 4), 2), ((5,), 0)])
def test_forward_and_backward(engine, rand, shape, axis):
    attrs, x, dy = SoftmaxAttrs(axis), rand(*shape) * 4, rand(*shape)
    call = call_of("softmax", attrs, [x])
    (y,), _ = reference(call, [x])
    back = call_of("softmax_dx", attrs, [y, dy])
    for layout in near_layouts(engine, x) if len(shape) == 4 else [PLAIN]:
        if engine.why_not(call) is None:
            check(engine, call, [x], Near((layout,), (None,)), 2e-6)
        if engine.why_not(back) is None:
            check(engine, back, [y, dy], Near((layout, layout), (layout,)), 2e-6)
    assert len(shape) != 2 or engine.why_not(call) is None
