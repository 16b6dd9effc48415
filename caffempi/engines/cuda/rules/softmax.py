"""Softmax along an axis: a block takes row after row."""
from __future__ import annotations

from caffempi.engines.base import Call
from caffempi.engines.cuda.rule import IN, MAX_BLOCKS, OUT, THREADS, Form, Job, rule, split_axis
from caffempi.ops.shapes import canonical_axis

FILE = "softmax.cu"


def channels_are_rows(call: Call) -> bool:
    """Whether the axis is that of the channels, so that channels last only changes how rows lie."""
    return canonical_axis(call.attrs.axis, len(call.ins[0].shape)) == 1


@rule(FILE, "softmax", names=("softmax<{T}, 32>", f"softmax<{{T}}, {THREADS}>"), last=channels_are_rows)
def _softmax(job: Job, call: Call, form: Form) -> None:
    """kernel(rows, count, inner, x, y)"""
    shape = call.ins[0].shape
    outer, count, inner = split_axis(shape, canonical_axis(call.attrs.axis, len(shape)), form)
    rows, threads = outer * inner, 32 if count <= 64 else THREADS   # one warp needs no barrier
    job.start(f"softmax<{form.t}, {threads}>", min(rows, MAX_BLOCKS), threads, rows, count, inner, IN(0), OUT())
