"""BatchNorm's running statistics over several ranks: each keeps its own, a test or a snapshot sees their average."""
from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from caffempi.net import Net
from caffempi.ops.graph import Graph, Param
from caffempi.solver.exchange import Exchange


def statistics(graph: Graph) -> list[tuple[Param, Param, Param]]:
    """(mean, variance, scale factor) of each BatchNorm layer, shared ones once."""
    found: dict[Param, tuple[Param, Param, Param]] = {}
    for info in graph.layers:
        params = [v.param for v in info.blobs if v.param is not None]
        if info.type == "BatchNorm" and len(params) >= 3:
            found.setdefault(params[0], (params[0], params[1], params[2]))
    return list(found.values())


@contextmanager
def averaged(net: Net, exchange: Exchange) -> Iterator[None]:
    """Inside, the statistics of the net (and of nets that share them) are the average over ranks; afterwards each rank
    has its own again.

    The blobs hold sums: scale factor s, s * mean, s * variance. Of the mean_r and var_r of each rank,

        mean = average of mean_r,    var = average of var_r + variance of mean_r over the ranks

    So neither a test nor a snapshot changes what the training computes. Collective. A rank whose s is 0 (no batch seen)
    counts as having mean and variance 0, as Caffe reads such blobs.
    """
    arena, layers = net.arena, statistics(net.graph)
    if exchange.size == 1 or not layers:
        yield
        return
    engine = arena.engine
    own = engine.get(arena.stat).copy()
    host = own.copy()
    pieces = []
    for mean, var, factor in layers:
        s = float(arena.view(factor, own).reshape(-1)[0])
        m, v = ((arena.view(p, own).astype(np.float64) / s if s else np.zeros(p.spec.shape)) for p in (mean, var))
        pieces += [m, v + np.square(m)]
    total = exchange.totals(np.concatenate([p.reshape(-1) for p in pieces])) / exchange.size
    at = 0
    try:
        for mean, var, factor in layers:
            n = mean.spec.count
            m, square = total[at:at + n], total[at + n:at + 2 * n]
            s = float(arena.view(factor, own).reshape(-1)[0])
            arena.view(mean, host)[...] = (m * s).reshape(mean.spec.shape)
            arena.view(var, host)[...] = (np.maximum(square - np.square(m), 0) * s).reshape(var.spec.shape)
            at += 2 * n
        engine.put(arena.stat, host)
        net.param_state.touch()
        yield
    finally:
        engine.put(arena.stat, own)
        net.param_state.touch()
