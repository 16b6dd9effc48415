"""Ops whose work is code or files of the host (Python layers, stores): the definition runs there, between copies."""
from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from caffempi.engines.base import PLAIN, Call, Offer, Operands
from caffempi.engines.cuda.device import Device
from caffempi.ops.op import get_op


def runs_on_host(op: str) -> bool:
    """Whether an op is such a one."""
    return "host" in get_op(op).effects


def host_offer(call: Call) -> Offer:
    """All operands plain; the GPU is waited for, so that it cannot be recorded."""
    return Offer((PLAIN,) * len(call.ins), (PLAIN,) * len(call.outs), capturable=False)


class HostKernel:
    """Brings the ins to the host, runs the op's definition, and brings the outs back."""

    def __init__(self, device: Device, call: Call) -> None:
        self._device, self._op, self._attrs = device, get_op(call.op), call.attrs

    def bind(self, ptrs: Operands) -> Callable[[], None]:
        """The call on arrays of the device."""
        return partial(self._run, ptrs.ins, ptrs.outs)

    def _run(self, ins: tuple[Any, ...], outs: tuple[Any, ...]) -> None:
        stream = self._device.compute
        given = [a.get(stream=stream) for a in ins]
        made = [np.empty(a.shape, a.dtype) for a in outs]
        self._op.forward(self._attrs, given, made, (), (), None)
        for a, values in zip(outs, made, strict=True):
            a.set(values, stream=stream)
