"""Layers as PyTorch has them: from a LayerParameter to a module with its params, if it has any, and a function."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from caffempi.proto.caffe_pb2 import LayerParameter, LRNParameter, PoolingParameter

Pair = tuple[int, int]


class Made(NamedTuple):
    """run: tensors of the bottoms -> that of the top. module: what holds the params."""

    run: Callable[..., Tensor]
    module: nn.Module | None = None


def _pair(repeated: Sequence[int], height: int, width: int, default: int) -> Pair:
    """(height, width) of a setting that is one number, two, or given by two fields of their own."""
    if height or width:
        return height, width
    values = list(repeated) or [default]
    return (values[0], values[0]) if len(values) == 1 else (values[0], values[1])


def _convolution(lp: LayerParameter, ins: Sequence[Tensor]) -> Made:
    p = lp.convolution_param
    m = nn.Conv2d(ins[0].shape[1], p.num_output, _pair(p.kernel_size, p.kernel_h, p.kernel_w, 0),
                  _pair(p.stride, p.stride_h, p.stride_w, 1), _pair(p.pad, p.pad_h, p.pad_w, 0),
                  _pair(p.dilation, 0, 0, 1), p.group, p.bias_term)
    return Made(m, m)


def _inner_product(lp: LayerParameter, ins: Sequence[Tensor]) -> Made:
    p = lp.inner_product_param
    m = nn.Linear(ins[0][0].numel(), p.num_output, p.bias_term)
    return Made(lambda x: m(x.flatten(1)), m)


def _batch_norm(lp: LayerParameter, ins: Sequence[Tensor]) -> Made:
    p = lp.batch_norm_param
    m = nn.BatchNorm2d(ins[0].shape[1], p.eps, 1 - p.moving_average_fraction, affine=lp.HasField("scale_param"))
    return Made(m, m)


class _Affine(nn.Module):
    """A factor, and perhaps a term, a channel."""

    def __init__(self, channels: int, bias: bool) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(channels, 1, 1))
        self.bias = nn.Parameter(torch.zeros(channels, 1, 1)) if bias else None

    def forward(self, x: Tensor) -> Tensor:
        y = x * self.weight
        return y if self.bias is None else y + self.bias


def _scale(lp: LayerParameter, ins: Sequence[Tensor]) -> Made:
    if len(lp.bottom) > 1 or ins[0].dim() != 4:
        raise ValueError("the PyTorch side scales images by learnt factors only")
    m = _Affine(ins[0].shape[1], lp.scale_param.bias_term)
    return Made(m, m)


def _pooling(lp: LayerParameter, ins: Sequence[Tensor]) -> Made:
    p = lp.pooling_param
    average = p.pool == PoolingParameter.AVE
    if p.global_pooling:
        return Made(lambda x: F.adaptive_avg_pool2d(x, 1) if average else F.adaptive_max_pool2d(x, 1))
    kernel, stride, pad = ((h, w) if h or w else (one, one) for h, w, one in (
        (p.kernel_h, p.kernel_w, p.kernel_size), (p.stride_h, p.stride_w, p.stride), (p.pad_h, p.pad_w, p.pad)))
    up = p.round_mode == PoolingParameter.CEIL
    if average:
        return Made(lambda x: F.avg_pool2d(x, kernel, stride, pad, up))
    return Made(lambda x: F.max_pool2d(x, kernel, stride, pad, ceil_mode=up))


def _lrn(lp: LayerParameter, ins: Sequence[Tensor]) -> Made:
    p = lp.lrn_param
    n = p.local_size
    if p.norm_region == LRNParameter.ACROSS_CHANNELS:
        return Made(lambda x: F.local_response_norm(x, n, p.alpha, p.beta, p.k))
    alpha, beta = p.alpha, p.beta
    return Made(lambda x: x * (1 + alpha * F.avg_pool2d(x * x, n, 1, n // 2)).pow(-beta))


class _Dropout(nn.Module):
    """Dropout in training alone."""

    def __init__(self, ratio: float) -> None:
        super().__init__()
        self.ratio = ratio

    def forward(self, x: Tensor) -> Tensor:
        return F.dropout(x, self.ratio, self.training)


def _dropout(lp: LayerParameter, ins: Sequence[Tensor]) -> Made:
    m = _Dropout(lp.dropout_param.dropout_ratio)
    return Made(m, m)


def _loss(lp: LayerParameter, ins: Sequence[Tensor]) -> Made:
    return Made(lambda x, label: F.cross_entropy(x.flatten(1), label.long()))


def _plain(run: Callable[..., Tensor]) -> Callable[[LayerParameter, Sequence[Tensor]], Made]:
    return lambda lp, ins: Made(run)


MAKERS: dict[str, Callable[[LayerParameter, Sequence[Any]], Made]] = {
    "Convolution": _convolution, "InnerProduct": _inner_product, "BatchNorm": _batch_norm, "Scale": _scale,
    "Pooling": _pooling, "LRN": _lrn, "Dropout": _dropout, "SoftmaxWithLoss": _loss,
    "Concat": lambda lp, ins: Made(lambda *x: torch.cat(x, lp.concat_param.axis)),
    "Flatten": _plain(lambda x: x.flatten(1)), "Softmax": _plain(lambda x: F.softmax(x, 1)),
    "Sigmoid": _plain(torch.sigmoid), "TanH": _plain(torch.tanh),
}
