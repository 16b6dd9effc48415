"""Binary .caffemodel files: NetParameter of all of Caffe's generations, read and written at wire level.

Where a layer's name and blobs stand (numbers shared by all known forks):
    V2  NetParameter.layer = 100   LayerParameter{name 1, blobs 7}
    V1  NetParameter.layers = 2    V1LayerParameter{name 4, blobs 6}
    V0  NetParameter.layers = 2    V1LayerParameter{layer 1: V0LayerParameter{name 1, blobs 50}}
All else is stepped over: a binary of another program may hold fields that no schema knows.
"""
from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import BinaryIO, NamedTuple

import numpy as np

from caffempi.errors import WeightsError
from caffempi.proto import caffe_pb2
from caffempi.weights.blob import blob_pieces, parse_blob
from caffempi.weights.source import binary_kind, refuse_kind
from caffempi.weights.wire import BYTES, Fields, Piece, Source, bytes_field, expect, write_pieces

LayerBlobs = dict[str, list[np.ndarray | None]]
"""Layer name -> its blobs in file order. None stands for a blob that the file leaves out because another layer owns it
(shared parameters in HDF5); binary files have no such gaps."""


class LayerRecord(NamedTuple):
    """One layer as it is saved.

    blobs: all of the layer's parameters, float16, float32 or float64. diffs: their gradients, or None to save none.
    shared: indices of blobs that another layer owns: binary files repeat them, HDF5 files leave them out.
    settings: the layer's message, whose other fields (param, phase, convolution_param, ...) are saved beside; its own
    name, type, bottom, top and blobs are overridden by the fields here.
    """

    name: str
    type: str
    bottoms: Sequence[str]
    tops: Sequence[str]
    blobs: Sequence[np.ndarray]
    diffs: Sequence[np.ndarray] | None = None
    shared: frozenset[int] = frozenset()
    settings: caffe_pb2.LayerParameter | None = None


def parse_caffemodel(source: Source) -> LayerBlobs:
    """The layers of a NetParameter in file order, those without blobs with an empty list.

    Of several layers with one name the last that has blobs counts. Raises WeightsError where the file is of another
    kind, corrupt or truncated (a cut exactly between two layers leaves a legal file and cannot be seen).
    """
    refuse_kind(binary_kind(source), "weights")
    layers: LayerBlobs = {}
    seen: set[int] = set()
    for number, kind, start, end in Fields(source):
        if number not in (2, 100):
            continue
        expect(number, kind, BYTES)
        seen.add(number)
        name, blobs = _parse_layer(source, start, end, *((1, 7) if number == 100 else (4, 6)), v1=number == 2)
        if blobs or name not in layers:
            layers[name] = blobs
    if len(seen) != 1:
        raise WeightsError("holds layers of two generations (`layer` and `layers`)" if seen else
                           "holds no layers: truncated, or not a .caffemodel")
    return layers


def _parse_layer(source: Source, start: int, stop: int, name_at: int, blobs_at: int,
                 v1: bool = False) -> tuple[str, list[np.ndarray | None]]:
    """Name and blobs of the layer message at [start, stop); a V1 layer that wraps a V0 one gives that one's."""
    name, places = "", []
    for number, kind, value, end in Fields(source, start, stop):
        if number == name_at:
            expect(number, kind, BYTES)
            name = source.data[value:end].decode("utf-8", "backslashreplace")
        elif number == blobs_at:
            expect(number, kind, BYTES)
            places.append((value, end))
        elif number == 1 and v1:
            expect(number, kind, BYTES)
            return _parse_layer(source, value, end, 1, 50)
    try:
        return name, [parse_blob(source, *place, aligned=False) for place in places]
    except WeightsError as err:
        raise err.at(layer=name[:200]) from None


def dump_caffemodel(out: BinaryIO, net_name: str, layers: Iterable[LayerRecord]) -> None:
    """Writes a NetParameter as BVLC Caffe does: its name, then each layer with its settings and blobs by field number.

    One layer at a time is put together, its arrays by reference: no copy of the net, no limit at 2 GB.
    """
    write_pieces(out, bytes_field(1, net_name.encode()))
    for layer in layers:
        write_pieces(out, bytes_field(100, *_layer_pieces(layer)))


def _layer_pieces(layer: LayerRecord) -> list[Piece]:
    head: list[Piece] = []
    for number, texts in ((1, [layer.name]), (2, [layer.type]), (3, layer.bottoms), (4, layer.tops)):
        for text in texts:
            head += bytes_field(number, text.encode())
    before, after = _settings_pieces(layer.settings)
    blobs: list[Piece] = []
    for k, blob in enumerate(layer.blobs):
        blobs += bytes_field(7, *blob_pieces(blob, layer.diffs[k] if layer.diffs is not None else None))
    return head + before + blobs + after


def _settings_pieces(settings: caffe_pb2.LayerParameter | None) -> tuple[list[Piece], list[Piece]]:
    """A layer's remaining fields in wire form: those numbered below the blobs' 7, and those above."""
    if settings is None:
        return [], []
    rest = caffe_pb2.LayerParameter()
    rest.CopyFrom(settings)
    for name in ("name", "type", "bottom", "top", "blobs"):
        rest.ClearField(name)
    source = Source(rest.SerializeToString(deterministic=True))
    before: list[Piece] = []
    after: list[Piece] = []
    fields, start = Fields(source), 0
    for number, _, _, end in fields:
        (before if number < 7 else after).append(bytes(source.data[start:end]))
        start = end
    return before, after
