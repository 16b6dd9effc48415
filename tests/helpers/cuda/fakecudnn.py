"""A stand-in for the module `cudnn` of nvidia-cudnn-frontend: graphs of convolutions, computed by the ops' definitions.

It takes what the real one takes in the order in which the real one wants it, refuses what that refuses (dims or strides that
were not given, a graph that was not validated and built, addresses that are not aligned), and on the stand-in for CuPy
queues the work on the handle's stream and refuses memory outside an allocation.
"""
from __future__ import annotations

import ctypes
from enum import Enum
from types import SimpleNamespace
from typing import Any

import numpy as np

from caffempi.ops import get_op
from caffempi.ops.conv import ConvAttrs

DataType = Enum("DataType", "FLOAT HALF BFLOAT16 NOT_SET")
STORAGE = {DataType.FLOAT: "float32", DataType.HALF: "float16", DataType.BFLOAT16: "bfloat16"}
WORKSPACE = 131                                                 # an odd number, as the real one gives


class NotSupportedError(Exception):
    """cudnnGraphNotSupportedError."""


class Tensor:
    """A tensor of a graph."""

    def __init__(self, dim: Any, stride: Any, kind: Any, uid: int, maker: Any = None) -> None:
        self.dim, self.stride, self.kind, self.uid, self.maker, self.output = dim, stride, kind, uid, maker, False

    def set_output(self, on: bool) -> Tensor:
        self.output = on
        return self

    def set_data_type(self, kind: Any) -> Tensor:
        self.kind = kind
        return self

    def set_dim(self, dim: list[int]) -> Tensor:
        self.dim = dim
        return self

    def set_stride(self, stride: list[int]) -> Tensor:
        self.stride = stride
        return self

    def set_uid(self, uid: int) -> Tensor:
        self.uid = uid
        return self

    def at(self, address: int, device: Any) -> np.ndarray:
        """The tensor in memory, by its strides."""
        if self.kind == DataType.BFLOAT16:
            import ml_dtypes  # noqa: F401
        dtype = np.dtype(STORAGE[self.kind])
        nbytes = (1 + sum((d - 1) * s for d, s in zip(self.dim, self.stride, strict=True))) * dtype.itemsize
        assert address % 16 == 0, f"tensor {self.uid} is not aligned to 16 bytes"
        if device is not None:
            device.refuse_outside(address, nbytes)
        raw = np.frombuffer((ctypes.c_char * nbytes).from_address(address), dtype)
        return np.lib.stride_tricks.as_strided(raw, self.dim, [s * dtype.itemsize for s in self.stride])


