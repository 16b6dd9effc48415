"""Convolutions without cuDNN: matrix products of unfolded images, or own kernels where each filter reads one channel; and the
unfolding by itself (im2col). Up to three spatial axes.

Images are unfolded as many at a time as `ROOM` holds. Forward and dx take one batch of products a group over these images,
or one a image over the groups, whichever is fewer; dw one batch over the groups, with the images side by side.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from caffempi.engines.base import Call
from caffempi.engines.cuda.blas import Product
from caffempi.engines.cuda.chains import head_of, key_of
from caffempi.engines.cuda.channels import Channels
from caffempi.engines.cuda.rule import (
    ADD,
    IN,
    NULL,
    OUT,
    THREADS,
    Array,
    Form,
    Job,
    Part,
    Scratch,
    Slot,
    blocks_for,
    rule,
)
from caffempi.ops.conv import ConvAttrs
from caffempi.ops.shapes import canonical_axis, product

FILE = "conv.cu"
ROOM = 256 << 20
"""Bytes of unfolded images made at a time; one image is unfolded whatever it takes."""
TAPS = 9
"""Elements of the kernel whose gradients a block of depthwise_dw sums at a time."""
_AXES = 3


class Sizes(NamedTuple):
    """x (n, c, size...), w (m, c / g, kernel...), y (n, m, out...) of a convolution."""

    attrs: ConvAttrs
    n: int
    c: int
    m: int
    size: tuple[int, ...]
    out: tuple[int, ...]

    @classmethod
    def of(cls, call: Call) -> Sizes:
        """Of conv, conv_dx and conv_dw."""
        x, y = {"conv": (call.ins[0], call.outs[0]), "conv_dx": (call.outs[0], call.ins[1]),
                "conv_dw": (call.ins[0], call.ins[1])}[call.op]
        (n, c, size), (_, m, out) = call.attrs.split(x.shape), call.attrs.split(y.shape)
        return cls(call.attrs, n, c, m, size, out)

    @property
    def g(self) -> int:
        """Groups."""
        return self.attrs.group

    @property
    def taps(self) -> int:
        """Elements of the kernel."""
        return product(self.attrs.kernel)

    @property
    def places(self) -> int:
        """Pixels of an output."""
        return product(self.out)

    @property
    def rows(self) -> int:
        """Rows of an unfolded image."""
        return self.c * self.taps

    @property
    def depthwise(self) -> bool:
        """Whether each filter reads one of several channels, along one or two axes."""
        return self.g == self.c > 1 and len(self.size) in (1, 2)

    def chunks(self, itemsize: int, unfolded: bool) -> list[tuple[int, int]]:
        """(first, how many) images at a time."""
        step = max(1, ROOM // max(1, self.rows * self.places * itemsize)) if unfolded else max(1, self.n)
        return [(lo, min(step, self.n - lo)) for lo in range(0, self.n, step)]

    def space(self) -> tuple[np.int32, ...]:
        """SPACE_PARAMS: missing axes come first, with size 1."""
        lacks = _AXES - len(self.size)
        a = self.attrs
        return tuple(np.int32(v) for axis, fill in ((self.size, 1), (self.out, 1), (a.kernel, 1), (a.stride, 1), (a.pad, 0),
                                                    (a.dilation, 1)) for v in (*(fill,) * lacks, *axis))

    def flat(self, last: bool) -> tuple[np.int32, ...]:
        """DEPTHWISE_PARAMS."""
        lacks = 2 - len(self.size)
        a = self.attrs
        axes = [v for axis, fill in ((self.size, 1), (self.out, 1), (a.kernel, 1), (a.stride, 1), (a.pad, 0), (a.dilation, 1))
                for v in (*(fill,) * lacks, *axis)]
        return tuple(np.int32(v) for v in (last, self.c, self.m // self.c, *axes))


def many_axes(call: Call) -> str | None:
    """Why not."""
    n = len(head_of(call).attrs.kernel)
    return f"it knows up to {_AXES} spatial axes, these are {n}" if n > _AXES else None


def in_order(call: Call) -> bool:
    """Depthwise convolutions of images run in any order of axes."""
    s = Sizes.of(head_of(call))
    return s.depthwise and len(s.size) == 2 and canonical_axis(s.attrs.axis, len(call.ins[0].shape)) == 1


def own_pays(call: Call, precision: str) -> bool:
    """Whether the kernels here are ahead of cuDNN's: depthwise, but for 16 bits and channels by the eight."""
    s = Sizes.of(head_of(call))
    return s.depthwise and (precision in ("fp32", "tf32") or s.c % 8 != 0)


