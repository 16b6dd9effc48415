"""LSTM and RNN over a sequence: for each step a product with W and one launch; and lstm_unit, in float32.

Sequences and W are stored as the form says; states, cells and gates are float32, as are what products give and dW. Forward
multiplies k_t h_(t-1), which the step before leaves in scratch. Backward multiplies du_t by W for the step before it, and makes
dW in one product over all steps.
"""
from __future__ import annotations

import numpy as np

from caffempi.engines.base import Call
from caffempi.engines.cuda.blas import Product
from caffempi.engines.cuda.rule import IN, NULL, OUT, SAVED, STATE, THREADS, Array, Form, Job, Part, Slot, blocks_for, rule

FILE = "recurrent.cu"


def _launch(job: Job, name: str, count: int, *args: Array | np.generic | int) -> None:
    job.start(name, blocks_for(count), THREADS, count, *args)


@rule(FILE, "lstm_unit", names=("lstm_unit",), ins="f", outs="f", saved="f")
def _unit(job: Job, call: Call, form: Form) -> None:
    """c, h and the gates from c0, x, k"""
    cells = call.outs[0].count
    job.start("lstm_unit", blocks_for(cells), THREADS, cells, call.ins[0].shape[2], IN(0), IN(1), IN(2), OUT(0), OUT(1),
              SAVED() if call.saved else NULL)


@rule(FILE, "lstm_unit_grad", names=("lstm_unit_grad",), ins="f", outs="f")
def _unit_grad(job: Job, call: Call, form: Form) -> None:
    """dc0, dx from the gates, c0, c, dc, dh"""
    cells = call.outs[0].count
    _launch(job, "lstm_unit_grad", cells, call.ins[1].shape[2], IN(0), IN(1), IN(2), IN(3), IN(4), OUT(0), OUT(1))


def _product(form: Form, m: int, n: int, k: int, turn_a: bool = False, turn_b: bool = False) -> Product:
    """Of what is stored as the form says; the result is float32."""
    return Product(m, n, k, turn_a, turn_b, dtype=form.dtype, out="float32")


def _sizes(call: Call, h: int) -> tuple[int, int, int, int]:
    """(steps, streams, H, cells) by the sequence of h, the spec at that place among ins and outs."""
    steps, streams, size = (call.ins[0] if h else call.outs[0]).shape
    return steps, streams, size, streams * size


def _state(call: Call) -> tuple[tuple[Slot, ...], tuple[Slot, ...]]:
    """Where the hidden state comes from and goes to."""
    arrays = 2 if call.op == "lstm" else 1
    if call.attrs.exposed:
        return tuple(IN(3 + i) for i in range(arrays)), tuple(OUT(1 + i) for i in range(arrays))
    return (tuple(STATE(i) for i in range(arrays)),) * 2


def _begin(job: Job, call: Call, form: Form, saved: int) -> tuple[Part, Array]:
    """Keeps h_0, makes the first factor; returns rooms for k h and for a step's product. saved: place of h_0."""
    steps, _, size, cells = _sizes(call, 0)
    first, last = _state(call)
    if call.saved:
        _launch(job, "keep", cells, first[0], SAVED(saved))
    if not steps:
        for a, b in zip(first, last, strict=True):
            if a != b:
                _launch(job, "keep", cells, a, b)
    before = job.take(cells, form.dtype)
    if steps:
        _launch(job, f"carry<{form.t}>", cells, cells, size, NULL, first[0], IN(1), before)
    return Part(before, 0, cells), job.take(call.ins[2].shape[0] * max(1, call.ins[0].shape[1]))


_FORWARD = "carry<{T}>", "keep"


@rule(FILE, "lstm", names=(*_FORWARD, "lstm_step<{T}>"), ins="TfTf", outs="Tf", saved="f")
def _lstm(job: Job, call: Call, form: Form) -> None:
    """The sequence of h; the gates, cells and h_0; the state"""
    steps, streams, size, cells = _sizes(call, 0)
    (_, first), (h_last, c_last) = _state(call)
    c: Array = first
    before, x = _begin(job, call, form, 2)
    if not cells:
        return
    if call.saved:
        _launch(job, "keep", cells, c, Part(SAVED(1), 0, cells))
    own = job.take(2 * cells)
    for t in range(steps):
        job.multiply(_product(form, streams, 4 * size, size, turn_b=True), before, IN(2), x)
        made = Part(SAVED(1), (t + 1) * cells, cells) if call.saved else Part(own, t % 2 * cells, cells)
        job.start(f"lstm_step<{form.t}>", blocks_for(cells), THREADS, cells, size, t, steps, x, IN(0), IN(1), c, made,
                  SAVED(0) if call.saved else NULL, OUT(0), before, h_last, c_last)
        c = made


@rule(FILE, "rnn", names=(*_FORWARD, "rnn_step<{T}>"), ins="TfTf", outs="Tf", saved="f")
def _rnn(job: Job, call: Call, form: Form) -> None:
    """The sequence of h; h_0; the state"""
    steps, streams, size, cells = _sizes(call, 0)
    _, (h_last,) = _state(call)
    before, x = _begin(job, call, form, 0)
    for t in range(steps if cells else 0):
        job.multiply(_product(form, streams, size, size, turn_b=True), before, IN(2), x)
        job.start(f"rnn_step<{form.t}>", blocks_for(cells), THREADS, cells, size, t, steps, x, IN(0), IN(1), OUT(0), before,
                  h_last)


def _weights(job: Job, call: Call, form: Form, h0: int) -> None:
    """dW = the sum over steps of du_t' (k_t h_(t-1))."""
    steps, streams, size, cells = _sizes(call, 1)
    count = steps * cells
    before = job.take(max(1, count), form.dtype)
    if count:
        _launch(job, f"carry<{form.t}>", count, cells, size, IN(0), IN(h0), IN(1), before)
    job.multiply(_product(form, call.ins[2].shape[0], size, steps * streams, turn_a=True), OUT(0), before, OUT(1))


@rule(FILE, "lstm_grad", names=("carry<{T}>", "lstm_step_back<{T}>"), ins="TfTfffT", outs="Tf")
def _lstm_grad(job: Job, call: Call, form: Form) -> None:
    """du, dW from h, k, W, gates, cells, h_0, dh"""
    steps, streams, size, cells = _sizes(call, 1)
    back, dc = job.take(max(1, cells)), job.take(max(1, cells))
    for t in reversed(range(steps if cells else 0)):
        job.start(f"lstm_step_back<{form.t}>", blocks_for(cells), THREADS, cells, size, t, steps, IN(3), IN(4), IN(1), IN(6),
                  back, dc, OUT(0))
        if t:
            job.multiply(_product(form, streams, size, 4 * size), Part(OUT(0), t * 4 * cells, 4 * cells), IN(2), back)
    _weights(job, call, form, 5)


@rule(FILE, "rnn_grad", names=("carry<{T}>", "rnn_step_back<{T}>"), ins="TfTfT", outs="Tf")
def _rnn_grad(job: Job, call: Call, form: Form) -> None:
    """du, dW from h, k, W, h_0, dh"""
    steps, streams, size, cells = _sizes(call, 1)
    back = job.take(max(1, cells))
    for t in reversed(range(steps if cells else 0)):
        job.start(f"rnn_step_back<{form.t}>", blocks_for(cells), THREADS, cells, size, t, steps, IN(0), IN(1), IN(4), back,
                  OUT(0))
        if t:
            job.multiply(_product(form, streams, size, size), Part(OUT(0), t * cells, cells), IN(2), back)
    _weights(job, call, form, 3)
