"""Concat, its gradient and slice on buffers as they lie: parts that fill their blocks, and those that do not."""
import pytest

from caffempi.engines.base import PLAIN, Near
from caffempi.ops.concat import ConcatAttrs
from caffempi.ops.slice import SliceAttrs
from tests.engines.onednn.test_pooling import near_layouts
from tests.helpers.enginecheck import call_of, check


def shapes(axis, sizes):
    base = [2, 16, 4, 3]
    return [(*base[:axis], n, *base[axis + 1:]) for n in sizes]


@pytest.mark.parametrize("axis", [0, 1, 2, 3, -3])
@pytest.mark.parametrize("sizes", [(16, 32), (8, 16, 24), (16, 5), (5, 16), (3,), (1, 2, 1, 4)])
def test_parts(engine, rand, axis, sizes):
    parts = [rand(*s) for s in shapes(axis % 4, sizes)]
    call = call_of("concat", ConcatAttrs(axis), parts)
    whole = rand(*call.outs[0].shape)
    cut = call_of("concat_dx", ConcatAttrs(axis), [whole], [p.shape for p in parts])
    points = tuple(sum(sizes[:i]) for i in range(1, len(sizes)))
    sliced = call_of("slice", SliceAttrs(axis, len(sizes), points), [whole])
    for layout in near_layouts(engine, whole):
        check(engine, call, parts, Near((PLAIN,) * len(parts), (layout,)), 0.0)
        for back in (cut, sliced):
            check(engine, back, [whole], Near((layout,), (None,) * len(parts)), 0.0)


def test_a_layout_is_kept_where_parts_fill_their_blocks(engine, rand):
    for sizes, kept in (((16, 32), True), ((16, 5), True), ((5, 16), False)):
        parts = [rand(*s) for s in shapes(1, sizes)]
        call = call_of("concat", ConcatAttrs(1), parts)
        (blocked,) = {o.outs[0] for o in engine.offers(call_of("copy", None, [parts[0]]), Near((near_layouts(engine, parts[0])[0],), (None,)))
                      } - {PLAIN}
        offers = engine.offers(call, Near((blocked, *[PLAIN] * (len(parts) - 1)), (None,)))
        assert any(o.ins[0] == blocked for o in offers) is kept


def test_other_ranks(engine, rand):
    for shape, axis in (((2, 3), 1), ((5,), 0), ((2, 3, 4), 2), ((2, 2, 2, 2, 3), 1)):
        parts = [rand(*shape), rand(*shape)]
        check(engine, call_of("concat", ConcatAttrs(axis), parts), parts, tol=0.0)
