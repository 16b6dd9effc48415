"""From a data layer's text to the Maker of its batches; every field that is set is obeyed or refused here."""
from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

from caffempi.data.batches import Maker, PixelBatches
from caffempi.data.datum import DatumSource, Force
from caffempi.data.draws import skipped
from caffempi.data.dummy_source import DummyBatches
from caffempi.data.fields import batch_size, only, required_path
from caffempi.data.hdf5_source import Hdf5Batches, Hdf5Files
from caffempi.data.image_source import ImageSource
from caffempi.data.lmdb_source import LmdbSource, is_leveldb
from caffempi.data.shard import Order
from caffempi.data.transform import Transform
from caffempi.data.window_file import read_windows
from caffempi.data.window_source import WindowBatches
from caffempi.errors import CaffempiError, DataError
from caffempi.proto import caffe_pb2
from caffempi.threads import cores

_MOST_THREADS = 8   # decode threads of a layer: more batches are seldom under way, and other ranks want cores too
_MOVED = "write it in transform_param"
_Layer = caffe_pb2.LayerParameter


def open_maker(layer: caffe_pb2.LayerParameter, phase: int, tops: int, seed: int, base: str | None, batch: int | None,
           context: dict[str, Any]) -> Maker | None:
    """The Maker of a data layer, by its type; None for other types. The arguments are those of feed.open_feed.

    context: what errors are to name (layer, type, where). Raises DataError for what cannot be opened or obeyed.
    """
    kind = {"Data": _data, "ImageData": _images, "HDF5Data": _hdf5, "WindowData": _windows,
            "DummyData": _dummy}.get(layer.type)
    try:
        return kind(layer, phase, tops, seed, base, batch) if kind else None
    except CaffempiError as e:
        raise e.at(**context) from None


def _data(layer: _Layer, phase: int, tops: int, seed: int, base: str | None, batch: int | None) -> Maker:
    p, t = layer.data_param, layer.transform_param
    only(p, ("source", "batch_size", "rand_skip", "backend", "force_encoded_color", "prefetch"), "data_param", _MOVED)
    path, size = required_path(p, "data_param", base), batch_size(p, "data_param", batch)
    transform = Transform(t, phase, seed, base)
    force = _force(t.force_color or p.force_encoded_color, t.force_gray)
    if p.backend != p.LMDB:
        if os.path.isdir(path) and not is_leveldb(path):
            raise DataError(f"{path} is no LevelDB", field="data_param.backend", value="LEVELDB",
                            fix="write backend: LMDB")
        raise DataError(f"{path}: LevelDB cannot be read, an LMDB is needed", field="data_param.backend",
                        value="LEVELDB", fix="convert the database to LMDB and write backend: LMDB")
    with _blaming("data_param.source", path):
        source = DatumSource(LmdbSource(path), force)
    order = Order([len(source)], shuffle=p.shuffle, seed=seed, skip=skipped(seed, p.rand_skip))
    return PixelBatches(source, transform, order, batch=size, tops=_data_and_label(tops), threads=_threads(),
                        field="data_param.source", path=path)


def _images(layer: _Layer, phase: int, tops: int, seed: int, base: str | None, batch: int | None) -> Maker:
    p, t = layer.image_data_param, layer.transform_param
    only(p, ("source", "batch_size", "rand_skip", "shuffle", "new_height", "new_width", "is_color", "root_folder"),
         "image_data_param", _MOVED)
    only(layer.data_param, ("prefetch",), "data_param", "write it in image_data_param")
    if bool(p.new_height) != bool(p.new_width):
        raise DataError("stands alone", field=f"image_data_param.{'new_height' if p.new_height else 'new_width'}",
                        value=p.new_height or p.new_width, fix="give both new_height and new_width, or none")
    if (t.force_color or t.force_gray) and _force(t.force_color, t.force_gray) != ("color" if p.is_color else "gray"):
        raise DataError(f"contradicts transform_param.force_{'color' if t.force_color else 'gray'}",
                        field="image_data_param.is_color", value=p.is_color, fix="is_color decides; remove the other")
    path, size = required_path(p, "image_data_param", base), batch_size(p, "image_data_param", batch)
    transform = Transform(t, phase, seed, base)
    with _blaming("image_data_param.source", path):
        source = ImageSource(path, prefix=p.root_folder, base=base, color=p.is_color,
                             size=(p.new_height, p.new_width) if p.new_height else None)
    order = Order([len(source)], shuffle=p.shuffle, seed=seed, skip=skipped(seed, p.rand_skip))
    return PixelBatches(source, transform, order, batch=size, tops=_data_and_label(tops), threads=_threads(),
                        field="image_data_param.source", path=path)


def _hdf5(layer: _Layer, phase: int, tops: int, seed: int, base: str | None, batch: int | None) -> Maker:
    p = layer.hdf5_data_param
    if layer.HasField("transform_param"):
        raise DataError("is not possible for HDF5 data", field="transform_param", fix="store the data transformed")
    only(layer.data_param, ("prefetch",), "data_param", "write it in hdf5_data_param")
    path, size = required_path(p, "hdf5_data_param", base), batch_size(p, "hdf5_data_param", batch)
    with _blaming("hdf5_data_param.source", path):
        files = Hdf5Files(path, layer.top[:tops], base)
    return Hdf5Batches(files, Order(files.rows, shuffle=p.shuffle, seed=seed), size, path)


def _windows(layer: _Layer, phase: int, tops: int, seed: int, base: str | None, batch: int | None) -> Maker:
    p = layer.window_data_param
    only(p, ("source", "batch_size", "fg_threshold", "bg_threshold", "fg_fraction", "context_pad", "crop_mode", "cache_images",
             "root_folder"), "window_data_param", _MOVED)
    only(layer.data_param, ("prefetch",), "data_param", "write it in window_data_param")
    path, size = required_path(p, "window_data_param", base), batch_size(p, "window_data_param", batch)
    with _blaming("window_data_param.source", path):
        windows = read_windows(path, p.fg_threshold, p.bg_threshold)
    return WindowBatches(windows, p, layer.transform_param, batch=size, seed=seed, threads=_threads(), base=base)


def _dummy(layer: _Layer, phase: int, tops: int, seed: int, base: str | None, batch: int | None) -> Maker:
    return DummyBatches(layer.dummy_data_param, tops, seed, batch)


def _force(color: bool, gray: bool) -> Force:
    """Which number of channels decoding is to give."""
    if color and gray:
        raise DataError("stands beside force_gray", field="transform_param.force_color", value=True,
                        fix="keep one of the two")
    return "color" if color else "gray" if gray else ""


def _data_and_label(tops: int) -> int:
    if tops not in (1, 2):
        raise DataError(f"gives 1 or 2 blobs (data and label), not {tops}", field="top")
    return tops


def _threads() -> int:
    """Decode threads: the cores that this process may use, less one for the net."""
    return min(_MOST_THREADS, max(1, len(cores(0)) - 1))


@contextlib.contextmanager
def _blaming(field: str, value: str) -> Iterator[None]:
    """Gives that field to errors which blame none."""
    try:
        yield
    except DataError as e:
        raise e if e.field else e.at(field=field, value=value) from None
