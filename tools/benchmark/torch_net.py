"""A net of a prototxt as a PyTorch module, layer for layer, the way a PyTorch user would write it for speed.

Batch norm takes over a Scale behind it; ReLU works in place where the prototxt does; a sum overwrites an operand that
nobody else needs; a blob is dropped after its last reader. Accuracy is left out. Images are (N, C, H, W).
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from benchmark.torch_layers import MAKERS, Made
from caffempi.proto.caffe_pb2 import EltwiseParameter, LayerParameter, NetParameter

_KEEPS_NOTHING = ("Convolution", "BatchNorm", "Eltwise", "InnerProduct", "Concat")
"""Layers whose backward does not read their output, so that it may be overwritten."""


class _Step:
    """A layer on numbered values. frees: values that nobody reads after it."""

    def __init__(self, run: Callable[..., Tensor], ins: Sequence[int], out: int) -> None:
        self.run, self.ins, self.out = run, tuple(ins), out
        self.frees: tuple[int, ...] = ()


class TorchNet(nn.Module):
    """forward(input blobs in order) -> the weighted sum of the losses, or the outputs where there is none.

    inputs: shapes of the Input layers' tops. Raises ValueError for a layer that PyTorch's side does not know.
    """

    def __init__(self, net: NetParameter) -> None:
        super().__init__()
        self.mods = nn.ModuleList()
        self.owners: dict[str, nn.Module] = {}                 # layer name -> module with its params
        self.inputs = [tuple(s.dim) for lp in net.layer if lp.type == "Input" for s in lp.input_param.shape]
        self._steps: list[_Step] = []
        self._losses: list[tuple[int, float]] = []
        layers = [lp for lp in merge_scales(net.layer) if lp.type not in ("Input", "Accuracy", "Silence")]
        names = [top for lp in net.layer if lp.type == "Input" for top in lp.top]
        values: list[Tensor | None] = [torch.zeros(_small(s)) for s in self.inputs]
        makers = ["Input"] * len(values)
        at = {name: k for k, name in enumerate(names)}
        reads = _reads(layers, names)
        for lp in layers:
            ins = [at[b] for b in lp.bottom]
            alone = [reads[k] == 1 and makers[k] in _KEEPS_NOTHING for k in ins]
            run = self._make(lp, [values[k] for k in ins], alone)
            out = len(values)
            with torch.no_grad():
                values.append(run(*(values[k].clone() for k in ins)))   # type: ignore[union-attr]
            makers.append(lp.type)
            self._steps.append(_Step(run, ins, out))
            at[lp.top[0]] = out
            if lp.type.endswith("Loss"):
                self._losses.append((out, lp.loss_weight[0] if lp.loss_weight else 1.0))
        self._outs = [k for k in range(len(self.inputs), len(values)) if not reads[k]]
        self._plan_frees()

    def _make(self, lp: LayerParameter, ins: list[Any], alone: list[bool]) -> Callable[..., Tensor]:
        if lp.type == "ReLU":
            inplace, slope = alone[0] and lp.top[0] == lp.bottom[0], lp.relu_param.negative_slope
            return lambda x: F.leaky_relu(x, slope, inplace) if slope else F.relu(x, inplace)
        if lp.type == "Eltwise":
            return _eltwise(lp.eltwise_param, alone)
        if lp.type not in MAKERS:
            raise ValueError(f'the PyTorch side has no layer "{lp.type}"')
        made: Made = MAKERS[lp.type](lp, ins)
        if made.module is not None:
            self.mods.append(made.module)
            self.owners[lp.name] = made.module
            fixed = [m.HasField("lr_mult") and m.lr_mult == 0 for m in lp.param]
            for p, still in zip(made.module.parameters(), fixed, strict=False):
                p.requires_grad_(not still)
        return made.run

    def _plan_frees(self) -> None:
        last = {k: step for step in self._steps for k in step.ins}
        kept = {*self._outs, *(k for k, _ in self._losses)}
        for step in self._steps:
            step.frees = tuple({k for k in step.ins if last[k] is step and k not in kept})

    def forward(self, *given: Tensor) -> Any:
        """See the class."""
        values = dict(enumerate(given))
        for step in self._steps:
            values[step.out] = step.run(*[values[k] for k in step.ins])
            for k in step.frees:
                del values[k]
        if self._losses:
            return sum(values[k] * weight for k, weight in self._losses)
        return [values[k] for k in self._outs]


def merge_scales(layers: Sequence[LayerParameter]) -> list[LayerParameter]:
    """Copies of the layers; a Scale right behind a BatchNorm, channel by channel, is told by the latter's scale_param."""
    kept: list[LayerParameter] = []
    for lp in layers:
        before, p = kept[-1] if kept else None, lp.scale_param
        follows = before is not None and lp.type == "Scale" and list(lp.bottom) == list(before.top)
        if before is not None and follows and before.type == "BatchNorm" and not before.HasField("scale_param") \
                and p.axis == 1 and p.num_axes == 1:
            before.scale_param.CopyFrom(p)
            before.scale_param.axis = 1                        # set, so that the field is there
            before.top[0] = lp.top[0]
            continue
        own = LayerParameter()
        own.CopyFrom(lp)
        kept.append(own)
    return kept


def _reads(layers: Sequence[LayerParameter], inputs: Sequence[str]) -> list[int]:
    """How many layers read each value: the inputs, then the tops in order."""
    at, counts = {name: k for k, name in enumerate(inputs)}, [0] * len(inputs)
    for lp in layers:
        for b in lp.bottom:
            counts[at[b]] += 1
        at[lp.top[0]] = len(counts)
        counts.append(0)
    return counts


def _small(shape: Sequence[int]) -> tuple[int, ...]:
    """Two records of a shape: enough to find the shapes of a net."""
    return (min(2, shape[0]), *shape[1:])


def _eltwise(p: EltwiseParameter, alone: Sequence[bool]) -> Callable[..., Tensor]:
    coeffs = list(p.coeff)
    if p.operation == EltwiseParameter.PROD:
        return lambda *x: torch.stack(x).prod(0) if len(x) > 2 else x[0] * x[1]
    if p.operation == EltwiseParameter.MAX:
        return lambda *x: torch.stack(x).amax(0) if len(x) > 2 else torch.maximum(*x)
    if coeffs:
        return lambda *x: sum(c * v for c, v in zip(coeffs, x, strict=True))
    if len(alone) == 2 and any(alone):
        k = alone.index(True)
        return lambda *x: x[k].add_(x[1 - k])
    return lambda *x: sum(x[1:], x[0])
