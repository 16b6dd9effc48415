"""Inner products param by param: exact values, shares of ranks, what is not finite."""
from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from caffempi.engines.numpy.engine import NumpyEngine
from caffempi.ops.graph import Param, Spec
from caffempi.ops.update import CHUNK
from caffempi.plan.params import ParamArena
from caffempi.solver.exchange import LocalExchange
from caffempi.solver.norms import Products
from tests.helpers.loopback import all_good

SHAPES = [(3, 4), (), (1,), (CHUNK * 2 + 5,), (7,)]


def products(a, pairs, exchange):
    return Products(a, NumpyEngine(), pairs).take(exchange)


def arena(dtype="float32"):
    params = [Param(f"l{k}", 0, Spec(s, dtype)) for k, s in enumerate(SHAPES)]
    a = ParamArena(params, params[::-1], dtype, first_bucket=64, bucket=1 << 12)
    rng = np.random.default_rng(2)
    for p in params:
        a.view(p)[...] = rng.standard_normal(p.spec.shape)
        a.view(p, a.grad)[...] = rng.standard_normal(p.spec.shape)
    return a


def plain(a, pairs):
    return [[float((a.view(p, x).astype("f8") * a.view(p, y)).sum()) for p in a.params] for x, y in pairs]


@pytest.mark.parametrize("dtype, tol", [("float32", 1e-4), ("float64", 1e-11)])
def test_each_param_has_its_own_sums(dtype, tol):
    a = arena(dtype)
    pairs = [(a.grad, a.grad), (a.data, a.data), (a.grad, a.data)]
    got = products(a, pairs, LocalExchange())
    assert got.shape == (3, len(SHAPES)) and got.dtype == np.float64
    np.testing.assert_allclose(got, plain(a, pairs), rtol=tol, atol=tol * 100)


@pytest.mark.parametrize("ranks", [2, 3, 7])
def test_ranks_share_the_work_and_get_the_same_bits(ranks):
    whole = arena()
    alone = products(whole, [(whole.grad, whole.grad)], LocalExchange())

    def work(exchange):
        a = arena()
        for k, p in enumerate(a.params):                       # what is another rank's share is not read
            if k % exchange.size != exchange.rank:
                a.view(p, a.grad)[...] = np.nan
        return products(a, [(a.grad, a.grad)], exchange).tobytes()
    assert set(all_good(ranks, work)) == {alone.tobytes()}


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_not_finite_shows_in_its_param_alone(bad):
    a = arena()
    a.view(a.params[2], a.grad).reshape(-1)[0] = bad
    got = products(a, [(a.grad, a.grad)], LocalExchange())
    assert np.isfinite(got[0]).tolist() == [k != 2 for k in range(len(SHAPES))]


def test_nothing_as_large_as_a_param_is_allocated():
    a = arena()
    both = Products(a, NumpyEngine(), [(a.grad, a.grad)])
    both.take(LocalExchange())
    tracemalloc.start()
    both.take(LocalExchange())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 16384
