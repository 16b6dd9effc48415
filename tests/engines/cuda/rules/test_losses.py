"""Losses without softmax held to their definitions; ignored targets, margins at their limits, faults."""
import numpy as np
import pytest

from caffempi.engines.base import Operands
from caffempi.engines.cuda.rule import Form
from caffempi.ops.contrastive_loss import ContrastiveAttrs
from caffempi.ops.hinge_loss import HingeAttrs
from caffempi.ops.sigmoid_loss import SigmoidLossAttrs
from tests.helpers.cuda.cases import Case, record
from tests.helpers.cuda.hostrun import needs_compiler, run
from tests.helpers.cuda.kernelcheck import check

RAND = np.random.default_rng(6)


def targets(*shape):
    """0, 1, -1 and probabilities."""
    return RAND.choice([0, 1, -1, 0.3], shape).astype(np.float32)


CASES = [
    *(Case("sigmoid_loss", SigmoidLossAttrs(mode, ignore), [shape, targets(*shape)], slack=4)
      for shape in [(5, 7), (2, 3, 4, 5), (0, 3), (3, 300)]
      for mode, ignore in [("batch", None), ("valid", -1), ("full", -1), ("none", 0)]),
    Case("sigmoid_loss", SigmoidLossAttrs("valid", -1), [(6,), targets(6, 1)]),
    *(Case("euclidean_loss", None, shapes, slack=4) for shapes in [[(5, 7)] * 2, [(2, 3, 4, 5)] * 2, [(2, 12), (2, 3, 2, 2)],
                                                                   [(0, 3)] * 2, [(3, 1000)] * 2]),
    *(Case("hinge_loss", HingeAttrs(squared), [shape, RAND.integers(0, n, shape[0]).astype(np.float32)], scale=1, slack=4)
      for squared in (False, True) for shape, n in [((6, 10), 10), ((3, 2, 2, 2), 8), ((0, 3), 3), ((40, 30), 30)]),
    *(Case("contrastive_loss", ContrastiveAttrs(margin, legacy), [shape, shape, targets(shape[0], 1)], scale=0.5, slack=8)
      for margin, legacy in [(1.0, False), (3.0, False), (8.0, True)] for shape in [(9, 5), (4, 70, 1, 1), (0, 3)]),
]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case)


@needs_compiler
def test_equal_pairs_and_large_scores():
    same = RAND.random((4, 3)).astype(np.float32)
    check(Case("contrastive_loss", ContrastiveAttrs(0.5), [same, same, np.array([0, 1, 0.9, -1], np.float32)]))
    x = np.array([[-1e30, -200, 200, 1e30, 0, np.nan]], np.float32)
    check(Case("sigmoid_loss", SigmoidLossAttrs(), [x[:, :5], np.full((1, 5), 0.5, np.float32)]))
    check(Case("sigmoid_loss", SigmoidLossAttrs(), [x[:, 5:], np.ones((1, 1), np.float32)]))


@needs_compiler
@pytest.mark.parametrize("bad", [-1.0, 3.0, np.nan])
def test_a_label_that_is_no_class_is_a_fault(bad):
    label = np.array([0, 2, 1], np.float32)
    for r in record(Case("hinge_loss", HingeAttrs(), [RAND.random((3, 3)).astype(np.float32), label])):
        ins = tuple(np.array([0, bad, 1], np.float32) if a.shape == (3,) else a for a in r.ins)
        outs, saved = (tuple(np.zeros(s.shape, np.float32) for s in specs) for specs in (r.call.outs, r.call.saved))
        assert run(r.call, Form(), Operands(ins, outs, saved)) == 1
        assert r.call.op != "hinge_loss" or np.isnan(outs[0])
