"""Copies that nobody waits for: every batch arrives whole and in time, values are those of the moment they were asked for."""
import threading

import numpy as np
import pytest

from caffempi.engines.access import Recipe
from caffempi.engines.cuda.device import Device
from caffempi.engines.cuda.transfer import KEPT, CudaFetched, Inlet, Inlets, PinnedBridge
from caffempi.errors import DataError
from tests.helpers.cuda.fakecupy import make_cupy

SEEDS = range(6)


def gpu_of(seed):
    return Device(make_cupy(seed))


def empty(gpu, *shape):
    return gpu.alloc(4 * int(np.prod(shape))).view("float32").reshape(shape)


@pytest.mark.parametrize("seed", SEEDS)
def test_each_batch_is_the_one_that_the_next_run_sees(seed):
    gpu = gpu_of(seed)
    data, label, seen = empty(gpu, 2, 3), empty(gpu, 2), [empty(gpu, 2, 3) for _ in range(9)]
    inlet = Inlet.into(gpu, [data, label])
    for k, place in enumerate(seen):                            # nothing here waits: all is bound by events alone
        def write(arrays, k=k):
            arrays[0][...], arrays[1][...] = k, -k
        inlet.feed(write)
        place.data.copy_from_device_async(data.data, data.nbytes, gpu.compute)
    for k, place in enumerate(seen):
        assert (place.get(stream=gpu.compute) == k).all()
    assert (label.get(stream=gpu.compute) == -8).all()


def test_the_host_is_at_most_two_batches_ahead():
    gpu = gpu_of(0)
    inlet = Inlet.into(gpu, [empty(gpu, 4)])
    for _ in range(2):
        inlet.feed(lambda arrays: arrays[0].fill(1))
    copy = gpu.stream("copy")
    given, left = len(copy.queue), []
    inlet.feed(lambda arrays: left.append(len(copy.queue)))     # is called only when the first batch has been uploaded
    assert left[0] < given


def test_ways_into_arrays_of_ever_new_shapes_are_let_go_when_they_are_no_longer_in_use():
    gpu = gpu_of(1)
    x, inlets, made = empty(gpu, 64), Inlets(), []
    for k in range(3 * KEPT):
        part = x[:1 + k % (2 * KEPT)]

        def make(part=part):
            made.append(len(part))
            return Inlet.into(gpu, [part])
        inlet = inlets.of([part], None, make)
        assert inlets.of([part], None, make) is inlet
        inlet.feed(lambda arrays, k=k: arrays[0].fill(k))
        assert (part.get(stream=gpu.compute) == k).all()
    assert len(made) == 3 * KEPT and len(inlets._kept) == KEPT
    recipe = Recipe(1.0, None)
    other = inlets.of([part], recipe, make)                     # bytes and finished batches by turns have a way each
    assert other is not inlet and inlets.of([part], None, make) is inlet and inlets.of([part], recipe, make) is other
    assert inlets.of([part], Recipe(1.0, None), make) is not other


@pytest.mark.parametrize("seed", SEEDS)
def test_values_are_those_of_the_moment(seed):
    gpu = gpu_of(seed)
    x = empty(gpu, 3)
    got = []
    for k in range(4):
        x.set(np.full(3, k, np.float32), stream=gpu.compute)
        got.append(CudaFetched(gpu, [x, x[1:]]))
    assert not got[0].done()
    for k, fetched in enumerate(got):
        whole, part = fetched.get()
        assert fetched.done() and (whole == k).all() and part.shape == (2,) and (part == k).all()


def test_a_fault_is_raised_where_values_are_read():
    gpu = gpu_of(0)
    x, word = empty(gpu, 1), gpu.fault('op "softmax_nll"')
    before = CudaFetched(gpu, [x])
    word.set(np.ones(1, np.int32), stream=gpu.compute)
    same_run = CudaFetched(gpu, [x])
    gpu.begin_run()
    after = CudaFetched(gpu, [x])
    assert len(before.get()) == len(same_run.get()) == 1
    with pytest.raises(DataError, match="softmax_nll"):
        after.get()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_bridge_carries_both_ways_from_another_thread(seed):
    gpu = gpu_of(seed)
    x = empty(gpu, 5)
    x.set(np.arange(5, dtype=np.float32), stream=gpu.compute)
    there, bridge = gpu.event(), PinnedBridge(gpu, x)
    there.record()

    def work():
        there.sync()
        bridge.down()
        bridge.host *= 2
        bridge.up()
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    np.testing.assert_array_equal(x.get(stream=gpu.compute), np.arange(5) * 2)
