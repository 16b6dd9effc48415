"""Sums, products and maxima of two to many arrays, held to the definitions; ties, NaN, and arrays that come twice."""
import numpy as np
import pytest

from caffempi.engines.base import Operands
from caffempi.engines.cuda.rule import Form
from caffempi.ops.eltwise import EltwiseProdAttrs, WeightedSumAttrs
from caffempi.ops.relu import ReluAttrs
from tests.helpers.cuda.cases import Case, chain, record
from tests.helpers.cuda.hostrun import needs_compiler, run
from tests.helpers.cuda.kernelcheck import check

SHAPES = [(3, 5, 7), (2, 3, 4, 5), (0, 3), ()]
OPS = [("sum", lambda n: None), ("weighted_sum", lambda n: WeightedSumAttrs(tuple(0.5 - i for i in range(n)))),
       ("eltwise_prod", lambda n: EltwiseProdAttrs()), ("eltwise_max", lambda n: None)]
CASES = [
    *(Case(op, attrs(n), [shape] * n, slack=2) for op, attrs in OPS for n, shape in [*((2, s) for s in SHAPES), (3, (37,))]),
    *(Case(op, attrs(n), [(5, 31)] * n, scale=1.2, slack=4, alone=True) for op, attrs in OPS for n in (8, 9, 17)),
    *(chain(("sum", "relu"), (None, ReluAttrs()), ([shape] * 2, []), slack=2) for shape in SHAPES),
    Case("sum", None, [(9,)]), Case("weighted_sum", WeightedSumAttrs((2.0,)), [(9,)]),
    Case("eltwise_prod", EltwiseProdAttrs(stable=False), [(2, 3, 4, 5)] * 2, slack=4),
]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case)


@needs_compiler
def test_ties_and_nan_of_a_maximum():
    values = np.array([0.0, -0.0, 1.0, np.nan, np.inf, -np.inf], np.float32)
    a, b, c = (np.ascontiguousarray(g.ravel()) for g in np.meshgrid(values, values, values))
    check(Case("eltwise_max", None, [a, b, c]))


@needs_compiler
@pytest.mark.parametrize("op", ["sum", "eltwise_prod"])
@pytest.mark.parametrize("ways", [3, 11])
def test_an_array_may_come_twice_and_be_the_out(op, ways):
    x = np.random.default_rng(0).standard_normal(101).astype(np.float32)
    (r, *_) = record(Case(op, EltwiseProdAttrs() if op == "eltwise_prod" else None, [x] * ways, alone=True))
    want = x * np.float32(ways) if op == "sum" else x.astype(np.float64) ** ways
    y = x.copy()
    run(r.call, Form(), Operands((y,) * ways, (y,)))
    np.testing.assert_allclose(y, want, rtol=1e-5)
