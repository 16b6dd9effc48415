"""Batch normalisation held to its definitions: the batch's statistics and running ones, in one part and in many, and all
gradients; means far from 0 cost no digits."""
import numpy as np
import pytest

from caffempi.ops.affine import AffineAttrs
from caffempi.ops.batch_norm import BatchNormAttrs
from caffempi.ops.relu import ReluAttrs
from tests.helpers.cuda.cases import Case, chain, record
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.kernelcheck import check, check_call

A = BatchNormAttrs(1e-3, 0.9)
SHAPES = [(2, 3, 4, 5), (5, 7), (40,), (1, 3, 1, 1), (2, 33), (3, 2, 50, 29), (300, 3), (2, 3, 4), (2, 8, 2, 4)]
EMPTY = [(0, 3, 4, 5), (0, 3), (2, 3, 0, 5)]


def drawn(*shape, mean=0.0):
    return (np.random.default_rng(len(shape)).standard_normal(shape) + mean).astype(np.float32)


def running(shape, factor=3.0):
    c = shape[1] if len(shape) > 1 else 1
    return [drawn(c), np.abs(drawn(c)) + np.float32(0.5), np.array([factor], np.float32)]


def affine(shape):
    """A batch_norm_affine_dx call, which layers never make."""
    c = shape[1]
    return Case("batch_norm_affine_dx", A, [shape, drawn(c), np.abs(drawn(c)) + 1, drawn(c), shape], slack=40, alone=True)


CASES = [
    *(Case("batch_norm", A, [shape], running(shape), slack=40) for shape in [*SHAPES, *EMPTY]),
    Case("batch_norm", A, [drawn(2, 1, 50, 50, mean=300)], running((0, 1)), slack=1000),
    *(Case("batch_norm_global", A, [shape, *running(shape, f)], slack=4) for shape in [*SHAPES, *EMPTY] for f in (3.0, 0.0)),
    *(affine(shape) for shape in SHAPES if len(shape) > 1),
]


def tailed(op, shape, tail):
    """A batch norm with what follows it."""
    c = shape[1]
    given = {"scale": (AffineAttrs(), [drawn(c) + 1]), "bias": (AffineAttrs(), [drawn(c)]), "relu": (ReluAttrs(), [])}
    head, state = ([shape], running(shape)) if op == "batch_norm" else ([shape, *running(shape)], [])
    return chain([op, *tail], [A, *(given[t][0] for t in tail)], [head, *(given[t][1] for t in tail)], state=state, slack=40)


TAILS = [("scale",), ("bias",), ("scale", "bias"), ("relu",), ("scale", "relu"), ("bias", "relu"), ("scale", "bias", "relu")]
CASES += [tailed(op, (2, 3, 2, 4), tail) for op in ("batch_norm", "batch_norm_global") for tail in TAILS]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case)


@needs_compiler
def test_the_factors_gradient_without_the_terms():
    (r,) = record(affine((3, 5, 2, 4)))
    check_call(r._replace(call=r.call._replace(outs=r.call.outs[:2])))
