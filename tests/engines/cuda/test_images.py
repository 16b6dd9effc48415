"""Data layers on the GPU engine: images go up in bytes, and the blobs have the bits of the host's transform."""
import numpy as np
import pytest

from caffempi import TEST, TRAIN, Net
from caffempi.data.write_lmdb import write_datums
from caffempi.engines.cuda.engine import CudaEngine
from caffempi.errors import EngineError
from caffempi.proto import caffe_pb2
from tests.data.helpers import GOLDEN, numbered, raw
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.standin import install

pytestmark = needs_compiler
LMDB = ["lmdb_crop_meanvalue", "lmdb_encoded_crop", "lmdb_meanfile_crop", "image_gray_crop", "image_resize"]
LAYER = """layer { name: "d" type: "Data" top: "data" top: "label" data_param { source: "%s" batch_size: %d backend: LMDB }
  transform_param { %s } }"""
REST = """layer { name: "c" type: "Convolution" bottom: "data" top: "c" convolution_param { num_output: 4 kernel_size: 3
  weight_filler { type: "gaussian" std: 0.01 } } }"""


def net_of(folder, text, engine, phase=TRAIN, **how):
    file = folder / "net.prototxt"
    file.write_text(text)
    return Net(str(file), phase, seed=3, engine=engine, **how)


@pytest.mark.parametrize("name", LMDB)
def test_batches_of_the_original_to_the_bit(monkeypatch, name):
    monkeypatch.chdir(GOLDEN)
    install(monkeypatch, 1)
    want = np.load(f"{name}.npz")
    net = Net(f"{name}.prototxt", TEST, seed=1, engine="cuda")
    assert net.feeds["d"].recipe() is not None
    for i in range(3):
        net.forward()
        for top in net.blobs:
            np.testing.assert_array_equal(net.blobs[top].data, want[f"{top}/{i}"])


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("precision", ["fp32", "fp16"])
def test_random_crops_and_mirrors_are_those_of_numpy_though_nothing_waits(tmp_path, monkeypatch, seed, precision):
    install(monkeypatch, seed)
    text = LAYER % (numbered(tmp_path / "db", 11, (3, 9, 8)), 4, "crop_size: 6 mirror: true scale: 0.0137 mean_value: 7") + REST
    ours, theirs = net_of(tmp_path, text, "cuda", precision=precision), net_of(tmp_path, text, "numpy")
    for net in (ours, theirs):
        net.seen = []
        for _ in range(5):
            net.forward()
            net.seen.append(net.blobs["data"].data.copy())
    for a, b in zip(ours.seen, theirs.seen, strict=True):
        assert a.tobytes() == b.tobytes()
    np.testing.assert_allclose(ours.blobs["c"].data, theirs.blobs["c"].data, rtol=1e-2, atol=1e-2)


def test_a_batch_costs_a_quarter_of_its_floats_on_the_way(tmp_path, monkeypatch):
    device = install(monkeypatch, 2)
    text = LAYER % (numbered(tmp_path / "db", 40, (3, 40, 40)), 16, "crop_size: 32 mirror: true") + REST
    net = net_of(tmp_path, text, "cuda", optimised=True)
    moved, kernels = [], []
    for _ in range(4):
        before, ran = device.uploaded, device.tally["kernel"]
        net.run_forward()
        moved.append(device.uploaded - before)
        kernels.append(device.tally["kernel"] - ran)
    images, places, labels = 16 * 3 * 32 * 32, 16 * 3 * 4, 16 * 4
    assert moved[1:] == [images + places + labels] * 3
    assert images + places < 1.01 * (4 * images / 4)


def test_records_of_floats_are_transformed_by_the_host(tmp_path, monkeypatch):
    install(monkeypatch, 3)
    floats = caffe_pb2.Datum(channels=1, height=4, width=4, float_data=np.arange(16) / 7, label=1)
    write_datums(str(tmp_path / "db"), [(b"%d" % i, floats if i == 2 else raw(np.full((1, 4, 4), i), i)) for i in range(6)])
    text = LAYER % (tmp_path / "db", 2, "scale: 0.3 mean_value: 1.7 mirror: true")
    ours, theirs = (net_of(tmp_path, text, engine) for engine in ("cuda", "numpy"))
    for k in range(6):
        assert (ours.feeds["d"].recipe() is None) == (k % 3 == 1)
        ours.forward()
        theirs.forward()
        assert ours.blobs["data"].data.tobytes() == theirs.blobs["data"].data.tobytes()


@pytest.mark.parametrize("transforms", [True, False])
def test_batches_of_other_sizes_find_their_way_at_the_same_address(tmp_path, monkeypatch, transforms):
    install(monkeypatch, 4)
    monkeypatch.setattr(CudaEngine, "transforms", transforms)
    shapes = [(3, 5, 6), (3, 5, 6), (3, 7, 4), (3, 7, 4)]
    write_datums(str(tmp_path / "db"), [(b"%d" % i, raw(np.full(s, 9 * i + 1), i)) for i, s in enumerate(shapes)])
    text = LAYER % (tmp_path / "db", 2, "scale: 0.5")
    net = net_of(tmp_path, text, "cuda")
    for k in range(4):
        net.forward()
        first = k % 2 * 2
        assert net.blobs["data"].shape == (2, *shapes[first])
        assert net.blobs["data"].data[:, 0, 0, 0].tolist() == [(9 * i + 1) / 2 for i in (first, first + 1)]
    net.close()


def test_engines_of_the_host_take_batches_as_they_are(tmp_path):
    net = net_of(tmp_path, LAYER % (numbered(tmp_path / "db", 3), 3, ""), "numpy")
    assert not net.engine.transforms and net.feeds["d"].recipe() is None
    with pytest.raises(EngineError, match="takes no images in bytes"):
        net.engine.feed_images([], None, None)
