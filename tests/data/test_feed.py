"""Feeds end to end: the original's bits, shards, resume, prefetch, and one clear line for each fault."""
from __future__ import annotations

import gc
import subprocess
import sys
import threading

import cv2
import h5py
import numpy as np
import pytest
from google.protobuf import text_format

from caffempi.data.feed import open_feed, probe
from caffempi.data.write_lmdb import write_datums
from caffempi.errors import DataError, ShapeError
from caffempi.proto import caffe_pb2
from tests.data.helpers import GOLDEN, draw, layer, numbered, raw

TRAIN, TEST = caffe_pb2.TRAIN, caffe_pb2.TEST
CASES = sorted(p.stem for p in GOLDEN.glob("*.npz"))


def golden_layer(name: str) -> caffe_pb2.LayerParameter:
    return text_format.Parse((GOLDEN / f"{name}.prototxt").read_text(), caffe_pb2.NetParameter()).layer[0]


def lmdb_text(source, batch: int = 3, more: str = "", transform: str = "") -> str:
    return (f'type: "Data" data_param {{ source: "{source}" batch_size: {batch} backend: LMDB {more} }} '
            f'transform_param {{ {transform} }}')


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("prefetch", [0, 1, 4])
def test_four_batches_agree_with_the_original_to_the_bit(name, prefetch):
    param, want = golden_layer(name), np.load(GOLDEN / f"{name}.npz")
    param.data_param.prefetch = prefetch
    feed = open_feed(param, TEST, tops=len(param.top), base=str(GOLDEN))
    assert probe(param, TEST, tops=len(param.top), base=str(GOLDEN)) == feed.shapes()
    for i in range(4):
        for top, got in zip(param.top, draw(feed), strict=True):
            np.testing.assert_array_equal(got, want[f"{top}/{i}"], strict=True)
    feed.close()


def test_leveldb_is_refused_with_the_way_out():
    with pytest.raises(DataError, match="convert the database to LMDB"):
        open_feed(golden_layer("leveldb_meanfile"), TEST, tops=2, base=str(GOLDEN))


def test_other_layer_types_have_no_feed():
    param = layer('type: "ReLU"')
    assert open_feed(param, TRAIN, tops=1) is None and probe(param, TRAIN, tops=1) is None


@pytest.fixture
def sources(tmp_path):
    """One layer text of each shuffling or random kind over 10 records whose labels are their numbers."""
    db = numbered(tmp_path / "db", 10, (1, 6, 6))
    with h5py.File(tmp_path / "a.h5", "w") as a, h5py.File(tmp_path / "b.h5", "w") as b:
        for file, rows in ((a, np.arange(7)), (b, np.arange(7, 10))):
            file["data"], file["label"] = rows[:, None] * np.ones((1, 4)), rows
    (tmp_path / "h5.txt").write_text("a.h5\nb.h5\n")
    for i in range(10):
        cv2.imwrite(str(tmp_path / f"i {i}.png"), np.full((6, 6, 3), i, np.uint8))
    (tmp_path / "list.txt").write_text("".join(f"i {i}.png {i}\n" for i in range(10)))
    augment = "crop_size: 3 mirror: true"
    return {
        "lmdb": lmdb_text(db, 2, "rand_skip: 5", augment),
        "hdf5": 'type: "HDF5Data" hdf5_data_param { source: "h5.txt" batch_size: 2 shuffle: true }'.replace(
            "h5.txt", str(tmp_path / "h5.txt")),
        "images": f'type: "ImageData" image_data_param {{ source: "{tmp_path}/list.txt" batch_size: 2 shuffle: true '
                  f'rand_skip: 4 }} transform_param {{ {augment} }}',
        "dummy": 'type: "DummyData" dummy_data_param { shape { dim: 2 dim: 3 } shape { dim: 2 } '
                 'data_filler { type: "gaussian" } data_filler { type: "uniform" } }',
    }, str(tmp_path)


