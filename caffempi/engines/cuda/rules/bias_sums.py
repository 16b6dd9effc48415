"""Gradients of the biases of convolutions and inner products: sums by channel, of affine.cu's kernels, in float32."""
from __future__ import annotations

from caffempi.engines.base import Call
from caffempi.engines.cuda.channels import Channels
from caffempi.engines.cuda.rule import ADD, IN, NULL, OUT, Form, Job, rule, split_axis
from caffempi.engines.cuda.sums import start_sums, sum_names
from caffempi.ops.shapes import canonical_axis

FILE = "affine.cu"


def _axis(call: Call) -> int:
    """The one that the bias runs along."""
    ndim = len(call.ins[0].shape)
    return ndim - 1 if call.op == "inner_product_db" else canonical_axis(call.attrs.axis, ndim)


def _images(call: Call) -> bool:
    """Channels last where the channels are axis 1."""
    return _axis(call) == 1


@rule(FILE, "conv_db", "inner_product_db", names=sum_names("Alone"), outs="f", accumulates=True, last=_images)
def _sums(job: Job, call: Call, form: Form) -> None:
    """db from dy"""
    at = Channels.around(*split_axis(call.ins[0].shape, _axis(call), form))
    start_sums(job, form, "Alone", at, (NULL, IN(0)), OUT(), ADD)
