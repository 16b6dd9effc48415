"""The store op hands its ins over, once a run."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops.graph import Spec
from caffempi.ops.op import get_op
from caffempi.ops.store import StoreAttrs


@pytest.mark.parametrize("n", [0, 3])
def test_hands_over(n):
    got = []
    arrays = [np.ones((n, 2)), np.arange(n)]
    get_op("store").forward(StoreAttrs("f", got.append), arrays, [], (), (), None)
    assert got == [arrays] and get_op("store").infer(None, [Spec(a.shape) for a in arrays]) == []


@pytest.mark.parametrize("shapes", [((2, 3), (3,)), ((2,), ())])
def test_bottoms_must_hold_equally_many_items(shapes):
    with pytest.raises(ShapeError, match="do not hold equally many items"):
        get_op("store").infer(None, [Spec(s) for s in shapes])


def test_digests_name_the_target_only():
    assert repr(StoreAttrs("f", print)) == "StoreAttrs(target='f')"
