"""Filter: how many items are kept is for the host to find out before (the op's `actual`, which needs the selector there);
the kernels then run for outs of those shapes."""
from __future__ import annotations

from caffempi.engines.base import Call
from caffempi.engines.cuda.rule import IN, OUT, SAVED, THREADS, Arg, Form, Job, blocks_for, rule
from caffempi.ops.graph import Spec
from caffempi.ops.shapes import product

FILE = "filter.cu"


def _size(spec: Spec) -> int:
    """Numbers of an item."""
    return product(spec.shape[1:])


@rule(FILE, "filter", names=(f"places<{{T}}, {THREADS}>", "keep<{T}>"))
def _filter(job: Job, call: Call, form: Form) -> None:
    """outs from ins and, as the last in, the selector; saved: the items' places."""
    selector = len(call.ins) - 1
    n = call.ins[selector].count
    found: Arg = SAVED() if call.saved else job.take(n, "int64")
    job.start(f"places<{form.t}, {THREADS}>", 1, THREADS, n, IN(selector), found, strided=False)
    for i, out in enumerate(call.outs):
        if out.count:
            job.start(f"keep<{form.t}>", blocks_for(out.count), THREADS, out.count, _size(out), found, IN(i), OUT(i))


@rule(FILE, "filter_dx", names=("filter_dx<{T}>",))
def _filter_dx(job: Job, call: Call, form: Form) -> None:
    """dx from the items' places and dy."""
    count = call.outs[0].count
    job.start(f"filter_dx<{form.t}>", blocks_for(count), THREADS, count, _size(call.outs[0]), call.ins[1].shape[0],
              IN(0), IN(1), OUT())
