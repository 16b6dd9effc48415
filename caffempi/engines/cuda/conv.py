"""A convolution as those who compute it on a GPU are asked for it: sizes, steps, layout and precision, without arrays."""
from __future__ import annotations

from dataclasses import dataclass, replace

from caffempi.engines.base import Call
from caffempi.ops.fused import FusedAttrs
from caffempi.ops.graph import Spec


@dataclass(frozen=True)
class Conv:
    """One product of a convolution.

    kind: 'forward' (x, w -> y), 'data' (w, dy -> dx), 'weights' (x, dy -> dw). x (N, C, size...), w (M, C / groups,
    kernel...), y (N, M, out...). stride, dilation, low, high: an entry a spatial axis; low, high: zeros before and after the
    image. last: all three lie channels last. dtype: what they are stored as. bias, relu: of 'forward', b[m] is added and
    the result cut at 0. tf32: float32 may be rounded to TF32.
    """

    kind: str
    x: tuple[int, ...]
    w: tuple[int, ...]
    y: tuple[int, ...]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]
    dtype: str = "float32"
    last: bool = False
    bias: bool = False
    relu: bool = False
    tf32: bool = False

    @property
    def groups(self) -> int:
        """Parts of the channels that do not mix."""
        return self.x[1] // self.w[1]

    def wide(self) -> Conv:
        """With two spatial axes where there is one."""
        if len(self.stride) != 1:
            return self
        x, w, y = ((*s[:2], 1, s[2]) for s in (self.x, self.w, self.y))
        return replace(self, x=x, w=w, y=y, stride=(1, *self.stride), dilation=(1, *self.dilation), low=(0, *self.low),
                       high=(0, *self.high))


def conv_of(call: Call, dtype: str = "float32", last: bool = False, tf32: bool = False) -> Conv:
    """The product that a call of conv, conv_dx, conv_dw, or of conv and relu fused, is."""
    op, attrs, relu = call.op, call.attrs, False
    if isinstance(attrs, FusedAttrs):
        op, attrs, relu = attrs.ops[0], attrs.attrs[0], len(attrs.ops) > 1

    def joined(spec: Spec) -> tuple[int, ...]:
        batch, channels, size = attrs.split(spec.shape)
        return batch, channels, *size
    first, second, out = call.ins[0], call.ins[1], call.outs[0]
    if op == "conv":
        kind, x, w, y = "forward", joined(first), second.shape, joined(out)
    elif op == "conv_dx":
        kind, x, w, y = "data", joined(out), first.shape, joined(second)
    else:
        kind, x, w, y = "weights", joined(first), out.shape, joined(second)
    return Conv(kind, x, w, y, attrs.stride, attrs.dilation, attrs.pad, attrs.pad, dtype, last,
                op == "conv" and len(call.ins) > 2, relu, tf32 and dtype == "float32")


def strides(shape: tuple[int, ...], last: bool) -> list[int]:
    """Elements from one index to the next along each axis: in C order, or with axis 1 as the innermost."""
    order = [0, *range(2, len(shape)), 1] if last else list(range(len(shape)))
    found, step = [0] * len(shape), 1
    for axis in reversed(order):
        found[axis] = step
        step *= shape[axis]
    return found
