"""The pass that joins the gradients of BatchNorm and of the Scale behind it: four nodes over large arrays become one.

Forward needs no change of meaning: `fuse` joins batch_norm, scale and bias there, where the engine declares the chain. Here
scale_dw, which reads what batch_norm made, is replaced by an op that computes it anew, so that the middle may be private.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from caffempi.ops.graph import Node, Value
from caffempi.ops.shapes import canonical_axis


def merge_norms(forward: Sequence[Node], backward: list[Node], observed: set[str]) -> str:
    """Replaces (bias_db,) scale_dw, scale and batch_norm_dx by batch_norm_affine_dx where the factor is a param by channel
    and nobody sees the diffs in between."""
    read = Counter(v.id for n in backward for v in n.ins)
    normed = {n.saved[0].id: n.outs[0] for n in forward if n.op == "batch_norm" and n.saved}
    maker = {v.id: n for n in backward for v in n.outs}
    done = 0
    for dx in [n for n in backward if n.op == "batch_norm_dx"]:
        x, mu, inv_std, middle = dx.ins
        scale = maker.get(middle.id)
        if scale is None or scale.op != "scale" or read[middle.id] != 1 or mu.id not in normed:
            continue
        dy, w = scale.ins
        if not _by_channel(scale, w, x) or any(v.blob in observed for v in (middle, dy) if v.blob is not None):
            continue
        dw = [n for n in backward if n.op == "scale_dw" and n.ins[0] is normed[mu.id] and n.ins[1] is dy]
        db = [n for n in backward if n.op == "bias_db" and n.ins[0] is dy and n.outs[0].spec.shape == w.spec.shape
              and canonical_axis(n.attrs.axis, len(x.spec.shape)) == 1]
        if len(dw) != 1 or any(v.id in read for n in (*dw, *db) for v in n.outs):
            continue
        parts = [*dw, *db[:1]]
        outs = (dx.outs[0], *[n.outs[0] for n in parts])
        backward[backward.index(dx)] = Node("batch_norm_affine_dx", dx.attrs, (x, mu, inv_std, w, dy), outs,
                                            dx.layer, (), (), dx.where)
        for n in (scale, *parts):
            backward.remove(n)
        done += 1
    return f"{done} gradients of BatchNorm and Scale joined"


def _by_channel(scale: Node, w: Value, x: Value) -> bool:
    shape = x.spec.shape
    return (w.param is not None and len(shape) > 1 and w.spec.shape == (shape[1],)
            and canonical_axis(scale.attrs.axis, len(shape)) == 1)
