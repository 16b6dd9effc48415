"""The transform of batches in bytes is the data layers' own, to the bit: all kinds of mean, windows, mirrors, scales."""
import itertools

import numpy as np
import pytest

from caffempi.data import transform as host
from caffempi.errors import ShapeError
from caffempi.ops import get_op
from caffempi.ops.graph import Spec
from caffempi.ops.transform import TransformAttrs
from caffempi.proto import caffe_pb2

OP = get_op("transform")


@pytest.mark.parametrize("channels, mean, scale, crop, phase", list(itertools.product(
    (1, 3), ("", "one", "each", "file"), (1.0, 0.0137), (0, 5), (caffe_pb2.TRAIN, caffe_pb2.TEST))))
def test_gives_the_bits_of_the_hosts_transform(tmp_path, channels, mean, scale, crop, phase):
    rand = np.random.default_rng(channels)
    param = caffe_pb2.TransformationParameter(scale=scale, crop_size=crop, mirror=True)
    if mean == "file":
        blob = caffe_pb2.BlobProto(data=(rand.standard_normal(channels * 63) * 80).astype(np.float32))
        blob.shape.dim.extend((1, channels, 9, 7))
        (tmp_path / "mean").write_bytes(blob.SerializeToString())
        param.mean_file = str(tmp_path / "mean")
    elif mean:
        param.mean_value.extend([103.939, 116.779, 123.68][:1 if mean == "one" else channels])
    t = host.Transform(param, phase, 5)
    images = [rand.integers(0, 256, (channels, 9, 7), np.uint8) for _ in range(20)]
    epochs, ordinals = np.zeros(20, np.int64), np.arange(20)
    want = np.empty((20, *t.shape(images[0].shape)), np.float32)
    t.apply(images, epochs, ordinals, want, str)
    pixels, places = np.empty(want.shape, np.uint8), np.empty((20, 3), np.int32)
    t.cut(images, epochs, ordinals, pixels, places, str)
    assert set(places[:, 2]) == {0, 1} and (len(np.unique(places[:, :2], axis=0)) > 1) == (phase == caffe_pb2.TRAIN and crop > 0)
    ins = [pixels, places, *([t.mean] if t.mean is not None else [])]
    specs = [Spec(a.shape, str(a.dtype)) for a in ins]
    assert OP.infer(TransformAttrs(scale), specs) == [Spec(want.shape)]
    got = np.full(want.shape, np.nan, np.float32)
    OP.forward(TransformAttrs(float(t.scale)), ins, [got], (), (), None)
    assert got.tobytes() == want.tobytes()


@pytest.mark.parametrize("shapes", [((2, 3, 4), (2, 3)), ((2, 3, 4, 4), (3, 3)), ((2, 3, 4, 4), (2, 3), (2, 4, 4)),
                                    ((2, 3, 4, 4), (2, 3), (3,))])
def test_what_does_not_fit_is_refused(shapes):
    with pytest.raises(ShapeError, match="fit"):
        OP.infer(TransformAttrs(), [Spec(s) for s in shapes])


def test_cost_counts_bytes_once():
    specs = [Spec((2, 3, 4, 4), "uint8"), Spec((2, 3), "int32")]
    assert OP.cost(TransformAttrs(), specs, [Spec((2, 3, 4, 4))]) == (192, 96 + 24 + 384)
