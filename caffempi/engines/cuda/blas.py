"""Matrix products by cuBLAS, called through its C interface: CuPy refuses its own cuBLAS calls while a stream captures.

Matrices here lie row by row, as everywhere in caffempi; cuBLAS reads columns. C = op(A) op(B) is the same memory as
C' = op(B)' op(A)' read by columns, so that A and B only change places. All calls go to one stream by one handle, whose
workspace is given to it once: nothing is allocated later, a capture holds no memory nodes, and results repeat bit for bit.

Source of names, numbers and argument orders: cuBLAS' documentation, section "cublasGemmStridedBatchedEx" (the _64 form,
whose sizes are 64 bits wide).
"""
from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from caffempi.engines.cuda.libraries import open_library
from caffempi.errors import EngineError

WORKSPACE = 32 << 20
"""Bytes that cuBLAS wants for its fastest products on the largest GPUs."""

_NAMES = ("libcublas.so.13", "libcublas.so.12")
_TYPES = {"float32": 0, "float64": 1, "float16": 2, "bfloat16": 14}          # cudaDataType
_COMPUTE = {"float32": 68, "float64": 70, "tf32": 77}                       # cublasComputeType_t
_STATUS = {1: "not initialised (no device, or out of memory)", 3: "out of memory", 7: "a bad argument", 8: "needs a newer GPU",
           13: "the GPU failed", 14: "an internal failure", 15: "not supported"}
_PLAIN, _TURNED = 0, 1                                         # cublasOperation_t N and T
_ANY = -1                                                       # cublasGemmAlgo_t: the library chooses

_int, _long, _pointer = ctypes.c_int, ctypes.c_int64, ctypes.c_void_p
PROTOTYPES: dict[str, tuple[Any, ...]] = {
    "cublasCreate_v2": (_pointer,),
    "cublasDestroy_v2": (_pointer,),
    "cublasSetStream_v2": (_pointer, _pointer),
    "cublasSetWorkspace_v2": (_pointer, _pointer, ctypes.c_size_t),
    "cublasGemmStridedBatchedEx_64": (
        _pointer, _int, _int, _long, _long, _long, _pointer,    # handle, opA, opB, m, n, k, alpha
        _pointer, _int, _long, _long,                           # A, type, leading dimension, stride
        _pointer, _int, _long, _long,                           # B
        _pointer, _pointer, _int, _long, _long,                 # beta, C
        _long, _int, _int),                                     # batch, compute type, algorithm
}
"""The functions that are called, with the types of their arguments; each returns a cublasStatus_t."""


@dataclass(frozen=True)
class Product:
    """C = alpha op(A) op(B) + beta C for `batch` matrices each: op(A) m x k, op(B) k x n, C m x n, all row by row.

    turn_a: A is stored k x m; turn_b: B is stored n x k. a_stride, b_stride, c_stride: elements from one matrix of the batch
    to the next (0: all read the same one). dtype: of A and B; out: of C (default: the same). tf32: float32 operands may be
    rounded to 10 bits of mantissa. Sums are made in float32, or in float64 where the operands are.
    """

    m: int
    n: int
    k: int
    turn_a: bool = False
    turn_b: bool = False
    alpha: float = 1.0
    beta: float = 0.0
    batch: int = 1
    a_stride: int = 0
    b_stride: int = 0
    c_stride: int = 0
    dtype: str = "float32"
    out: str = ""
    tf32: bool = False

    @property
    def compute(self) -> str:
        """What sums are made in: 'float32', 'float64', or 'tf32'."""
        if self.dtype == "float64":
            return "float64"
        return "tf32" if self.tf32 and self.dtype == "float32" else "float32"


def load() -> Any:
    """libcublas, wherever pip, conda or the system put it. Raises EngineError with the fix where it is not found."""
    try:
        return open_library("cublas", _NAMES)
    except OSError as e:
        raise EngineError(f"engine cuda needs cuBLAS, and {e}",
                          fix='pip install "caffempi[cuda12]" or "caffempi[cuda13]", whichever the driver runs') from None


class Blas:
    """A handle on a stream. library: what `load` gives. workspace: address and bytes on the device, for the handle alone.

    Raises EngineError where the library lacks a function or refuses the handle.
    """

    def __init__(self, library: Any, stream: int, workspace: tuple[int, int]) -> None:
        self._functions: dict[str, Any] = {}
        for name, types in PROTOTYPES.items():
            try:
                function = getattr(library, name)
            except AttributeError:
                raise EngineError(f"libcublas has no {name}: it is older than CUDA 12",
                                  fix='pip install "caffempi[cuda12]" or "caffempi[cuda13]"') from None
            function.argtypes, function.restype = types, _int
            self._functions[name] = function
        handle = _pointer()
        self._call("cublasCreate_v2", ctypes.addressof(handle))
        self._handle = handle.value
        self._call("cublasSetStream_v2", self._handle, stream)
        self._call("cublasSetWorkspace_v2", self._handle, *workspace)

    def close(self) -> None:
        """Frees the handle; no product may run any more. Idempotent."""
        if self._handle is not None:
            self._call("cublasDestroy_v2", self._handle)
            self._handle = None

    def bind(self, p: Product, a: int, b: int, c: int) -> Callable[[], None]:
        """The product on the matrices at those addresses of the device, as a call without arguments.

        The call only puts work into the stream; it is legal while the stream captures.
        """
        if not p.m or not p.n or not p.batch:
            return _nothing
        real = ctypes.c_double if p.compute == "float64" else ctypes.c_float
        alpha, beta = real(p.alpha), real(p.beta)
        kind, out = _TYPES[p.dtype], _TYPES[p.out or p.dtype]
        function = self._functions["cublasGemmStridedBatchedEx_64"]
        args = (self._handle, _TURNED if p.turn_b else _PLAIN, _TURNED if p.turn_a else _PLAIN, p.n, p.m, p.k,
                ctypes.addressof(alpha),
                b, kind, max(1, p.k if p.turn_b else p.n), p.b_stride,
                a, kind, max(1, p.m if p.turn_a else p.k), p.a_stride,
                ctypes.addressof(beta), c, out, p.n, p.c_stride, p.batch, _COMPUTE[p.compute], _ANY)

        def multiply(keep: tuple[Any, ...] = (alpha, beta)) -> None:
            status = function(*args)
            if status:
                raise _failure("cublasGemmStridedBatchedEx", status)
        return multiply

    def _call(self, name: str, *args: Any) -> None:
        status = self._functions[name](*args)
        if status:
            raise _failure(name.removesuffix("_v2"), status)


def _failure(name: str, status: int) -> EngineError:
    return EngineError(f"{name} failed with status {status}: {_STATUS.get(status, 'see cublasStatus_t')}")


def _nothing() -> None:
    """A product without elements."""
