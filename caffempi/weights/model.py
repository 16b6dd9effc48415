"""A net's weights as a file: .caffemodel (binary) and .caffemodel.h5 (HDF5).

HDF5 layout, as BVLC Caffe's: /data/<layer>/<i> is blob i of the layer; /diff/<layer>/<i>, where saved, its gradient; a
layer without blobs is an empty group. A layer name with slashes (inception_3a/1x1) is a path of groups.
"""
from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from caffempi.errors import SnapshotError, WeightsError
from caffempi.weights.caffemodel import LayerBlobs, LayerRecord, dump_caffemodel, parse_caffemodel
from caffempi.weights.files import atomic_write
from caffempi.weights.source import is_hdf5, open_source, refuse_kind

if TYPE_CHECKING:
    from caffempi.weights.hdf5 import Node  # the module loads h5py: only where there is HDF5

Format = Literal["BINARYPROTO", "HDF5"]
_MAX_BLOBS = 256


def read_weights(path: str | os.PathLike[str]) -> LayerBlobs:
    """Layer name -> blobs of a .caffemodel of any generation or of an HDF5 file; the content decides which.

    Arrays are float32 or float64 (fp16 becomes float32) in the file's own shapes, old 4-D ones included; those of
    binary files may be read-only views of the mapped file, at any address (flags.aligned may be false), which stays open
    while they live. Order: the file's (HDF5: by name). Raises WeightsError naming the path, and the layer where it is known.
    """
    source = open_source(path)
    try:
        if not is_hdf5(source):
            return parse_caffemodel(source)
        from caffempi.weights.hdf5 import open_hdf5
        with open_hdf5(path) as root:
            if not root.has("data"):
                refuse_kind("state" if root.has("history") else None, "weights")
                raise WeightsError("HDF5: there is no group /data: not a file of weights")
            layers: LayerBlobs = {}
            _collect(root.child("data"), "", layers)
            return layers
    except WeightsError as err:
        raise err.at(where=os.fspath(path)) from None


def write_weights(path: str | os.PathLike[str], net_name: str, layers: Sequence[LayerRecord], fmt: Format) -> None:
    """Saves a net's layers, all or nothing (`atomic_write`), in one of snapshot_format's two formats.

    Binary: what BVLC's Net::ToProto gives, gradients beside the values where a record has diffs. HDF5: as above;
    blobs that another layer owns are left out under /data. Raises SnapshotError.
    """
    try:
        if fmt == "BINARYPROTO":
            atomic_write(path, lambda out: dump_caffemodel(out, net_name, layers))
        else:
            from caffempi.weights.hdf5 import dump_hdf5
            atomic_write(path, lambda out: dump_hdf5(out, lambda root: _fill(root, layers)))
    except SnapshotError as err:
        raise err.at(where=os.fspath(path)) from None


def _collect(group: Node, layer: str, layers: LayerBlobs) -> None:
    """Reads a group under /data and all below it: one with datasets, or with nothing in it, is a layer."""
    found, groups = {}, []
    for name, node in group.children():
        if node.is_group:
            groups.append((name, node))
        elif layer and name.isdecimal() and str(int(name)) == name and int(name) < _MAX_BLOBS:
            found[int(name)] = node.array()
        else:
            raise WeightsError(f"HDF5: dataset {name[:80]!r} is no blob of a layer; blobs are called 0, 1, ...",
                               layer=layer[:200] or None)
    if layer and (found or not groups):
        layers[layer] = [found.get(k) for k in range(max(found, default=-1) + 1)]
    for name, node in groups:
        _collect(node, f"{layer}/{name}" if layer else name, layers)


def _fill(root: Any, layers: Sequence[LayerRecord]) -> None:
    from caffempi.weights.hdf5 import put_array
    data = root.create_group("data")
    diff = root.create_group("diff") if any(layer.diffs is not None for layer in layers) else None
    for layer in layers:
        if any(part in ("", ".") or "\0" in part for part in layer.name.split("/")):
            raise SnapshotError("this name cannot be a path in an HDF5 file", layer=layer.name, type=layer.type,
                                fix="rename the layer, or set snapshot_format: BINARYPROTO")
        try:
            target = data.require_group(layer.name)
            for k, blob in enumerate(layer.blobs):
                if k not in layer.shared:
                    put_array(target, str(k), blob)
            if diff is not None:
                target = diff.require_group(layer.name)
                for k, blob in enumerate(layer.diffs or ()):
                    put_array(target, str(k), blob)
        except (TypeError, ValueError):
            raise SnapshotError("its name collides with a blob or layer of another in an HDF5 file", layer=layer.name,
                                type=layer.type, fix="rename the layer, or set snapshot_format: BINARYPROTO") from None
