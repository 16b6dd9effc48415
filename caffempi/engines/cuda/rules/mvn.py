"""Mean-variance normalisation: a block takes group after group."""
from __future__ import annotations

from caffempi.engines.base import Call
from caffempi.engines.cuda.rule import IN, MAX_BLOCKS, OUT, SAVED, THREADS, Form, Job, blocks_for, rule

FILE = "mvn.cu"
LONG = 1024
"""Threads a block for groups of 16 numbers a thread and more."""


def _shape(call: Call, form: Form, name: str) -> tuple[str, int, int, int, int]:
    """(expression, blocks, threads, groups, m)"""
    groups, m = call.attrs.groups(call.outs[0].shape)
    threads = LONG if m >= 16 * LONG else THREADS
    return f"{name}<{form.t}, {threads}>", min(groups, MAX_BLOCKS), threads, groups, m


def _both(name: str) -> tuple[str, str]:
    return f"{name}<{{T}}, {THREADS}>", f"{name}<{{T}}, {LONG}>"


@rule(FILE, "mvn", names=(*_both("mvn"), *_both("centre"), "mvn_empty"), saved="f")
def _mvn(job: Job, call: Call, form: Form) -> None:
    """y, and s with `variance`"""
    if not call.outs[0].count:
        if call.saved:
            groups = call.saved[0].count
            job.start("mvn_empty", blocks_for(groups), THREADS, groups, float(call.attrs.eps), SAVED())
    elif call.attrs.variance:
        job.start(*_shape(call, form, "mvn"), float(call.attrs.eps), IN(0), OUT(), SAVED())
    else:
        job.start(*_shape(call, form, "centre"), IN(0), OUT())


@rule(FILE, "mvn_dx", names=(*_both("mvn_dx"), *_both("centre")), ins="TfT")
def _mvn_dx(job: Job, call: Call, form: Form) -> None:
    """dx from y, s, dy, or from dy alone without `variance`"""
    if call.attrs.variance:
        job.start(*_shape(call, form, "mvn_dx"), IN(0), IN(1), IN(2), OUT())
    else:
        job.start(*_shape(call, form, "centre"), IN(0), OUT())
