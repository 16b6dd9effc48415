"""What engines on one GPU share: streams, memory, words of random numbers, faults, libraries."""
import sys

import numpy as np
import pytest

from caffempi.engines.choose import make_engine
from caffempi.engines.cuda import blas, cudnn
from caffempi.engines.cuda.device import FAULTS, Device, rng_words
from caffempi.errors import DataError, EngineError
from caffempi.ops.graph import LayerInfo
from caffempi.ops.philox import Rng
from tests.helpers.cuda.fakeblas import FakeBlas
from tests.helpers.cuda.fakecudnn import FakeCudnn
from tests.helpers.cuda.fakecupy import make_cupy


@pytest.fixture
def gpu(monkeypatch):
    module = make_cupy(1)
    monkeypatch.setitem(sys.modules, "cupy", module)
    return Device(module)


def values(gpu, array):
    return array.get(stream=gpu.compute)


def test_engines_of_one_gpu_share_it(gpu):
    a, b = make_engine("cuda"), make_engine("cuda")
    assert a.gpu is b.gpu and a.stream("compute") is b.stream("compute")


def test_words_of_random_numbers():
    rng = Rng(1, "a", "b")
    rng.run = 2**32 * 9 + 4
    assert rng_words(rng).tolist() == [*rng.key, 4, 9]


def test_words_follow_the_run_from_the_start_and_only_those_that_moved_are_uploaded(gpu, monkeypatch):
    a, b = Rng(1, "a", "layer"), Rng(1, "b", "layer")
    a.run, b.run = 5, 6
    words = {r: gpu.words(r) for r in (a, b)}
    assert gpu.words(a) is words[a]
    sent, was = [], type(words[a]).set
    monkeypatch.setattr(type(words[a]), "set", lambda self, arr, stream: (sent.append(arr), was(self, arr, stream)))
    gpu.renew_words()
    assert sent == []
    a.run = 7
    gpu.renew_words()
    assert len(sent) == 1
    for rng, array in words.items():
        np.testing.assert_array_equal(values(gpu, array), rng_words(rng))
    del a, rng, words
    b.run = 8
    gpu.renew_words()                                           # that of a stream that is gone is forgotten
    assert len(sent) == 2


def test_faults_are_told_apart_and_cleared_when_they_are_raised(gpu):
    first, second = gpu.fault('op "a"'), gpu.fault('op "b"')
    assert len(gpu.asked_faults()) == 2
    gpu.raise_faults(np.zeros(2, np.int32))
    second.set(np.ones(1, np.int32), stream=gpu.compute)
    with pytest.raises(DataError, match=r'op "b": a label or an index is out of range'):
        gpu.raise_faults(values(gpu, gpu.faults[:2]))
    assert not values(gpu, gpu.faults).any()
    for _ in range(FAULTS + 3):
        last = gpu.fault("more")
    gpu.begin_run()
    assert len(gpu.asked_faults()) == FAULTS and last.data.ptr == gpu.faults[FAULTS - 1:].data.ptr
    assert first.data.ptr == gpu.faults.data.ptr


def test_a_fault_of_a_layer_names_it_and_its_place(gpu):
    gpu.fault('op "a"')
    gpu.fault('op "b"', LayerInfo("loss", "SoftmaxWithLoss", (), (), "net.prototxt:7"))
    with pytest.raises(DataError) as caught:
        gpu.raise_faults(np.array([0, 1], np.int32))
    assert (caught.value.layer, caught.value.type, caught.value.where) == ("loss", "SoftmaxWithLoss", "net.prototxt:7")


def test_libraries_are_made_once_on_the_compute_stream(gpu, monkeypatch):
    library, module = FakeBlas(gpu.cupy.fake), FakeCudnn(gpu.cupy.fake)
    monkeypatch.setattr(blas, "load", lambda: library)
    monkeypatch.setattr(cudnn, "load", lambda: module)
    assert gpu.blas is gpu.blas and gpu.cudnn is gpu.cudnn
    assert list(library.streams.values()) == [gpu.compute.ptr] == list(module.streams.values())
    (place,) = library.workspaces.values()
    assert place[1] == blas.WORKSPACE // 8
    gpu.cupy.fake.refuse_outside(*place)


def test_the_newest_gpus_get_the_workspace_that_they_want(gpu, monkeypatch):
    library = FakeBlas(gpu.cupy.fake)
    monkeypatch.setattr(blas, "load", lambda: library)
    gpu.cupy.fake.compute_capability = "100"
    assert gpu.blas and [n for _, n in library.workspaces.values()] == [blas.WORKSPACE]


def test_a_capture_that_fails_is_ended(gpu):
    def fail():
        raise EngineError("no")
    with pytest.raises(EngineError, match="no"):
        gpu.capture([fail])
    x = gpu.alloc(8)
    replay = gpu.capture([lambda: x.data.memset_async(7, 8, gpu.compute)])
    assert not values(gpu, x).any()
    replay()
    assert (values(gpu, x) == 7).all()
