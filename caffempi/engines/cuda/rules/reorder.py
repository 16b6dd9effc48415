"""Reorders: no op has them, the plan asks for them between kernels of different layouts."""
from __future__ import annotations

from caffempi.engines.cuda.rule import EXTRA, IN, MAX_BLOCKS, OUT, THREADS, TYPES, Form, Job, blocks_for
from caffempi.ops.graph import Spec

FILE = "reorder.cu"
_PAIRS = ("float, float", "float, {T}", "{T}, float", "{T}, {T}")
EXTRA[FILE] = tuple(f"{kernel}<{pair}>" for kernel in ("convert", "turn") for pair in _PAIRS)
_TILE = 32


def reorder(spec: Spec, src: Form, dst: Form) -> Job:
    """ins[0], which lies as the form `src` says, to outs[0] as `dst`; float32 on one side, or one dtype on both."""
    job = Job(FILE)
    types = f"{TYPES[src.dtype]}, {TYPES[dst.dtype]}"
    if spec.count == 0:
        return job
    if src.last == dst.last or len(spec.shape) != 4:
        job.start(f"convert<{types}>", blocks_for(spec.count, min(src.width, dst.width)), THREADS, spec.count, IN(0), OUT())
        return job
    n, channels, places = spec.shape[0], spec.shape[1], spec.shape[2] * spec.shape[3]
    rows, columns = (channels, places) if dst.last else (places, channels)
    tiles = n * -(-rows // _TILE) * -(-columns // _TILE)
    job.start(f"turn<{types}>", min(tiles, MAX_BLOCKS), THREADS, n, rows, columns, IN(0), OUT())
    return job