@pytest.mark.parametrize("kind", ["lmdb", "hdf5", "images", "dummy"])
def test_resume_gives_the_same_bits_at_every_batch(sources, kind):
    texts, base = sources
    run = open_feed(layer(texts[kind]), TRAIN, tops=2, seed=9, base=base)
    positions, batches = [], []
    for _ in range(13):   # more than two epochs
        positions.append(run.position())
        batches.append(draw(run))
    run.close()
    for start in (0, 1, 4, 7, 12):
        feed = open_feed(layer(texts[kind]), TRAIN, tops=2, seed=9, base=base)
        if start == 7:
            draw(feed)   # seeking also works when threads are already at work
        feed.seek(positions[start])
        for want in batches[start:]:
            for got, w in zip(draw(feed), want, strict=True):
                np.testing.assert_array_equal(got, w)
        assert feed.position() == positions[-1] + positions[1]
        feed.close()


@pytest.mark.parametrize("kind", ["lmdb", "hdf5", "images"])
@pytest.mark.parametrize("ranks", [2, 3, 4])
def test_ranks_together_see_what_one_rank_sees(sources, kind, ranks):
    texts, base = sources
    one = open_feed(layer(texts[kind]), TRAIN, tops=2, seed=3, base=base, batch=2 * ranks)
    many = [open_feed(layer(texts[kind]), TRAIN, tops=2, seed=3, base=base, rank=r, ranks=ranks) for r in range(ranks)]
    for _ in range(8):
        parts = [draw(feed) for feed in many]
        for top, want in enumerate(draw(one)):
            np.testing.assert_array_equal(np.concatenate([p[top] for p in parts]), want)
        assert {feed.position() for feed in many} == {one.position()}
    for feed in [one, *many]:
        feed.close()


@pytest.mark.parametrize("kind", ["hdf5", "images"])
def test_each_shuffled_epoch_is_another_order_of_all_records(sources, kind):
    texts, base = sources
    feed = open_feed(layer(texts[kind].replace("rand_skip: 4", "")), TRAIN, tops=2, seed=1, base=base, batch=10)
    epochs = [draw(feed)[1].astype(int).tolist() for _ in range(4)]
    assert all(sorted(e) == list(range(10)) for e in epochs)
    assert len({tuple(e) for e in epochs}) == 4
    other = open_feed(layer(texts[kind].replace("rand_skip: 4", "")), TRAIN, tops=2, seed=2, base=base, batch=10)
    assert draw(other)[1].astype(int).tolist() != epochs[0]


def test_images_of_different_sizes_change_shapes_from_batch_to_batch(tmp_path):
    sizes = [(4, 6), (5, 3)]
    for i, (h, w) in enumerate(sizes):
        cv2.imwrite(str(tmp_path / f"{i}.png"), np.zeros((h, w, 3), np.uint8))
    (tmp_path / "l.txt").write_text("0.png 0\n\n1.png 1.5\n")
    feed = open_feed(layer('type: "ImageData" image_data_param { source: "l.txt" }'), TEST, tops=2, base=str(tmp_path))
    for k in range(4):
        h, w = sizes[k % 2]
        assert feed.shapes() == [(1, 3, h, w), (1,)]
        assert draw(feed)[1][0] == (0, 1.5)[k % 2]


def test_one_top_has_no_labels_and_float64_outs_are_filled(tmp_path):
    feed = open_feed(layer(lmdb_text(numbered(tmp_path / "db", 4))), TEST, tops=1)
    outs = [np.empty(shape, np.float64) for shape in feed.shapes()]
    feed.next(outs)
    assert len(outs) == 1 and outs[0].max() > 1


def test_what_the_engine_is_to_transform_is_told_batch_by_batch(tmp_path):
    param = layer(lmdb_text(numbered(tmp_path / "db", 5, (3, 4, 6)), 2, transform="crop_size: 3 scale: 0.5 mean_value: 9"))
    feed = open_feed(param, TEST, tops=2, transforms=True)
    recipe = feed.recipe()
    assert (recipe.scale, recipe.mean.tolist()) == (0.5, [[[9.0]]]) and feed.shapes() == [(2, 3, 3, 3), (2,)]
    outs = [np.empty((2, 3, 3, 3), np.uint8), np.empty((2, 3), np.int32), np.empty(2, np.float32)]
    feed.next(outs)
    assert outs[1].tolist() == [[0, 1, 0]] * 2 and outs[2].tolist() == [0, 1] and feed.recipe() is recipe
    np.testing.assert_array_equal((outs[0] - np.float32(9)) * np.float32(0.5), draw(open_feed(param, TEST, tops=2))[0])
    feed.close()
    assert open_feed(param, TEST, tops=2).recipe() is None


