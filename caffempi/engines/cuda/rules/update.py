"""Updates of params: one launch over a run of the flat arena; rate and the like are read from the device's memory."""
from __future__ import annotations

import numpy as np

from caffempi.engines.base import Call
from caffempi.engines.cuda.rule import IN, NULL, OUT, THREADS, Form, Job, blocks_for, rule

FILE = "update.cu"
_FUNCTORS = {"sgd_update": "Sgd", "nesterov_update": "Nesterov", "adagrad_update": "AdaGrad", "rmsprop_update": "RmsProp",
             "adadelta_update": "AdaDelta", "adam_update": "Adam"}


def _update(job: Job, call: Call, form: Form) -> None:
    """W, gradient and memory, all in place; each block has alarms of its own."""
    count, alarms, outs = call.ins[0].count, call.ins[-1].count, len(call.outs)
    second = (IN(3), OUT(3)) if outs == 5 else (NULL, NULL)
    job.start(f"update<{_FUNCTORS[call.op]}>", max(1, min(blocks_for(count, 4), alarms)), THREADS, count,
              IN(0), IN(1), IN(2), second[0], OUT(0), OUT(1), OUT(2), second[1], IN(outs - 1), alarms, IN(outs), OUT(outs - 1),
              np.int32(call.attrs.l1), np.int32(call.attrs.keep))


for _op, _functor in _FUNCTORS.items():
    rule(FILE, _op, names=(f"update<{_functor}>",), ins="f", outs="f")(_update)
