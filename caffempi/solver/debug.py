"""debug_info: mean magnitudes of all blobs, gradients and updates, worded as Caffe's.

Read after the whole pass: of a blob that layers write in place, each of them shows the last content.
"""
from __future__ import annotations

import math

import numpy as np

from caffempi.net import Net
from caffempi.ops.graph import Param, Value
from caffempi.plan.params import ParamArena
from caffempi.solver.report import Report, number


def log_pass(net: Net, report: Report) -> None:
    """[Forward] and [Backward] lines of the pass that was run last; the net must observe all blobs."""
    arena, get = net.arena, net.engine.get

    def grad(p: Param) -> np.ndarray:
        return get(arena.view(p, arena.grad))
    for info in net.graph.layers:
        for top in info.tops:
            report.line(f"    [Forward] Layer {info.name}, top blob {top} data: {_mean(net.read(top))}")
        for k, value in enumerate(info.blobs):
            data = get(net.param_state.array(_param(value)))
            report.line(f"    [Forward] Layer {info.name}, param blob {_param(value).share_name or k} data: {_mean(data)}")
    for info in reversed(net.graph.layers):
        if not info.need_backward:
            continue
        for bottom, need in zip(info.bottoms, info.bottom_need, strict=True):
            if need:
                report.line(f"    [Backward] Layer {info.name}, bottom blob {bottom} diff: {_mean(net.blobs[bottom].diff)}")
        for k, value in enumerate(info.blobs):
            if value.need:
                diff = grad(_param(value))
                report.line(f"    [Backward] Layer {info.name}, param blob {k} diff: {_mean(diff)}")
    data, diff = get(arena.data), get(arena.grad)
    sums = [f"({number(np.abs(data).sum(dtype=np.float64))}, {number(np.abs(diff).sum(dtype=np.float64))})",
            f"({_norm(data)}, {_norm(diff)})"]
    report.line(f"    [Backward] All net params (data, diff): L1 norm = {sums[0]}; L2 norm = {sums[1]}")


def log_update(arena: ParamArena, report: Report) -> None:
    """[Update] lines; gradients must have been kept as update values."""
    data, diff = arena.engine.get(arena.data), arena.engine.get(arena.grad)
    for p in arena.net_order:
        report.line(f"    [Update] Layer {p.layer_name}, param {p.share_name or p.index} "
                    f"data: {_mean(arena.view(p, data))}; diff: {_mean(arena.view(p, diff))}")


def _param(value: Value) -> Param:
    assert value.param is not None
    return value.param


def _mean(values: np.ndarray) -> str:
    return number(float(np.abs(values).sum(dtype=np.float64)) / max(1, values.size))


def _norm(values: np.ndarray) -> str:
    return number(math.sqrt(float(np.square(values, dtype=np.float64).sum())))