def test_wrong_outs_are_refused_and_nothing_is_taken(tmp_path):
    feed = open_feed(layer(lmdb_text(numbered(tmp_path / "db", 4))), TEST, tops=2)
    with pytest.raises(ShapeError, match=r'layer "d"'):
        feed.next([np.empty((1, 1, 2, 2)), np.empty(3)])
    assert feed.position() == 0


def test_two_feeds_of_one_database_in_one_process(tmp_path):
    text = lmdb_text(numbered(tmp_path / "db", 4))
    a, b = (open_feed(layer(text), phase, tops=2) for phase in (TRAIN, TEST))
    np.testing.assert_array_equal(draw(a)[0], draw(b)[0])
    a.close()
    draw(b)


# ---- life and death of threads

def prefetchers() -> set[threading.Thread]:
    return {t for t in threading.enumerate() if t.name.startswith("prefetch-")}


def test_threads_end_with_close_and_with_collection(tmp_path):
    others = prefetchers()                                       # of earlier tests, whose feeds await their collection
    text = lmdb_text(numbered(tmp_path / "db", 4))
    feed = open_feed(layer(text), TEST, tops=2)
    assert not prefetchers() - others, "opening starts none"
    draw(feed)
    assert prefetchers() - others
    feed.close()
    feed.close()
    assert not prefetchers() - others
    with pytest.raises(DataError, match="closed"):
        feed.shapes()
    feed = open_feed(layer(text), TEST, tops=2)
    draw(feed)
    mine = prefetchers() - others
    assert mine
    del feed
    gc.collect()
    for thread in mine:
        thread.join(10)
        assert not thread.is_alive(), "a feed that nobody holds keeps its threads"


