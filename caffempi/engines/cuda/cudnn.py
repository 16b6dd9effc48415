"""Convolutions by cuDNN 9, through the graph interface of nvidia-cudnn-frontend: the only file that knows it.

A convolution becomes a graph of one to three operations on tensors with numbers of our own (X, W, Y, BIAS), which cuDNN's
heuristics turn into a plan; a plan runs on addresses of the device. Only plans whose results repeat bit for bit are taken,
and float32 that is not tf32 keeps to plans without tensor cores, which would round it to TF32.

Source of the calls: the frontend's own documentation (version 1.26). The frontend is no dependency of the package: without
it convolutions are products of unfolded images (see `rules/conv.py`).
"""
from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any

from caffempi.engines.cuda.conv import Conv, strides
from caffempi.errors import EngineError

X, W, Y, BIAS = 1, 2, 3, 4
"""What the tensors of every graph are called: input, weights, output (or their gradients), bias."""

MOST_WORKSPACE = 1 << 30
"""Bytes; plans that want more are left out."""

_AXES = (1, 2, 3)                                               # spatial axes that there are plans for


def load() -> Any:
    """The frontend's module with cuDNN behind it. Raises EngineError with the fix where either is missing."""
    try:
        cudnn: Any = importlib.import_module("cudnn")
        cudnn.backend_version()
    except Exception as e:                                      # no frontend; or a frontend that finds no libcudnn
        raise _unusable(e) from None
    return cudnn


def _unusable(e: Exception) -> EngineError:
    reason = next((line for line in str(e).splitlines() if line.strip()), type(e).__name__)
    return EngineError(f"cuDNN cannot be used ({reason}): convolutions run slower, by unfolding and cuBLAS",
                       fix='pip install "caffempi[cuda12]" or "caffempi[cuda13]"')


class Cudnn:
    """Plans of one device. where: what the frontend wants to know of it, {"handle": ...} or, to plan without a device,
    {"device_property": ..., "sm_version": ...}."""

    def __init__(self, cudnn: Any, where: Mapping[str, Any]) -> None:
        self._cudnn, self._where = cudnn, dict(where)
        self._plans: dict[Conv, ConvPlan | EngineError] = {}

    @classmethod
    def on(cls, cudnn: Any, stream: int) -> Cudnn:
        """With a handle on that stream of the current device. Raises EngineError where cuDNN does not get on with the device
        or its driver."""
        try:
            handle = cudnn.create_handle()
            cudnn.set_stream(handle, stream)
        except Exception as e:                                  # the frontend has RuntimeError and errors of its own
            raise _unusable(e) from None
        return cls(cudnn, {"handle": handle})

    @property
    def version(self) -> int:
        """cuDNN's own, such as 92801 for 9.28.1."""
        return int(self._cudnn.backend_version())

    def plan(self, conv: Conv) -> ConvPlan:
        """The best plan by cuDNN's heuristics, made at the first asking. Raises EngineError with its reason for none."""
        if conv not in self._plans:
            try:
                self._plans[conv] = ConvPlan(self._build(conv.wide()), self._where.get("handle"))
            except EngineError as e:
                self._plans[conv] = e
            except Exception as e:                              # cudnnGraphNotSupportedError, and RuntimeError
                reason = next((line for line in str(e).splitlines() if line.strip()), type(e).__name__)
                self._plans[conv] = EngineError(f"cuDNN has no plan for it in {conv.dtype}: {reason[:200]}")
        found = self._plans[conv]
        if isinstance(found, EngineError):
            raise found
        return found

    def _build(self, c: Conv) -> Any:
        cudnn, kinds = self._cudnn, self._cudnn.data_type
        if len(c.stride) not in _AXES:
            raise EngineError(f"cuDNN has no plan for {len(c.stride)} spatial axes")
        stored = {"float32": kinds.FLOAT, "float16": kinds.HALF, "bfloat16": kinds.BFLOAT16}[c.dtype]
        g = cudnn.pygraph(io_data_type=stored, intermediate_data_type=kinds.FLOAT, compute_data_type=kinds.FLOAT, **self._where)

        def given(uid: int, shape: tuple[int, ...]) -> Any:
            return g.tensor(name=f"t{uid}", dim=list(shape), stride=strides(shape, c.last), data_type=stored, uid=uid)
        how = {"pre_padding": list(c.low), "post_padding": list(c.high), "stride": list(c.stride), "dilation": list(c.dilation),
               "compute_data_type": kinds.FLOAT}
        if c.kind == "forward":
            uid, shape = Y, c.y
            out = g.conv_fprop(image=given(X, c.x), weight=given(W, c.w), **how)
            if c.bias:
                row = (1, c.y[1], *(1,) * len(c.stride))
                out = g.bias(name="bias", input=out, bias=given(BIAS, row))
            if c.relu:
                out = g.relu(name="relu", input=out)
        elif c.kind == "data":
            uid, shape = X, c.x
            out = g.conv_dgrad(loss=given(Y, c.y), filter=given(W, c.w), **how)
        else:
            uid, shape = W, c.w
            out = g.conv_wgrad(image=given(X, c.x), loss=given(Y, c.y), **how)
        out.set_output(True).set_data_type(stored).set_dim(list(shape)).set_stride(strides(shape, c.last)).set_uid(uid)
        g.validate()
        g.build_operation_graph()
        g.create_execution_plans([cudnn.heur_mode.A, cudnn.heur_mode.FALLBACK])
        notes = [cudnn.numerical_note.NONDETERMINISTIC]
        if c.dtype == "float32" and not c.tf32:
            notes.append(cudnn.numerical_note.TENSOR_CORE)
        g.deselect_numeric_notes(notes)
        g.deselect_workspace_greater_than(MOST_WORKSPACE)
        g.check_support()
        g.build_plans(cudnn.build_plan_policy.HEURISTICS_CHOICE)
        return g


class ConvPlan:
    """A plan that runs on any addresses. workspace: bytes of scratch that it wants."""

    def __init__(self, graph: Any, handle: int | None) -> None:
        self._graph, self._handle = graph, handle
        self.workspace = int(graph.get_workspace_size())

    def bind(self, addresses: Mapping[int, int], workspace: int) -> Callable[[], None]:
        """The convolution on the tensors at those addresses (X, W, Y, BIAS -> address), as a call without arguments that
        only puts work into the stream. Addresses are multiples of 16."""
        graph, pack, handle = self._graph, dict(addresses), self._handle

        def convolve() -> None:
            graph.execute(pack, workspace, handle=handle)
        return convolve
