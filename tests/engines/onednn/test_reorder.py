"""Copies between layouts keep every number; what lies under other axes is refused."""
import numpy as np
import pytest

from caffempi.engines.base import PLAIN, Layout
from caffempi.engines.onednn.layouts import layout_of
from caffempi.engines.onednn.reorder import movable, reorder
from caffempi.errors import EngineError
from tests.engines.onednn.test_pooling import near_layouts
from tests.helpers.enginecheck import moved, spec_of


@pytest.mark.parametrize("shape", [(2, 5, 4, 3), (1, 16, 3, 3), (3, 17, 1, 1)])
def test_round_trips(engine, rand, shape):
    x = rand(*shape)
    forms = [*near_layouts(engine, x), PLAIN]
    for a in forms:
        for b in forms:
            there = moved(engine, moved(engine, x, spec_of(x), PLAIN, a), spec_of(x), a, b)
            assert np.array_equal(moved(engine, there, spec_of(x), b, PLAIN), x)


def test_other_axes_and_foreign_layouts_are_refused(engine):
    lib = engine.library
    a = layout_of(lib.channels_last((2, 3, 4, 5)), lib.plain((2, 3, 4, 5)))
    b = layout_of(lib.channels_last((2, 3, 5, 4)), lib.plain((2, 3, 5, 4)))
    for src, dst in ((a, b), (a, Layout("elsewhere")), (PLAIN, PLAIN)):
        with pytest.raises(EngineError, match="cannot bring data from layout"):
            reorder(lib, (2, 3, 4, 5), src, dst)


def test_common_layouts_can_be_reached_without_reference_code(engine, rand):
    assert all(movable(engine.library, f.key) for f in near_layouts(engine, rand(2, 24, 6, 6)) if f != PLAIN)
