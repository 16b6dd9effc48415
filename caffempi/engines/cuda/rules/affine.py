"""Scale, bias and PReLU: one number a channel, and their gradients. Factors, terms, slopes and their gradients are float32."""
from __future__ import annotations

from caffempi.engines.base import Call
from caffempi.engines.cuda.channels import Channels
from caffempi.engines.cuda.rule import ADD, IN, NULL, OUT, THREADS, Form, Job, blocks_for, rule, split_axis
from caffempi.engines.cuda.sums import start_sums, sum_names
from caffempi.ops.shapes import canonical_axis, product

FILE = "affine.cu"


def _sizes(call: Call, x: tuple[int, ...], w: tuple[int, ...], form: Form) -> tuple[int, int, int]:
    """(outer, count, inner) of x around the axes that w covers; a single number covers all of x."""
    if call.op.startswith("prelu"):
        return split_axis(x, 1, form) if product(w) > 1 or x[1] == 1 else (1, 1, product(x))
    if not w:
        return 1, 1, product(x)
    start = canonical_axis(call.attrs.axis, len(x))
    if form.last:
        return split_axis(x, 1, form)
    return product(x[:start]), product(w), product(x[start + len(w):])


def _last_of(call: Call) -> bool:
    """Channels last where the numbers are one a channel, or one for all."""
    w = call.outs[0].shape if call.op in ("scale_dw", "bias_db", "prelu_dw") else call.ins[1].shape
    ndim = len(call.ins[0].shape)
    return call.op.startswith("prelu") or not w or (len(w) == 1 and canonical_axis(call.attrs.axis, ndim) == 1)


_FUNCTORS = {"scale": "Times", "bias": "Plus", "prelu": "Slope",
             "scale_dw": "Product", "bias_db": "Alone", "prelu_dw": "Negative"}


def _beside(job: Job, call: Call, form: Form) -> None:
    """y = x w, x + b, or x if x > 0 else w x."""
    x, w = call.ins
    _, count, inner = _sizes(call, x.shape, w.shape, form)
    job.start(f"beside<{form.t}, {_FUNCTORS[call.op]}>", blocks_for(x.count, form.width), THREADS, x.count, count, inner,
              IN(0), IN(1), OUT())


for _op in ("scale", "bias", "prelu"):
    rule(FILE, _op, names=(f"beside<{{T}}, {_FUNCTORS[_op]}>",), ins="Tf", last=_last_of)(_beside)


@rule(FILE, "prelu_dx", names=("slope_dx<{T}>",), ins="TfT", last=_last_of)
def _slope_dx(job: Job, call: Call, form: Form) -> None:
    """dx from x, w, dy."""
    x, w, _ = call.ins
    _, count, inner = _sizes(call, x.shape, w.shape, form)
    job.start(f"slope_dx<{form.t}>", blocks_for(x.count, form.width), THREADS, x.count, count, inner,
              IN(0), IN(1), IN(2), OUT())


def _sums(job: Job, call: Call, form: Form) -> None:
    """The sums of dy x, dy, or dy x where x <= 0."""
    arrays = (IN(0), IN(1)) if len(call.ins) == 2 else (NULL, IN(0))
    at = Channels.around(*_sizes(call, call.ins[0].shape, call.outs[0].shape, form))
    start_sums(job, form, _FUNCTORS[call.op], at, arrays, OUT(), ADD)


for _op in ("scale_dw", "bias_db", "prelu_dw"):
    rule(FILE, _op, names=sum_names(_FUNCTORS[_op]), outs="f", accumulates=True, last=_last_of)(_sums)
