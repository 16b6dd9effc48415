"""Mean-variance normalisation held to its definition, and what it saves of groups without numbers."""
import pytest

from caffempi.ops.mvn import MvnAttrs
from tests.helpers.cuda.cases import Case
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.kernelcheck import check

ATTRS = [MvnAttrs(variance, across, 1e-3) for variance in (True, False) for across in (True, False)]
SHAPES = [(2, 3, 4, 5), (3, 2), (2, 1, 30, 40), (0, 3, 2, 2), (2, 3, 0, 4)]
CASES = [
    *(Case("mvn", a, [shape], slack=30) for a in ATTRS for shape in SHAPES),
    *(Case("mvn", MvnAttrs(variance, True), [(1, 1, 129, 128)], slack=200) for variance in (True, False)),
]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case)
