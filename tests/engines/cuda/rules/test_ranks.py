"""Argmax and accuracy held to their definitions: ties, NaN, ignored labels, accuracy by class, faults."""
import numpy as np
import pytest

from caffempi.engines.base import Operands
from caffempi.engines.cuda.rule import Form
from caffempi.ops.accuracy import AccuracyAttrs
from caffempi.ops.argmax import ArgMaxAttrs
from tests.helpers.cuda.cases import Case, record
from tests.helpers.cuda.hostrun import needs_compiler, run
from tests.helpers.cuda.kernelcheck import check

RAND = np.random.default_rng(8)


def scores(*shape):
    """Few different numbers, so that many are equal; some are not numbers."""
    x = RAND.integers(-3, 4, shape).astype(np.float32) * np.float32(0.5)
    x.flat[::7] = np.nan
    x.flat[3::11] = -0.0
    return x


def labels(n, *shape):
    """Classes, the third of each three to be ignored."""
    found = RAND.integers(0, n, shape).astype(np.float32)
    found.flat[2::3] = n - 1
    return found + np.float32(0.5)


CASES = [
    *(Case("argmax", ArgMaxAttrs(axis, k, values), [scores(*shape)]) for axis, k, shape in
      [(None, 1, (3, 7)), (None, 3, (2, 2, 3, 2)), (1, 1, (2, 5, 3)), (1, 4, (2, 5, 3, 2)), (-1, 2, (3, 300)), (0, 2, (4,)),
       (None, 1, (0, 3))]
      for values in (False, True)),
    *(Case("accuracy", AccuracyAttrs(k, axis, ignore, classes), [scores(*shape), labels(shape[axis], *shape[:axis], *shape[axis + 1:])])
      for k, axis, ignore, shape in [(1, 1, None, (9, 5)), (3, 1, 4, (9, 5)), (2, 1, None, (3, 4, 2, 3)), (1, 1, 19, (7, 20)),
                                     (1, 0, None, (3, 4)), (1, 1, None, (0, 3))]
      for classes in (False, True)),
]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case)


@needs_compiler
def test_of_infinities():
    check(Case("argmax", ArgMaxAttrs(1, 4), [np.array([[np.inf, -np.inf, 1e-45, -1e30, np.inf]], np.float32)]), ("float32",))


@needs_compiler
def test_a_label_that_is_no_class_is_a_fault():
    (r,) = record(Case("accuracy", AccuracyAttrs(), [(3, 3), np.zeros(3, np.float32)]))
    out = np.zeros((), np.float32)
    assert run(r.call, Form(), Operands((r.ins[0], np.array([0, 3, 1], np.float32)), (out,))) == 1
    assert np.isnan(out)
