"""Which fields of a data layer are obeyed; what is refused is in test_feed.py."""
from __future__ import annotations

import numpy as np
import pytest

from caffempi.data.dummy_source import DummyBatches
from caffempi.data.hdf5_source import Hdf5Batches
from caffempi.data.makers import open_maker
from caffempi.errors import DataError
from caffempi.proto import caffe_pb2
from tests.data.helpers import GOLDEN, layer, numbered

LMDB = 'type: "Data" data_param { source: "raw_lmdb" batch_size: 3 backend: LMDB %s } transform_param { %s }'


def maker(text: str, tops: int = 2, seed: int = 0, batch: int | None = None):
    return open_maker(layer(text), caffe_pb2.TEST, tops, seed, str(GOLDEN), batch, {"layer": "d"})


def test_each_type_has_its_maker():
    assert isinstance(maker('type: "HDF5Data" hdf5_data_param { source: "h5.txt" batch_size: 2 }'), Hdf5Batches)
    assert isinstance(maker('type: "DummyData" dummy_data_param { shape { dim: 2 } }'), DummyBatches)
    assert maker('type: "Input"') is None


def test_batch_override_and_crop_show_in_the_shapes():
    assert maker(LMDB % ("", "crop_size: 5"), batch=7).shapes(0) == [(7, 3, 5, 5), (7,)]
    with pytest.raises(DataError, match="at least 1"):
        maker(LMDB % ("", ""), batch=0)


@pytest.mark.parametrize("tops", [0, 3])
def test_numbers_of_tops_that_cannot_be(tops):
    with pytest.raises(DataError, match="1 or 2 blobs"):
        maker(LMDB % ("", ""), tops=tops)


def test_forcing_colour_in_its_old_and_new_place():
    encoded = LMDB.replace("raw_lmdb", "encoded_lmdb")
    assert maker(encoded % ("force_encoded_color: true", "crop_size: 9")).shapes(0)[0][1] == 3
    assert maker(encoded % ("", "force_gray: true crop_size: 9")).shapes(0)[0][1] == 1


def test_rand_skip_starts_at_a_seeded_record(tmp_path):
    text = f'type: "Data" data_param {{ source: "{numbered(tmp_path / "db", 20)}" batch_size: 1 backend: LMDB %s }}'
    first = {maker(text % "rand_skip: 5", seed=seed).make(0)[1][0] for seed in range(40)}
    assert first == {0, 1, 2, 3, 4}
    assert {maker(text % "", seed=seed).make(0)[1][0] for seed in range(5)} == {0}


def test_a_database_is_shuffled_where_the_text_asks_for_it_and_hints_of_forks_are_let_pass(tmp_path):
    """Each epoch has every record once, in an order that seed and epoch decide, the same however it is cut into ranks."""
    from caffempi.data.feed import open_feed
    from caffempi.data.write_lmdb import write_datums
    write_datums(str(tmp_path / "db"), [(b"%02d" % i, caffe_pb2.Datum(channels=1, height=1, width=1, label=i, data=bytes([i])))
                                        for i in range(12)])
    layer = caffe_pb2.LayerParameter(name="d", type="Data", top=["x", "y"], data_param=caffe_pb2.DataParameter(
        source=str(tmp_path / "db"), batch_size=4, backend="LMDB", shuffle=True, threads=3, cache=True))

    def labels(rank, ranks, batch, batches, seed=5):
        feed = open_feed(layer, caffe_pb2.TRAIN, tops=2, rank=rank, ranks=ranks, seed=seed, batch=batch)
        out = []
        for _ in range(batches):
            x, y = np.empty((batch, 1, 1, 1), np.float32), np.empty(batch, np.float32)
            feed.next([x, y])
            out.append(y)
        feed.close()
        return np.array(out, int)
    one = labels(0, 1, 4, 6).reshape(-1).tolist()
    assert sorted(one[:12]) == sorted(one[12:]) == list(range(12)) and one[:12] != one[12:] and one[:12] != sorted(one[:12])
    two = [labels(r, 2, 2, 6) for r in range(2)]
    assert np.stack(two, axis=1).reshape(-1).tolist() == one
    assert labels(0, 1, 4, 6, seed=6).reshape(-1).tolist() != one
