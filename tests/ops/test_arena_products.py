"""Inner products of pieces: exact values, what is not finite, ranges of dtypes."""
from __future__ import annotations

import numpy as np
import pytest

from caffempi.ops import Spec, get_op
from caffempi.ops.arena_products import ArenaProductsAttrs, product
from caffempi.ops.update import CHUNK
from tests.helpers.opcheck import forward

PIECES = ((0, 3), (16, 17), (32, 32), (48, 48 + 2 * CHUNK + 5))


def arrays(dtype="float32"):
    rng = np.random.default_rng(1)
    return [rng.standard_normal(PIECES[-1][1] + 11).astype(dtype) for _ in range(2)]


@pytest.mark.parametrize("dtype, tol", [("float32", 1e-4), ("float64", 1e-11)])
def test_each_piece_has_its_own_sum(dtype, tol):
    a, b = arrays(dtype)
    want = [float((a[lo:hi].astype("f8") * b[lo:hi]).sum()) for lo, hi in PIECES]
    got, = forward("arena_products", ArenaProductsAttrs(PIECES), [a, b])
    assert got.dtype == np.float64
    np.testing.assert_allclose(got, want, rtol=tol, atol=tol * 100)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_shows_in_its_piece_alone(bad):
    a = arrays()[0]
    a[17], a[100] = np.nan, bad                                # the first lies in no piece
    got, = forward("arena_products", ArenaProductsAttrs(PIECES), [a, a])
    assert np.isfinite(got).tolist() == [True, True, True, False]
    assert got[2] == 0


def test_sums_that_pass_float32_are_taken_in_float64():
    big = np.full(3, 1e30, np.float32)
    with np.errstate(over="ignore"):
        assert product(big, big) == pytest.approx(3e60, rel=1e-5)


def test_cost_counts_the_pieces_alone():
    rule, attrs = get_op("arena_products"), ArenaProductsAttrs(((0, 3), (5, 9)))
    assert rule.cost(attrs, [Spec((20,))] * 2, [Spec((2,), "float64")]) == (14, 56)
