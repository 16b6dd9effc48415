"""Kernels with their arrays: what a step of the cuda engine runs."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from caffempi.engines.base import Operands
from caffempi.engines.cuda.device import Device
from caffempi.engines.cuda.rule import NULL, Arg, Array, Given, Job, Launch, Multiply, Part, Scratch, Slot, array_dtype

Functions = Mapping[str, Any]                                   # name expression -> compiled kernel


class CudaKernel:
    """A call's work on a device: compiled kernels and products of libraries, in order; none for a call without elements.

    what: the call's name in messages. tf32: products of float32 may be rounded to TF32. stored: (kind, place) -> dtype of
    operands that come as bytes. stream: where it runs if not on the compute stream.
    """

    def __init__(self, device: Device, job: Job, functions: Functions, what: str, tf32: bool = False,
                 stored: Mapping[tuple[str, int], str] | None = None, stream: Any = None) -> None:
        self._device, self._job, self._functions, self._what, self._tf32 = device, job, functions, what, tf32
        self._stream = stream or device.compute
        self._stored = stored or {}

    def bind(self, ptrs: Operands) -> Callable[[], None]:
        """The starts of all on the stream, arguments packed; ptrs hold arrays of the device."""
        bound = _Bound(self._device, ptrs, self._what, self._stored)
        calls = []
        for work in self._job.work:
            if isinstance(work, Multiply):
                calls.append(self._product(work, bound))
            else:
                calls.append(self._launch(work, bound))
        if len(calls) == 1:
            return calls[0]

        def run() -> None:
            for call in calls:
                call()
        return run

    def _launch(self, n: Launch, bound: _Bound) -> Callable[[], None]:
        return partial(self._functions[n.expression], n.grid, n.block, tuple(map(bound.argument, n.args)),
                       stream=self._stream)

    def _product(self, w: Multiply, bound: _Bound) -> Callable[[], None]:
        product = replace(w.product, beta=1.0 if w.add and bound.ptrs.add else w.product.beta, tf32=self._tf32)
        arrays = tuple(map(bound.array, (w.a, w.b, w.c)))
        return partial(_held, arrays, self._device.blas.bind(product, *[a.data.ptr for a in arrays]))


def _held(arrays: tuple[Any, ...], call: Callable[[], None]) -> None:
    """Runs a call that knows its arrays by address only; they live as long as it does."""
    call()


class _Bound:
    """The arguments of one bound kernel, all launches together."""

    def __init__(self, device: Device, ptrs: Operands, what: str, stored: Mapping[tuple[str, int], str]) -> None:
        self.ptrs, self._stored = ptrs, stored
        self._device, self._what = device, what
        self._fault: Any = None

    def argument(self, arg: Arg) -> Any:
        """What is handed to CuPy."""
        if isinstance(arg, np.generic):
            return arg
        if not isinstance(arg, Slot):
            return self.array(arg)
        if arg.kind == "add":
            return np.int32(self.ptrs.add)
        if arg.kind == "rng":
            return self._device.words(self.ptrs.rng)
        if arg.kind == "fault":
            if self._fault is None:
                self._fault = self._device.fault(self._what, self.ptrs.owner)
            return self._fault
        return NULL if arg.kind == "saved" and not self.ptrs.saved else self.array(arg)

    def array(self, arg: Array) -> Any:
        """An array of the device."""
        if isinstance(arg, Given):
            return self._device.given(arg.array)
        if isinstance(arg, Part):
            return self.array(arg.of).reshape(-1)[arg.lo:arg.lo + arg.count]
        if isinstance(arg, Scratch):
            assert self.ptrs.scratch is not None
            return self.ptrs.scratch[arg.offset:arg.offset + arg.nbytes].view(array_dtype(arg.dtype))
        array, dtype = getattr(self.ptrs, arg.kind)[arg.place], self._stored.get((arg.kind, arg.place))
        return array if dtype is None else array.view(dtype)
