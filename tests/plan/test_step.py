"""A buffer seen as a plain array of any spec that fits."""
import numpy as np
import pytest

from caffempi.engines.base import Call
from caffempi.ops import Spec
from caffempi.plan.step import Step, plain_view


@pytest.mark.parametrize("shape, dtype", [((2, 3), "float32"), ((), "float64"), ((0, 4), "float32"), ((5,), "int32")])
def test_plain_view_is_of_the_first_bytes(shape, dtype):
    raw = np.zeros(256, np.uint8)
    view = plain_view(raw, Spec(shape, dtype))
    assert view.shape == shape and view.dtype == dtype and (view.size == 0 or np.shares_memory(view, raw))
    view[...] = 1
    assert raw[view.nbytes:].sum() == 0


def test_a_step_says_what_it_is():
    step = Step("F", 2, lambda: None)
    assert Step("F", 0, lambda: None, does=Call("relu", None, (Spec((2, 3)),), (Spec((2, 3)),))).cost == (6, 48)
    assert (step.phase, step.layer, step.node, step.kernel, step.cost, step.impl) == ("F", 2, None, "", (0, 0), "")
