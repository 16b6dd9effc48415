"""Activations, element by element, and their gradients: one launch each, in any order of axes."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from caffempi.engines.base import Call
from caffempi.engines.cuda.rule import IN, OUT, SAVED, THREADS, Form, Job, always, blocks_for, rule
from caffempi.ops.op import get_op

FILE = "activations.cu"

Constants = Callable[[Any], tuple[float, ...]]

_CONSTANTS: dict[str, Constants] = {
    "relu": lambda a: (a.slope,), "sigmoid": lambda a: (), "tanh": lambda a: (), "elu": lambda a: (a.alpha,),
    "abs": lambda a: (), "clip": lambda a: (a.low, a.high), "threshold": lambda a: (a.at,), "bnll": lambda a: (),
    "exp": lambda a: (a.inner, a.outer), "power": lambda a: (a.power, a.scale, a.shift),
    "log": lambda a: (a.scale, a.shift, a.factor),
    "log_dx": lambda a: (a.scale, a.shift, a.factor * a.scale),
}
"""Op -> the constants that its functor takes; a gradient takes those of its forward unless it is named itself."""


def functor(op: str) -> str:
    """Name of the struct in the kernel file that computes the op: relu_dx is ReluDx."""
    return op.title().replace("_", "")


def _map(job: Job, call: Call, form: Form, name: str, constants: tuple[float, ...]) -> None:
    count = call.outs[0].count
    arrays = [IN(i) for i in range(len(call.ins))]
    job.start(f"map{len(arrays)}<{form.t}, {name}>", blocks_for(count, form.width), THREADS, count, *arrays, OUT(),
              *(float(c) for c in (*constants, 0, 0, 0)[:3]))


def _activation(job: Job, call: Call, form: Form) -> None:
    """y = f(x), or dx = f(x or y, dy)."""
    own = _CONSTANTS.get(call.op) or _CONSTANTS[call.op.removesuffix("_dx")]
    _map(job, call, form, functor(call.op), own(call.attrs))


for _op in _CONSTANTS:
    if not _op.endswith("_dx") and _op != "power":
        rule(FILE, _op, names=(f"map1<{{T}}, {functor(_op)}>",), last=always)(_activation)
    if _op not in ("log_dx", "threshold"):
        rule(FILE, _op + "_dx", names=(f"map2<{{T}}, {functor(_op + '_dx')}>",), last=always)(_activation)


@rule(FILE, "power", names=("map1<{T}, Power>", "map1<{T}, Always>"), last=always)
def _power(job: Job, call: Call, form: Form) -> None:
    """(shift + scale x)^power; the constant that this is for power scale = 0, where x may be anything, comes from the op."""
    a = call.attrs
    if a.power * a.scale:
        return _activation(job, call, form)
    one = np.zeros(1, np.float32)
    get_op("power").forward(a, [one], [one], (), (), None)
    _map(job, call, form, "Always", (float(one[0]),))


@rule(FILE, "swish", names=("swish<{T}>",), saved="F", last=always)
def _swish(job: Job, call: Call, form: Form) -> None:
    """y = x s and s."""
    count = call.outs[0].count
    job.start(f"swish<{form.t}>", blocks_for(count, form.width), THREADS, count, IN(0), OUT(), SAVED(), float(call.attrs.beta))


@rule(FILE, "swish_dx", names=("swish_dx<{T}>",), ins="TFT", last=always)
def _swish_dx(job: Job, call: Call, form: Form) -> None:
    """dx from y, s, dy."""
    count = call.outs[0].count
    job.start(f"swish_dx<{form.t}>", blocks_for(count, form.width), THREADS, count, IN(0), IN(1), IN(2), OUT(),
              float(call.attrs.beta))
