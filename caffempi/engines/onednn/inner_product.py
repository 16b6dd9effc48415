"""Inner product (ops/inner_product.py) and its gradients on oneDNN, on inputs read as plain (outer, K).

With the input flat, the three directions want related layouts of the weights and padding lanes do not enter K. The plain
weights are offered too: packing large ones for a small batch costs more than the faster kernel saves. Where the library has a
fast product for it, they are read once as the left factor of y^T = W x^T, in the time that reading them takes.

x, y and the weights that are read have the type asked for, and y float32 where it is plain already (such as an output of the
net); biases and gradients of weights are float32 in any case. Where bfloat16 is asked for, float32 is offered as well: for
small batches reading the params as they are takes less time than the casts of large weights alone.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from caffempi.engines.base import PLAIN, Call, Near, Offer
from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.codes import (
    ADD,
    BFLOAT16,
    BIAS,
    DIFF_DST,
    DIFF_SRC,
    DIFF_WEIGHTS,
    DST,
    FLOAT32,
    RELU,
    SRC,
    SRC_1,
    TRAINING,
    WEIGHTS,
)
from caffempi.engines.onednn.layouts import BYTES_PER_FLOP, Offers, Prepared, Slot, make_offer
from caffempi.engines.onednn.passes import Passes
from caffempi.engines.onednn.primitives import MemoryDesc, PrimitiveDesc
from caffempi.errors import EngineError
from caffempi.ops.graph import Spec
from caffempi.ops.inner_product import InnerProductAttrs

_UNPACKED, _TURNED, _BFLOAT16 = 1.5, 1.2, 0.5                   # time an operation, packed float32 weights being 1
_FEW = 8                                                        # so many rows of x the library multiplies well by plain weights
_COLUMNS, _MANY = 16, 1 << 20                                   # of its AVX2 product: columns at a time; weights that matter
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
        self.transposed = attrs.transpose

    def forward(self, y: MemoryDesc, weights: MemoryDesc, bias: bool = False, slope: float | None = None,
                hint: bool = False) -> PrimitiveDesc:
        """The forward implementation; slope: of a ReLU behind it."""
        attr = None if slope is None else self.lib.after((RELU, slope, 0.0))
        return self.lib.describe("inner_product_forward", TRAINING, self.x, weights, self.bias if bias else None, y,
                                 attr=attr, hint=hint)

    def turned(self, bias: bool, slope: float | None) -> Offer:
        """Forward on plain weights as y^T = W x^T, turned back, and then the bias and the ReLU. Raises EngineError where
        the library has no fast kernel for this or a faster one for the usual order."""
        lib, (outer, filters) = self.lib, self.dst.dims
        if outer <= _FEW:
            raise EngineError("oneDNN multiplies so few rows fast")
        product, parts = self._product(self.plain, self.src, self.dst, 1, 0)
        if "gemm" in product.impl:
            raise EngineError("oneDNN has no fast product for weights as a left factor")
        y = "outs", 0
        relu = (RELU, slope or 0.0, 0.0)
        if bias:
            attr = None if slope is None else lib.after(relu)
            add = lib.describe("binary", ADD, self.dst, lib.plain((1, filters)), self.dst, attr=attr)
            parts.append(Prepared(add, (Slot(SRC, *y), Slot(SRC_1, "ins", 2), Slot(DST, *y))))
        elif slope is not None:
            rectify = lib.describe("eltwise_forward", TRAINING, relu[0], self.dst, self.dst, relu[1], relu[2])
            parts.append(Prepared(rectify, (Slot(SRC, *y), Slot(DST, *y))))
        return self._passes(parts, 3 if bias else 2)

    def turned_dx(self) -> Offer:
        """dx^T = W^T dy^T, turned back. Raises EngineError where the usual order is no slower."""
        lib, (filters, k) = self.lib, self.plain.dims
        if not _FEW <= self.dst.dims[0] <= _COLUMNS or filters * k < _MANY:
            raise EngineError("oneDNN multiplies so few or so many rows fast")
        product, parts = self._product(lib.strided((k, filters), (1, k)), self.dst, self.src, 0, 1)
        if "gemm" not in product.impl:
            raise EngineError("oneDNN's usual order is the faster one with AVX-512")
        return self._passes(parts, 2)

    def _product(self, left: MemoryDesc, right: MemoryDesc, out: MemoryDesc, weights: int,
                 rows: int) -> tuple[PrimitiveDesc, list[Prepared]]:
        """out^T = left right^T and its turning. weights, rows: which of the ins the weights and `right` are."""
        if self.transposed or self.dtype != FLOAT32:
            raise EngineError("such weights are not read as a left factor")
        lib, (outer, width) = self.lib, out.dims
        columns = lib.strided((right.dims[1], outer), (1, right.dims[1]))
        product = lib.describe("matmul", left, columns, None, lib.plain((width, outer)))
        turn = lib.reorder(lib.strided((outer, width), (1, outer)), out)
        return product, [Prepared(product, (Slot(SRC, "ins", weights), Slot(WEIGHTS, "ins", rows), Slot(DST, "temps", 0))),
                         Prepared(turn, (Slot(SRC, "temps", 0), Slot(DST, "outs", 0)))]

    def _passes(self, parts: Sequence[Prepared], ins: int) -> Offer:
        made = Passes(tuple(parts), 1, (parts[1].desc.argument(SRC).nbytes,))
        return Offer((PLAIN,) * ins, (PLAIN,), scratch=made.scratch, cost=BYTES_PER_FLOP * self.flops * _TURNED, payload=made)

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
        return [partial(p.turned, bias, slope), *[partial(way, p, y, w) for y in ys for w in p.weights]]
    for dtype in offers.types:
        offers.attempt(ways(dtype))


def data(lib: Library, call: Call, near: Near, offers: Offers, attrs: InnerProductAttrs) -> None:
    """inner_product_dx. ins: w, dy."""
    def way(p: _Problem, w: MemoryDesc) -> Offer:
        desc = lib.describe("inner_product_backward_data", p.x, w, p.y, p.forward(p.y, w, hint=True))
        return make_offer(desc, [(Slot(WEIGHTS, "ins", 0), p.plain), (Slot(DIFF_DST, "ins", 1), p.dst),
                                 (Slot(DIFF_SRC, "outs", 0), p.src)], p.cost(desc, WEIGHTS))

    def ways(dtype: int) -> Ways:
        p = _Problem(lib, attrs, call.outs[0], call.ins[0], dtype)
        return [p.turned_dx, *[partial(way, p, w) for w in p.weights]]
    for dtype in offers.types:
        offers.attempt(ways(dtype))


def weights(lib: Library, call: Call, near: Near, offers: Offers, attrs: InnerProductAttrs) -> None:
    """inner_product_dw. ins: x, dy."""
    def way(p: _Problem, w: MemoryDesc, read: MemoryDesc) -> Offer:
        desc = lib.describe("inner_product_backward_weights", p.x, w, None, p.y, p.forward(p.y, read, hint=True))
        return make_offer(desc, [(Slot(SRC, "ins", 0), p.src), (Slot(DIFF_DST, "ins", 1), p.dst),
                                 (Slot(DIFF_WEIGHTS, "outs", 0), p.plain)], p.cost(desc, DIFF_WEIGHTS))

    def ways(dtype: int) -> Ways:
        p = _Problem(lib, attrs, call.ins[0], call.outs[0], dtype)
        return [partial(way, p, w, read) for w, read in zip(p.gradients, p.weights, strict=True)]
    for dtype in offers.types:
        offers.attempt(ways(dtype))
