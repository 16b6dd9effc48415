"""Scale, bias, PReLU and their gradients, held to the definitions."""
import numpy as np
import pytest

from caffempi.engines.cuda.channels import BLOCKS
from caffempi.ops.affine import AffineAttrs
from tests.helpers.cuda.cases import Case
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.kernelcheck import check

COVERED = [((2, 3), 1, (3,)), ((2, 3, 4), 0, (2,)), ((2, 3, 4), 0, (2, 3, 4)), ((2, 3, 4), -1, (4,)), ((2, 3, 4), -2, (3, 4)),
           ((5,), 1, ()), ((), 1, ()), ((0, 3), 1, (3,)), ((3, 5, 4, 3), 1, (5,)), ((2, 3, 5, 7), 1, ()), ((300, 33), 1, (33,)),
           ((3, 2, 20, 40), 1, (2,)), ((2, 3, 4, 5), 1, (3, 4)), ((2, 0), 1, (0,)), ((20, 100), 1, (100,))]
CASES = [*(Case(op, AffineAttrs(axis), [x, w], slack=4) for op in ("scale", "bias") for x, axis, w in COVERED),
         *(Case("prelu", None, [x, w], slack=4) for x, w in
           [((2, 3, 4, 5), (3,)), ((2, 3, 4, 5), (1,)), ((4, 7), (7,)), ((4, 7), ()), ((3, 1, 5), (1,)), ((2, 3, 33), (3,)),
            ((0, 2, 3), (2,))])]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case)


@needs_compiler
@pytest.mark.parametrize("op", ["scale", "bias", "prelu"])
def test_of_many_numbers(op):
    """More slices than one, in both ways of summing."""
    for shape in ((2, 2, 3000), (2000, 3)):
        check(Case(op, None if op == "prelu" else AffineAttrs(), [shape, shape[1:2]], slack=40), ("float32",))
    assert BLOCKS > 2


@needs_compiler
def test_prelu_at_zero_and_nan():
    check(Case("prelu", None, [np.array([[0, -0.0, np.nan, 1, -1]], np.float32), np.full(5, 0.25, np.float32)]))
