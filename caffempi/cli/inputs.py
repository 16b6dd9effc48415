"""Nets without their data: data layers become Input layers, and random numbers what these hold.

The shape of a data layer's tops is, in this order: what --shape gives; what its source says, where it can be opened; what
its text says: batch_size, then for images 1 channel with force_gray or is_color: false, else as many as there are
mean_values, else 3, then crop_size, or new_height and new_width. A label top has one number a record.

Random inputs: normal with mean 0 and variance 1. Labels (an input that ends in the second bottom of a layer that reads
labels there) are whole numbers from 0 up to the number of classes, the smallest among their readers; 0 or 1 where there is
a label for each score.
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from caffempi.data.feed import probe
from caffempi.errors import DataError, NetError, UsageError, did_you_mean
from caffempi.layers import LAYERS
from caffempi.net import Net
from caffempi.net.load import net_state
from caffempi.ops.graph import Graph
from caffempi.ops.shapes import canonical_axis
from caffempi.proto import caffe_pb2
from caffempi.proto.phase import filter_net
from caffempi.proto.places import Places
from caffempi.proto.text import read_net

Shape = tuple[int, ...]
_LP = caffe_pb2.LayerParameter


@dataclass
class Prepared:
    """A net that needs no data, to be built in that phase, level and stages. notes: what took the place of what.

    faults: what the text of data layers gets wrong. unknown: data layers (index in the message, error) of a shape that
    nobody knows: their data is missing, or their text is among the faults.
    """

    message: caffe_pb2.NetParameter
    places: Places | None
    phase: int
    level: int = 0
    stages: Sequence[str] = ()
    notes: list[str] = field(default_factory=list)
    faults: list[DataError] = field(default_factory=list)
    unknown: list[tuple[int, DataError]] = field(default_factory=list)


def prepare(path: str, phase: int, level: int = 0, stages: Sequence[str] = (), shapes: Mapping[str, Shape] | None = None,
            *, keep_data: bool = False, allow_unknown: bool = False) -> Prepared:
    """Reads a net and replaces its data layers; with keep_data, those whose sources can be opened stay.

    Raises TextError, NetError; UsageError for a shape of a blob that is no input; DataError for a layer of unknown shape.
    """
    message, places = read_net(path, allow_unknown=allow_unknown)
    p = replace_data(message, places, phase, level, stages, shapes or {}, keep_data=keep_data)
    for error in [*p.faults, *(e for _, e in p.unknown)]:
        raise error
    p.notes[:0] = [*places.warnings, *places.notes]
    return p


def replace_data(message: caffe_pb2.NetParameter, places: Places | None, phase: int, level: int, stages: Sequence[str],
                 shapes: Mapping[str, Shape], *, keep_data: bool = False, no_data: bool = False) -> Prepared:
    """The same for a message, which is changed in place; layers of unknown shape stay, and are told in `unknown`.

    no_data: no source is opened, shapes come from the text and `shapes` alone.
    """
    p = Prepared(message, places, phase, level, stages)
    filtered, origin = filter_net(message, net_state(message, phase, level, stages), places)
    left = dict(shapes)
    for lp, index in zip(filtered.layer, origin, strict=True):
        kind = LAYERS.get(lp.type) if lp.type in LAYERS else None
        if kind is None or not (kind.source or lp.type == "Input"):
            continue
        named = {top: left.pop(top) for top in lp.top if top in left}
        if lp.type == "Input":
            if named:
                _set_shapes(message.layer[index], [named.get(t, s) for t, s in zip(lp.top, _input_shapes(lp), strict=True)])
            continue
        where = places.at("layer", index) if places else None
        try:
            found = [named[top] for top in lp.top] if len(named) == len(lp.top) else _probe(lp, where, no_data)
            if found is None or (keep_data and not named and lp.type != "MemoryData"):
                continue
        except DataError as e:
            found = _from_text(lp, named)
            if not _data_is_missing(e):
                p.faults.append(e)
            elif found is not None:
                p.notes.append(f"{e}; without it, its blobs are {_words(lp.top, found)}")
            else:
                e.fix = "to go on without the data, give shapes: " + " ".join(
                    f"--shape {top}=..." for top in lp.top if top not in named)
            if found is None:
                p.unknown.append((index, e))
                continue
        _set_shapes(message.layer[index], [named.get(t, s) for t, s in zip(lp.top, found, strict=True)])
    for name in left:
        inputs = [t for lp in filtered.layer if lp.type in LAYERS and not lp.bottom for t in lp.top]
        raise UsageError(f'--shape {name}: "{name}" is no input of the net', fix=did_you_mean(name, inputs) or
                         f"those are: {', '.join(inputs) or 'none'}")
    return p


def _probe(lp: _LP, where: str | None, no_data: bool) -> list[Shape] | None:
    if no_data and lp.type != "DummyData":
        raise DataError("is not read", layer=lp.name, type=lp.type, field=f"{lp.type}.source", value="data", where=where)
    return probe(lp, lp.phase, tops=len(lp.top), where=where)


def _data_is_missing(e: DataError) -> bool:
    """Whether the fault lies with the data (or its absence on this machine), and not with the net's text."""
    return e.value is not None and (e.field or "").endswith((".source", ".mean_file"))


