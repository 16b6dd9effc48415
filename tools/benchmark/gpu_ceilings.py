"""What a GPU can do: bytes a second in a large copy, operations a second in large products by cuBLAS, a precision each."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from caffempi.engines.base import PRECISIONS
from caffempi.engines.cuda.blas import Product

SIDE, COPIED = 8192, 1 << 30
_RUNS = 10
_STORED = {"fp16": "float16", "bf16": "bfloat16"}


def elapsed(gpu: Any, run: Callable[[], object], count: int) -> float:
    """Milliseconds of one of `count` runs, from one event of the compute stream to another."""
    cuda, stream = gpu.cupy.cuda, gpu.compute
    first, last = cuda.Event(), cuda.Event()
    stream.record(first)
    for _ in range(count):
        run()
    stream.record(last)
    last.synchronize()
    return float(cuda.get_elapsed_time(first, last)) / count


def measure(gpu: Any, side: int = SIDE, copied: int = COPIED) -> dict[str, float]:
    """copy: bytes read and written a second; each precision: operations a second (2 side^3 a product), sums in float32.

    gpu: the Device of an engine. One run of each goes ahead and does not count.
    """
    src, dst = gpu.alloc(copied), gpu.alloc(copied)

    def copy() -> None:
        dst.data.copy_from_device_async(src.data, copied, gpu.compute)
    copy()
    found = {"copy": 2e3 * copied / elapsed(gpu, copy, _RUNS)}
    a, b, c = (gpu.alloc(4 * side * side) for _ in range(3))
    for precision in PRECISIONS:
        product = Product(side, side, side, dtype=_STORED.get(precision, "float32"), tf32=precision == "tf32")
        multiply = gpu.blas.bind(product, a.data.ptr, b.data.ptr, c.data.ptr)
        multiply()
        found[precision] = 2e3 * side**3 / elapsed(gpu, multiply, _RUNS)
    return found
