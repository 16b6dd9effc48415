"""Activations and their gradients, held to the definitions; what happens at zeros, infinities and NaN."""
import itertools

import numpy as np
import pytest

from caffempi.engines.cuda.rule import TYPES
from caffempi.ops.activations import EluAttrs
from caffempi.ops.exp_log import ExpAttrs, LogAttrs
from caffempi.ops.piecewise import ClipAttrs, ThresholdAttrs
from caffempi.ops.power import PowerAttrs
from caffempi.ops.relu import ReluAttrs
from caffempi.ops.swish import SwishAttrs
from tests.helpers.cuda.cases import Case
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.kernelcheck import check

SHAPES = [(), (0, 3), (31,), (3, 5, 7), (2, 3, 4, 5), (5, 1000)]
OPS = [("relu", ReluAttrs(0.1)), ("sigmoid", None), ("tanh", None), ("elu", EluAttrs(0.7)), ("abs", None),
       ("clip", ClipAttrs(-1.5, 2.0)), ("threshold", ThresholdAttrs(0.3)), ("bnll", None), ("exp", ExpAttrs(0.7, 1.5)),
       ("swish", SwishAttrs(1.3))]
POSITIVE = [np.linspace(0.1, 4, n, dtype=np.float32).reshape(-1, 1) for n in (1, 37)]
CASES = [
    *(Case(op, attrs, [shape]) for op, attrs in OPS for shape in SHAPES),
    *(Case("relu", ReluAttrs(slope), [(700,)]) for slope in (0.0, -0.5)),
    Case("elu", EluAttrs(-0.5), [(40,)]), Case("exp", ExpAttrs(), [(40,)]),
    *(Case("log", attrs, [x], slack=4) for attrs in (LogAttrs(), LogAttrs(0.5, 1.5, 2.0)) for x in POSITIVE),
    *(Case("power", PowerAttrs(*p), [x], slack=4) for p in
      [(2.0,), (1.0, 2.0, 3.0), (0.5, 2.0, 1.0), (-1.5, 1.0, 0.5), (3.0, 0.0, 2.0), (0.0,), (0.0, 1.0, 5.0)] for x in POSITIVE),
    Case("power", PowerAttrs(3.0, -0.5, 0.1), [(2, 3, 4, 5)], slack=4),
]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case)


@needs_compiler
@pytest.mark.parametrize(("op", "attrs"), [*OPS, ("relu", ReluAttrs()), ("log", LogAttrs()), ("power", PowerAttrs(0.5)),
                                           ("power", PowerAttrs(0.0, 1.0, -2.0)), ("elu", EluAttrs(-0.5))])
def test_at_zeros_infinities_and_nan(op, attrs):
    values = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -1.0, 88.0, -88.0, 200.0, 1e30], np.float32)
    check(Case(op, attrs, [values]))
    for s, dy in [map(np.array, zip(*itertools.product(values, values), strict=True))]:
        check_gradient_of(op, attrs, s.astype(np.float32), dy.astype(np.float32))


def check_gradient_of(op, attrs, s, dy):
    """op_dx as it stands, of any numbers."""
    from caffempi.ops import OPS as TABLE
    if op + "_dx" in TABLE:
        check(Case(op + "_dx", attrs, [s, *[s] * (op == "swish"), dy], alone=True))


def test_three_storage_types():
    assert set(TYPES) == {"float32", "float16", "bfloat16"}
