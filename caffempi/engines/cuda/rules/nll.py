"""Losses of labels: softmax with negative log-likelihood, with information gain, and of given probabilities.

p is kept as float32 whatever x is stored as: near 1 its distance from 1 is the gradient. A label that is no class makes the
loss NaN and sets the word of faults.
"""
from __future__ import annotations

from caffempi.engines.base import Call
from caffempi.engines.cuda.losses import FINISH, THREADS, Terms, divisor_of, none_as_nan
from caffempi.engines.cuda.rule import FAULT, IN, MAX_BLOCKS, NULL, OUT, SAVED, Form, Job, blocks_for, rule, split_axis
from caffempi.ops.labels import item_layout, label_layout
from caffempi.ops.shapes import canonical_axis

FILE = "nll.cu"
TEAMS = (1, 32, THREADS)


def _channels(call: Call) -> bool:
    """Whether the classes lie along the channels, so that channels last only changes how places lie."""
    return canonical_axis(call.attrs.axis, len(call.ins[0].shape)) == 1


def _sizes(call: Call, form: Form) -> tuple[int, int, int]:
    """(outer, classes, inner) as x lies."""
    shape = call.ins[0].shape
    return split_axis(shape, canonical_axis(call.attrs.axis, len(shape)), form)


def _team(classes: int, inner: int) -> int:
    """Threads a place: with neighbouring places side by side in memory one each is best."""
    return 1 if inner > 1 or classes < 16 else 32 if classes <= 1024 else THREADS


def _with_softmax(job: Job, call: Call, form: Form) -> None:
    """loss[, p] from x, labels[, H]; saved p, divisor, count."""
    outer, classes, inner = _sizes(call, form)
    places, a = outer * inner, call.attrs
    team = _team(classes, inner)
    name = "softmax_nll" if call.op == "softmax_nll" else "infogain"
    terms = Terms(job, places, THREADS // team)
    terms.start(f"{name}<{form.t}, {team}>", places, classes, inner, *(IN(i) for i in range(len(call.ins))), SAVED(0),
                OUT(1) if a.with_prob else NULL, terms.sums, terms.counts, none_as_nan(a.ignore), FAULT)
    batch, _, _ = label_layout(call.ins[0], call.ins[1], a.axis)
    terms.finish(divisor_of(a.normalization, places, batch), OUT(), SAVED(1), SAVED(2))


for _op, _name in (("softmax_nll", "softmax_nll"), ("infogain_loss", "infogain")):
    rule(FILE, _op, names=(*(f"{_name}<{{T}}, {team}>" for team in TEAMS), FINISH), ins="Tf", outs="fT", saved="Fff",
         last=_channels)(_with_softmax)


@rule(FILE, "softmax_nll_dx", names=("softmax_nll_dx<{T}>",), ins="Ff", last=_channels)
def _softmax_nll_dx(job: Job, call: Call, form: Form) -> None:
    """dx from p, labels, divisor, dloss."""
    _, classes, inner = _sizes(call, form)
    count = call.outs[0].count
    job.start(f"softmax_nll_dx<{form.t}>", blocks_for(count, form.width), THREADS, count, classes, inner,
              IN(0), IN(1), IN(2), IN(3), OUT(), none_as_nan(call.attrs.ignore), FAULT)


@rule(FILE, "infogain_loss_dx", names=("infogain_dx<{T}>", f"row_totals<{THREADS}>"), ins="Ff", last=_channels)
def _infogain_dx(job: Job, call: Call, form: Form) -> None:
    """dx from p, labels, H, divisor, dloss."""
    _, classes, inner = _sizes(call, form)
    count = call.outs[0].count
    totals = job.take(classes)
    job.start(f"row_totals<{THREADS}>", min(classes, MAX_BLOCKS), THREADS, classes, IN(2), totals)
    job.start(f"infogain_dx<{form.t}>", blocks_for(count, form.width), THREADS, count, classes, inner,
              IN(0), IN(1), IN(2), totals, IN(3), IN(4), OUT(), none_as_nan(call.attrs.ignore), FAULT)


@rule(FILE, "multinomial_loss", names=("multinomial<{T}>", FINISH), ins="Tf", outs="f")
def _multinomial(job: Job, call: Call, form: Form) -> None:
    """loss from probabilities and labels."""
    items, classes = item_layout(*call.ins)
    terms = Terms(job, items, THREADS)
    terms.start(f"multinomial<{form.t}>", items, classes, IN(0), IN(1), terms.sums, terms.counts, FAULT)
    terms.finish(float(max(1, items)), OUT())


@rule(FILE, "multinomial_loss_dx", names=("multinomial_dx<{T}>",), ins="Tf")
def _multinomial_dx(job: Job, call: Call, form: Form) -> None:
    """dp from probabilities, labels, dloss."""
    items, classes = item_layout(call.ins[0], call.ins[1])
    count = call.outs[0].count
    job.start(f"multinomial_dx<{form.t}>", blocks_for(count), THREADS, count, classes, float(max(1, items)),
              IN(0), IN(1), IN(2), OUT(), FAULT)