class Graph:
    """cudnn.pygraph."""

    def __init__(self, owner: FakeCudnn, io_data_type: Any, intermediate_data_type: Any, compute_data_type: Any,
                 handle: int) -> None:
        assert intermediate_data_type == compute_data_type == DataType.FLOAT and handle in owner.streams
        self._owner, self._tensors, self._outs, self._stage = owner, [], [], 0
        self.notes: list[str] = []
        owner.graphs.append(self)

    def tensor(self, *, name: str, dim: list[int], stride: list[int], data_type: Any, uid: int) -> Tensor:
        self._tensors.append(Tensor(dim, stride, data_type, uid))
        return self._tensors[-1]

    def _out(self, *maker: Any) -> Tensor:
        self._outs.append(Tensor(None, None, None, -1, maker))
        return self._outs[-1]

    def conv_fprop(self, *, image: Tensor, weight: Tensor, **how: Any) -> Tensor:
        return self._out("conv", (image, weight), how)

    def conv_dgrad(self, *, loss: Tensor, filter: Tensor, **how: Any) -> Tensor:
        return self._out("conv_dx", (filter, loss), how)

    def conv_wgrad(self, *, image: Tensor, loss: Tensor, **how: Any) -> Tensor:
        return self._out("conv_dw", (image, loss), how)

    def bias(self, *, name: str, input: Tensor, bias: Tensor) -> Tensor:
        return self._out("bias", (input, bias), {})

    def relu(self, *, name: str, input: Tensor) -> Tensor:
        return self._out("relu", (input,), {})

    def validate(self) -> None:
        self._step(0)
        (out,) = [t for t in self._outs if t.output]
        assert out is self._outs[-1] and out.dim and out.stride and out.kind

    def build_operation_graph(self) -> None:
        self._step(1)

    def create_execution_plans(self, modes: list[str]) -> None:
        self._step(2)
        assert modes == ["A", "FALLBACK"]

    def deselect_numeric_notes(self, notes: list[str]) -> None:
        assert self._stage == 3
        self.notes += notes

    def deselect_workspace_greater_than(self, nbytes: int) -> None:
        assert self._stage == 3 and nbytes > 0

    def check_support(self) -> None:
        self._step(3)
        refused = self._owner.refuse
        if refused is not None and refused(self._outs[0].maker[0], self._outs[-1].kind):
            raise NotSupportedError("No valid engine configs for Conv_\nand more lines")

    def build_plans(self, policy: str) -> None:
        self._step(4)

    def get_workspace_size(self) -> int:
        assert self._stage == 5
        return WORKSPACE

    def _step(self, stage: int) -> None:
        assert self._stage == stage, "the steps of a graph's life are in another order"
        self._stage += 1

    def execute(self, pack: dict[int, int], workspace: int, handle: int) -> None:
        device = self._owner.device
        if device is not None:
            device.refuse_outside(workspace, WORKSPACE)
        arrays = {t.uid: t.at(pack[t.uid], device) for t in [*self._tensors, self._outs[-1]]}
        assert set(pack) == set(arrays)

        def value(t: Tensor) -> np.ndarray:
            if t.maker is None:
                return arrays[t.uid].astype(np.float32)
            op, ins, how = t.maker
            given = [value(i) for i in ins]
            if op == "bias":
                return given[0] + given[1]
            if op == "relu":
                return np.maximum(given[0], 0)
            return _convolve(op, given, how, arrays[self._outs[-1].uid].shape)

        def run() -> None:
            with np.errstate(all="ignore"):
                arrays[self._outs[-1].uid][...] = value(self._outs[-1])
        if device is None:
            run()
        else:
            device.stream_at(self._owner.streams[handle]).push("convolution", run)


def _convolve(op: str, ins: list[np.ndarray], how: dict[str, Any], out: tuple[int, ...]) -> np.ndarray:
    """By the op's definition; zeros around the image are put there, so that the two sides may differ."""
    low, high, stride = how["pre_padding"], how["post_padding"], tuple(how["stride"])
    zero = (0,) * len(low)
    around = [(0, 0), (0, 0), *zip(low, high, strict=True)]
    if op != "conv_dx":
        ins = [np.pad(ins[0], around), ins[1]]
    shape = [d + a + b for d, (a, b) in zip(out, around, strict=True)] if op == "conv_dx" else list(out)
    w = ins[1].shape if op == "conv" else ins[0].shape if op == "conv_dx" else tuple(out)
    channels = shape[1] if op == "conv_dx" else ins[0].shape[1]
    attrs = ConvAttrs(tuple(w[2:]), stride, zero, tuple(how["dilation"]), channels // w[1])
    made = np.zeros(shape, np.float32)
    get_op(op).forward(attrs, ins, [made], (), (), None)
    return made[tuple(slice(a, d - b) for d, (a, b) in zip(shape, around, strict=True))] if op == "conv_dx" else made


class FakeCudnn:
    """The module. device: of the stand-in for CuPy; None: work runs at once. refuse(op, type): whether it has no plan."""

    data_type = DataType
    heur_mode = SimpleNamespace(A="A", FALLBACK="FALLBACK")
    numerical_note = SimpleNamespace(NONDETERMINISTIC="NONDETERMINISTIC", TENSOR_CORE="TENSOR_CORE")
    build_plan_policy = SimpleNamespace(HEURISTICS_CHOICE="HEURISTICS_CHOICE")

    def __init__(self, device: Any = None, refuse: Any = None) -> None:
        self.device, self.refuse = device, refuse
        self.streams: dict[int, int] = {}
        self.graphs: list[Graph] = []

    def backend_version(self) -> int:
        return 92801

    def create_handle(self) -> int:
        handle = 500 + len(self.streams)
        self.streams[handle] = 0
        return handle

    def set_stream(self, handle: int, stream: int) -> None:
        self.streams[handle] = stream

    def pygraph(self, **options: Any) -> Graph:
        return Graph(self, **options)
