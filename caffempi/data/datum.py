"""Datum, Caffe's record: its pixels as an array (C, H, W), its label as a float.

The pixels are raw bytes plane by plane, or floats where there are no bytes, or a whole image file (`encoded`), which
OpenCV decodes: channels in its order, blue first.
"""
from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from google.protobuf.message import DecodeError

from caffempi.data.source import Sample, Store
from caffempi.errors import DataError
from caffempi.proto import caffe_pb2

Force = Literal["color", "gray", ""]


def decode_image(data: bytes, force: Force) -> np.ndarray:
    """Pixels (C, H, W), uint8, of an image file: 3 or 1 channels where forced, else as many as the file has.

    The array is a transposed view of OpenCV's rows. Raises DataError for bytes that are no image, or not of 8 bits.
    """
    import cv2

    flag = {"color": cv2.IMREAD_COLOR, "gray": cv2.IMREAD_GRAYSCALE, "": cv2.IMREAD_UNCHANGED}[force]
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), flag) if data else None
    except cv2.error as e:
        raise DataError(f"its image cannot be decoded ({' '.join(str(e).split())[:120]})") from None
    if image is None:
        raise DataError(f"its image cannot be decoded ({len(data)} bytes, no image format that OpenCV knows)")
    if image.dtype != np.uint8:
        raise DataError(f"its image has {image.dtype} pixels; only 8 bits a channel are possible",
                        fix="set force_color or force_gray, or convert it")
    return image[None] if image.ndim == 2 else image.transpose(2, 0, 1)


def decode_datum(value: bytes, force: Force) -> Sample:
    """Pixels and label of one serialised Datum. Raises DataError, which does not know which it is."""
    try:
        datum = caffe_pb2.Datum.FromString(value)
    except DecodeError:
        raise DataError(f"its {len(value)} bytes are no Datum") from None
    data = datum.data
    if datum.encoded:
        return Sample(decode_image(data, force), float(datum.label))
    c, h, w = datum.channels, datum.height, datum.width
    count = len(data) or len(datum.float_data)
    if c < 1 or h < 1 or w < 1 or count != c * h * w:
        raise DataError(f"it has {count} values, but channels x height x width are {c} x {h} x {w}")
    if force and c != (3 if force == "color" else 1):
        raise DataError(f"it holds raw pixels of {c} channels, which cannot be made {force}",
                        fix=f"remove force_{force}, or store encoded images")
    pixels: np.ndarray = np.ndarray((c, h, w), np.uint8, data) if data else \
        np.array(datum.float_data, np.float32).reshape(c, h, w)
    return Sample(pixels, float(datum.label))


class DatumSource:
    """The decoded Datums of a database. force: decode images to 3 channels, to 1, or ("") as they are."""

    def __init__(self, store: Store, force: Force) -> None:
        self._store, self._force = store, force

    def __len__(self) -> int:
        return len(self._store)

    def read(self, ordinals: Sequence[int]) -> list[Sample]:
        """Those records, decoded. Raises DataError that names the record."""
        samples = []
        for ordinal, value in zip(ordinals, self._store.read(ordinals), strict=True):
            try:
                samples.append(decode_datum(value, self._force))
            except DataError as e:
                raise DataError(f"{self.name(ordinal)}: {e.why}", fix=e.fix) from None
        return samples

    def name(self, ordinal: int) -> str:
        """The record's number and key."""
        return self._store.name(ordinal)

    def close(self) -> None:
        """Closes the database."""
        self._store.close()
