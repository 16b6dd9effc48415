"""The onednn engine: an overlay on numpy for x86-64 CPUs. Which op is offered by which function, and what is fused."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache, partial
from types import ModuleType
from typing import Any, NamedTuple

from caffempi.engines.base import ENGINES, Call, Engine, Kernel, Layout, Near, Offer, Pattern
from caffempi.engines.numpy.engine import NumpyEngine
from caffempi.engines.onednn import (
    affine,
    batch_norm,
    combine,
    concat,
    conv,
    eltwise,
    fold,
    inner_product,
    lrn,
    pooling,
    softmax,
    update,
)
from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.codes import BFLOAT16, FLOAT32
from caffempi.engines.onednn.layouts import Offers, OneDnnKernel, Prepared
from caffempi.engines.onednn.reorder import movable, reorder
from caffempi.errors import EngineError
from caffempi.ops.graph import Node, Spec
from caffempi.ops.shapes import canonical_axis
from caffempi.threads import quiet_blas

_KNOWN = 8192                                                   # calls whose offers, or refusal, are remembered


def _tails(affine: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """What may follow a batch norm: Scale and Bias as there, each with and without ReLU, but not nothing."""
    return [(*ops, *relu) for ops in affine for relu in ((), ("relu",)) if ops or relu]


class _Family(NamedTuple):
    """why_not: the reason against some attributes. offer: puts the ways to run a call into an Offers."""

    why_not: Callable[[Call, Any], str | None]
    offer: Callable[..., None]


def _family(module: ModuleType, offer: Callable[..., None]) -> _Family:
    return _Family(module.why_not, offer)


_TABLE = {
    "conv": _family(conv, conv.forward),
    "conv_dx": _family(conv, conv.data),
    "conv_dw": _family(conv, conv.weights),
    "conv_db": _family(conv, conv.bias),
    "max_pool": _family(pooling, pooling.largest),
    "max_pool_dx": _family(pooling, pooling.largest_dx),
    "ave_pool": _family(pooling, pooling.mean),
    "ave_pool_dx": _family(pooling, pooling.mean_dx),
    "inner_product": _family(inner_product, inner_product.forward),
    "inner_product_dx": _family(inner_product, inner_product.data),
    "inner_product_dw": _family(inner_product, inner_product.weights),
    "batch_norm": _family(batch_norm, batch_norm.training),
    "batch_norm_dx": _family(batch_norm, batch_norm.training_dx),
    "batch_norm_affine_dx": _family(batch_norm, batch_norm.training_dx),
    "batch_norm_global": _family(batch_norm, batch_norm.running),
    "batch_norm_global_dx": _family(affine, affine.binary),
    "scale": _family(affine, affine.binary),
    "bias": _family(affine, affine.binary),
    "scale_dw": _family(affine, affine.sums),
    "bias_db": _family(affine, affine.sums),
    "prelu": _family(affine, affine.prelu),
    "prelu_dx": _family(affine, affine.prelu_dx),
    "prelu_dw": _family(affine, affine.sums),
    "lrn_across": _family(lrn, lrn.forward),
    "lrn_across_dx": _family(lrn, lrn.backward),
    "lrn_within": _family(lrn, lrn.forward),
    "lrn_within_dx": _family(lrn, lrn.backward),
    "softmax": _family(softmax, softmax.forward),
    "softmax_dx": _family(softmax, softmax.backward),
    "concat": _family(concat, concat.join),
    "concat_dx": _family(concat, concat.cut),
    "slice": _family(concat, concat.cut),
    "sum": _family(combine, combine.combined),
    "eltwise_prod": _family(combine, combine.combined),
    "eltwise_max": _family(combine, combine.combined),
    "weighted_sum": _family(combine, combine.weighted),
    "copy": _family(combine, combine.copy),
    **{name: _family(update, update.update) for name in update.OPS},
    **{name: _family(eltwise, eltwise.forward) for name in ("relu", "sigmoid", "tanh", "elu")},
    **{name + "_dx": _family(eltwise, eltwise.backward) for name in ("relu", "sigmoid", "tanh", "elu")},
}
_AFFINE = ((), ("scale",), ("bias",), ("scale", "bias"))
_FUSED = {
    ("conv", "relu"): _TABLE["conv"],
    ("inner_product", "relu"): _TABLE["inner_product"],
    ("sum", "relu"): _TABLE["sum"],
    **{("batch_norm_global", *ops): _TABLE["batch_norm_global"] for ops in _tails(_AFFINE)},
    **{("batch_norm", *ops): _TABLE["batch_norm"] for ops in _tails(_AFFINE)},
    **{("conv", "batch_norm_global", *ops): _family(conv, fold.conv_norm) for ops in [(), *_tails(_AFFINE)]},
}


def _fusable(nodes: Sequence[Node]) -> bool:
    """Whether the first op is one of those that are run here, and what follows it goes channel by channel."""
    first = nodes[0]
    shape = first.outs[0].spec.shape
    if first.op == "conv" and any(n.saved for n in nodes):      # backward wants the statistics
        return False
    for n in nodes[1:]:
        if n.op == "relu" and n.attrs.slope and first.op.startswith("batch_norm"):
            return False
        if n.op in ("scale", "bias") and not (len(shape) > 1 and n.ins[1].spec.shape == (shape[1],)
                                              and canonical_axis(n.attrs.axis, len(shape)) == 1):
            return False
    return _FUSED[tuple(n.op for n in nodes)].why_not(Call(first.op, first.attrs, (), ()), first.attrs) is None


@ENGINES.register("onednn")
class OneDnnEngine(Engine):
    """float32 on x86-64, and with precision bf16 bfloat16 between convolutions and inner products, where the CPU gains by it.

    library: oneDNN's (default: the one that `find_library` finds). Raises EngineError where it is missing or cannot be loaded,
    and for precision bf16 on a CPU that has no instructions for it.
    """

    name = "onednn"
    dtypes = ("float32",)
    precisions: tuple[str, ...] = ("fp32", "bf16")
    patterns = tuple(Pattern(ops, _fusable) for ops in _FUSED)

    def __init__(self, precision: str = "fp32", library: Library | None = None) -> None:
        super().__init__(precision)
        self.library = library or Library()
        quiet_blas()
        if BFLOAT16 not in self.library.types:
            self.precisions = ("fp32",)
            if precision == "bf16":
                raise EngineError("precision bf16 asks for a CPU with avx512_bf16 or amx_bf16 instructions; oneDNN finds "
                                  f"{self.library.isa} here", fix="leave the precision out: fp32 is faster on this CPU")
        self._types = self.library.types if precision == "bf16" else (FLOAT32,)
        self.base = NumpyEngine()
        self._movable = cache(partial(movable, self.library))
        self._reasons = lru_cache(_KNOWN)(self._find_reason)
        self._barred = lru_cache(_KNOWN)(self._find_bar)
        self._asked = lru_cache(_KNOWN)(self._ask)
        self._reorder = lru_cache(_KNOWN)(partial(reorder, self.library, cache(self.alloc)))

    def why_not(self, call: Call) -> str | None:
        """The library's or our own reason, with the op's name."""
        return self._reasons(call)

    def offers(self, call: Call, near: Near | None = None) -> list[Offer]:
        """The layouts that the library likes, those of the neighbours, and plain ones."""
        if self._barred(call) is not None:
            return []
        try:
            return list(self._asked(call, near or Near.unknown(call)).found)
        except EngineError:                                    # why_not has the words
            return []

    def compile(self, call: Call, offer: Offer) -> Kernel:
        """The primitive of the offer, made now."""
        made: Kernel = OneDnnKernel(offer.payload) if isinstance(offer.payload, Prepared) else offer.payload.compile()
        return made

    def reorder(self, spec: Spec, src: Layout, dst: Layout) -> Kernel:
        """A reorder primitive."""
        return self._reorder(spec.shape, src, dst)

    def _find_reason(self, call: Call) -> str | None:
        why = self._barred(call)
        if why is None:
            try:
                offers = self._asked(call, Near.unknown(call))
                why = None if offers.found else "; ".join(offers.reasons)
            except EngineError as e:
                why = e.why
        if why is None or why == super().why_not(call):
            return why
        op = " and ".join(call.attrs.ops) if call.op == "fused" else call.op
        return f"engine onednn does not run {op}: {why}"

    def _find_bar(self, call: Call) -> str | None:
        """The reason against a call that can be seen without asking the library."""
        ops, attrs = self._parts(call)
        family = _FUSED.get(ops) if len(ops) > 1 else _TABLE.get(ops[0])
        if family is None:
            return super().why_not(call)
        operands = [*call.ins, *call.outs]
        strange = sorted({s.dtype for s in operands if call.op != "max_pool_dx" or s is not call.ins[0]} - set(self.dtypes))
        if strange:
            return f"computes in float32, not {', '.join(strange)}"
        if any(s.count == 0 for s in operands):
            return "takes no empty arrays"
        return family.why_not(call, attrs[0])

    def _ask(self, call: Call, near: Near) -> Offers:
        ops, attrs = self._parts(call)
        offers = Offers(self._movable, self._types)
        if len(ops) == 1:
            _TABLE[ops[0]].offer(self.library, call, near, offers, attrs[0])
        else:
            _FUSED[ops].offer(self.library, call, near, offers, attrs[0], attrs[-1].slope if ops[-1] == "relu" else None)
        return offers

    @staticmethod
    def _parts(call: Call) -> tuple[tuple[str, ...], tuple[Any, ...]]:
        return (call.attrs.ops, call.attrs.attrs) if call.op == "fused" else ((call.op,), (call.attrs,))
