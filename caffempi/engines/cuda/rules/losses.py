"""Losses without softmax: sigmoid cross-entropy, Euclidean, hinge, contrastive. Targets and what is saved are float32."""
from __future__ import annotations

import numpy as np

from caffempi.engines.base import Call
from caffempi.engines.cuda.losses import FINISH, THREADS, Terms, divisor_of, none_as_nan
from caffempi.engines.cuda.rule import FAULT, IN, OUT, SAVED, Form, Job, blocks_for, rule
from caffempi.ops.labels import item_layout
from caffempi.ops.shapes import product

FILE = "losses.cu"


def _same_shape(call: Call) -> bool:
    """Whether predictions and targets lie alike in any order of axes."""
    return call.ins[0].shape == call.ins[1].shape


@rule(FILE, "sigmoid_loss", names=("sigmoid_loss<{T}>", FINISH), ins="TF", outs="f", saved="Fff", last=_same_shape)
def _sigmoid(job: Job, call: Call, form: Form) -> None:
    """loss from x and targets; saved sigmoid, divisor, count."""
    x, a = call.ins[0], call.attrs
    terms = Terms(job, x.count, THREADS * form.width)
    terms.start(f"sigmoid_loss<{form.t}>", x.count, IN(0), IN(1), SAVED(0), terms.sums, terms.counts, none_as_nan(a.ignore))
    terms.finish(divisor_of(a.normalization, x.count, x.shape[0]), OUT(), SAVED(1), SAVED(2))


@rule(FILE, "sigmoid_loss_dx", names=("sigmoid_loss_dx<{T}>",), ins="FFf", last=_same_shape)
def _sigmoid_dx(job: Job, call: Call, form: Form) -> None:
    """dx from sigmoid, targets, divisor, dloss."""
    count = call.outs[0].count
    job.start(f"sigmoid_loss_dx<{form.t}>", blocks_for(count, form.width), THREADS, count, IN(0), IN(1), IN(2), IN(3), OUT(),
              none_as_nan(call.attrs.ignore))


@rule(FILE, "euclidean_loss", names=("euclidean<{T}>", FINISH), ins="TF", outs="f", saved="F", last=_same_shape)
def _euclidean(job: Job, call: Call, form: Form) -> None:
    """loss from a and b; saved a - b."""
    a = call.ins[0]
    terms = Terms(job, a.count, THREADS * form.width)
    terms.start(f"euclidean<{form.t}>", a.count, IN(0), IN(1), SAVED(0), terms.sums, terms.counts)
    terms.finish(2.0 * max(1, a.shape[0]), OUT())


@rule(FILE, "euclidean_loss_dx", names=("euclidean_dx<{T}>",), ins="Ff",
      last=lambda call: call.ins[0].shape == call.outs[0].shape)
def _euclidean_dx(job: Job, call: Call, form: Form) -> None:
    """Gradient of one side from a - b, dloss."""
    count = call.outs[0].count
    job.start(f"euclidean_dx<{form.t}>", blocks_for(count, form.width), THREADS, count, IN(0), IN(1), OUT(),
              call.attrs.sign / max(1, call.ins[0].shape[0]))


@rule(FILE, "hinge_loss", names=("hinge<{T}>", FINISH), ins="Tf", outs="f", saved="F")
def _hinge(job: Job, call: Call, form: Form) -> None:
    """loss from x and labels; saved margins."""
    items, classes = item_layout(*call.ins)
    terms = Terms(job, items * classes, THREADS)
    terms.start(f"hinge<{form.t}>", items * classes, classes, IN(0), IN(1), SAVED(0), terms.sums, terms.counts,
                np.int32(call.attrs.squared), FAULT)
    terms.finish(float(max(1, items)), OUT())


@rule(FILE, "hinge_loss_dx", names=("hinge_dx<{T}>",), ins="Ff")
def _hinge_dx(job: Job, call: Call, form: Form) -> None:
    """dx from margins, labels, dloss."""
    items, classes = item_layout(call.ins[0], call.ins[1])
    count = call.outs[0].count
    job.start(f"hinge_dx<{form.t}>", blocks_for(count), THREADS, count, classes, IN(0), IN(1), IN(2), OUT(),
              float(max(1, items)), np.int32(call.attrs.squared), FAULT)


@rule(FILE, "contrastive_loss", names=("contrastive<{T}>", FINISH), ins="TTf", outs="f", saved="Ff")
def _contrastive(job: Job, call: Call, form: Form) -> None:
    """loss from a, b, similarity; saved a - b and the squared distances."""
    shape, attrs = call.ins[0].shape, call.attrs
    terms = Terms(job, shape[0], THREADS // 32)
    terms.start(f"contrastive<{form.t}>", shape[0], product(shape[1:]), IN(0), IN(1), IN(2), SAVED(0), SAVED(1),
                terms.sums, terms.counts, float(attrs.margin), np.int32(attrs.legacy))
    terms.finish(2.0 * max(1, shape[0]), OUT())


@rule(FILE, "contrastive_loss_dx", names=("contrastive_dx<{T}>",), ins="Ff")
def _contrastive_dx(job: Job, call: Call, form: Form) -> None:
    """Gradient of one side from a - b, squared distances, similarity, dloss."""
    shape, attrs = call.ins[0].shape, call.attrs
    count = call.outs[0].count
    job.start(f"contrastive_dx<{form.t}>", blocks_for(count), THREADS, count, product(shape[1:]), IN(0), IN(1), IN(2), IN(3),
              OUT(), attrs.sign / max(1, shape[0]), float(attrs.margin), np.int32(attrs.legacy))
