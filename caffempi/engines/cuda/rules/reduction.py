"""Sums over the last axes of a blob, and their gradients."""
from __future__ import annotations

from caffempi.engines.base import Call
from caffempi.engines.cuda.channels import Channels
from caffempi.engines.cuda.rule import IN, NULL, OUT, THREADS, Form, Job, blocks_for, rule
from caffempi.engines.cuda.sums import start_sums

FILE = "reduction.cu"
_FUNCTORS = {"sum": "Itself", "mean": "Itself", "asum": "Absolute", "sumsq": "Square"}
_NAMES = tuple(dict.fromkeys(_FUNCTORS.values()))


@rule(FILE, "reduction", names=(*(f"sums_of<{{T}}, {f}>" for f in _NAMES), "fold<{T}>"))
def _reduction(job: Job, call: Call, form: Form) -> None:
    """y = coeff times the sum of each row."""
    a = call.attrs
    outer, dim = a.flat(call.ins[0].shape)
    at = Channels.around(1, outer, dim)
    start_sums(job, form, _FUNCTORS[a.operation], at, (IN(0),), OUT(), factor=a.factor(dim), out=form.t)


@rule(FILE, "reduction_dx", names=tuple(f"reduction_dx<{{T}}, {f}>" for f in _NAMES))
def _reduction_dx(job: Job, call: Call, form: Form) -> None:
    """dx from x, where it counts, and dy."""
    a, count = call.attrs, call.outs[0].count
    _, dim = a.flat(call.outs[0].shape)
    arrays = (IN(0), IN(1)) if a.reads_x else (NULL, IN(0))
    job.start(f"reduction_dx<{form.t}, {_FUNCTORS[a.operation]}>", blocks_for(count, form.width), THREADS, count, dim,
              *arrays, OUT(), float(a.factor(dim)))
