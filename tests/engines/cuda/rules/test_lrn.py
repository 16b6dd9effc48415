"""Local response normalisation held to the definition: any size, exponent and constant, few channels, and large images."""
import pytest

from caffempi.ops.lrn import LrnAttrs
from tests.helpers.cuda.cases import Case
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.kernelcheck import check

ATTRS = [LrnAttrs(5, 1e-1), LrnAttrs(3, 2.0, 0.5, 2.0), LrnAttrs(1, 0.3, 1.25, 0.5), LrnAttrs(9, 1.0, 0.75, 1.5)]
SHAPES = [(2, 7, 3, 5), (1, 1, 4, 4), (2, 3, 1, 1), (0, 4, 3, 3), (1, 40, 2, 3)]
CASES = [Case(op, a, [shape], slack=16) for op in ("lrn_across", "lrn_within") for a in ATTRS for shape in SHAPES]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case)
