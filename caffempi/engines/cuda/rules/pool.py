"""Pooling of all kinds and levels of pyramids, forward and backward, in either order of axes: one launch each."""
from __future__ import annotations

from typing import Any

import numpy as np

from caffempi.engines.base import Call
from caffempi.engines.cuda.rule import IN, NULL, OUT, RNG, SAVED, THREADS, Arg, Form, Job, always, blocks_for, rule
from caffempi.ops.pool import PoolAttrs

FILE = "pool.cu"
WIDE = 64
"""Pixels of a window from which on a warp takes one, where it is not the channels that are neighbours."""


def _windows(attrs: PoolAttrs, shape: tuple[int, ...], form: Form) -> tuple[np.int32, ...]:
    """WINDOW_PARAMS of images of that shape."""
    kernel, places = attrs.windows(shape)
    inner = shape[1] if form.last else 1
    return tuple(np.int32(v) for v in (inner, *shape[2:], *places, *kernel, *attrs.stride, *attrs.pad))


def _by_element(job: Job, form: Form, kernel: str, count: int, attrs: PoolAttrs, image: tuple[int, ...], *arrays: Arg) -> None:
    job.start(f"{kernel}<{form.t}>", blocks_for(count), THREADS, count, *_windows(attrs, image, form), *arrays)


def _forward(job: Job, form: Form, kernel: str, call: Call, *arrays: Arg) -> None:
    """A thread, or a warp, for each place of the windows."""
    attrs, image, count = call.attrs, call.ins[0].shape, call.outs[0].count
    kernel_h, kernel_w = attrs.windows(image)[0]
    if form.last or kernel_h * kernel_w < WIDE:
        return _by_element(job, form, kernel, count, attrs, image, *arrays)
    job.start(f"{kernel}_wide<{form.t}>", blocks_for(count, threads=THREADS // 32), THREADS, count,
              *_windows(attrs, image, form), *arrays)


def _mask(call: Call) -> Arg:
    """The second out, if there is one."""
    return OUT(1) if len(call.outs) > 1 else NULL


_MAX, _AVE = ("max_pool<{T}>", "max_pool_wide<{T}>"), ("ave_pool<{T}>", "ave_pool_wide<{T}>")
_MEAN, _DRAWN = ("stochastic_pool_mean<{T}>",), ("stochastic_pool<{T}>",)


@rule(FILE, "max_pool", names=_MAX, outs="TF", last=always)
def _max(job: Job, call: Call, form: Form) -> None:
    """y, and perhaps the winners as whole numbers (saved) and as floats (mask)."""
    _forward(job, form, "max_pool", call, IN(0), OUT(), SAVED(), _mask(call))


@rule(FILE, "ave_pool", names=_AVE, last=always)
def _ave(job: Job, call: Call, form: Form) -> None:
    """y"""
    _forward(job, form, "ave_pool", call, IN(0), OUT())


@rule(FILE, "stochastic_pool_mean", names=_MEAN, last=always)
def _mean(job: Job, call: Call, form: Form) -> None:
    """y"""
    _by_element(job, form, "stochastic_pool_mean", call.outs[0].count, call.attrs, call.ins[0].shape, IN(0), OUT())


@rule(FILE, "stochastic_pool", names=_DRAWN, last=always)
def _drawn(job: Job, call: Call, form: Form) -> None:
    """y and the winners"""
    _by_element(job, form, "stochastic_pool", call.outs[0].count, call.attrs, call.ins[0].shape, RNG, IN(0), OUT(), SAVED())


@rule(FILE, "max_pool_dx", "stochastic_pool_dx", names=("max_pool_dx<{T}>",), last=always)
def _winners_dx(job: Job, call: Call, form: Form) -> None:
    """dx from the winners and dy"""
    _by_element(job, form, "max_pool_dx", call.outs[0].count, call.attrs, call.outs[0].shape, IN(0), IN(1), OUT())


@rule(FILE, "ave_pool_dx", names=("ave_pool_dx<{T}>",), last=always)
def _ave_dx(job: Job, call: Call, form: Form) -> None:
    """dx from dy"""
    _by_element(job, form, "ave_pool_dx", call.outs[0].count, call.attrs, call.outs[0].shape, IN(0), OUT())


@rule(FILE, "stochastic_pool_mean_dx", names=("stochastic_pool_mean_dx<{T}>",), last=always)
def _mean_dx(job: Job, call: Call, form: Form) -> None:
    """dx from x and dy"""
    _by_element(job, form, "stochastic_pool_mean_dx", call.outs[0].count, call.attrs, call.outs[0].shape, IN(0), IN(1), OUT())


_LEVELS: dict[str, Any] = {"max_pool": _max, "ave_pool": _ave, "stochastic_pool": _drawn, "stochastic_pool_mean": _mean}
_LEVELS_DX: dict[str, Any] = {"max_pool": _winners_dx, "ave_pool": _ave_dx, "stochastic_pool": _winners_dx,
                              "stochastic_pool_mean": _mean_dx}


@rule(FILE, "pyramid_pool", names=(*_MAX, *_AVE, *_MEAN), last=always)
@rule(FILE, "pyramid_pool_drawn", names=_DRAWN, last=always)
def _level(job: Job, call: Call, form: Form) -> None:
    """The pooling that the level stands for, with the windows of these images."""
    _LEVELS[call.attrs.pool](job, call._replace(attrs=call.attrs.at(call.ins[0].shape)), form)


@rule(FILE, "pyramid_pool_dx", names=("max_pool_dx<{T}>", "ave_pool_dx<{T}>", "stochastic_pool_mean_dx<{T}>"), last=always)
def _level_dx(job: Job, call: Call, form: Form) -> None:
    """The gradient of that pooling."""
    _LEVELS_DX[call.attrs.pool](job, call._replace(attrs=call.attrs.at(call.outs[0].shape)), form)
