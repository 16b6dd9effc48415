"""The graph: values, the nodes that make them, the params and the layers they came from.

A graph is what a net *means*, in ops. Layers put nodes into it (`Graph.emit`), each op's gradient rule puts more
(`Graph.emit_grad`), the plan reads it. Shapes in `Value.spec` are those of the first build; a binding infers them anew.
"""
from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from caffempi.errors import CaffempiError
from caffempi.ops.shapes import check_size


class Spec(NamedTuple):
    """Logical shape (N, C, H, W for images) and dtype of an array. Layout is never part of it."""

    shape: tuple[int, ...]
    dtype: str = "float32"

    @property
    def count(self) -> int:  # type: ignore[override]
        """Number of elements; 1 for a scalar."""
        n = 1
        for d in self.shape:
            n *= d
        return n


@dataclass(eq=False)
class Value:
    """One array of the graph.

    kind: 'in' (net input or data source), 'act', 'param', 'stat' (BatchNorm statistics), 'state' (kept between runs),
    'saved' (from forward to backward), 'grad', 'seed' (a diff that nobody in the net writes: the user's or the loss weight).
    blob, version: the named blob that the value is a version of (in-place layers make versions); None inside a layer.
    like: the value whose shape this one has (a gradient's primal). param: the Param that a 'param', 'stat' or its 'grad' is.
    need: of a param or statistics value, whether this use has an lr_mult that is not 0 (or force_backward holds).
    """

    id: int
    spec: Spec
    kind: str
    blob: str | None = None
    version: int = 0
    like: Value | None = None
    param: Param | None = None
    need: bool = False

    def __repr__(self) -> str:
        name = f"{self.blob}.{self.version}" if self.blob is not None else "-"
        return f"%{self.id}:{self.kind}:{name}{list(self.spec.shape)}"


@dataclass(eq=False)
class Node:
    """One op applied. `saved`: values that forward leaves for backward; `state`: values that it reads and changes.

    inner: of a fused node, the values between its parts: they have shapes, but no memory.
    """

    op: str
    attrs: Any
    ins: tuple[Value, ...]
    outs: tuple[Value, ...]
    layer: int
    saved: tuple[Value, ...] = ()
    state: tuple[Value, ...] = ()
    where: str | None = None
    inner: tuple[Value, ...] = ()

    @property
    def writes_state(self) -> bool:
        """True where no pass may reorder, repeat or drop the node."""
        return bool(self.state)


@dataclass(eq=False)
class Param:
    """A learnable (or, with stat=True, a statistics) blob, owned by the first layer that names it.

    lr_mult, decay_mult: factors on the solver's rate and weight decay (default 1). filler: initial values (a
    FillerParameter, kept opaque here; None = zeros). layer_name, index: the owner. share_name: ParamSpec.name or "".
    given: which of the multipliers some layer has stated. net_index: place in the order of the file.
    """

    layer_name: str
    index: int
    spec: Spec
    filler: Any = None
    share_name: str = ""
    lr_mult: float = 1.0
    decay_mult: float = 1.0
    stat: bool = False
    given: set[str] = field(default_factory=set)
    net_index: int = -1
    where: str | None = None

    @property
    def name(self) -> str:
        """layer/index, as messages and weights files say it."""
        return f"{self.layer_name}/{self.index}"


@dataclass(eq=False)
class LayerInfo:
    """A layer as the net has it after splits were inserted: names, blobs, what flows back.

    wish: the code that the net's text asks for, "CAFFE" or "CUDNN"; "" for any. It changes no result: engines that have the
    choice obey it.
    """

    name: str
    type: str
    bottoms: tuple[str, ...]
    tops: tuple[str, ...]
    where: str | None = None
    bottom_values: tuple[Value, ...] = ()
    top_values: tuple[Value, ...] = ()
    blobs: list[Value] = field(default_factory=list)          # values of kind 'param' or 'stat', in the layer's order
    loss_weights: tuple[float, ...] = ()
    need_backward: bool = False
    bottom_need: tuple[bool, ...] = ()
    source: bool = False                                      # a data layer: its tops are fed from outside
    wish: str = ""


class Graph:
    """Nodes in the order of execution, and everything they refer to. `dtype` holds for all values of the graph."""

    def __init__(self, name: str = "", dtype: str = "float32", phase: str = "TRAIN") -> None:
        self.name, self.dtype, self.phase = name, dtype, phase
        self.nodes: list[Node] = []
        self.values: list[Value] = []
        self.blobs: dict[str, list[Value]] = {}
        self.params: list[Param] = []
        self.layers: list[LayerInfo] = []
        self.inputs: list[str] = []
        self.outputs: list[str] = []
        self.notes: list[str] = []                             # what building gave cause to say
        self.layer = -1                                        # index of the layer that is being built or differentiated
        self.where: str | None = None

    def value(self, spec: Spec, kind: str, *, like: Value | None = None, param: Param | None = None) -> Value:
        """A new value of that kind."""
        v = Value(len(self.values), spec, kind, like=like, param=param)
        self.values.append(v)
        return v

    def emit(self, op: str, attrs: Any, ins: Sequence[Value], state: Sequence[Value] = ()) -> list[Value]:
        """Appends a node and returns its outs; their shapes come from the op's own rule.

        Raises ShapeError (with the current layer's name and place) where the shapes do not fit, or an out is too large.
        """
        from caffempi.ops.op import get_op
        rule = get_op(op)
        try:
            specs = rule.infer(attrs, [v.spec for v in ins])
            for s in specs:
                check_size(s.shape)
        except CaffempiError as e:
            info = self.layers[self.layer] if 0 <= self.layer < len(self.layers) else None
            raise e.at(layer=info and info.name, type=info and info.type, where=self.where) from e.__cause__
        outs = [self.value(s, "act") for s in specs]
        saved = [self.value(s, "saved") for s in rule.saved(attrs, [v.spec for v in ins], specs)]
        self.nodes.append(Node(op, attrs, tuple(ins), tuple(outs), self.layer, tuple(saved), tuple(state), self.where))
        return outs

    def emit_grad(self, op: str, attrs: Any, ins: Sequence[Value], like: Sequence[Value]) -> list[Value]:
        """Appends a node of the backward run; its outs are gradients shaped as the values in `like`."""
        outs = [self.value(v.spec, "grad", like=v) for v in like]
        self.nodes.append(Node(op, attrs, tuple(ins), tuple(outs), self.layer, (), (), self.where))
        return outs

    def name_blob(self, value: Value, blob: str) -> None:
        """Makes the value the newest version of the named blob."""
        versions = self.blobs.setdefault(blob, [])
        value.blob, value.version = blob, len(versions)
        versions.append(value)

    def digest(self) -> str:
        """SHA-256 over what ranks must agree on: layers, ops with attributes, shapes, params, dtype."""
        h = hashlib.sha256(f"{self.name}|{self.dtype}|{self.phase}".encode())
        for layer in self.layers:
            h.update(f"L{layer.name}|{layer.type}|{layer.bottoms}|{layer.tops}|{layer.loss_weights}".encode())
        for n in self.nodes:
            h.update(f"N{n.op}|{n.attrs}|{[v.id for v in n.ins]}|{[v.id for v in n.outs]}".encode())
        for p in self.params:
            h.update(f"P{p.name}|{p.spec}|{p.lr_mult}|{p.decay_mult}|{p.share_name}".encode())
        return h.hexdigest()
