"""Inner products: one product of matrices each, by cuBLAS. Gradients of weights are float32 whatever is multiplied."""
from __future__ import annotations

import numpy as np

from caffempi.engines.base import Call
from caffempi.engines.cuda.blas import Product
from caffempi.engines.cuda.chains import head_of, key_of
from caffempi.engines.cuda.rule import IN, NULL, OUT, THREADS, Array, Form, Job, blocks_for, rule

FILE = "products.cu"
FINISH = "finish<{T}>"


def finish(job: Job, form: Form, count: int, inner: int, channels: int, bias: Array | np.generic, cut: bool) -> None:
    """y += bias of each channel; cut: then max(y, 0)."""
    job.start(FINISH.replace("{T}", form.t), blocks_for(count), THREADS, count, inner, channels, bias, np.int32(cut), OUT())


@rule(FILE, "inner_product", "inner_product+relu", names=(FINISH,), ins="TTf")
def _forward(job: Job, call: Call, form: Form) -> None:
    """y = x w' + b, perhaps cut at 0"""
    a, cut = head_of(call).attrs, "+" in key_of(call)
    (outer, k), n = a.flat(call.ins[0].shape), a.filters(call.ins[1].shape)
    job.multiply(Product(outer, n, k, turn_b=not a.transpose, dtype=form.dtype), IN(0), IN(1), OUT())
    if cut or len(call.ins) > 2:
        finish(job, form, outer * n, 1, n, IN(2) if len(call.ins) > 2 else NULL, cut)


@rule(FILE, "inner_product_dx", names=())
def _data(job: Job, call: Call, form: Form) -> None:
    """dx = dy w"""
    (outer, k), n = call.attrs.flat(call.outs[0].shape), call.attrs.filters(call.ins[0].shape)
    job.multiply(Product(outer, k, n, turn_b=call.attrs.transpose, dtype=form.dtype), IN(1), IN(0), OUT())


@rule(FILE, "inner_product_dw", names=(), outs="f", accumulates=True)
def _weights(job: Job, call: Call, form: Form) -> None:
    """dw = dy' x, or x' dy where the weights are transposed"""
    (outer, k), n = call.attrs.flat(call.ins[0].shape), call.ins[1].shape[-1]
    if call.attrs.transpose:
        job.multiply(Product(k, n, outer, turn_a=True, dtype=form.dtype, out="float32"), IN(0), IN(1), OUT(), add=True)
    else:
        job.multiply(Product(n, k, outer, turn_a=True, dtype=form.dtype, out="float32"), IN(1), IN(0), OUT(), add=True)