def test_a_script_that_forgets_to_close_ends_cleanly(tmp_path):
    db = numbered(tmp_path / "db", 4)
    code = f"""
from tests.data.helpers import layer, draw
from caffempi.data.feed import open_feed
feed = open_feed(layer('type: "Data" data_param {{ source: "{db}" batch_size: 2 backend: LMDB }}'), 0, tops=2)
draw(feed)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60,
                          cwd=GOLDEN.parents[2])
    assert (done.returncode, done.stderr) == (0, "")


# ---- faults: each is one DataError that names the layer, and the words given here

def broken_lmdb(tmp_path, name: str) -> str:
    good = [(b"%03d" % i, raw(np.zeros((1, 4, 4)), i)) for i in range(5)]
    datum = caffe_pb2.Datum
    odd = {
        "image": datum(encoded=True, data=b"\xff\xd8 no image"),
        "length": datum(channels=1, height=4, width=4, data=b"123"),
        "nothing": datum(),
        "shape": raw(np.zeros((1, 4, 5))),
        "negative": datum(channels=-1, height=-4, width=4, data=bytes(16)),
    }
    if name in odd:
        good.insert(3, (b"002x", odd[name]))
    write_datums(str(tmp_path / "db"), good)
    return str(tmp_path / "db")


@pytest.mark.parametrize("name, words", [
    ("image", 'record 3 (key "002x"): its image cannot be decoded'),
    ("length", 'record 3 (key "002x"): it has 3 values, but channels x height x width are 1 x 4 x 4'),
    ("nothing", 'record 3 (key "002x"): it has 0 values, but channels x height x width are 0 x 0 x 0'),
    ("negative", 'record 3 (key "002x"): it has 16 values, but channels x height x width are -1 x -4 x 4'),
    ("shape", 'record 3 (key "002x") gives 1 x 4 x 5, but the batch\'s first record 1 x 4 x 4'),
])
@pytest.mark.parametrize("prefetch", [0, 4])
def test_bad_records_are_named_when_the_reader_gets_there(tmp_path, name, words, prefetch):
    text = lmdb_text(broken_lmdb(tmp_path, name), 2, f"prefetch: {prefetch}")
    feed = open_feed(layer(text), TEST, tops=2, where="net.prototxt:3")
    draw(feed)
    for _ in range(2):   # the error stays
        with pytest.raises(DataError) as caught:
            feed.shapes()
        assert words in str(caught.value)
        assert str(caught.value).startswith('layer "d" (Data), field data_param.source = ')
        assert "net.prototxt:3" in str(caught.value) and "\n" not in str(caught.value)
    assert feed.position() == 2
    feed.seek(6)
    draw(feed)
    feed.close()


OPENING = {
    "no database": (lmdb_text("nowhere"), "there is no database"),
    "no source": ('type: "Data" data_param { batch_size: 1 backend: LMDB }', "has no path"),
    "folder without data.mdb": (lmdb_text("."), "holds no data.mdb"),
    "leveldb named LMDB": (lmdb_text("raw_leveldb"), "is a LevelDB, not an LMDB"),
    "lmdb named LEVELDB": ('type: "Data" data_param { source: "raw_lmdb" batch_size: 1 }', "write backend: LMDB"),
    "no lmdb file": (lmdb_text("h5.txt"), "is no LMDB"),
    "batch 0": (lmdb_text("raw_lmdb", 0), "must be at least 1"),
    "batch too big": (lmdb_text("raw_lmdb", 4294967295), "GiB of memory"),
    "old scale": (lmdb_text("raw_lmdb", 1, "scale: 2"), "write it in transform_param"),
    "two means": (lmdb_text("raw_lmdb", 1, "", 'mean_file: "mean.binaryproto" mean_value: 1'), "keep one"),
    "no mean": (lmdb_text("raw_lmdb", 1, "", 'mean_file: "nowhere"'), "mean file cannot be used"),
    "mean that is text": (lmdb_text("raw_lmdb", 1, "", 'mean_file: "h5.txt"'), "mean file cannot be used"),
    "mean of other size": (lmdb_text("gray_lmdb", 1, "", 'mean_file: "mean.binaryproto"'), "but the mean image"),
    "mean values": (lmdb_text("raw_lmdb", 1, "", "mean_value: 1 mean_value: 2"), "give 1 or 3"),
    "crop": (lmdb_text("raw_lmdb", 1, "", "crop_size: 999"), "less than the crop"),
    "colour and gray": (lmdb_text("encoded_lmdb", 1, "", "force_color: true force_gray: true"), "keep one"),
    "gray of raw": (lmdb_text("raw_lmdb", 1, "", "force_gray: true"), "cannot be made gray"),
    "no image list": ('type: "ImageData" image_data_param { source: "nowhere" }', "image list"),
    "no image": ('type: "ImageData" image_data_param { source: "list.txt" root_folder: "images" }', 'end it with "/"'),
    "one size": ('type: "ImageData" image_data_param { source: "list.txt" new_height: 4 }', "both new_height and"),
    "no label": ('type: "ImageData" image_data_param { source: "h5.txt" }', "line 1"),
    "gray image": ('type: "ImageData" image_data_param { source: "list.txt" } transform_param { force_gray: true }',
                   "contradicts"),
    "no h5 list": ('type: "HDF5Data" hdf5_data_param { source: "nowhere" batch_size: 1 }', "HDF5 list"),
    "h5 of text": ('type: "HDF5Data" hdf5_data_param { source: "list.txt" batch_size: 1 }', "there is no such file"),
    "h5 transform": ('type: "HDF5Data" hdf5_data_param { source: "h5.txt" batch_size: 1 } transform_param { scale: 2 }',
                     "not possible for HDF5"),
    "h5 data_param": ('type: "HDF5Data" hdf5_data_param { source: "h5.txt" batch_size: 1 } data_param { source: "x" }',
                      "is not obeyed here"),
    "dummy shapes": ('type: "DummyData" dummy_data_param { shape { dim: 1 } num: 2 }', "keep one of the two"),
    "dummy filler": ('type: "DummyData" dummy_data_param { shape { dim: 1 } data_filler { type: "zavier" } }',
                     "xavier"),
}


@pytest.mark.parametrize("what", OPENING)
def test_unfit_sources_and_settings_give_one_line(what):
    text, words = OPENING[what]
    with pytest.raises(Exception) as caught:
        probe(layer(text), TEST, tops=2, base=str(GOLDEN), where="n.prototxt:1")
    line = str(caught.value)
    assert words in line and line.startswith('layer "d" (') and "n.prototxt:1" in line and "\n" not in line
