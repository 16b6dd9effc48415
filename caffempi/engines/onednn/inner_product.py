"""Inner product (ops/inner_product.py) and its gradients on oneDNN, on inputs read as plain (outer, K).

With the input flat, the three directions want related layouts of the weights and padding lanes do not enter K. The plain
weights are offered too: packing large ones for a small batch costs more than the faster kernel saves.

x, y and the weights that are read have the type asked for, and y float32 where it is plain already (such as an output of the
net); biases and gradients of weights are float32 in any case.
"""
from __future__ import annotations

from collections.abc import Callable
from functools import partial

from caffempi.engines.base import PLAIN, Call, Near, Offer
from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.codes import (
    BFLOAT16,
    BIAS,
    DIFF_DST,
    DIFF_SRC,
    DIFF_WEIGHTS,
    DST,
    RELU,
    SRC,
    TRAINING,
    WEIGHTS,
)
from caffempi.engines.onednn.layouts import BYTES_PER_FLOP, Offers, Slot, make_offer
from caffempi.engines.onednn.primitives import MemoryDesc, PrimitiveDesc
from caffempi.ops.graph import Spec
from caffempi.ops.inner_product import InnerProductAttrs

_UNPACKED, _BFLOAT16 = 1.5, 0.5                                 # time an operation, packed float32 weights being 1
Ways = list[Callable[[], Offer]]


class _Problem:
    """The shapes of one inner product, whichever direction is asked for. dtype: of x, y and weights."""

    def __init__(self, lib: Library, attrs: InnerProductAttrs, x: Spec, w: Spec, dtype: int) -> None:
        self.lib, self.dtype = lib, dtype
        outer, k = attrs.flat(x.shape)
        filters = attrs.filters(w.shape)
        self.src, self.dst, self.bias = lib.plain((outer, k)), lib.plain((outer, filters)), lib.plain((filters,))
        self.plain = lib.strided((filters, k), (1, filters) if attrs.transpose else (k, 1))
        self.x, self.y = self.src.cast(dtype), self.dst.cast(dtype)
        self.weights = lib.any((filters, k), dtype), self.plain.cast(dtype)
        self.gradients = lib.any((filters, k)), self.plain
        self.flops = 2 * outer * k * filters

    def forward(self, y: MemoryDesc, weights: MemoryDesc, bias: bool = False, slope: float | None = None,
                hint: bool = False) -> PrimitiveDesc:
        """The forward implementation; slope: of a ReLU behind it."""
        attr = None if slope is None else self.lib.after((RELU, slope, 0.0))
        return self.lib.describe("inner_product_forward", TRAINING, self.x, weights, self.bias if bias else None, y,
                                 attr=attr, hint=hint)

    def cost(self, desc: PrimitiveDesc, weights: int) -> float:
        """Its time in bytes; weights: the id of that argument."""
        time = BYTES_PER_FLOP * self.flops * (_BFLOAT16 if self.dtype == BFLOAT16 else 1)
        return time * (1.0 if desc.argument(weights).blocks else _UNPACKED)


def why_not(call: Call, attrs: InnerProductAttrs) -> str | None:
    """Every inner product can be asked for."""
    return None


def forward(lib: Library, call: Call, near: Near, offers: Offers, attrs: InnerProductAttrs,
            slope: float | None = None) -> None:
    """inner_product, or inner_product and relu where slope is given. ins: x, w and perhaps b."""
    bias = len(call.ins) > 2

    def way(p: _Problem, y: MemoryDesc, w: MemoryDesc) -> Offer:
        desc = p.forward(y, w, bias, slope)
        operands = [(Slot(SRC, "ins", 0), p.src), (Slot(WEIGHTS, "ins", 1), p.plain), (Slot(DST, "outs", 0), p.dst)]
        if bias:
            operands.append((Slot(BIAS, "ins", 2), p.bias))
        return make_offer(desc, operands, p.cost(desc, WEIGHTS))

    def ways(dtype: int) -> Ways:
        p = _Problem(lib, attrs, call.ins[0], call.ins[1], dtype)
        ys = dict.fromkeys([p.dst, p.y] if near.outs[0] == PLAIN else [p.y])
        return [partial(way, p, y, w) for y in ys for w in p.weights]
    offers.attempt_types(ways)


def data(lib: Library, call: Call, near: Near, offers: Offers, attrs: InnerProductAttrs) -> None:
    """inner_product_dx. ins: w, dy."""
    def way(p: _Problem, w: MemoryDesc) -> Offer:
        desc = lib.describe("inner_product_backward_data", p.x, w, p.y, p.forward(p.y, w, hint=True))
        return make_offer(desc, [(Slot(WEIGHTS, "ins", 0), p.plain), (Slot(DIFF_DST, "ins", 1), p.dst),
                                 (Slot(DIFF_SRC, "outs", 0), p.src)], p.cost(desc, WEIGHTS))

    def ways(dtype: int) -> Ways:
        p = _Problem(lib, attrs, call.outs[0], call.ins[0], dtype)
        return [partial(way, p, w) for w in p.weights]
    offers.attempt_types(ways)


def weights(lib: Library, call: Call, near: Near, offers: Offers, attrs: InnerProductAttrs) -> None:
    """inner_product_dw. ins: x, dy."""
    def way(p: _Problem, w: MemoryDesc, read: MemoryDesc) -> Offer:
        desc = lib.describe("inner_product_backward_weights", p.x, w, None, p.y, p.forward(p.y, read, hint=True))
        return make_offer(desc, [(Slot(SRC, "ins", 0), p.src), (Slot(DIFF_DST, "ins", 1), p.dst),
                                 (Slot(DIFF_WEIGHTS, "outs", 0), p.plain)], p.cost(desc, DIFF_WEIGHTS))

    def ways(dtype: int) -> Ways:
        p = _Problem(lib, attrs, call.ins[0], call.outs[0], dtype)
        return [partial(way, p, w, read) for w, read in zip(p.gradients, p.weights, strict=True)]
    offers.attempt_types(ways)
