"""Arrays of one shape combined element by element: sum, weighted sum, product, maximum, and gradients of the last two.

Any order of axes. Up to eight arrays are one launch; of more, the launches hand on float32 partial results in scratch.
"""
from __future__ import annotations

import numpy as np

from caffempi.engines.base import Call
from caffempi.engines.cuda.rule import IN, NULL, OUT, SAVED, THREADS, Arg, Form, Job, always, blocks_for, rule

FILE = "combine.cu"
WAYS = 8
_FUNCTORS = {"sum": "Total", "weighted_sum": "Weighted", "eltwise_prod": "Factors", "eltwise_max": "Greatest"}


def _combine(job: Job, call: Call, form: Form) -> None:
    """y from x_0, x_1, ... in that order; y is written last, since it may be one of them."""
    count, ways = call.outs[0].count, len(call.ins)
    coeffs = getattr(call.attrs, "coeffs", (1.0,) * ways)
    many = ways > WAYS
    carry: Arg = job.take(count) if many else NULL
    winner: Arg = SAVED() if call.op == "eltwise_max" else NULL
    for begin in range(0, ways, WAYS):
        part = range(begin, min(begin + WAYS, ways))
        spare = WAYS - len(part)
        job.start(f"combine<{form.t}, {_FUNCTORS[call.op]}>", blocks_for(count, form.width), THREADS, count, len(part), begin,
                  *(IN(i) for i in part), *(NULL,) * spare, *(float(coeffs[i]) for i in part), *(0.0,) * spare,
                  carry if begin else NULL, carry if part.stop < ways else NULL, OUT(), winner)


for _op in _FUNCTORS:
    rule(FILE, _op, names=(f"combine<{{T}}, {_FUNCTORS[_op]}>",), last=always)(_combine)


@rule(FILE, "sum+relu", names=("sum_relu<{T}>",), inplace=((0, 0),), last=always)
def _sum_relu(job: Job, call: Call, form: Form) -> None:
    """The larger of x_0 + x_1 and 0."""
    count = call.outs[0].count
    job.start(f"sum_relu<{form.t}>", blocks_for(count, form.width), THREADS, count, IN(0), IN(1), OUT())


@rule(FILE, "eltwise_prod_dx", names=("quotient_dx<{T}>",), last=always)
def _quotient_dx(job: Job, call: Call, form: Form) -> None:
    """dx = dy y / x."""
    count = call.outs[0].count
    job.start(f"quotient_dx<{form.t}>", blocks_for(count, form.width), THREADS, count, IN(0), IN(1), IN(2), OUT())


@rule(FILE, "eltwise_max_dx", names=("winner_dx<{T}>",), last=always)
def _winner_dx(job: Job, call: Call, form: Form) -> None:
    """dx = dy where this in won."""
    count = call.outs[0].count
    job.start(f"winner_dx<{form.t}>", blocks_for(count, form.width), THREADS, count, IN(0), IN(1), OUT(),
              np.int32(call.attrs.index))
