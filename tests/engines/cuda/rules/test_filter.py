"""Filter held to its definition: no items, all of them, more than one round of a block."""
import numpy as np
import pytest

from tests.helpers.cuda.cases import Case
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.kernelcheck import check

RAND = np.random.default_rng(10)


def selector(n, share):
    return (RAND.random((n, 1)) < share).astype(np.float32) * np.float32(-1.5)


CASES = [Case("filter", None, [*([shape] if isinstance(shape, tuple) else shape), selector(n, share)])
         for shape, n, share in [((6, 3), 6, 0.5), ((5, 2, 3, 2), 5, 0.0), ((5, 2), 5, 1.0), ([(7, 2), (7,), (7, 3, 1)], 7, 0.4),
                                 ((600, 2), 600, 0.3), ((0, 2), 0, 0.5)]]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case)
