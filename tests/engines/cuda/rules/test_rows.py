"""Rows of a table held to their definition: equal indices, more of them than one block sorts, faults."""
import numpy as np
import pytest

from caffempi.engines.base import Operands
from caffempi.engines.cuda.rule import Form
from caffempi.ops.rows import RowsAttrs
from tests.helpers.cuda.cases import Case, record
from tests.helpers.cuda.hostrun import needs_compiler, run
from tests.helpers.cuda.kernelcheck import check

RAND = np.random.default_rng(9)


def indices(n, *shape):
    """Indices, whose fractions are cut off."""
    return RAND.integers(0, n, shape).astype(np.float32) + np.float32(0.5)


CASES = [Case("rows", RowsAttrs(), [(n, *row), indices(n, *shape)], slack=4) for n, row, shape in
         [(5, (3,), (4, 2)), (3, (2, 2), (20,)), (7, (), (9,)), (2, (40,), (3,)), (4, (3,), (0,)), (1, (2,), (5, 1)), (4, (0,), (3,)),
          (50, (1,), (700,))]]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case)


@needs_compiler
@pytest.mark.parametrize("bad", [-1.0, 3.0, np.nan, 1e9])
def test_an_index_that_is_no_row_is_a_fault(bad):
    for r in record(Case("rows", RowsAttrs(), [(3, 2), np.array([0, 1, 2], np.float32)])):
        ins = tuple(np.array([0, bad, 1], np.float32) if a.shape == (3,) else a for a in r.ins)
        out = np.zeros(r.call.outs[0].shape, np.float32)
        assert run(r.call, Form(), Operands(ins, (out,))) == 1
        if r.call.op == "rows":
            assert np.isnan(out[1]).all() and np.isfinite(out[[0, 2]]).all()
        else:
            np.testing.assert_array_equal(out, [r.ins[1][0], r.ins[1][2], [0, 0]])
