"""Data that move: joined, cut, repeated, cropped, filled, along any axis, in units of all sizes, channels last too."""
import numpy as np
import pytest

from caffempi.ops.concat import ConcatAttrs
from caffempi.ops.constant import ConstantAttrs
from caffempi.ops.crop import CropAttrs
from caffempi.ops.slice import SliceAttrs
from caffempi.ops.tile import TileAttrs
from tests.helpers.cuda.cases import Case
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.kernelcheck import check

CASES = [
    *(Case("concat", ConcatAttrs(axis), shapes) for axis, shapes in [
        (1, [(2, 3, 4, 5), (2, 8, 4, 5)]), (0, [(1, 3, 4, 4), (2, 3, 4, 4)]), (-1, [(2, 3, 4, 3), (2, 3, 4, 5)]),
        (1, [(3, 4), (3, 0), (3, 2)]), (0, [(16,), (8,)]), (1, [(2, 8, 3, 3)] * 2), (1, [(2, 1, 5)] * 9), (1, [(3, 7)]),
        (2, [(2, 2, 2, 3), (2, 2, 4, 3)]), (1, [(0, 3), (0, 2)])]),
    *(Case("slice", SliceAttrs(axis, parts, points), [shape]) for axis, parts, points, shape in [
        (1, 2, (), (2, 6, 4, 5)), (1, 3, (1, 4), (3, 9)), (0, 2, (), (4, 3)), (2, 2, (1,), (2, 4, 3, 4)), (1, 2, (8,), (2, 24)),
        (-1, 9, (), (2, 18))]),
    *(Case("tile", TileAttrs(axis, tiles), [shape], slack=3) for axis, tiles, shape in [
        (1, 3, (2, 3)), (0, 2, (8,)), (1, 2, (2, 3, 4, 5)), (2, 4, (2, 3, 2, 2)), (-1, 2, (2, 6)), (1, 5, (3, 4, 8)),
        (1, 1, (2, 3)), (1, 2, (0, 3))]),
    *(Case("crop", CropAttrs(axis, offset), [x, ref]) for axis, offset, x, ref in [
        (2, (1, 2), (2, 3, 5, 6), (2, 3, 3, 3)), (1, (1,), (2, 8, 4, 4), (2, 4, 2, 2)), (0, (), (5, 4), (3, 4)),
        (2, (), (2, 3, 4, 5), (9, 9, 4, 5)), (0, (1, 0, 2, 1, 1), (3, 2, 4, 3, 3), (2, 2, 1, 2, 2)), (1, (8,), (2, 24), (2, 8)),
        (0, (1,), (3, 2), (1, 1)), (-1, (3,), (2, 3, 4, 9), (2, 3, 4, 5)), (2, (1, 1), (1, 8, 4, 4), (1, 8, 2, 2)),
        (1, (2,), (4, 6, 2), (4, 4, 0)), (1, (4,), (2, 12), (2, 4))]),
    Case("crop", CropAttrs(0, (2,)), [(7,), (4,)]),
    *(Case("zeros", None, [], outs=[shape]) for shape in [(3, 5), (6,), (2, 2), (2, 3, 4, 5), (0, 2), ()]),
    *(Case("copy", None, [shape]) for shape in [(3, 5), (6,), (2, 2), (2, 3, 4, 5), (0, 2)]),
    Case("copy", None, [np.arange(5, dtype=np.uint8)]),
    *(Case("constant", ConstantAttrs.of(np.arange(n) - 1.5, "float32")) for n in (1, 5)),
]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case)
