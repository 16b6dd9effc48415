"""Dropout: one launch each way. Elements are numbered in plain order, so that masks are those of every other engine."""
from __future__ import annotations

import numpy as np

from caffempi.engines.base import Call
from caffempi.engines.cuda.rule import IN, OUT, RNG, SAVED, THREADS, Form, Job, always, blocks_for, rule

FILE = "dropout.cu"


@rule(FILE, "dropout", names=("dropout<{T}>",))
def _dropout(job: Job, call: Call, form: Form) -> None:
    """y and the mask."""
    count, a = call.outs[0].count, call.attrs
    job.start(f"dropout<{form.t}>", blocks_for(count, 4), THREADS, count, IN(0), OUT(), SAVED(), RNG,
              np.uint32(a.threshold), float(a.scale))


@rule(FILE, "dropout_dx", names=("dropout_dx<{T}>",), last=always)
def _dropout_dx(job: Job, call: Call, form: Form) -> None:
    """dx from mask and dy, which lie in one order."""
    count = call.outs[0].count
    job.start(f"dropout_dx<{form.t}>", blocks_for(count, form.width), THREADS, count, IN(0), IN(1), OUT(),
              float(call.attrs.scale))
