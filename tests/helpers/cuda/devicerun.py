"""Runs the jobs of the cuda engine's table on a device, from NumPy arrays and back: the way of `hostrun`, on a real GPU."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from caffempi.engines.base import Operands
from caffempi.engines.cuda.bound import CudaKernel
from caffempi.engines.cuda.device import Device
from caffempi.engines.cuda.kernels import expressions
from caffempi.engines.cuda.rule import TYPES, Job, Launch


def run_job(gpu: Device, job: Job, ptrs: Operands, blocks: int | None = None) -> int:
    """The job on copies of the arrays, which are written back; returns whether a kernel met a label out of range.

    blocks: another grid than the table's, where any will do.
    """
    there: dict[int, tuple[np.ndarray, Any]] = {}

    def send(a: np.ndarray) -> Any:
        if id(a) not in there:
            flat = np.frombuffer(a.tobytes(), np.uint8)
            raw = gpu.given(flat) if a.nbytes else gpu.alloc(0)
            there[id(a)] = a, raw.view("uint16" if a.dtype.name == "bfloat16" else a.dtype).reshape(a.shape)
        return there[id(a)][1]

    if blocks:
        job = replace(job, work=[replace(w, grid=(blocks, *w.grid[1:])) if isinstance(w, Launch) and w.strided
                                 else w for w in job.work])
    functions = {n.expression: gpu.modules.kernel(n.file, n.expression, next(d for d in TYPES if n.expression in
                                                                             expressions(n.file, d))) for n in job.launches}
    operands = ptrs._replace(**{kind: tuple(map(send, getattr(ptrs, kind))) for kind in ("ins", "outs", "saved", "state")},
                             scratch=gpu.alloc(job.scratch) if job.scratch else None)
    gpu.renew_words()
    CudaKernel(gpu, job, functions, "a test").bind(operands)()
    for host, array in there.values():
        host[...] = np.frombuffer(array.get(stream=gpu.compute).tobytes(), host.dtype).reshape(host.shape)
    fault = bool(gpu.faults.get(stream=gpu.compute).any())
    gpu.faults.data.memset_async(0, gpu.faults.nbytes, gpu.compute)
    return int(fault)
