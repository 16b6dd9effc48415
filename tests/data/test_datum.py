"""Datums: raw, float and encoded; see test_feed.py for faulty ones in a database."""
from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from caffempi.data.datum import decode_datum, decode_image
from caffempi.errors import DataError
from caffempi.proto import caffe_pb2

PIXELS = np.random.default_rng(1).integers(0, 256, (3, 4, 5)).astype(np.uint8)


def encoded(image: np.ndarray, kind: str = ".png") -> bytes:
    return cv2.imencode(kind, image)[1].tobytes()


def test_raw_bytes_and_floats():
    datum = caffe_pb2.Datum(channels=3, height=4, width=5, data=PIXELS.tobytes(), label=-7)
    pixels, label = decode_datum(datum.SerializeToString(), "")
    np.testing.assert_array_equal(pixels, PIXELS, strict=True)
    assert label == -7.0
    datum = caffe_pb2.Datum(channels=3, height=4, width=5, float_data=(PIXELS / 7).ravel())
    np.testing.assert_array_equal(decode_datum(datum.SerializeToString(), "").pixels, (PIXELS / 7).astype(np.float32),
                                  strict=True)


@pytest.mark.parametrize("force, source, channels", [
    ("", 1, 1), ("", 3, 3), ("", 4, 4), ("color", 1, 3), ("color", 3, 3), ("color", 4, 3), ("gray", 3, 1), ("gray", 1, 1)])
def test_encoded_images_have_the_channels_asked_for_blue_first(force, source, channels):
    image = np.zeros((4, 5) if source == 1 else (4, 5, source), np.uint8)
    image[..., :1 if source > 1 else None] = 200
    value = caffe_pb2.Datum(encoded=True, data=encoded(image)).SerializeToString()
    pixels = decode_datum(value, force).pixels
    assert pixels.shape == (channels, 4, 5) and pixels.dtype == np.uint8
    if source >= 3 and channels >= 3:
        assert pixels[:3, 0, 0].tolist() == [200, 0, 0]


def test_16_bit_images_are_refused_unless_forced_to_8():
    data = encoded(np.full((4, 4), 65535, np.uint16))
    assert decode_image(data, "gray").max() == 255
    with pytest.raises(DataError, match="8 bits"):
        decode_image(data, "")


@pytest.mark.parametrize("kind", [".png", ".jpg"])
@pytest.mark.parametrize("share", [0, 0.05, 0.3])
def test_images_cut_short(kind, share):
    data = encoded(PIXELS.transpose(1, 2, 0), kind)
    with pytest.raises(DataError, match="cannot be decoded"):
        decode_image(data[:int(len(data) * share)], "color")


def test_force_on_raw_pixels_holds_or_is_refused():
    value = caffe_pb2.Datum(channels=3, height=4, width=5, data=PIXELS.tobytes()).SerializeToString()
    assert decode_datum(value, "color").pixels.shape == (3, 4, 5)
    with pytest.raises(DataError, match="cannot be made gray"):
        decode_datum(value, "gray")


@given(st.binary(max_size=60))
def test_any_bytes_give_a_sample_or_one_error(value):
    try:
        assert decode_datum(value, "").pixels.ndim == 3
    except DataError as e:
        assert e.why


def test_huge_lengths_allocate_nothing():
    value = caffe_pb2.Datum(channels=2**31 - 1, height=2**31 - 1, width=2**31 - 1, data=b"x").SerializeToString()
    with pytest.raises(DataError, match="it has 1 values"):
        decode_datum(value, "")
