"""Softmax along an axis: a block takes row after row, or a thread does where rows are interleaved."""
from __future__ import annotations

from caffempi.engines.base import Call
from caffempi.engines.cuda.rule import IN, MAX_BLOCKS, OUT, THREADS, Arg, Form, Job, blocks_for, rule, split_axis
from caffempi.ops.shapes import canonical_axis

FILE = "softmax.cu"
STRIDED = 32
"""Numbers between two of a row from which on neighbouring threads take neighbouring rows."""


def channels_are_rows(call: Call) -> bool:
    """Whether the axis is that of the channels, so that channels last only changes how rows lie."""
    return canonical_axis(call.attrs.axis, len(call.ins[0].shape)) == 1


def _rows(job: Job, call: Call, form: Form, *arrays: Arg) -> None:
    """kernel(rows, count, inner, arrays...)"""
    shape = call.outs[0].shape
    outer, count, inner = split_axis(shape, canonical_axis(call.attrs.axis, len(shape)), form)
    rows = outer * inner
    if inner >= STRIDED:
        job.start(f"{call.op}_strided<{form.t}>", blocks_for(rows), THREADS, rows, count, inner, *arrays)
        return
    threads = 32 if count <= 64 else THREADS                   # one warp needs no barrier
    job.start(f"{call.op}<{form.t}, {threads}>", min(rows, MAX_BLOCKS), threads, rows, count, inner, *arrays)


_NAMES = "{op}<{T}, 32>", f"{{op}}<{{T}}, {THREADS}>", "{op}_strided<{T}>"


@rule(FILE, "softmax", names=_NAMES, last=channels_are_rows)
def _softmax(job: Job, call: Call, form: Form) -> None:
    """y from x"""
    _rows(job, call, form, IN(0), OUT())


@rule(FILE, "softmax_dx", names=_NAMES, last=channels_are_rows)
def _softmax_dx(job: Job, call: Call, form: Form) -> None:
    """dx from y and dy"""
    _rows(job, call, form, IN(0), IN(1), OUT())
