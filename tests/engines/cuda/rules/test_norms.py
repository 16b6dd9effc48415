"""Inner products of pieces held to their definition: empty pieces, pieces of several segments, ranges beyond float32."""
import numpy as np
import pytest

from caffempi.engines.cuda.rule import RULES, Form
from caffempi.engines.cuda.rules.norms import SEGMENT
from caffempi.ops.arena_products import ArenaProductsAttrs
from tests.helpers.cuda.cases import Case, record
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.kernelcheck import check, execute

LONG = 2 * SEGMENT + 77
CASES = [Case("arena_products", ArenaProductsAttrs(pieces), [(n,), (n,)], slack=100)
         for n, pieces in [(40, ((0, 3), (16, 16), (16, 40))), (LONG + 16, ((0, 5), (16, LONG + 16))), (3, ((1, 1),)),
                           (9, tuple((i, i + 1) for i in range(9)))]]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case, ("float32",))


@needs_compiler
def test_what_passes_float32_is_a_number_and_what_is_not_finite_shows_in_its_piece():
    a = np.full(12, 1e30, np.float32)
    a[5], a[9] = np.nan, np.inf
    r = record(Case("arena_products", ArenaProductsAttrs(((0, 3), (4, 8), (8, 12))), [a, a]))[0]
    shrunk = record(Case("arena_products", ArenaProductsAttrs(((0, 3),)), [a, np.float32(1e-30) * a]))[0]
    rule = RULES.get("arena_products")
    sums, small = (execute(x, rule, Form(), 0).outs[0] for x in (r, shrunk))
    np.testing.assert_allclose(small, [3e30], rtol=1e-6)
    assert sums[0] == pytest.approx(3e60)
    assert np.isnan(sums[1]) and not np.isfinite(sums[2])
