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
            reorder(lib, engine.alloc, (2, 3, 4, 5), src, dst)


def test_common_layouts_can_be_reached_without_reference_code(engine, rand):
    assert all(movable(engine.library, f.key) for f in near_layouts(engine, rand(2, 24, 6, 6)) if f != PLAIN)


@pytest.mark.parametrize(("shape", "tag"), [
    ((64, 128, 3, 3), "ABcd16b16a"), ((48, 256, 1, 1), "ABcd16b16a"), ((256, 1024, 1, 1), "ABcd16b16a"),
    ((32, 250, 1, 1), "ABcd16b16a"), ((20, 256, 1, 1), "ABcd16b16a"), ((32, 256, 2), "ABc16b16a"),
    ((32, 250, 4, 4), "ABcd16b16a"), ((64, 256, 1, 1), "BAcd16b16a"), ((64, 256, 1, 1), "ABcd8b8a"),
    ((2, 32, 64, 2, 2), "aBCde16c16b")])
def test_blocks_of_two_axes_reach_c_order(engine, rand, shape, tag):
    """Gradients of weights, in one step or in two, in one piece or several, with lanes that fill up and without."""
    lib, x = engine.library, rand(*shape)
    there = layout_of(lib.named(shape, tag), lib.plain(shape))
    assert np.array_equal(moved(engine, moved(engine, x, spec_of(x), PLAIN, there), spec_of(x), there, PLAIN), x)