def _part(a: Slot | Scratch, lo: int, count: int) -> Part:
    return Part(a, lo, count)


def _unfold(job: Job, form: Form, s: Sizes, images: int, x: Array, cols: Array, side_by_side: bool) -> None:
    steps = (s.places, images * s.places) if side_by_side else (s.rows * s.places, s.places)
    count = images * s.c * s.places
    job.start(f"im2col<{form.t}>", blocks_for(count), THREADS, count, np.int32(s.c), *s.space(), *steps, x, cols)


def _fold(job: Job, form: Form, s: Sizes, images: int, cols: Array, x: Array) -> None:
    count = images * s.c * product(s.size)
    job.start(f"col2im<{form.t}>", blocks_for(count), THREADS, count, np.int32(s.c), *s.space(), s.rows * s.places, s.places,
              cols, x)


def _products(job: Job, s: Sizes, images: int, one: Product, w: Slot, b: Array, b_size: int, c: Array, c_size: int) -> None:
    """C = op(w) B for each image and group; b_size, c_size: elements of B and C of one image, groups one after another."""
    weights = s.m // s.g * (s.rows // s.g)

    def start(batch: int, group: int, image: int, strides: tuple[int, int, int]) -> None:
        p = Product(one.m, one.n, one.k, one.turn_a, dtype=one.dtype, batch=batch, a_stride=strides[0], b_stride=strides[1],
                    c_stride=strides[2])

        def part(of: Array, lo: int, size: int, stride: int) -> Array:
            base = of if isinstance(of, Part) else _part(of, 0, 0)  # type: ignore[arg-type]
            return _part(base.of, base.lo + lo, (batch - 1) * stride + size)
        job.multiply(p, part(w, group * weights, weights, strides[0]),
                     part(b, image * b_size + group * (b_size // s.g), b_size // s.g, strides[1]),
                     part(c, image * c_size + group * (c_size // s.g), c_size // s.g, strides[2]))
    if images >= s.g:
        for group in range(s.g):
            start(images, group, 0, (0, b_size, c_size))
    else:
        for image in range(images):
            start(s.g, 0, image, (weights, b_size // s.g, c_size // s.g))


def start_bias(job: Job, call: Call, form: Form, s: Sizes, b: Array | np.generic, relu: bool) -> None:
    """y += b, cut at 0 with `relu`."""
    count = call.outs[0].count
    job.start(f"add_bias<{form.t}>", blocks_for(count, form.width), THREADS, count, s.m, s.places, b, OUT(), np.int32(relu))


@rule(FILE, "conv", "conv+relu", names=("im2col<{T}>", "add_bias<{T}>", "depthwise<{T}>"), ins="TTf", last=in_order,
      why_not=many_axes)
def _conv(job: Job, call: Call, form: Form) -> None:
    """y from x, w and perhaps b"""
    s, relu = Sizes.of(head_of(call)), "+" in key_of(call)
    bias = IN(2) if len(call.ins) > 2 else NULL
    if s.depthwise:
        count = call.outs[0].count
        job.start(f"depthwise<{form.t}>", blocks_for(count), THREADS, count, *s.flat(form.last), IN(0), IN(1), bias, OUT(),
                  np.int32(relu))
        return
    unfolded, image = not s.attrs.pointwise, s.c * product(s.size)
    one = Product(s.m // s.g, s.places, s.rows // s.g, dtype=form.dtype)
    chunks = s.chunks(form.size, unfolded)
    cols = job.take(chunks[0][1] * s.rows * s.places, form.dtype) if unfolded else None
    for lo, images in chunks:
        x = _part(IN(0), lo * image, images * image)
        y = _part(OUT(), lo * s.m * s.places, images * s.m * s.places)
        if cols is not None:
            _unfold(job, form, s, images, x, cols, False)
        _products(job, s, images, one, IN(1), cols or x, s.rows * s.places, y, s.m * s.places)
    if relu or len(call.ins) > 2:
        start_bias(job, call, form, s, bias, relu)


@rule(FILE, "conv_dx", names=("col2im<{T}>", "depthwise_dx<{T}>"), last=in_order, why_not=many_axes)
def _conv_dx(job: Job, call: Call, form: Form) -> None:
    """dx from w and dy"""
    s = Sizes.of(call)
    if s.depthwise:
        count = call.outs[0].count
        job.start(f"depthwise_dx<{form.t}>", blocks_for(count), THREADS, count, *s.flat(form.last), IN(0), IN(1), OUT())
        return
    unfolded, image = not s.attrs.pointwise, s.c * product(s.size)
    one = Product(s.rows // s.g, s.places, s.m // s.g, turn_a=True, dtype=form.dtype)
    chunks = s.chunks(form.size, unfolded)
    cols = job.take(chunks[0][1] * s.rows * s.places, form.dtype) if unfolded else None
    for lo, images in chunks:
        x = _part(OUT(), lo * image, images * image)
        dy = _part(IN(1), lo * s.m * s.places, images * s.m * s.places)
        _products(job, s, images, one, IN(0), dy, s.m * s.places, cols or x, s.rows * s.places)
        if cols is not None:
            _fold(job, form, s, images, cols, x)


@rule(FILE, "conv_dw", names=("im2col<{T}>", "swap_leading<{T}>", "clear", f"depthwise_dw<{{T}}, {TAPS}>", "depthwise_total"),
      outs="f", accumulates=True, last=in_order, why_not=many_axes)
def _conv_dw(job: Job, call: Call, form: Form) -> None:
    """dw from x and dy"""
    s, count = Sizes.of(call), call.outs[0].count
    if not call.ins[1].count or not call.ins[0].count:
        job.start("clear", blocks_for(count), THREADS, count, OUT(), ADD)
    elif s.depthwise:
        _depthwise_dw(job, call, form, s)
    else:
        image, grown = s.c * product(s.size), s.m * s.places
        chunks = s.chunks(form.size, True)
        cols = job.take(chunks[0][1] * s.rows * s.places, form.dtype)
        turned = job.take(chunks[0][1] * grown, form.dtype)
        for lo, images in chunks:
            _unfold(job, form, s, images, _part(IN(0), lo * image, images * image), cols, True)
            job.start(f"swap_leading<{form.t}>", blocks_for(images * grown), THREADS, images * grown, images, s.m, s.places,
                      _part(IN(1), lo * grown, images * grown), turned)
            long = images * s.places
            p = Product(s.m // s.g, s.rows // s.g, long, turn_b=True, beta=float(lo > 0), batch=s.g, dtype=form.dtype,
                        out="float32", a_stride=s.m // s.g * long, b_stride=s.rows // s.g * long,
                        c_stride=s.m // s.g * (s.rows // s.g))
            job.multiply(p, turned, cols, OUT(), add=True)


def _depthwise_dw(job: Job, call: Call, form: Form, s: Sizes) -> None:
    at = Channels.of((s.n, s.m, *s.out), form)
    count, chunks = call.outs[0].count, -(-s.taps // TAPS)
    made: Array = job.take(at.parts * count) if at.parts > 1 else OUT()
    job.start(f"depthwise_dw<{form.t}, {TAPS}>", at.blocks * chunks, THREADS, at.outer, at.inner, at.parts, *s.flat(form.last),
              IN(0), IN(1), made, np.int32(0) if at.parts > 1 else ADD)
    if at.parts > 1:
        job.start("depthwise_total", blocks_for(count), THREADS, count, at.parts, made, OUT(), ADD)


def _window(call: Call, x: tuple[int, ...]) -> Sizes:
    """Of im2col, which makes no product."""
    n, c, size = call.attrs.split(x)
    return Sizes(call.attrs, n, c, 0, size, call.attrs.places(x))


@rule(FILE, "im2col", names=("im2col<{T}>",), why_not=many_axes)
def _im2col(job: Job, call: Call, form: Form) -> None:
    """The windows of x"""
    s = _window(call, call.ins[0].shape)
    _unfold(job, form, s, s.n, IN(0), OUT(), False)


@rule(FILE, "im2col_dx", names=("col2im<{T}>",), why_not=many_axes)
def _im2col_dx(job: Job, call: Call, form: Form) -> None:
    """dx from dy"""
    s = _window(call, call.outs[0].shape)
    _fold(job, form, s, s.n, IN(0), OUT())
