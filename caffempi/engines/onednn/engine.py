"""The onednn engine: an overlay on numpy for x86-64 CPUs. Which op is offered by which function, and what is fused."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from typing import Any, NamedTuple

from caffempi.engines.base import ENGINES, Call, Engine, Kernel, Layout, Near, Offer, Pattern
from caffempi.engines.numpy.engine import NumpyEngine
from caffempi.engines.onednn import conv, eltwise, inner_product, pooling
from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.layouts import Offers, OneDnnKernel, Prepared
from caffempi.engines.onednn.reorder import movable, reorder
from caffempi.errors import EngineError
from caffempi.ops.graph import Node, Spec

_KNOWN = 1024                                                   # calls whose offers, or refusal, are remembered


class _Family(NamedTuple):
    """why_not: the reason against some attributes. offer: puts the ways to run a call into an Offers."""

    why_not: Callable[[Call, Any], str | None]
    offer: Callable[..., None]


_TABLE = {
    "conv": _Family(conv.why_not, conv.forward),
    "conv_dx": _Family(conv.why_not, conv.data),
    "conv_dw": _Family(conv.why_not, conv.weights),
    "conv_db": _Family(conv.why_not, conv.bias),
    "max_pool": _Family(pooling.why_not, pooling.largest),
    "max_pool_dx": _Family(pooling.why_not, pooling.largest_dx),
    "ave_pool": _Family(pooling.why_not, pooling.mean),
    "ave_pool_dx": _Family(pooling.why_not, pooling.mean_dx),
    "inner_product": _Family(inner_product.why_not, inner_product.forward),
    "inner_product_dx": _Family(inner_product.why_not, inner_product.data),
    "inner_product_dw": _Family(inner_product.why_not, inner_product.weights),
    "relu": _Family(eltwise.why_not, eltwise.relu),
    "relu_dx": _Family(eltwise.why_not, eltwise.relu_dx),
}
_FUSED = (("conv", "relu"), ("inner_product", "relu"))


def _fusable(nodes: Sequence[Node]) -> bool:
    """Whether the first op is one of those that are run here."""
    first = nodes[0]
    return _TABLE[first.op].why_not(Call(first.op, first.attrs, (), ()), first.attrs) is None


@ENGINES.register("onednn")
class OneDnnEngine(Engine):
    """float32 on x86-64. Raises EngineError where oneDNN's library is missing or cannot be loaded."""

    name = "onednn"
    dtypes = ("float32",)
    patterns = tuple(Pattern(ops, _fusable) for ops in _FUSED)

    def __init__(self) -> None:
        self.library = Library()
        self.base = NumpyEngine()
        self._movable = cache(partial(movable, self.library))
        self._reasons = lru_cache(_KNOWN)(self._find_reason)
        self._asked = lru_cache(_KNOWN)(self._ask)

    def why_not(self, call: Call) -> str | None:
        """The library's or our own reason, with the op's name."""
        return self._reasons(call)

    def offers(self, call: Call, near: Near | None = None) -> list[Offer]:
        """The layouts that the library likes, those of the neighbours, and plain ones."""
        return [] if self.why_not(call) is not None else list(self._asked(call, near or Near.unknown(call)).found)

    def compile(self, call: Call, offer: Offer) -> Kernel:
        """The primitive of the offer, made now."""
        return OneDnnKernel(offer.payload) if isinstance(offer.payload, Prepared) else offer.payload

    def reorder(self, spec: Spec, src: Layout, dst: Layout) -> Kernel:
        """A reorder primitive."""
        return reorder(self.library, src, dst)

    def _find_reason(self, call: Call) -> str | None:
        op = " and ".join(call.attrs.ops) if call.op == "fused" else call.op
        ops, attrs = self._parts(call)
        if ops not in _FUSED and (len(ops) > 1 or ops[0] not in _TABLE):
            return super().why_not(call)
        operands = [*call.ins, *call.outs]
        strange = sorted({s.dtype for s in operands if call.op != "max_pool_dx" or s is not call.ins[0]} - set(self.dtypes))
        why = f"computes in float32, not {', '.join(strange)}" if strange else None
        if any(s.count == 0 for s in operands):
            why = "takes no empty arrays"
        why = why or _TABLE[ops[0]].why_not(call, attrs[0])
        if why is None:
            try:
                offers = self._asked(call, Near.unknown(call))
                why = None if offers.found else "; ".join(offers.reasons)
            except EngineError as e:
                why = e.why
        return None if why is None else f"engine onednn does not run {op}: {why}"

    def _ask(self, call: Call, near: Near) -> Offers:
        ops, attrs = self._parts(call)
        offers = Offers(self._movable)
        fused = (attrs[1].slope,) if len(ops) > 1 else ()
        _TABLE[ops[0]].offer(self.library, call, near, offers, attrs[0], *fused)
        return offers

    @staticmethod
    def _parts(call: Call) -> tuple[tuple[str, ...], tuple[Any, ...]]:
        return (call.attrs.ops, call.attrs.attrs) if call.op == "fused" else ((call.op,), (call.attrs,))
