"""A stand-in for libcublas: C functions with prototypes of their own that compute by NumPy on host memory.

The prototypes are written down here anew, so that an argument in the wrong place or of the wrong size gives wrong numbers or
is refused. On the stand-in for CuPy a product is queued on the stream that its handle was given, and memory outside an
allocation is refused.
"""
from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import c_int, c_int64, c_size_t, c_void_p
from functools import partial
from typing import Any

import numpy as np

STORAGE = {0: "float32", 1: "float64", 2: "float16", 14: "bfloat16"}
SCALAR = {68: ctypes.c_float, 77: ctypes.c_float, 70: ctypes.c_double}
GEMM = (c_int, c_void_p, c_int, c_int, c_int64, c_int64, c_int64, c_void_p, c_void_p, c_int, c_int64, c_int64,
        c_void_p, c_int, c_int64, c_int64, c_void_p, c_void_p, c_int, c_int64, c_int64, c_int64, c_int, c_int)


class FakeBlas:
    """The library. device: of the stand-in for CuPy; None: products run at once. status: what every function returns."""

    def __init__(self, device: Any = None, status: int = 0) -> None:
        self.status = status
        self.streams: dict[int, int] = {}                      # handle -> stream
        self.workspaces: dict[int, tuple[int, int]] = {}
        self.products: list[dict[str, Any]] = []               # what each product was asked for
        self._device = device
        made = {"cublasCreate_v2": ((c_int, ctypes.POINTER(c_void_p)), self._create),
                "cublasDestroy_v2": ((c_int, c_void_p), self._destroy),
                "cublasSetStream_v2": ((c_int, c_void_p, c_void_p), self._set_stream),
                "cublasSetWorkspace_v2": ((c_int, c_void_p, c_void_p, c_size_t), self._set_workspace),
                "cublasGemmStridedBatchedEx_64": (GEMM, self._gemm)}
        for name, (types, function) in made.items():
            setattr(self, name, ctypes.CFUNCTYPE(*types)(partial(self._guarded, function)))
        self.error: BaseException | None = None

    def _guarded(self, function: Callable[..., None], *args: Any) -> int:
        """A C caller takes no exceptions: it gets 13, and the test finds the exception in `error`."""
        try:
            function(*args)
        except BaseException as e:
            self.error = e
            return 13
        return self.status

    def _create(self, handle: Any) -> None:
        number = 1000 + len(self.streams)
        handle[0] = number
        self.streams[number] = 0

    def _destroy(self, handle: int) -> None:
        del self.streams[handle]

    def _set_stream(self, handle: int, stream: int) -> None:
        self.streams[handle] = stream

    def _set_workspace(self, handle: int, address: int, nbytes: int) -> None:
        self.workspaces[handle] = address, nbytes

    def _gemm(self, handle: int, op_a: int, op_b: int, m: int, n: int, k: int, alpha: int, a: int, a_type: int, lda: int,
              a_stride: int, b: int, b_type: int, ldb: int, b_stride: int, beta: int, c: int, c_type: int, ldc: int,
              c_stride: int, batch: int, compute: int, algorithm: int) -> None:
        assert handle in self.workspaces, "a handle without a workspace allocates by itself"
        assert min(m, n, batch) > 0 and k >= 0 and {op_a, op_b} <= {0, 1} and algorithm == -1
        assert a_type == b_type and compute in ((70,) if a_type == 1 else (68, 77)) and (c_type == a_type or c_type == 0)
        assert lda >= max(1, k if op_a else m) and ldb >= max(1, n if op_b else k) and ldc >= m
        scale, add = (SCALAR[compute].from_address(p).value for p in (alpha, beta))   # host scalars: read by the call itself
        self.products.append({"m": m, "n": n, "k": k, "batch": batch, "types": (a_type, c_type), "compute": compute})
        left = self._matrices(a, a_type, (k, m) if op_a else (m, k), lda, a_stride, batch)
        right = self._matrices(b, b_type, (n, k) if op_b else (k, n), ldb, b_stride, batch)
        out = self._matrices(c, c_type, (m, n), ldc, c_stride, batch)
        wide = np.float64 if compute == 70 else np.float32

        def run() -> None:
            with np.errstate(all="ignore"):
                for x, y, z in zip(left, right, out, strict=True):
                    x, y = (x.T if op_a else x).astype(wide), (y.T if op_b else y).astype(wide)
                    made = wide(scale) * (x @ y)
                    z[...] = made if add == 0 else made + wide(add) * z.astype(wide)    # 0: C is not read, so that NaN is legal
        if self._device is None:
            run()
        else:
            self._device.stream_at(self.streams[handle]).push("product", run)

    def _matrices(self, address: int, kind: int, shape: tuple[int, int], ld: int, stride: int, batch: int) -> list[np.ndarray]:
        """Views of matrices that lie column by column."""
        if STORAGE[kind] == "bfloat16":
            import ml_dtypes  # noqa: F401
        dtype, (rows, columns) = np.dtype(STORAGE[kind]), shape
        views = []
        for at in range(batch):
            nbytes = (ld * (columns - 1) + rows) * dtype.itemsize if columns and rows else 0
            start = address + at * stride * dtype.itemsize
            if self._device is not None and nbytes:
                self._device.refuse_outside(start, nbytes)
            raw = np.frombuffer((ctypes.c_char * nbytes).from_address(start), dtype) if nbytes else np.zeros(0, dtype)
            views.append(np.lib.stride_tricks.as_strided(raw, shape, (dtype.itemsize, ld * dtype.itemsize)))
        return views
