"""What a layer is: limits as data, params and fillers, and `build`, which puts ops into the graph.

A new layer type made of existing ops is one class in one file here and one test:

    @LAYERS.register("ReLU")
    class ReLU(Layer):
        param = "relu_param"

        def build(self, g, bottoms):
            return g.emit("relu", ReluAttrs(self.p.negative_slope), bottoms)
"""
from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from caffempi.errors import NetError, ShapeError
from caffempi.layers.fillers import check_filler
from caffempi.ops.graph import Graph, Param, Spec, Value
from caffempi.ops.shapes import canonical_axis, check_size
from caffempi.proto import caffe_pb2
from caffempi.registry import Registry

Limit = Callable[[Any], str | None]


def at_least(low: float) -> Limit:
    """A limit: the value (or each value of a repeated field) must be low or more."""
    return lambda v: None if v >= low else f"must be at least {low}"


def above(low: float) -> Limit:
    """A limit: the value must be greater than low."""
    return lambda v: None if v > low else f"must be above {low}"


def between(low: float, high: float) -> Limit:
    """A limit: low <= value <= high."""
    return lambda v: None if low <= v <= high else f"must be between {low} and {high}"


@dataclass(frozen=True)
class BuildContext:
    """What building needs from outside the net's text.

    phase: 'TRAIN' or 'TEST'. dtype: of all blobs. probe(layer_param, tops) gives the shapes of a data source's next batch.
    extra: further callables by name for layers whose meaning lies outside (a Python layer's class).
    """

    phase: str = "TRAIN"
    dtype: str = "float32"
    probe: Callable[[caffe_pb2.LayerParameter, int], list[tuple[int, ...]]] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


class Layer:
    """Base of all layer types; the class attributes say what is allowed, `build` what it means.

    bottoms, tops: (least, most) numbers of blobs, most = None for any. equal: as many tops as bottoms.
    param: name of its message in LayerParameter ("" where it has none). limits: field -> Limit, checked on set fields and
    defaults alike (each value of a repeated field). loss: first top's loss_weight is 1 by default. labels: bottoms that can
    get no gradient (propagate_down: true there is an error; force_backward leaves them out). source: a data layer.
    always_down: whether its backward gives its bottom a gradient whenever it runs, asked for or not, as Caffe's does.
    auto_tops: the net may leave out tops; they are made up, as Caffe does for loss layers.
    obeys: settings of forks that the layer obeys, as paths ("batch_norm_param.scale_bias"); others are refused or noted.
    """

    bottoms: tuple[int, int | None] = (1, 1)
    tops: tuple[int, int | None] = (1, 1)
    equal: ClassVar[bool] = False
    param: ClassVar[str] = ""
    limits: ClassVar[Mapping[str, Limit]] = {}
    loss: ClassVar[bool] = False
    labels: tuple[int, ...] = ()
    source: ClassVar[bool] = False
    auto_tops: ClassVar[bool] = False
    always_down: ClassVar[bool] = False
    obeys: ClassVar[tuple[str, ...]] = ()

    def __init__(self, lp: caffe_pb2.LayerParameter, ctx: BuildContext) -> None:
        self.lp, self.ctx = lp, ctx
        self.p: Any = getattr(lp, self.param) if self.param else None
        self._check_counts()
        self._check_limits()

    def build(self, g: LayerBuilder, bottoms: list[Value]) -> list[Value]:
        """Puts the layer's ops into the graph and returns one value per top."""
        raise NetError(f'layer type "{self.lp.type}" has no meaning here')

    def axis(self, x: Value, name: str = "axis", message: str | None = None) -> int:
        """The field `name` (of `message`, or else of the layer's own one) as an index among x's axes.

        Raises ShapeError, naming the field, where x has no such axis.
        """
        message = message or self.param
        value = getattr(getattr(self.lp, message), name)
        try:
            return canonical_axis(value, len(x.spec.shape))
        except ShapeError as e:
            raise e.at(field=f"{message}.{name}", value=value) from None

    def refuse_in_place(self) -> None:
        """Raises NetError where the top is the bottom: for layers that Caffe does not let work in place."""
        if self.lp.top[0] == self.lp.bottom[0]:
            raise NetError("cannot work in place", field="top", value=f'"{self.lp.top[0]}"',
                           fix="give the top a name of its own")

    def _check_counts(self) -> None:
        for what, n, (low, high) in (("bottom", len(self.lp.bottom), self.bottoms), ("top", len(self.lp.top), self.tops)):
            if n < low or (high is not None and n > high):
                expected = f"{low}" if low == high else f"{low} or more" if high is None else f"{low} to {high}"
                raise NetError(f"takes {expected} {what} blob(s), the net gives {n}: {', '.join(getattr(self.lp, what))}",
                               field=what)
        if self.equal and len(self.lp.bottom) != len(self.lp.top):
            raise NetError(f"needs as many tops as bottoms; got {len(self.lp.bottom)} bottoms and {len(self.lp.top)} tops")

    def _check_limits(self) -> None:
        for name, limit in self.limits.items():
            value = getattr(self.p, name)
            for v in value if hasattr(value, "__len__") and not isinstance(value, str) else [value]:
                why = limit(v)
                if why:
                    raise NetError(why, field=f"{self.param}.{name}", value=v)


