"""The transform of batches that come as bytes: one kernel, whatever the order of axes of what it writes."""
from __future__ import annotations

import numpy as np

from caffempi.engines.base import Call
from caffempi.engines.cuda.rule import IN, NULL, OUT, THREADS, Form, Job, always, blocks_for, rule

FILE = "transform.cu"


@rule(FILE, "transform", names=("transform<{T}>",), ins="f", last=always)
def _transform(job: Job, call: Call, form: Form) -> None:
    """Bytes, places and mean lie in plain order."""
    x, _, *mean = call.ins
    _, channels, height, width = x.shape
    steps = [0, 0, 0]
    if mean:
        c, h, w = mean[0].shape
        steps = [h * w if c > 1 else 0, w if (h, w) != (1, 1) else 0, 1 if (h, w) != (1, 1) else 0]
    job.start(f"transform<{form.t}>", blocks_for(x.count, form.width), THREADS, x.count, channels, height, width,
              np.int32(form.last), IN(0), IN(1), IN(2) if mean else NULL, *steps, float(np.float32(call.attrs.scale)), OUT())
