"""Moving data: concat, slice, tile, crop, copy, zeros and constants, and their gradients, in any order of axes."""
from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from caffempi.engines.base import Call
from caffempi.engines.cuda.lying import dims, item, order, unit_of
from caffempi.engines.cuda.rule import IN, NULL, OUT, THREADS, Form, Given, Job, Slot, always, blocks_for, rule
from caffempi.ops.graph import Spec
from caffempi.ops.shapes import canonical_axis, outer_inner
from caffempi.ops.shapes import product as total

FILE = "move.cu"
PARTS = 8
UNITS = (2, 4, 8, 16)


def _units(kernel: str) -> tuple[str, ...]:
    """The name expressions of a kernel for all units."""
    return tuple(kernel.replace("U", f"U{u}") for u in UNITS)


def _parts(job: Job, form: Form, join: bool, whole: tuple[Slot, Spec], parts: Sequence[tuple[Slot, int, int]],
           axis: int) -> None:
    """Joins parts (array, first place along the axis, length along it) to the whole, or cuts them from it."""
    slot, spec = whole
    lying, at = dims(spec.shape, form), order(len(spec.shape), form).index(axis)
    outer, inner = outer_inner(lying, at)
    run = inner * item(spec, form)
    parts = [p for p in parts if p[2] * total(lying[:at]) * run]
    unit = unit_of(lying[at] * run, *(n * run for _, start, length in parts for n in (start, length)))
    for first in range(0, len(parts), PARTS):
        some = parts[first:first + PARTS]
        spare = (0,) * (PARTS - len(some))
        blocks = blocks_for(outer * run * max(n for _, _, n in some) // unit)
        job.start(f"parts<U{unit}, {str(join).lower()}>", (blocks, len(some)), THREADS, outer, lying[at] * run // unit, slot,
                  *(p for p, _, _ in some), *(NULL for _ in spare), *(n * run // unit for _, _, n in some), *spare,
                  *(s * run // unit for _, s, _ in some), *spare)


def _bounds(lengths: Sequence[int]) -> list[int]:
    """Where parts of those lengths start, and the end."""
    return [sum(lengths[:i]) for i in range(len(lengths) + 1)]


@rule(FILE, "concat", names=_units("parts<U, true>"), last=always)
def _concat(job: Job, call: Call, form: Form) -> None:
    """The ins to the out."""
    axis = canonical_axis(call.attrs.axis, len(call.outs[0].shape))
    bounds = _bounds([s.shape[axis] for s in call.ins])
    _parts(job, form, True, (OUT(), call.outs[0]), [(IN(i), lo, hi - lo) for i, (lo, hi) in enumerate(pairwise(bounds))], axis)


@rule(FILE, "concat_dx", "slice", names=_units("parts<U, false>"), last=always)
def _cut(job: Job, call: Call, form: Form) -> None:
    """The in to the outs."""
    axis = canonical_axis(call.attrs.axis, len(call.ins[0].shape))
    bounds = _bounds([s.shape[axis] for s in call.outs])
    _parts(job, form, False, (IN(0), call.ins[0]), [(OUT(i), lo, hi - lo) for i, (lo, hi) in enumerate(pairwise(bounds))], axis)


def _blocks(call: Call, x: Spec, form: Form) -> tuple[int, int]:
    """(blocks that are repeated, elements of one)."""
    at = order(len(x.shape), form).index(canonical_axis(call.attrs.axis, len(x.shape)))
    lying = dims(x.shape, form)
    return total(lying[:at]), total(lying[at:])


@rule(FILE, "tile", names=_units("tile<U>"), last=always)
def _tile(job: Job, call: Call, form: Form) -> None:
    """y = x, repeated."""
    blocks, size = _blocks(call, call.ins[0], form)
    nbytes = size * item(call.ins[0], form)
    unit = unit_of(nbytes)
    count = blocks * call.attrs.tiles * nbytes // unit
    job.start(f"tile<U{unit}>", blocks_for(count), THREADS, count, call.attrs.tiles, nbytes // unit, IN(0), OUT())


@rule(FILE, "tile_dx", names=("tile_dx<{T}>",), last=always)
def _tile_dx(job: Job, call: Call, form: Form) -> None:
    """dx = the sum of the tiles."""
    _, size = _blocks(call, call.outs[0], form)
    count = call.outs[0].count
    job.start(f"tile_dx<{form.t}>", blocks_for(count), THREADS, count, call.attrs.tiles, size, IN(0), OUT())


class _Level(NamedTuple):
    """An axis, or neighbouring ones that are taken whole: its length in the blob and the window, and where that starts."""

    x: int
    y: int
    start: int


def _window(call: Call, x: Spec, y: Spec, form: Form) -> tuple[list[_Level], int]:
    """(levels from the innermost out, bytes of a unit) of a crop of x to y; the innermost level counts units."""
    axes, size = order(len(x.shape), form), item(x, form)
    starts = [s.start or 0 for s in call.attrs.window(x.shape, y.shape)]
    levels = [_Level(1, 1, 0)]
    for a in axes:
        n = x.shape[a]
        if n == y.shape[a]:                                    # taken whole: it belongs to the axis before it
            levels[-1] = _Level(*(v * n for v in levels[-1]))
        else:
            levels.append(_Level(n, y.shape[a], starts[a]))
    unit = unit_of(*(v * size for v in levels[-1]))
    levels[-1] = _Level(*(v * size // unit for v in levels[-1]))
    return levels[::-1], unit


@rule(FILE, "crop", names=_units("window<U>"), last=lambda call: len(call.ins[1].shape) == 4)
def _crop(job: Job, call: Call, form: Form) -> None:
    """y = a window of x; the second in is not read."""
    levels, unit = _window(call, call.ins[0], call.outs[0], form)
    shape, apart = [], 1
    for level in levels:
        shape += [level.y, apart, level.start]
        apart *= level.x
    count = total(level.y for level in levels)
    job.start(f"window<U{unit}>", blocks_for(count), THREADS, count, len(levels), Given.of(shape, "int64"), IN(0), OUT())


@rule(FILE, "crop_dx", names=_units("window_dx<U>"), last=always)
def _crop_dx(job: Job, call: Call, form: Form) -> None:
    """dx = dy in the window, 0 around it."""
    levels, unit = _window(call, call.outs[0], call.ins[0], form)
    count = total(level.x for level in levels)
    shape = [v for level in levels for v in level]
    job.start(f"window_dx<U{unit}>", blocks_for(count), THREADS, count, len(levels), Given.of(shape, "int64"), IN(0), OUT())


def _whole(job: Job, name: str, spec: Spec, form: Form, *arrays: Slot) -> None:
    """A kernel over all bytes of an array."""
    nbytes = spec.count * item(spec, form)
    unit = unit_of(nbytes)
    job.start(f"{name}<U{unit}>", blocks_for(nbytes // unit), THREADS, nbytes // unit, *arrays)


@rule(FILE, "zeros", names=_units("zero<U>"), last=always)
def _zeros(job: Job, call: Call, form: Form) -> None:
    """y = 0."""
    _whole(job, "zero", call.outs[0], form, OUT())


@rule(FILE, "copy", names=("copy<U1>", *_units("copy<U>")), last=always)
def _copy(job: Job, call: Call, form: Form) -> None:
    """y = x."""
    _whole(job, "copy", call.outs[0], form, IN(0), OUT())


@rule(FILE, "constant", names=("cast<{T}>",))
def _constant(job: Job, call: Call, form: Form) -> None:
    """y = the array of the attrs, which lies on the device."""
    data = np.frombuffer(call.attrs.data, "<f8")
    job.start(f"cast<{form.t}>", blocks_for(data.size), THREADS, data.size, Given.of(data, "float32"), OUT())
