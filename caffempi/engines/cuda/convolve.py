"""Convolutions by cuDNN as the plan sees them: offers in its layouts, and kernels on arrays."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from caffempi.engines.base import Call, Offer, Operands, Pattern
from caffempi.engines.cuda.conv import Conv, conv_of
from caffempi.engines.cuda.cudnn import BIAS, Cudnn, W, X, Y
from caffempi.engines.cuda.device import Device
from caffempi.engines.cuda.layouts import STORED, layout_of
from caffempi.engines.cuda.rule import ALIGN, bytes_of
from caffempi.engines.cuda.rules.conv import own_pays
from caffempi.errors import EngineError
from caffempi.ops.fused import FusedAttrs
from caffempi.ops.graph import Node
from caffempi.ops.op import nbytes

_OPERANDS = {"forward": (X, W, BIAS, Y), "data": (W, Y, X), "weights": (X, Y, W)}
"""What ins and the out of each product are to cuDNN."""


def is_convolution(call: Call) -> bool:
    """Whether the call is one of those that `offers` knows."""
    ops = call.attrs.ops if isinstance(call.attrs, FusedAttrs) else (call.op,)
    return ops in (("conv",), ("conv_dx",), ("conv_dw",), ("conv", "relu"))


def is_wanted(call: Call, precision: str) -> bool:
    """Whether cuDNN is to run the call: as the net's text asks, else unless own kernels are ahead of it."""
    return is_convolution(call) and (call.wish == "CUDNN" or not (call.wish == "CAFFE" or own_pays(call, precision)))


def _fusable(nodes: Sequence[Node]) -> bool:
    """Whether cuDNN has plans for the convolution with what follows it: on all GPUs those with a bias and a plain ReLU."""
    conv, relu = nodes
    shape = conv.ins[0].spec.shape
    return len(conv.ins) == 3 and not relu.attrs.slope and len(shape) == 4 and conv.attrs.axis in (1, -3)


class Chosen(NamedTuple):
    """The payload of an offer."""

    conv: Conv
    impl: str = "cudnn"


PATTERNS = (Pattern(("conv", "relu"), _fusable),)


def offers(call: Call, precision: str, cudnn: Cudnn) -> list[Offer]:
    """One for each way of storing that cuDNN has a plan for.

    Float32 that is not rounded runs best with channels first; the rest with channels last, and pays for a copy of input and
    output where they come otherwise.
    """
    found = []
    specs = (*call.ins, *call.outs)
    empty = not all(s.count for s in specs)
    images = all(len(s.shape) in (1, 4) for s in specs)         # batch, channels, two axes; and a bias
    for dtype in STORED[precision]:
        for last in (False, True):
            conv = conv_of(call, dtype, last, precision == "tf32")
            if last and not images:
                continue
            try:
                scratch = 0 if empty else cudnn.plan(conv).workspace
            except EngineError:
                continue
            better = dtype != "float32" or conv.tf32
            cost = 1.0 + (nbytes(specs) if last != better else 0) + (nbytes(specs) / 2 if dtype != STORED[precision][0] else 0)
            layouts = [layout_of(s, dtype, last and len(s.shape) == 4) for s in specs]
            found.append(Offer(tuple(layouts[:-1]), (layouts[-1],), scratch=-(-scratch // ALIGN) * ALIGN, cost=cost,
                               payload=Chosen(conv)))
    return found


class ConvKernel:
    """A convolution's plan; without elements it writes zeros, if anything."""

    def __init__(self, device: Device, call: Call, conv: Conv) -> None:
        self._device, self._conv = device, conv
        self._plan = device.cudnn.plan(conv) if all(s.count for s in (*call.ins, *call.outs)) else None
        self._nbytes = call.outs[0].count * bytes_of(conv.dtype)

    def bind(self, ptrs: Operands) -> Callable[[], None]:
        """The plan on those arrays, on the compute stream."""
        (out,) = ptrs.outs
        if self._plan is None:
            return partial(self._clear, out)
        names = [n for n in _OPERANDS[self._conv.kind] if n != BIAS or self._conv.bias]
        arrays: Sequence[Any] = (*ptrs.ins, out)
        addresses = {name: a.data.ptr for name, a in zip(names, arrays, strict=True)}
        scratch: Any = ptrs.scratch
        workspace = 0 if scratch is None else scratch.data.ptr
        return partial(_held, (arrays, scratch), self._plan.bind(addresses, workspace))

    def _clear(self, out: Any) -> None:
        if self._nbytes:
            out.data.memset_async(0, self._nbytes, self._device.compute)


def _held(arrays: Any, call: Callable[[], None]) -> None:
    """Runs a call that knows its arrays by address only; they live as long as it does."""
    call()
