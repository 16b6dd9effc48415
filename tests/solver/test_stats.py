"""BatchNorm statistics over ranks: the average that tests and snapshots see, and each rank's own back afterwards."""
from __future__ import annotations

import numpy as np

from caffempi.net import TRAIN, Net
from caffempi.solver.exchange import LocalExchange
from caffempi.solver.stats import averaged, statistics
from tests.helpers.loopback import all_good
from tests.helpers.task import make_task

EXTRA = """
layer { name: "bn" type: "BatchNorm" bottom: "conv" top: "conv" }
layer { name: "bn2" type: "BatchNorm" bottom: "conv" top: "conv" }
"""


def net(folder):
    make_task(folder, extra=EXTRA)
    return Net(str(folder / "net.prototxt"), TRAIN, seed=1)


def fill(n, rank):
    rng = np.random.default_rng(rank)
    for k, layer in enumerate(("bn", "bn2")):
        factor = 1 + rank + k
        mean, var = rng.standard_normal(3), rng.random(3)
        for blob, value in zip(n.params[layer], (mean * factor, var * factor, [factor]), strict=True):
            blob.data[...] = value


def test_average_has_the_variance_between_ranks_and_own_values_come_back(tmp_path):
    def work(exchange):
        n = net(tmp_path / str(exchange.rank))
        fill(n, exchange.rank)
        own = [b.data.copy() for b in n.params["bn"]]
        before = n.arena.stat.copy()
        with averaged(n, exchange):
            inside = [b.data.copy() for b in n.params["bn"]]
        np.testing.assert_array_equal(n.arena.stat, before)
        n.close()
        return own, inside
    results = all_good(3, work)
    means = np.array([o[0] / o[2] for o, _ in results])
    variances = np.array([o[1] / o[2] for o, _ in results])
    for _own, (mean, var, factor) in results:
        np.testing.assert_allclose(mean / factor, means.mean(0), rtol=1e-5)
        np.testing.assert_allclose(var / factor, variances.mean(0) + means.var(0), rtol=1e-5)


def test_ranks_that_saw_nothing_yet_stay_at_zero(tmp_path):
    def work(exchange):
        n = net(tmp_path / str(exchange.rank))
        with averaged(n, exchange):
            return not n.arena.stat.any()
    assert all_good(2, work) == [True, True]


def test_alone_nothing_changes_and_all_layers_are_found(tmp_path):
    n = net(tmp_path)
    fill(n, 0)
    before = n.arena.stat.copy()
    with averaged(n, LocalExchange()):
        np.testing.assert_array_equal(n.arena.stat, before)
    assert [p[0].layer_name for p in statistics(n.graph)] == ["bn", "bn2"]
