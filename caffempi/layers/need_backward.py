"""Which layers run backward, and which bottoms get a gradient: Caffe's rule, decided once for the whole net.

Forward pass: a top needs a gradient if its layer has a bottom that needs one (propagate_down overrides) or a param with
lr_mult not 0. Backward pass: layers that do not lead to a loss are left out, and so are layers all of whose tops are cut off
by propagate_down: false. force_backward brings all back, but for labels.
"""
from __future__ import annotations

from collections.abc import Sequence

from caffempi.layers.base import Layer
from caffempi.ops.graph import Graph


def mark_need_backward(graph: Graph, kinds: Sequence[Layer], force: bool, propagate: Sequence[Sequence[bool]]) -> None:
    """Sets need_backward and bottom_need of every layer, and `need` of the params' values."""
    needs: dict[str, bool] = {}
    for info, flags in zip(graph.layers, propagate, strict=True):
        bottoms = [bool(flags[i]) if flags else needs.get(b, False) for i, b in enumerate(info.bottoms)]
        info.need_backward = any(bottoms) or any(v.need for v in info.blobs)
        info.bottom_need = tuple(bottoms)
        for top in info.tops:
            needs[top] = info.need_backward
    under_loss: set[str] = set()
    cut: set[str] = set()
    for info in reversed(graph.layers):
        leads = any(w != 0 or t in under_loss for t, w in zip(info.tops, info.loss_weights, strict=True))
        skipped = all(t in cut for t in info.tops)
        bottoms = list(info.bottom_need)
        if info.need_backward and skipped:
            info.need_backward, bottoms = False, [False] * len(bottoms)
        if not leads:
            info.need_backward, bottoms = False, [False] * len(bottoms)
        under_loss.update(info.bottoms if leads else ())
        cut.update(b for b, need in zip(info.bottoms, bottoms, strict=True) if not need)
        info.bottom_need = tuple(bottoms)
    if force:
        for info, kind in zip(graph.layers, kinds, strict=True):
            info.need_backward = True
            info.bottom_need = tuple(need or i not in kind.labels for i, need in enumerate(info.bottom_need))
            for v in info.blobs:
                v.need = v.kind == "param"
    for info, kind in zip(graph.layers, kinds, strict=True):
        if info.need_backward and kind.always_down:
            info.bottom_need = (True,) * len(info.bottoms)
