"""Losses of labels held to their definitions: ignored labels, all normalisations, classes along any axis, faults."""
import numpy as np
import pytest

from caffempi.engines.base import Operands
from caffempi.engines.cuda.rule import Form
from caffempi.ops import get_op
from caffempi.ops.softmax_loss import SoftmaxNllAttrs
from tests.helpers.cuda.cases import Case, record
from tests.helpers.cuda.hostrun import needs_compiler, run
from tests.helpers.cuda.kernelcheck import check, guarded

RAND = np.random.default_rng(5)
LOSSES = [(SoftmaxNllAttrs(), (6, 10)), (SoftmaxNllAttrs(ignore=3), (6, 10)), (SoftmaxNllAttrs(ignore=255), (5, 40)),
          (SoftmaxNllAttrs(ignore=1, normalization="full"), (2, 3, 4, 5)), (SoftmaxNllAttrs(ignore=1, with_prob=True), (2, 3, 4, 5)),
          (SoftmaxNllAttrs(normalization="batch", with_prob=True), (2, 20, 1, 1)), (SoftmaxNllAttrs(2, "none"), (2, 3, 5)),
          (SoftmaxNllAttrs(ignore=0), (0, 4)), (SoftmaxNllAttrs(-1), (3, 4, 17)), (SoftmaxNllAttrs(), (2, 1030)),
          (SoftmaxNllAttrs(ignore=2), (2, 5, 7, 9))]


def labels(attrs, shape):
    """Valid labels, some ignored, fractions that are cut off."""
    axis = attrs.axis % len(shape)
    found = RAND.integers(0, shape[axis], shape[:axis] + shape[axis + 1:]).astype(np.float32)
    if attrs.ignore is not None and found.size:
        found.flat[::3] = attrs.ignore
    return found + np.float32(0.25)


def gain(n):
    return RAND.random((n, n)).astype(np.float32)


CASES = [
    *(Case("softmax_nll", a, [shape, labels(a, shape)], slack=4) for a, shape in LOSSES),
    *(Case("infogain_loss", a, [shape, labels(a, shape), gain(shape[a.axis % len(shape)])], slack=8) for a, shape in LOSSES
      if shape != (2, 1030)),
    Case("infogain_loss", SoftmaxNllAttrs(), [(1, 1030), np.zeros(1, np.float32), np.eye(1030, dtype=np.float32)], slack=20, alone=True),
    *(Case("multinomial_loss", None, [RAND.random(shape).astype(np.float32), RAND.integers(0, n, shape[0]).astype(np.float32)], slack=4)
      for shape, n in [((6, 10), 10), ((300, 3), 3), ((3, 2, 2, 2), 8), ((0, 3), 3)]),
]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case)


@needs_compiler
def test_terms_of_hopeless_predictions_end_at_the_floor():
    x = np.array([[0, 500, 3], [-np.inf, 1, 2], [0, 1, np.nan], [1e30, 0, 0]], np.float32)
    for rows in ([0], [1], [2], [3], [0, 1, 3]):
        label = np.zeros(len(rows), np.float32)
        check(Case("softmax_nll", SoftmaxNllAttrs(), [x[rows], label]))
        check(Case("infogain_loss", SoftmaxNllAttrs(), [x[rows], label, np.eye(3, dtype=np.float32) + 0.5], alone=True))
    check(Case("multinomial_loss", None, [np.array([[0, 1], [1e-30, 1]], np.float32), np.zeros(2, np.float32)]))


@needs_compiler
@pytest.mark.parametrize("op", ["softmax_nll", "infogain_loss", "multinomial_loss"])
@pytest.mark.parametrize("bad", [-1.0, 3.0, np.nan, np.inf, 1e20])
def test_a_label_that_is_no_class_is_a_fault(op, bad):
    attrs = None if op == "multinomial_loss" else SoftmaxNllAttrs(ignore=7)
    more = [np.ones((3, 3), np.float32)] if op == "infogain_loss" else []
    good = np.array([0.9, 2.5, 1], np.float32)
    case = Case(op, attrs, [RAND.random((3, 3)).astype(np.float32), good, *more])
    for r in record(case):
        place = next(i for i, a in enumerate(r.ins) if a is good or (a.shape == (3,) and np.array_equal(a, good)))
        wrong = good.copy()
        wrong[1] = bad
        for label, fault in ((good, 0), (wrong, 1)):
            ins = tuple(label if i == place else a for i, a in enumerate(r.ins))
            outs, saved = ([guarded(s.shape, np.dtype(np.float32)) for s in specs] for specs in (r.call.outs, r.call.saved))
            assert run(r.call, Form(), Operands(ins, tuple(outs), tuple(saved))) == fault
            if r.call.op == op:
                assert np.isnan(outs[0]).any() == bool(fault)
    assert get_op(op).differentiable == (0,)
