"""From a net's message to its graph: layers in order, blobs by name, shared params, splits, what needs a gradient."""
from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from caffempi.errors import CaffempiError, NetError
from caffempi.layers.base import BuildContext, Layer, LayerBuilder
from caffempi.layers.extensions import claims, hint_notes, layer_class, unused, wish_of
from caffempi.layers.need_backward import mark_need_backward
from caffempi.ops.graph import Graph, LayerInfo, Param
from caffempi.proto import caffe_pb2
from caffempi.proto.splits import insert_splits

Place = Callable[[int, Sequence[Any]], str | None]
# Fields of a net that stand for no op: who runs or trains it obeys them.
_BY_THE_NET = ("default_forward_type", "global_grad_scale", "global_grad_scale_adaptive")


def build_graph(net: caffe_pb2.NetParameter, ctx: BuildContext, place: Place | None = None) -> Graph:
    """Builds the graph of a filtered, upgraded net.

    place(layer index in `net`, path of fields) -> "file:line", for messages. Raises NetError or ShapeError, with the
    layer's name, type and place.
    """
    find: Place = place or (lambda index, path: None)
    try:
        split, origin = insert_splits(net)
    except NetError as e:
        index = next((i for i, lp in enumerate(net.layer) if lp.name == e.layer), -1)
        raise e.at(where=find(index, ())) from None
    graph = Graph(net.name, ctx.dtype, ctx.phase)
    shared: dict[str, Param] = {}
    available: dict[str, None] = {}                            # blobs made and not yet read, in the order of making
    kinds: list[Layer] = []
    hints: list[tuple[str, str, str]] = []
    try:
        hints += [("", *hint) for hint in unused(net, _BY_THE_NET, ctx.phase == "TRAIN")]
    except NetError as e:
        raise e.at(where=find(-1, ())) from None
    for lp, index in zip(split.layer, origin, strict=True):
        def at(path: Sequence[Any], index: int = index) -> str | None:
            return find(index, path) if index >= 0 else None
        try:
            hints += [(lp.name, *hint) for hint in unused(lp, claims(layer_class(lp.type)), ctx.phase == "TRAIN")]
            kinds.append(_add_layer(graph, lp, ctx, shared, available, at))
        except CaffempiError as e:
            raise e.at(layer=lp.name, type=lp.type, where=_field_place(e, at)) from e.__cause__
    graph.layer, graph.where = -1, None
    graph.notes = hint_notes(hints)
    graph.outputs = sorted(available)
    mark_need_backward(graph, kinds, bool(net.force_backward), [list(lp.propagate_down) for lp in split.layer])
    return graph


def _add_layer(graph: Graph, lp: caffe_pb2.LayerParameter, ctx: BuildContext, shared: dict[str, Param],
               available: dict[str, None], at: Callable[[Sequence[Any]], str | None]) -> Layer:
    """Builds one layer and names its tops."""
    kind = layer_class(lp.type)
    if kind.auto_tops and not lp.top:
        lp.top.append(f"{lp.name}" if lp.name not in graph.blobs else f"(automatic){lp.name}")
    layer = kind(lp, ctx)
    _check_lists(lp, layer)
    bottoms = [graph.blobs[b][-1] for b in lp.bottom]
    for b in lp.bottom:
        available.pop(b, None)
    for j, top in enumerate(lp.top):
        in_place = j < len(lp.bottom) and lp.bottom[j] == top
        if (top in graph.blobs and not in_place) or top in list(lp.top)[:j]:
            raise NetError(f'top blob "{top}" is made by two layers', fix="give one of them another name")
    info = LayerInfo(lp.name, lp.type, tuple(lp.bottom), tuple(lp.top), at(()), tuple(bottoms), source=layer.source,
                     wish=wish_of(lp))
    graph.layers.append(info)
    graph.layer, graph.where = len(graph.layers) - 1, info.where
    builder = LayerBuilder(graph, lp, ctx, shared, at)
    tops = layer.build(builder, bottoms)
    if len(lp.param) > len(builder.blobs):
        raise NetError(f"has {len(lp.param)} param entries, but the layer has only {len(builder.blobs)} blob(s)",
                       field="param", fix="remove the surplus entries")
    for name, value in zip(lp.top, tops, strict=True):
        graph.name_blob(value, name)
        available[name] = None
    if lp.type == "Input":
        graph.inputs.extend(lp.top)
    info.top_values, info.blobs = tuple(tops), builder.blobs
    weights = list(lp.loss_weight) or [1.0 if layer.loss and j == 0 else 0.0 for j in range(len(tops))]
    info.loss_weights = tuple(weights)
    return layer


def _check_lists(lp: caffe_pb2.LayerParameter, layer: Layer) -> None:
    """loss_weight and propagate_down have one entry a top or bottom, or none."""
    if len(lp.loss_weight) not in (0, len(lp.top)):
        raise NetError(f"has {len(lp.loss_weight)} entries for {len(lp.top)} top(s)", field="loss_weight",
                       fix="give one a top, or none")
    for i, w in enumerate(lp.loss_weight):
        if not math.isfinite(w):
            raise NetError("must be a finite number", field=f"loss_weight[{i}]", value=w)
    if len(lp.propagate_down) not in (0, len(lp.bottom)):
        raise NetError(f"has {len(lp.propagate_down)} entries for {len(lp.bottom)} bottom(s)", field="propagate_down",
                       fix="give one a bottom, or none")
    for i, flag in enumerate(lp.propagate_down):
        if flag and i in layer.labels:
            raise NetError(f'bottom "{lp.bottom[i]}" can get no gradient', field=f"propagate_down[{i}]", value="true",
                           fix="set it to false")


def _field_place(e: CaffempiError, at: Callable[[Sequence[Any]], str | None]) -> str | None:
    """The line of the field at fault (or of the longest part of its path that stands in the text), else the layer's."""
    path: list[Any] = []
    for part in (e.field or "").split("."):
        name, _, index = part.partition("[")
        path.append(name)
        if index:
            path.append(int(index.rstrip("]")))
    while path:
        found = at(path)
        if found:
            return found
        path.pop()
    return at(())
