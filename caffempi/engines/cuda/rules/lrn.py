"""Local response normalisation across and within channels, in either order of axes.

Across channels that are not neighbours in memory, with the usual five of them, a thread walks along the channels; else each
thread sums around its own element. Backward then first makes what is summed.
"""
from __future__ import annotations

import numpy as np

from caffempi.engines.base import Call
from caffempi.engines.cuda.rule import IN, OUT, SAVED, THREADS, Form, Job, always, blocks_for, rule, split_axis

FILE = "lrn.cu"
HALF = 2
"""Channels before and after that a walk is compiled for."""
CHUNK = 16
"""Channels of a walk: more would leave threads idle, fewer would read more numbers twice."""


def _half(call: Call) -> int:
    return (call.attrs.size - 1) // 2


def _around(call: Call, form: Form) -> tuple[np.int32, ...]:
    """(h, w, inner) of images as they lie."""
    shape = call.outs[0].shape
    return np.int32(shape[2]), np.int32(shape[3]), np.int32(shape[1] if form.last else 1)


def _along(call: Call, form: Form) -> tuple[np.int32, int]:
    """(channels, inner) of [outer, channels, inner]."""
    _, channels, inner = split_axis(call.outs[0].shape, 1, form)
    return np.int32(channels), inner


def _walks(call: Call, form: Form) -> int:
    """How many walks a call takes; 0 where it is done without."""
    outer, channels, inner = split_axis(call.outs[0].shape, 1, form)
    return outer * -(-channels // CHUNK) * inner if inner > 1 and _half(call) == HALF else 0


@rule(FILE, "lrn_across", names=("lrn_across<{T}>", f"lrn_walk<{{T}}, {HALF}>"), last=always)
def _across(job: Job, call: Call, form: Form) -> None:
    """y and s"""
    a, count, walks = call.attrs, call.outs[0].count, _walks(call, form)
    constants = float(a.alpha / a.size), float(a.k), float(a.beta)
    channels, inner = _along(call, form)
    if walks:
        job.start(f"lrn_walk<{form.t}, {HALF}>", blocks_for(walks), THREADS, walks, channels, inner, np.int32(CHUNK),
                  *constants, IN(0), OUT(), SAVED())
    else:
        job.start(f"lrn_across<{form.t}>", blocks_for(count), THREADS, count, channels, inner, np.int32(_half(call)),
                  *constants, IN(0), OUT(), SAVED())


@rule(FILE, "lrn_within", names=("lrn_within<{T}>",), last=always)
def _within(job: Job, call: Call, form: Form) -> None:
    """y and s"""
    a, count = call.attrs, call.outs[0].count
    job.start(f"lrn_within<{form.t}>", blocks_for(count), THREADS, count, *_around(call, form), np.int32(_half(call)),
              float(a.alpha / a.size ** 2), 1.0, float(a.beta), IN(0), OUT(), SAVED())


@rule(FILE, "lrn_across_dx", names=("lrn_pull<{T}>", "lrn_across_dx<{T}>", f"lrn_walk_dx<{{T}}, {HALF}>"), last=always)
def _across_dx(job: Job, call: Call, form: Form) -> None:
    """dx from x, s, dy"""
    a, count, walks = call.attrs, call.outs[0].count, _walks(call, form)
    constants = float(2 * a.alpha * a.beta / a.size), float(a.beta)
    channels, inner = _along(call, form)
    if walks:
        job.start(f"lrn_walk_dx<{form.t}, {HALF}>", blocks_for(walks), THREADS, walks, channels, inner, np.int32(CHUNK),
                  *constants, IN(0), IN(1), IN(2), OUT())
        return
    pull = job.take(count)
    job.start(f"lrn_pull<{form.t}>", blocks_for(count), THREADS, count, float(a.beta), IN(0), IN(1), IN(2), pull)
    job.start(f"lrn_across_dx<{form.t}>", blocks_for(count), THREADS, count, channels, inner, np.int32(_half(call)), *constants,
              IN(0), IN(1), IN(2), pull, OUT())


@rule(FILE, "lrn_within_dx", names=("lrn_pull<{T}>", "lrn_within_dx<{T}>"), last=always)
def _within_dx(job: Job, call: Call, form: Form) -> None:
    """dx from x, s, dy"""
    a, count = call.attrs, call.outs[0].count
    pull = job.take(count)
    job.start(f"lrn_pull<{form.t}>", blocks_for(count), THREADS, count, float(a.beta), IN(0), IN(1), IN(2), pull)
    job.start(f"lrn_within_dx<{form.t}>", blocks_for(count), THREADS, count, *_around(call, form), np.int32(_half(call)),
              float(2 * a.alpha * a.beta / a.size ** 2), float(a.beta), IN(0), IN(1), IN(2), pull, OUT())
