"""Dropout: masks bit for bit those of the definition, and what it scales."""
import pytest

from caffempi.ops.dropout import DropoutAttrs
from tests.helpers.cuda.cases import Case
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.kernelcheck import check

CASES = [Case("dropout", DropoutAttrs(ratio), [shape]) for ratio in (0.5, 0.3, 0.0)
         for shape in [(1,), (4, 7), (2, 3, 4, 5), (5, 1001), (0, 4)]]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case)
