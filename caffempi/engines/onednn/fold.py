"""A convolution with the batch norm by running statistics, Scale, Bias and ReLU that follow it, in one call.

The statistics and factors become one factor and one term a channel, y = relu(conv(x) a + c), which the library applies to its
output while it is still in registers: w need not be changed, and the numbers are as fresh as the params at each run.
a = w_scale / sqrt(k var + eps), c = b + (b_conv - k mean) a with the b of Bias.
"""
from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from caffempi.engines.base import PLAIN, Call, Near, Offer, Operands
from caffempi.engines.onednn.batch_norm import statistics
from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.channels import Channelwise, vector_of
from caffempi.engines.onednn.codes import ADD, DST, MULTIPLY, RELU, SRC, WEIGHTS, post_operand
from caffempi.engines.onednn.conv import Pair, Problem, Ways
from caffempi.engines.onednn.layouts import Offers, Prepared, Slot, layout_of
from caffempi.ops.batch_norm import BatchNormAttrs
from caffempi.ops.conv import ConvAttrs
from caffempi.ops.fused import FusedAttrs


def conv_norm(lib: Library, call: Call, near: Near, offers: Offers, attrs: ConvAttrs, slope: float | None = None) -> None:
    """ins: x, w, perhaps the convolution's b, mean, var, factor, perhaps the factor of Scale and the term of Bias."""
    fused: FusedAttrs = call.attrs
    numbers = _Numbers(fused)

    def way(p: Problem, pair: Pair) -> Offer:
        probe = p.forward(pair, ())
        beside = vector_of(lib, probe.argument(DST))
        posts: list[tuple[object, ...]] = [(MULTIPLY, beside), (ADD, beside)]
        if slope is not None:
            posts.append((RELU, slope, 0.0))
        desc = p.forward((pair[0], probe.argument(DST)), tuple(posts))
        slots = (Slot(SRC, "ins", 0), Slot(WEIGHTS, "ins", 1), Slot(post_operand(0), "vectors", 0),
                 Slot(post_operand(1), "vectors", 1), Slot(DST, "outs", 0))
        made = Channelwise(Prepared(desc, slots), (beside.nbytes // 4,) * 2, numbers)
        layouts = [layout_of(desc.argument(a), plain) for a, plain in ((SRC, p.src), (WEIGHTS, p.weights), (DST, p.dst))]
        return Offer((*layouts[:2], *[PLAIN] * (len(call.ins) - 2)), (layouts[2],), scratch=desc.scratch,
                     cost=p.cost(desc, SRC, DST), payload=made)

    def ways(dtype: int) -> Ways:
        p = Problem(lib, attrs, call.ins[0], call.ins[1], call.outs[0], dtype)
        return [partial(way, p, pair) for pair in p.pairs(near.ins[0], near.outs[0])]
    offers.attempt_types(ways)


class _Numbers:
    """Fills the factors and terms of a chain's channels."""

    def __init__(self, fused: FusedAttrs) -> None:
        self._norm: BatchNormAttrs = fused.attrs[1]
        self._first = fused.counts[0]
        self._bias = self._first > 2
        self._scale = self._first + 3 if "scale" in fused.ops else None
        self._term = self._first + 3 + ("scale" in fused.ops) if "bias" in fused.ops else None

    def __call__(self, ptrs: Operands, vectors: Sequence[np.ndarray]) -> None:
        c = ptrs.ins[self._first].size
        factor, term = vectors[0][:c], vectors[1][:c]
        statistics(self._norm, ptrs, (term, factor), self._first)   # the mean and the variance for now
        factor += self._norm.eps
        np.sqrt(factor, out=factor)
        np.divide(1 if self._scale is None else ptrs.ins[self._scale], factor, out=factor)
        np.subtract(ptrs.ins[2] if self._bias else 0, term, out=term)
        term *= factor
        if self._term is not None:
            term += ptrs.ins[self._term]
