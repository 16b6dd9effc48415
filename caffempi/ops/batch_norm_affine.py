"""The gradients of a batch normalisation by the batch's statistics with a factor, and perhaps a term, behind it, in one op.

y = w h + b with h = (x - mu) s, as in batch_norm.py;  dw = sum of dy h, db = sum of dy (over all but the channels),
dx = (w dy - mean(w dy) - h mean(w dy h)) s = w s (dy - db / m - h dw / m), m being the count that the means go over.
Made by the plan from batch_norm_dx, scale, scale_dw and bias_db, never by layers: h is computed anew, so that forward need not
keep it. Shapes: x (N, C, ...); mu, s, w, dw, db (C); y, dx, dy as x.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from caffempi.ops.affine import AffineAttrs
from caffempi.ops.batch_norm import BatchNormAttrs
from caffempi.ops.graph import Spec
from caffempi.ops.op import Arrays, Op, get_op, nbytes, op
from caffempi.ops.philox import Rng


@op
class BatchNormAffineDx(Op):
    """dx, dw and, where there are three outs, db; ins x, mu, s, w, dy."""

    name = "batch_norm_affine_dx"
    grad = "none"
    inplace = ((4, 0),)

    def infer(self, attrs: BatchNormAttrs, ins: Sequence[Spec]) -> list[Spec]:
        """As x, w and w."""
        return [ins[0], ins[3], ins[3]]

    def forward(self, attrs: BatchNormAttrs, ins: Arrays, outs: Arrays, saved: Arrays, state: Arrays,
                rng: Rng | None) -> None:
        """See the module."""
        x, mu, inv_std, w, dy = ins
        axes, wide = (0, *range(2, x.ndim)), (-1, *(1,) * (x.ndim - 2))
        if x.size == 0:
            for a in outs[1:]:
                a[...] = 0
            return
        h = x - mu.reshape(wide)
        h *= inv_std.reshape(wide)
        m = x.size // w.size
        dw, db = (dy * h).sum(axis=axes), dy.sum(axis=axes)
        h *= (dw / m).reshape(wide)
        h += (db / m).reshape(wide)
        np.subtract(dy, h, out=outs[0])
        np.multiply(outs[0], (w * inv_std).reshape(wide), out=outs[0])
        for a, total in zip(outs[1:], (dw, db), strict=False):
            np.copyto(a, total)

    def replaces(self, attrs: Any, ins: Sequence[Spec], outs: Sequence[Spec]) -> frozenset[int]:
        """dw, where scale_dw does."""
        alone = get_op("scale_dw").replaces(AffineAttrs(), [ins[0], ins[4]], [outs[1]])
        return frozenset({1}) if alone else frozenset()

    def cost(self, attrs: BatchNormAttrs, ins: Sequence[Spec], outs: Sequence[Spec]) -> tuple[int, int]:
        """Two sums and eight operations an element; x and dy are read for the sums, and again for dx."""
        return 10 * ins[0].count, nbytes(ins) + nbytes([ins[0], ins[-1]]) + nbytes(outs)
