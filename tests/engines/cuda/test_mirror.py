"""Views of the device's memory for the host: what is written in them is what the next run reads; then they are closed."""
import numpy as np
import pytest

from caffempi.engines.cuda.device import Device
from caffempi.engines.cuda.mirror import Mirrors
from tests.helpers.cuda.fakecupy import make_cupy


@pytest.fixture(params=range(3))
def gpu(request):
    return Device(make_cupy(request.param))


def made(gpu, values):
    array = gpu.alloc(values.nbytes).view(values.dtype.name).reshape(values.shape)
    array.set(values, stream=gpu.compute)
    return array


def device_values(gpu, array):
    return array.get(stream=gpu.compute)


def test_what_is_written_reaches_the_device_with_settle_and_not_before(gpu):
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    array, mirrors = made(gpu, x), Mirrors(gpu.compute)
    view = mirrors.lend(array)
    np.testing.assert_array_equal(view, x)
    view[0] = 9
    np.testing.assert_array_equal(device_values(gpu, array), x)
    np.testing.assert_array_equal(mirrors.get(array)[0], 9)
    mirrors.settle()
    np.testing.assert_array_equal(device_values(gpu, array), [[9, 9, 9], [3, 4, 5]])
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 1
    mirrors.lend(array)[0] = 2


def test_two_views_of_one_memory_are_one(gpu):
    flat, mirrors = made(gpu, np.arange(10, dtype=np.float32)), Mirrors(gpu.compute)
    mirrors.lend(flat[2:5])[...] = -1
    whole = mirrors.lend(flat)
    np.testing.assert_array_equal(whole, [0, 1, -1, -1, -1, 5, 6, 7, 8, 9])
    mirrors.lend(flat[4:8].reshape(2, 2))[1, 1] = -2
    assert whole[7] == -2
    mirrors.settle()
    np.testing.assert_array_equal(device_values(gpu, flat), [0, 1, -1, -1, -1, 5, 6, -2, 8, 9])


def test_only_what_is_lent_is_uploaded(gpu):
    flat, mirrors = made(gpu, np.zeros(8, np.float32)), Mirrors(gpu.compute)
    mirrors.lend(flat[:2])[...] = 1
    flat[4:].set(np.full(4, 5, np.float32), stream=gpu.compute)
    mirrors.settle()
    np.testing.assert_array_equal(device_values(gpu, flat), [1, 1, 0, 0, 5, 5, 5, 5])
    assert mirrors.get(flat)[4] == 5


def test_what_will_be_overwritten_is_not_downloaded(gpu, monkeypatch):
    flat, mirrors = made(gpu, np.zeros(8, np.float32)), Mirrors(gpu.compute)
    monkeypatch.setattr(type(flat), "get", lambda *a, **k: pytest.fail("a download"))
    mirrors.lend(flat[1:4], download=False)[...] = 3
    mirrors.settle()
    monkeypatch.undo()
    np.testing.assert_array_equal(device_values(gpu, flat), [0, 3, 3, 3, 0, 0, 0, 0])


@pytest.mark.parametrize("shape", [(0,), (3, 0), ()])
def test_empty_and_scalar_arrays(gpu, shape):
    array, mirrors = made(gpu, np.zeros(shape, np.float32)), Mirrors(gpu.compute)
    view = mirrors.lend(array)
    assert view.shape == shape and mirrors.get(array).shape == shape
    view[...] = 4
    mirrors.settle()
    assert (device_values(gpu, array) == 4).all()


def test_a_copy_is_of_its_moment(gpu):
    flat, mirrors = made(gpu, np.zeros(4, np.float32)), Mirrors(gpu.compute)
    before = mirrors.get(flat)
    mirrors.lend(flat)[...] = 1
    copy = mirrors.get(flat)
    mirrors.lend(flat)[...] = 2
    assert (before == 0).all() and (copy == 1).all()
