"""Two nets of one text side by side: where do their numbers part?

Both get the same inputs and params. Where both observe every blob they run layer by layer, and after each layer its tops
(and statistics), in backward its bottoms' and params' gradients, are compared as that layer left them; else both run as a
whole, and what both observe is compared, and the params' gradients.
"""
from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from caffempi.net import Net
from caffempi.ops.graph import LayerInfo


class Difference(NamedTuple):
    """what: 'top', 'stat', 'bottom diff' or 'param diff'; largest: max |a - b|; relative: that over max |a|."""

    layer: str
    type: str
    what: str
    name: str
    largest: float
    relative: float


def difference(a: np.ndarray, b: np.ndarray) -> tuple[float, float]:
    """(max |a - b|, that relative to max |a|): infinite where one is not finite and the other is not the same."""
    if not a.size:
        return 0.0, 0.0
    same = (a == b) | (np.isnan(a) & np.isnan(b))
    with np.errstate(invalid="ignore", over="ignore"):
        apart = np.where(same, 0.0, np.abs(a.astype(np.float64) - b))
    largest = float(np.max(np.where(np.isnan(apart), np.inf, apart)))
    finite = np.abs(a[np.isfinite(a)])
    scale = float(finite.max()) if finite.size else 0.0
    return largest, largest / scale if scale else (0.0 if largest == 0 else np.inf)


def compare(a: Net, b: Net) -> Iterator[Difference]:
    """All differences, in the order in which a run meets them: forward, then backward."""
    by_layer = a.plan.observes_all and b.plan.observes_all
    infos = a.graph.layers
    if not by_layer:
        for net in (a, b):
            net.forward()
    for info in infos:
        if by_layer:
            for net in (a, b):
                net.forward(start=info.name, end=info.name)
        yield from _tops(a, b, info)
    if not a.plan.backward:
        return
    for net in (a, b):
        net.clear_param_diffs()
        if not by_layer:
            net.backward()
    for info in reversed(infos):
        if by_layer:
            for net in (a, b):
                net.backward(start=info.name, end=info.name)
        if info.need_backward:
            yield from _diffs(a, b, info)


def _tops(a: Net, b: Net, info: LayerInfo) -> Iterator[Difference]:
    for top in info.tops:
        if a.plan.observed(top) and b.plan.observed(top):
            yield _made(info, "top", top, a.blobs[top].data, b.blobs[top].data)
    for k, value in enumerate(info.blobs):
        if value.kind == "stat":
            yield _made(info, "stat", str(k), a.params[info.name][k].data, b.params[info.name][k].data)


def _diffs(a: Net, b: Net, info: LayerInfo) -> Iterator[Difference]:
    for bottom, need in zip(info.bottoms, info.bottom_need, strict=True):
        if need and a.plan.observed(bottom) and b.plan.observed(bottom):
            yield _made(info, "bottom diff", bottom, a.blobs[bottom].diff, b.blobs[bottom].diff)
    for k, value in enumerate(info.blobs):
        if value.kind == "param":
            yield _made(info, "param diff", str(k), a.params[info.name][k].diff, b.params[info.name][k].diff)


def _made(info: LayerInfo, what: str, name: str, x: np.ndarray, y: np.ndarray) -> Difference:
    return Difference(info.name, info.type, what, name, *difference(x, y))


def verdict(found: list[Difference], epsilon: float) -> tuple[str, bool]:
    """(the last line, whether they differ)."""
    first = next((d for d in found if not d.relative <= epsilon), None)
    if first is None:
        return f"no difference beyond {epsilon:g}, relative to the largest value of each array", False
    what = {"top": f'top "{first.name}"', "bottom diff": f'gradient of bottom "{first.name}"',
            "param diff": f"gradient of param {first.name}", "stat": f"statistics {first.name}"}[first.what]
    return (f'first difference: layer "{first.layer}" ({first.type}), {what}: {first.largest:.4g}, relative '
            f"{first.relative:.4g} > {epsilon:g}"), True
