"""Reorders: both orders of axes and all pairs of dtypes, there and back."""
import numpy as np
import pytest

from caffempi.engines.base import Operands
from caffempi.engines.cuda.rule import Form
from caffempi.engines.cuda.rules.reorder import FILE, reorder
from caffempi.ops import Spec
from tests.helpers.cuda.hostrun import entries, needs_compiler, run_job, storage
from tests.helpers.cuda.kernelcheck import guarded, intact, plain, store

SHAPES = [(2, 3, 4, 5), (1, 40, 7, 11), (3, 33, 1, 1), (1, 1, 5, 40), (5, 7), (0, 3, 2, 2), ()]


def hold(shape, half, kernels):
    """All pairs of float32 and another dtype, in all orders of axes, against what NumPy makes of it."""
    x = np.random.default_rng(1).standard_normal(shape).astype(np.float32)
    orders = [(a, b) for a in (False, True) for b in (False, True)] if len(shape) == 4 else [(False, False)]
    for one, other in {("float32", "float32"), ("float32", half), (half, "float32"), (half, half)}:
        for last, want in orders:
            given = store(x, one, last)
            job = reorder(Spec(shape), Form(one, last), Form(other, want))
            for seed, blocks in ((0, None), (1, 2), (2, 1)):
                y = guarded(tuple(shape[k] for k in (0, 2, 3, 1)) if want else shape, storage(other))
                run_job(kernels, job, Operands((given,), (y,)), seed, blocks)
                assert intact(y)
                np.testing.assert_array_equal(plain(y, want), plain(store(plain(given, last), other, False), False))


@needs_compiler
@pytest.mark.parametrize("half", ["float16", "bfloat16"])
@pytest.mark.parametrize("shape", SHAPES)
def test_all_pairs(shape, half):
    hold(shape, half, entries(FILE))
