"""Batch normalisation with the batch's statistics or running ones, its gradients, alone or with the factor behind it."""
from __future__ import annotations

import numpy as np

from caffempi.engines.base import Call
from caffempi.engines.cuda.channels import Channels
from caffempi.engines.cuda.rule import IN, NULL, OUT, SAVED, STATE, THREADS, Arg, Form, Job, always, blocks_for, rule

FILE = "batch_norm.cu"


def statistics(job: Job, call: Call, form: Form, eps: float, fraction: float) -> tuple[Arg, Arg]:
    """Starts what makes mu and s of ins[0] and renews the state; returns where they lie."""
    mu, s = (SAVED(0), SAVED(1)) if call.saved else (job.take(call.state[0].count), job.take(call.state[0].count))
    at = Channels.of(call.ins[0].shape, form)
    made = job.take(2 * at.parts * at.channels)
    if at.m:
        job.start(f"moments<{form.t}>", at.blocks, THREADS, *at, at.parts, IN(0), made)
    unbiased = at.m / (at.m - 1) if at.m > 1 else 1.0
    job.start("merge_moments", blocks_for(at.channels), THREADS, at.channels, at.m, at.parts, made, eps, fraction, unbiased,
              mu, s, STATE(0), STATE(1), STATE(2))
    return mu, s


def running(job: Job, call: Call, first: int, eps: float) -> tuple[Arg, Arg]:
    """Starts what makes mu and s of running sums, ins[first] to ins[first + 2]; returns where they lie."""
    channels = call.ins[first].count
    mu, s = job.take(channels), SAVED(0) if call.saved else job.take(channels)
    job.start("running_moments", blocks_for(channels), THREADS, channels, IN(first), IN(first + 1), IN(first + 2), eps, mu, s)
    return mu, s


def normalise(job: Job, call: Call, form: Form, mu: Arg, s: Arg, w: Arg = NULL, b: Arg = NULL, relu: bool = False) -> None:
    """Starts y = (x - mu) s w + b, cut at 0 with `relu`."""
    count, at = call.outs[0].count, Channels.of(call.ins[0].shape, form)
    if count:
        job.start(f"normalise<{form.t}>", blocks_for(count, form.width), THREADS, count, at.channels, at.inner, IN(0), OUT(),
                  mu, s, w, b, np.int32(relu))


@rule(FILE, "batch_norm", names=("moments<{T}>", "merge_moments", "normalise<{T}>"), saved="f", last=always)
def _batch_norm(job: Job, call: Call, form: Form) -> None:
    """y; mu and s; the state"""
    mu, s = statistics(job, call, form, float(call.attrs.eps), float(call.attrs.fraction))
    normalise(job, call, form, mu, s)


@rule(FILE, "batch_norm_global", names=("running_moments", "normalise<{T}>"), ins="Tf", saved="f", last=always)
def _global(job: Job, call: Call, form: Form) -> None:
    """y from x, mean, var, factor; s"""
    mu, s = running(job, call, 1, float(call.attrs.eps))
    normalise(job, call, form, mu, s)


_TAILS = tuple((*affine, *cut) for affine in ((), ("scale",), ("bias",), ("scale", "bias")) for cut in ((), ("relu",))
               if affine or cut)
"""What may follow by channel, in one pass."""


def _tail(call: Call, first: int) -> tuple[Arg, Arg, bool]:
    """(w, b, relu) of a fused chain whose factor and term are the ins from `first` on."""
    ops = call.attrs.ops
    w = IN(first) if "scale" in ops else NULL
    b = IN(first + ("scale" in ops)) if "bias" in ops else NULL
    return w, b, "relu" in ops


@rule(FILE, *("+".join(("batch_norm", *tail)) for tail in _TAILS), names=("moments<{T}>", "merge_moments", "normalise<{T}>"),
      ins="Tf", saved="f", last=always)
def _batch_norm_chain(job: Job, call: Call, form: Form) -> None:
    """y from x, w, b; mu and s; the state"""
    a = call.attrs.attrs[0]
    mu, s = statistics(job, call, form, float(a.eps), float(a.fraction))
    normalise(job, call, form, mu, s, *_tail(call, 1))


@rule(FILE, *("+".join(("batch_norm_global", *tail)) for tail in _TAILS), names=("running_moments", "normalise<{T}>"), ins="Tf",
      saved="f", inplace=((0, 0),), last=always)
def _global_chain(job: Job, call: Call, form: Form) -> None:
    """y from x, mean, var, factor, w, b; s"""
    mu, s = running(job, call, 1, float(call.attrs.attrs[0].eps))
    normalise(job, call, form, mu, s, *_tail(call, 4))


@rule(FILE, "batch_norm_global_dx", names=("scaled<{T}>",), ins="fT", last=always)
def _global_dx(job: Job, call: Call, form: Form) -> None:
    """dx from s, dy"""
    count, at = call.outs[0].count, Channels.of(call.outs[0].shape, form)
    job.start(f"scaled<{form.t}>", blocks_for(count, form.width), THREADS, count, at.channels, at.inner, IN(0), IN(1), OUT())


def _gradients(job: Job, call: Call, form: Form, dy: Arg, w: Arg, dw: Arg | None, db: Arg | None) -> None:
    """Starts the sums, in the places given or in scratch, and dx."""
    count, at = call.outs[0].count, Channels.of(call.ins[0].shape, form)
    x, mu, s = IN(0), IN(1), IN(2)
    dw, db = dw or job.take(at.channels), db or job.take(at.channels)
    parts = (job.take(at.parts * at.channels), job.take(at.parts * at.channels)) if at.parts > 1 else (db, dw)
    job.start(f"gradient_sums<{form.t}>", at.blocks, THREADS, *at, at.parts, x, mu, s, dy, *parts)
    if at.parts > 1:
        job.start("gradient_totals", blocks_for(at.channels), THREADS, at.channels, at.parts, *parts, db, dw)
    if count:
        job.start(f"normalise_dx<{form.t}>", blocks_for(count, form.width), THREADS, count, at.channels, at.inner, x, dy, OUT(),
                  mu, s, w, db, dw, 1 / at.m)


_NAMES = "gradient_sums<{T}>", "gradient_totals", "normalise_dx<{T}>"


@rule(FILE, "batch_norm_dx", names=_NAMES, ins="TffT", last=always)
def _dx(job: Job, call: Call, form: Form) -> None:
    """dx from x, mu, s, dy"""
    _gradients(job, call, form, IN(3), NULL, None, None)


@rule(FILE, "batch_norm_affine_dx", names=_NAMES, ins="TfffT", outs="Tf", last=always)
def _affine_dx(job: Job, call: Call, form: Form) -> None:
    """dx, dw and perhaps db from x, mu, s, w, dy"""
    _gradients(job, call, form, IN(4), IN(3), OUT(1), OUT(2) if len(call.outs) > 2 else None)