def _input_shapes(lp: _LP) -> list[Shape]:
    """One shape a top; Input's own build says what is wrong where their number does not fit."""
    shapes = [tuple(s.dim) for s in lp.input_param.shape]
    return shapes if len(shapes) == len(lp.top) else (shapes[:1] or [()]) * len(lp.top)


def _from_text(lp: _LP, named: Mapping[str, Shape]) -> list[Shape] | None:
    """Shapes of an image layer's tops as far as the text alone tells them."""
    if lp.type not in ("Data", "ImageData", "WindowData"):
        return None
    t, size, gray, batch = lp.transform_param, (0, 0), lp.transform_param.force_gray, lp.data_param.batch_size
    if lp.type == "ImageData":
        p = lp.image_data_param
        size, gray, batch = (p.new_height, p.new_width), not p.is_color, p.batch_size
    elif lp.type == "WindowData":
        gray, batch = False, lp.window_data_param.batch_size
    if t.crop_size:
        size = t.crop_size, t.crop_size
    channels = 1 if gray else len(t.mean_value) if len(t.mean_value) > 1 else 3
    image = named.get(lp.top[0], (batch, channels, *size))
    return [image, image[:1]][:len(lp.top)] if image and min(image) > 0 else None


def guess_shapes(message: caffe_pb2.NetParameter, index: int) -> None:
    """Makes a data layer an Input layer of images of 224 x 224 (later tops: one number a record): a guess, for checks alone."""
    lp = message.layer[index]
    sizes = [value.batch_size for field, value in lp.ListFields() if hasattr(value, "batch_size") and value.batch_size > 0]
    batch = sizes[0] if sizes else 1
    _set_shapes(lp, [(batch, 3, 224, 224), *[(batch,)] * (len(lp.top) - 1)])


def _set_shapes(lp: _LP, shapes: Sequence[Shape]) -> None:
    """Turns the layer into an Input layer, in place."""
    kept = caffe_pb2.LayerParameter(name=lp.name, type="Input", top=lp.top, include=lp.include, exclude=lp.exclude)
    for shape in shapes:
        kept.input_param.shape.add(dim=shape)
    lp.CopyFrom(kept)


def _words(tops: Sequence[str], shapes: Sequence[Shape]) -> str:
    return ", ".join(f"{t} {'x'.join(map(str, s))}" for t, s in zip(tops, shapes, strict=True))


def label_classes(graph: Graph) -> dict[str, int]:
    """Input blob -> number of classes, of the inputs that layers read as labels or as indices of rows."""
    maker = {v.id: n for n in graph.nodes for v in n.outs}
    found: dict[str, int] = {}
    for n in graph.nodes:
        if len(n.ins) < 2 or (n.op != "rows" and 1 not in LAYERS.get(graph.layers[n.layer].type).labels):
            continue
        value = n.ins[1]
        while value.id in maker and len(maker[value.id].ins) == 1:
            value = maker[value.id].ins[0]
        scores = n.ins[0].spec.shape
        if value.kind == "in" and value.blob is not None and scores:
            each = n.ins[1].spec.shape == scores                # a target of 0 or 1 for each score
            classes = 2 if each else scores[canonical_axis(getattr(n.attrs, "axis", 1), len(scores))]
            found[value.blob] = min(classes, found.get(value.blob, classes))
    return found


def fill_inputs(net: Net, seed: int) -> None:
    """Random numbers for all Input blobs of a net; the same for the same seed and shapes."""
    classes = label_classes(net.graph)
    for k, name in enumerate(net.inputs):
        rng = np.random.default_rng([seed, k])
        data = net.blobs[name].data
        if name in classes:
            if classes[name] < 1:
                raise NetError(f'blob "{name}" holds labels of 0 classes')
            data[...] = rng.integers(0, classes[name], data.shape)
        else:
            data[...] = rng.standard_normal(data.shape, np.float32)
