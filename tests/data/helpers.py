"""Small data sources made on the spot, and layers from text."""
from __future__ import annotations

from pathlib import Path

import numpy as np
from google.protobuf import text_format

from caffempi.data.feed import Feed
from caffempi.data.write_lmdb import write_datums
from caffempi.proto import caffe_pb2

GOLDEN = Path(__file__).parents[1] / "golden" / "data"


def layer(text: str) -> caffe_pb2.LayerParameter:
    return text_format.Parse(f'name: "d" top: "data" top: "label" {text}', caffe_pb2.LayerParameter())


def raw(pixels: np.ndarray, label: int = 0) -> caffe_pb2.Datum:
    c, h, w = pixels.shape
    return caffe_pb2.Datum(channels=c, height=h, width=w, data=pixels.astype(np.uint8).tobytes(), label=label)


def numbered(path: Path, n: int, shape: tuple[int, int, int] = (1, 2, 2)) -> str:
    """An LMDB of n records; record i has label i, and pixels drawn from seed i."""
    rng = np.random.default_rng(5)
    write_datums(str(path), ((b"%08d" % i, raw(rng.integers(0, 256, shape), i)) for i in range(n)))
    return str(path)


def draw(feed: Feed) -> list[np.ndarray]:
    outs = [np.empty(shape, np.float32) for shape in feed.shapes()]
    feed.next(outs)
    return outs
