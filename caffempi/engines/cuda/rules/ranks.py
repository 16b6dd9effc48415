"""Argmax and accuracy. Positions and shares are float32 whatever the scores are stored as."""
from __future__ import annotations

import numpy as np

from caffempi.engines.base import Call
from caffempi.engines.cuda.losses import FINISH, Terms, none_as_nan
from caffempi.engines.cuda.rule import FAULT, IN, MAX_BLOCKS, NULL, OUT, THREADS, Arg, Form, Job, rule, split_axis
from caffempi.ops.shapes import canonical_axis

FILE = "ranks.cu"
PLACES, VALUES, BOTH = range(3)


@rule(FILE, "argmax", names=("largest<{T}, 32>", f"largest<{{T}}, {THREADS}>"), outs="f")
def _argmax(job: Job, call: Call, form: Form) -> None:
    """Places or values of the largest along an axis, or of each item."""
    a = call.attrs
    outer, among, inner = a.layout(call.ins[0].shape)
    mode = (VALUES if a.values else PLACES) if a.axis is not None else BOTH if a.values else PLACES
    threads = 32 if among <= 256 else THREADS
    job.start(f"largest<{form.t}, {threads}>", min(outer * inner, MAX_BLOCKS), threads, outer * inner, among, inner, a.top_k,
              IN(0), OUT(), np.int32(mode))


def _channels(call: Call) -> bool:
    """Whether the classes lie along the channels, so that channels last only changes how places lie."""
    return canonical_axis(call.attrs.axis, len(call.ins[0].shape)) == 1


@rule(FILE, "accuracy", names=("hits<{T}, 1>", "hits<{T}, 32>", FINISH, f"by_class<{THREADS}>"), ins="Tf", outs="f",
      last=_channels)
def _accuracy(job: Job, call: Call, form: Form) -> None:
    """accuracy[, by_class] from scores and labels."""
    a, shape = call.attrs, call.ins[0].shape
    outer, classes, inner = split_axis(shape, canonical_axis(a.axis, len(shape)), form)
    places = outer * inner
    team = 1 if inner > 1 or classes < 16 else 32
    kept: tuple[Arg, Arg] = (job.take(places, "int32"), job.take(places, "int32")) if a.by_class else (NULL, NULL)
    terms = Terms(job, places, THREADS // team)
    terms.start(f"hits<{form.t}, {team}>", places, classes, inner, a.top_k, IN(0), IN(1), *kept, terms.sums, terms.counts,
                none_as_nan(a.ignore), FAULT)
    terms.finish(0.0, OUT())
    if a.by_class:
        job.start(f"by_class<{THREADS}>", min(classes, MAX_BLOCKS), THREADS, places, classes, *kept, OUT(1))
