"""Pooling: the largest, the mean or a randomly drawn pixel of each window of an image.

Sizes, borders and formulas: ops/pool.py and ops/stochastic_pool.py.
"""
from __future__ import annotations

from caffempi.errors import NetError
from caffempi.layers.base import LAYERS, BuildContext, Layer, LayerBuilder
from caffempi.ops.graph import Value
from caffempi.ops.pool import PoolAttrs
from caffempi.ops.window import Pair
from caffempi.proto import caffe_pb2

_MAX, _AVE = caffe_pb2.PoolingParameter.MAX, caffe_pb2.PoolingParameter.AVE


@LAYERS.register("Pooling")
class Pooling(Layer):
    """pooling_param: pool, kernel, stride (1), pad (0), each whole or as _h and _w; global_pooling, round_mode.

    MAX may have a second top: the winners' indices in their image. Padding is for MAX and AVE, and below the kernel.
    STOCHASTIC draws when training and takes the expectation when testing. `engine` is a wish (see docs/gpu.md).
    """

    tops = (1, 2)
    param = "pooling_param"

    def __init__(self, lp: caffe_pb2.LayerParameter, ctx: BuildContext) -> None:
        super().__init__(lp, ctx)
        p = self.p
        if len(lp.top) == 2 and p.pool != _MAX:
            raise NetError("a second top (the mask) is for MAX pooling only", field="pooling_param.pool",
                           value=caffe_pb2.PoolingParameter.PoolMethod.Name(p.pool), fix="remove the second top")
        stride, pad = self._pair("stride", "stride", 1), self._pair("pad", "pad", 0)
        self.attrs = PoolAttrs((1, 1) if p.global_pooling else self._pair("kernel_size", "kernel", 1), stride, pad,
                               p.global_pooling, caffe_pb2.PoolingParameter.RoundMode.Name(p.round_mode),
                               len(lp.top) == 2)
        if p.global_pooling:
            self._check_global()
        self._check_pad()

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """One pooling op."""
        drawn = "stochastic_pool" if self.ctx.phase == "TRAIN" else "stochastic_pool_mean"
        name = {_MAX: "max_pool", _AVE: "ave_pool"}.get(self.p.pool, drawn)
        return g.emit(name, self.attrs, bottoms)

    def _pair(self, whole: str, stem: str, low: int) -> Pair:
        """(rows, columns) of a field that is given whole, or by both of its sides."""
        p, sides = self.p, (f"{stem}_h", f"{stem}_w")
        given = [s for s in sides if p.HasField(s)]
        if given and p.HasField(whole):
            raise NetError(f"is given beside {given[0]}", field=f"pooling_param.{whole}", value=getattr(p, whole),
                           fix=f"give {whole}, or {sides[0]} and {sides[1]}; not both")
        if len(given) == 1:
            raise NetError("is given without the other side", field=f"pooling_param.{given[0]}",
                           value=getattr(p, given[0]), fix=f"give both {sides[0]} and {sides[1]}, or {whole}")
        if whole == "kernel_size" and not given and not p.HasField(whole):
            raise NetError("is missing", field="pooling_param.kernel_size",
                           fix="give kernel_size, or kernel_h and kernel_w, or global_pooling: true")
        names = given or [whole, whole]
        for name in names:
            if getattr(p, name) < low:
                raise NetError(f"must be at least {low}", field=f"pooling_param.{name}", value=getattr(p, name))
        return getattr(p, names[0]), getattr(p, names[1])

    def _check_global(self) -> None:
        for name in ("kernel_size", "kernel_h", "kernel_w"):
            if self.p.HasField(name):
                raise NetError("cannot stand beside global_pooling: true, whose window is the whole image",
                               field=f"pooling_param.{name}", value=getattr(self.p, name), fix="remove one of them")
        for stem, plain, pair in (("stride", 1, self.attrs.stride), ("pad", 0, self.attrs.pad)):
            if pair != (plain, plain):
                raise NetError(f"must be {plain} beside global_pooling: true", field=self._place(stem), value=max(pair))

    def _check_pad(self) -> None:
        if any(self.attrs.pad) and self.p.pool not in (_MAX, _AVE):
            raise NetError("padding is for MAX and AVE pooling only", field=self._place("pad"),
                           value=max(self.attrs.pad))
        for side, pad, kernel in zip("hw", self.attrs.pad, self.attrs.kernel, strict=True):
            if pad >= kernel and not self.attrs.global_:
                raise NetError(f"must be less than the kernel, {kernel}", field=self._place("pad", side), value=pad)

    def _place(self, stem: str, side: str = "h") -> str:
        """The path of the field that gave a pair."""
        return f"pooling_param.{stem}_{side}" if self.p.HasField(f"{stem}_{side}") else f"pooling_param.{stem}"
