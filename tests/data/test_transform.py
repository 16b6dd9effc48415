"""The transform against its formula written out pixel by pixel, and its random numbers."""
from __future__ import annotations

import itertools

import numpy as np
import pytest

from caffempi.data.transform import Transform, read_mean
from caffempi.errors import DataError
from caffempi.proto import caffe_pb2
from tests.data.helpers import GOLDEN

RNG = np.random.default_rng(0)


def blob(path, shape, old: bool = False) -> np.ndarray:
    data = RNG.uniform(0, 200, shape).astype(np.float32)
    proto = caffe_pb2.BlobProto(data=data.ravel())
    if old:
        proto.num, proto.channels, proto.height, proto.width = shape
    else:
        proto.shape.dim.extend(shape)
    path.write_bytes(proto.SerializeToString())
    return data


def run(param, phase, images, seed=1, base=None, ordinals=None, epoch=0):
    transform = Transform(caffe_pb2.TransformationParameter(**param), phase, seed, base)
    ordinals = np.arange(len(images)) if ordinals is None else np.array(ordinals)
    out = np.empty((len(images), *transform.shape(images[0].shape)), np.float32)
    transform.apply(images, np.full(len(images), epoch), ordinals, out, lambda i: f"record {i}")
    return out


@pytest.mark.parametrize("channels, dtype, crop, mean, size", list(itertools.product(
    (1, 3), (np.uint8, np.float32), (0, 4, 7), ("", "one", "each", "file"), ((9, 8), (200, 150)))))
def test_test_phase_is_the_formula(tmp_path, channels, dtype, crop, mean, size):
    images = [RNG.integers(0, 256, (channels, *size)).astype(dtype) for _ in range(3)]
    param: dict = {"crop_size": crop, "scale": 0.0137}
    full = np.zeros((channels, *size), np.float32)
    if mean == "file":
        full = blob(tmp_path / "m", (1, channels, *size))[0]
        param["mean_file"] = "m"
    elif mean:
        values = [3.7, 9.1, 100.3][:1 if mean == "one" else channels]
        param["mean_value"] = values
        full = full + np.array(values, np.float32).reshape(-1, 1, 1)
    out = run(param, caffe_pb2.TEST, images, base=str(tmp_path))
    h, w = (crop, crop) if crop else size
    y, x = ((size[0] - crop) // 2, (size[1] - crop) // 2) if crop else (0, 0)
    for got, image in zip(out, images, strict=True):
        want = (image.astype(np.float32) - full) * np.float32(0.0137)
        np.testing.assert_array_equal(got, want[:, y:y + h, x:x + w])


@pytest.mark.parametrize("phase", [caffe_pb2.TRAIN, caffe_pb2.TEST])
@pytest.mark.parametrize("crop, mirror", [(3, False), (3, True), (0, True)])
def test_random_crops_and_flips_are_windows_of_mean_subtracted_records(tmp_path, phase, crop, mirror):
    image = np.arange(30, dtype=np.uint8).reshape(1, 5, 6)
    mean = blob(tmp_path / "m", (1, 1, 5, 6))[0]
    out = run({"crop_size": crop, "mirror": mirror, "mean_file": "m"}, phase, [image] * 400, base=str(tmp_path))
    flat = image.astype(np.float32) - mean
    h, w = (crop, crop) if crop else (5, 6)
    windows = {}
    for y in range(5 - h + 1):
        for x in range(6 - w + 1):
            if not crop or phase == caffe_pb2.TRAIN or (y, x) == (1, 1):
                windows[flat[:, y:y + h, x:x + w].tobytes()] = (y, x, False)
                if mirror:
                    windows[flat[:, y:y + h, x:x + w][:, :, ::-1].tobytes()] = (y, x, True)
    seen = {windows[o.tobytes()] for o in out}
    assert seen == set(windows.values()), "every place and both directions come, nothing else does"


def test_draws_depend_on_seed_record_and_epoch_not_on_company():
    image = RNG.integers(0, 256, (1, 40, 40)).astype(np.uint8)
    param = {"crop_size": 8, "mirror": True}
    base = run(param, caffe_pb2.TRAIN, [image] * 6)
    np.testing.assert_array_equal(run(param, caffe_pb2.TRAIN, [image] * 2, ordinals=[4, 1]), base[[4, 1]])
    assert not np.array_equal(run(param, caffe_pb2.TRAIN, [image] * 6, seed=2), base)
    assert not np.array_equal(run(param, caffe_pb2.TRAIN, [image] * 6, epoch=1), base)


@pytest.mark.parametrize("shape, old", [((1, 3, 4, 5), True), ((1, 3, 4, 5), False), ((3, 4, 5), False)])
def test_mean_files_old_and_new(tmp_path, shape, old):
    data = blob(tmp_path / "m", shape, old)
    np.testing.assert_array_equal(read_mean(str(tmp_path / "m")), data.reshape(3, 4, 5))


@pytest.mark.parametrize("shape", [(2, 3, 4, 5), (4, 5), (0,)])
def test_blobs_that_are_no_mean_image(tmp_path, shape):
    blob(tmp_path / "m", shape)
    with pytest.raises(DataError, match="mean file"):
        read_mean(str(tmp_path / "m"))


@pytest.mark.parametrize("cut", [0, 1, 100, 5000, 15000])
def test_truncated_mean_file(tmp_path, cut):
    (tmp_path / "m").write_bytes((GOLDEN / "mean.binaryproto").read_bytes()[:cut])
    with pytest.raises(DataError, match="mean file") as caught:
        read_mean(str(tmp_path / "m"))
    assert str(tmp_path / "m") in str(caught.value)


def test_different_sizes_fit_together_only_if_cropped():
    images = [np.zeros((1, 6, 6), np.uint8), np.ones((1, 7, 5), np.uint8)]
    assert run({"crop_size": 5}, caffe_pb2.TEST, images).shape == (2, 1, 5, 5)
    with pytest.raises(DataError, match="record 1 gives 1 x 7 x 5, but the batch's first record 1 x 6 x 6"):
        run({}, caffe_pb2.TEST, images)
