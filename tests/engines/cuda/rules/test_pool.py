"""Pooling of all kinds held to the definitions: ties, borders that are cut, large windows, winners, draws, pyramids."""
import numpy as np
import pytest

from caffempi.ops.pool import PoolAttrs
from caffempi.ops.pyramid_pool import PyramidAttrs
from tests.helpers.cuda.cases import Case
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.kernelcheck import check

WINDOWS = [
    ((2, 3, 7, 5), PoolAttrs((3, 3), (2, 2))), ((1, 2, 6, 7), PoolAttrs((3, 2), (2, 1), (1, 1))),
    ((2, 1, 5, 5), PoolAttrs((2, 2), (3, 3))), ((1, 1, 8, 8), PoolAttrs((3, 3), (2, 2), round_mode="FLOOR")),
    ((2, 2, 4, 3), PoolAttrs(global_=True)), ((1, 3, 1, 1), PoolAttrs()), ((0, 3, 4, 4), PoolAttrs((2, 2), (2, 2))),
    ((2, 3, 11, 9), PoolAttrs(global_=True)), ((1, 2, 20, 19), PoolAttrs((9, 10), (5, 4), (3, 2))),
    ((1, 1, 3, 3), PoolAttrs((1, 1), (5, 5))), ((3, 2, 5, 6), PoolAttrs((5, 1), (1, 1), (2, 0))),
]
UNPADDED = [(shape, a) for shape, a in WINDOWS if not any(a.pad)]


def few(*shape, seed=0):
    """Numbers of which many are equal."""
    return np.random.default_rng(seed).integers(0, 3, shape).astype(np.float32)


def strange(*shape):
    """Numbers with windows of NaN, infinities, and the lowest float."""
    x = np.random.default_rng(3).standard_normal(shape).astype(np.float32)
    x[:, 0, :4, :4], x[:, 1, :5] = np.nan, -np.inf
    x[:, 2, 2, 3], x[:, 2, 4] = np.inf, np.finfo(np.float32).min
    return x


POSITIVE = [(np.abs(np.random.default_rng(i).standard_normal(shape)).astype(np.float32), a) for i, (shape, a) in enumerate(UNPADDED)]
CASES = [
    *(Case("max_pool", a, [shape]) for shape, a in WINDOWS),
    *(Case("max_pool", PoolAttrs(a.kernel, a.stride, a.pad, a.global_, a.round_mode, True), [few(*shape)]) for shape, a in WINDOWS),
    *(Case("max_pool", a, [strange(2, 3, 9, 8)], alone=True) for a in (PoolAttrs((3, 3), (2, 2)), PoolAttrs(global_=True))),
    *(Case("ave_pool", a, [shape], slack=4) for shape, a in WINDOWS),
    *(Case("stochastic_pool", a, [x]) for x, a in POSITIVE), Case("stochastic_pool", PoolAttrs((2, 2), (2, 2)), [few(2, 2, 6, 6)]),
    Case("stochastic_pool", PoolAttrs((3, 3), (2, 2)), [(1, 2, 7, 7)], alone=True),
    *(Case("stochastic_pool_mean", a, [x], slack=8) for x, a in POSITIVE),
    Case("stochastic_pool_mean", PoolAttrs((2, 2), (2, 2)), [-few(2, 2, 6, 6)]),
    *(Case(name, PyramidAttrs(bins, pool), [shape], slack=8) for shape, bins in [((2, 3, 13, 10), 4), ((1, 2, 12, 9), 1)]
      for name, pool in (("pyramid_pool", "max_pool"), ("pyramid_pool", "ave_pool"))),
    *(Case(name, PyramidAttrs(2, pool), [few(1, 2, 8, 4)], slack=8) for name, pool in
      (("pyramid_pool_drawn", "stochastic_pool"), ("pyramid_pool", "stochastic_pool_mean"))),
]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case)
