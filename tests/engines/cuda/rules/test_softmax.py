"""Softmax held to its definition, along any axis, and of numbers that are large or not finite."""
import numpy as np
import pytest

from caffempi.ops.softmax import SoftmaxAttrs
from tests.helpers.cuda.cases import Case
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.kernelcheck import check

ROWS = [((0, 4), 1), ((3, 0), 1), ((1, 1), 1), ((2, 10), 1), ((5, 64), -1), ((5, 65), -1), ((3, 1000), 1), ((2, 3, 4, 5), 1),
        ((2, 3, 4, 5), 2), ((70, 3), 0), ((2, 257, 3), 1), ((9,), 0), ((2, 5, 6, 7), 1), ((300, 40), 0)]
CASES = [Case("softmax", SoftmaxAttrs(axis), [shape]) for shape, axis in ROWS]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case)


@needs_compiler
@pytest.mark.parametrize("count", [7, 300])
def test_of_large_and_not_finite_values(count):
    x = np.random.default_rng(4).standard_normal((6, count)).astype(np.float32)
    x[0] *= 1e37
    x[1, 2], x[2, 3], x[3, 1] = np.nan, np.inf, -np.inf
    x[4], x[5] = -np.inf, -3e38
    check(Case("softmax", SoftmaxAttrs(1), [x]))