class LayerBuilder:
    """The graph as one layer sees it while it builds: emit ops, declare params."""

    def __init__(self, graph: Graph, lp: caffe_pb2.LayerParameter, ctx: BuildContext,
                 shared: dict[str, Param], place: Callable[[Sequence[Any]], str | None]) -> None:
        self.graph, self.lp, self.ctx = graph, lp, ctx
        self._shared, self._place = shared, place
        self.blobs: list[Value] = []

    def emit(self, op: str, attrs: Any, ins: Sequence[Value], state: Sequence[Value] = ()) -> list[Value]:
        """Appends an op; returns its outs."""
        return self.graph.emit(op, attrs, ins, state)

    def param(self, shape: Sequence[int], filler: caffe_pb2.FillerParameter | None = None, field: str = "filler") -> Value:
        """The layer's next learnable blob. Obeys ParamSpec: lr_mult, decay_mult, sharing by name (STRICT or PERMISSIVE).

        field: path of the filler's message ("convolution_param.weight_filler"), for errors about it.
        """
        check_filler(filler, shape, field)
        return self._blob(Spec(tuple(int(d) for d in shape), self.ctx.dtype), filler, False)

    def stat(self, shape: Sequence[int]) -> Value:
        """The layer's next statistics blob: saved with the weights, zero at first, never exchanged as gradient."""
        return self._blob(Spec(tuple(int(d) for d in shape), self.ctx.dtype), None, True)

    def state(self, shape: Sequence[int]) -> Value:
        """An array that the layer keeps from run to run: zero at first, and again when its shape changes; no weights.

        shape: for the first build; later the op's `state_specs` says it.
        """
        return self.graph.value(Spec(tuple(int(d) for d in shape), self.ctx.dtype), "state")

    def _blob(self, spec: Spec, filler: caffe_pb2.FillerParameter | None, stat: bool) -> Value:
        i = len(self.blobs)
        try:
            check_size(spec.shape)
        except ShapeError as e:
            raise ShapeError(f"its blob {i}: {e.why}") from None
        ps = self.lp.param[i] if i < len(self.lp.param) else caffe_pb2.ParamSpec()
        where = self._place(("param", i)) or self.graph.where
        if stat and ps.lr_mult != 0 and i < len(self.lp.param):
            raise NetError("statistics are not learned by the solver", field=f"param[{i}].lr_mult", value=ps.lr_mult,
                           where=where, fix="set lr_mult: 0, or leave the param entries out")
        for mult in ("lr_mult", "decay_mult"):
            if not math.isfinite(getattr(ps, mult)):
                raise NetError("must be a finite number", field=f"param[{i}].{mult}", value=getattr(ps, mult), where=where)
        owner = self._shared.get(ps.name) if ps.name else None
        if owner is None:
            p = Param(self.lp.name, i, spec, filler, ps.name, stat=stat, where=where, net_index=len(self.graph.params))
            if stat:
                p.lr_mult = p.decay_mult = 0.0
            self.graph.params.append(p)
            if ps.name:
                self._shared[ps.name] = p
        else:
            p = owner
            self._check_share(p, spec, ps, i, where)
        if not stat:
            self._merge_multipliers(p, ps, i, where)
        value = self.graph.value(spec, "stat" if stat else "param", param=p)
        value.need = ps.lr_mult != 0                            # of statistics too: it decides what runs backward, as in Caffe
        self.blobs.append(value)
        return value

    def _check_share(self, owner: Param, spec: Spec, ps: caffe_pb2.ParamSpec, i: int, where: str | None) -> None:
        """A second use of a shared param must fit its owner's shape (STRICT) or count (PERMISSIVE)."""
        strict = ps.share_mode == caffe_pb2.ParamSpec.STRICT
        if not (owner.spec.shape == spec.shape if strict else owner.spec.count == spec.count):
            raise ShapeError(f'shares param "{ps.name}" with layer "{owner.layer_name}", whose blob has shape '
                           f"{list(owner.spec.shape)}; this layer needs {list(spec.shape)}", field=f"param[{i}].name",
                           where=where, fix="give it another name" + (
                               ", or share_mode: PERMISSIVE where the counts agree" if strict else ""))

    def _merge_multipliers(self, p: Param, ps: caffe_pb2.ParamSpec, i: int, where: str | None) -> None:
        """The multipliers of a param are those that its uses state; two that state one must agree."""
        for mult in ("lr_mult", "decay_mult"):
            if not ps.HasField(mult):
                continue
            mine = getattr(ps, mult)
            if mult in p.given and mine != getattr(p, mult):
                raise NetError(f'differs from {getattr(p, mult)} in another layer that shares the param "{ps.name}"',
                               field=f"param[{i}].{mult}", value=mine, where=where, fix="make them equal")
            setattr(p, mult, mine)
            p.given.add(mult)


LAYERS: Registry[type[Layer]] = Registry("layer type", NetError)
