"""Inner product (ops/inner_product.py) and its gradients on oneDNN, on inputs read as plain (outer, K).

With the input flat, the three directions want related layouts of the weights and padding lanes do not enter K. The plain
weights are offered too: packing large ones for a small batch costs more than the faster kernel saves.
"""
from __future__ import annotations

from functools import partial

from caffempi.engines.base import Call, Near, Offer
from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.codes import BIAS, DIFF_DST, DIFF_SRC, DIFF_WEIGHTS, DST, RELU, SRC, TRAINING, WEIGHTS
from caffempi.engines.onednn.layouts import BYTES_PER_FLOP, Offers, Slot, make_offer
from caffempi.engines.onednn.primitives import MemoryDesc, PrimitiveDesc
from caffempi.ops.graph import Spec
from caffempi.ops.inner_product import InnerProductAttrs

_UNPACKED = 1.5                                                 # time an operation on plain weights, packed ones being 1


class _Problem:
    """The shapes of one inner product, whichever direction is asked for."""

    def __init__(self, lib: Library, attrs: InnerProductAttrs, x: Spec, w: Spec) -> None:
        self.lib = lib
        outer, k = attrs.flat(x.shape)
        filters = attrs.filters(w.shape)
        self.src, self.dst, self.bias = lib.plain((outer, k)), lib.plain((outer, filters)), lib.plain((filters,))
        self.plain = lib.strided((filters, k), (1, filters) if attrs.transpose else (k, 1))
        self.weights = lib.any((filters, k)), self.plain
        self.flops = 2 * outer * k * filters

    def forward(self, weights: MemoryDesc, bias: bool, slope: float | None = None, hint: bool = False) -> PrimitiveDesc:
        """The forward implementation; slope: of a ReLU behind it."""
        attr = None if slope is None else self.lib.after((RELU, slope, 0.0))
        return self.lib.describe("inner_product_forward", TRAINING, self.src, weights, self.bias if bias else None, self.dst,
                                 attr=attr, hint=hint)

    def cost(self, desc: PrimitiveDesc, weights: int) -> float:
        """Its time in bytes; weights: the id of that argument."""
        return BYTES_PER_FLOP * self.flops * (1.0 if desc.argument(weights).blocks else _UNPACKED)


def why_not(call: Call, attrs: InnerProductAttrs) -> str | None:
    """Every inner product can be asked for."""
    return None


def forward(lib: Library, call: Call, near: Near, offers: Offers, attrs: InnerProductAttrs,
            slope: float | None = None) -> None:
    """inner_product, or inner_product and relu where slope is given. ins: x, w and perhaps b."""
    p = _Problem(lib, attrs, call.ins[0], call.ins[1])
    bias = len(call.ins) > 2

    def way(w: MemoryDesc) -> Offer:
        desc = p.forward(w, bias, slope)
        operands = [(Slot(SRC, "ins", 0), p.src), (Slot(WEIGHTS, "ins", 1), p.plain), (Slot(DST, "outs", 0), p.dst)]
        if bias:
            operands.append((Slot(BIAS, "ins", 2), p.bias))
        return make_offer(desc, operands, p.cost(desc, WEIGHTS))
    offers.attempt([partial(way, w) for w in p.weights])


def data(lib: Library, call: Call, near: Near, offers: Offers, attrs: InnerProductAttrs) -> None:
    """inner_product_dx. ins: w, dy."""
    p = _Problem(lib, attrs, call.outs[0], call.ins[0])

    def way(w: MemoryDesc) -> Offer:
        desc = lib.describe("inner_product_backward_data", p.src, w, p.dst, p.forward(w, False, hint=True))
        return make_offer(desc, [(Slot(WEIGHTS, "ins", 0), p.plain), (Slot(DIFF_DST, "ins", 1), p.dst),
                                 (Slot(DIFF_SRC, "outs", 0), p.src)], p.cost(desc, WEIGHTS))
    offers.attempt([partial(way, w) for w in p.weights])


def weights(lib: Library, call: Call, near: Near, offers: Offers, attrs: InnerProductAttrs) -> None:
    """inner_product_dw. ins: x, dy."""
    p = _Problem(lib, attrs, call.ins[0], call.outs[0])

    def way(w: MemoryDesc) -> Offer:
        desc = lib.describe("inner_product_backward_weights", p.src, w, None, p.dst, p.forward(w, False, hint=True))
        return make_offer(desc, [(Slot(SRC, "ins", 0), p.src), (Slot(DIFF_DST, "ins", 1), p.dst),
                                 (Slot(DIFF_WEIGHTS, "outs", 0), p.plain)], p.cost(desc, DIFF_WEIGHTS))
    offers.attempt([partial(way, w) for w in p.weights])
