"""What a bound kernel is handed: nulls for what is not saved, the flag of adding, words of random numbers, its scratch."""
import sys
from functools import partial

import numpy as np
import pytest

from caffempi.engines.base import Operands
from caffempi.engines.cuda.bound import CudaKernel, rng_words
from caffempi.engines.cuda.rule import ADD, FAULT, IN, NULL, OUT, RNG, SAVED, Job
from caffempi.ops.philox import Rng
from tests.helpers.cuda.fakecupy import make_cupy


@pytest.fixture
def cupy(monkeypatch):
    module = make_cupy(3)
    monkeypatch.setitem(sys.modules, "cupy", module)
    return module


def array(cupy, n, dtype="float32"):
    return cupy.ndarray((n,), dtype, memptr=cupy.cuda.alloc(n * np.dtype(dtype).itemsize))


def test_arguments_of_all_kinds(cupy):
    job, got = Job("some.cu"), []
    job.take(1)
    room = job.take(5, "int32")
    job.start("f", 2, 32, 7, IN(1), OUT(), SAVED(), ADD, RNG, FAULT, room)
    job.start("g", 1, 32, RNG, FAULT)
    stream = cupy.cuda.Stream(non_blocking=True)
    functions = [partial(lambda name, grid, block, args, stream: got.append((name, grid, block, args)), name) for name in "fg"]
    rng = Rng(1, "purpose", "layer")
    a, b, y, scratch = array(cupy, 3), array(cupy, 3), array(cupy, 3), array(cupy, job.scratch, "uint8")
    run = CudaKernel(cupy, job.launches, functions, stream).bind(Operands((a, b), (y,), (), (), scratch, rng, True))
    for ordinal in (2**33 + 5, 6):
        rng.run = ordinal
        got.clear()
        run()
        (f, grid, block, (n, x, out, saved, add, words, fault, part)), (_, _, _, (same, also)) = got
        assert (f, grid, block, n) == ("f", (2,), (32,), 7)
        assert x is b and out is y and saved is NULL
        assert add == 1 and type(add) is np.int32
        assert words is same and fault is also
        np.testing.assert_array_equal(words.get(stream=stream), [*rng.key, ordinal & 0xFFFFFFFF, ordinal >> 32])
        assert fault.get(stream=stream)[0] == 0
        assert part.shape == (5,) and part.dtype == np.int32 and part.data.ptr == scratch.data.ptr + 256


def test_words_of_random_numbers():
    rng = Rng(1, "a", "b")
    rng.run = 2**32 * 9 + 4
    assert rng_words(rng).tolist() == [*rng.key, 4, 9]


def test_no_launches_do_nothing(cupy):
    assert CudaKernel(cupy, [], [], None).bind(Operands((), ())) () is None
