"""Sums over the last axes held to their definition."""
import numpy as np
import pytest

from caffempi.ops.reduction import ReductionAttrs
from tests.helpers.cuda.cases import Case
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.kernelcheck import check

CASES = [Case("reduction", ReductionAttrs(operation, axis, coeff), [shape], slack=8)
         for operation in ("sum", "asum", "sumsq", "mean")
         for axis, coeff, shape in [(0, 1.0, (3, 5)), (1, 0.5, (3, 5, 2)), (-1, -2.0, (2, 3, 4, 5)), (1, 1.0, (2, 0)), (0, 1.0, (3000,)),
                                    (1, 1.0, (0, 3))]]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case, ("float32", "bfloat16") if 3000 in case.ins[0] else ("float32", "float16", "bfloat16"))


@needs_compiler
def test_signs_of_zero_and_nan():
    for operation in ("asum", "sumsq"):
        check(Case("reduction", ReductionAttrs(operation, 1), [np.array([[0, -0.0], [np.nan, 1], [np.inf, 2]], np.float32)]))
