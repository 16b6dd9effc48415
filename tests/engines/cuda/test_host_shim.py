"""The host shim itself: 16-bit types convert as NumPy does, and each breach of the kernel dialect is found."""
import ctypes
import dataclasses

import numpy as np
import pytest

from caffempi.engines.cuda.modules import FOLDER
from tests.helpers.cuda.build import ShimError, build, needs_fibres
from tests.helpers.cuda.hostrun import needs_compiler, storage

pytestmark = needs_compiler

PROBES = """
#include "device.h"
template <typename T> __global__ void convert(long long n, const float* x, T* y, float* back) {
    GRID_STRIDE(i, n) { y[i] = from_f<T>(x[i]); back[i] = to_f(y[i]); }
}
__global__ void reverse(float* x) {                       // within the block, by dynamic shared memory
    DYN_SHARED(float, room);
    room[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    x[threadIdx.x] = room[blockDim.x - 1 - threadIdx.x];
}
__global__ void shift(const float* x, float* y) {         // each lane takes the value two lanes up, if there is one
    __syncwarp();
    y[threadIdx.x] = __shfl_down_sync(FULL_WARP, x[threadIdx.x], 2);
}
__global__ void unwritten(float* y) {
    SHARED(float, room, 4);
    if (threadIdx.x == 1) room[1] = 5.f;
    __syncthreads();
    y[blockIdx.x * 4 + threadIdx.x] = room[threadIdx.x];
}
__global__ void where(int* y) {                           // the linear place of the block, times 100, plus that of the thread
    const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    y[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 100 + thread;
}
__global__ void leaves_early() { if (threadIdx.x > 3) __syncthreads(); }
__global__ void two_barriers() { if (threadIdx.x % 64 < 32) {
        __syncthreads();
    } else {
        __syncthreads();
    }
}
__global__ void half_a_warp(float* y) { if (threadIdx.x < 16) y[threadIdx.x] = __shfl_xor_sync(FULL_WARP, 1.f, 1); }
__global__ void partial_mask(float* y) { y[threadIdx.x] = __shfl_xor_sync(0xffffu, 1.f, 1); }
"""
PROBE_NAMES = ["convert<float>", "convert<__half>", "convert<__nv_bfloat16>", "reverse", "shift", "unwritten", "where",
               "leaves_early", "two_barriers", "half_a_warp", "partial_mask"]


@pytest.fixture(scope="module")
def probes():
    return build(PROBES, PROBE_NAMES, FOLDER)


def start(entry, grid, block, *arrays, **more):
    dims = [*grid, *(1,) * (3 - len(grid)), *block, *(1,) * (3 - len(block))]
    entry.start(dims, [ctypes.c_void_p(a.ctypes.data) if isinstance(a, np.ndarray) else a for a in arrays], **more)


def convert(probes, name, x, dtype):
    y, back = np.zeros(x.size, dtype), np.zeros_like(x)
    start(dataclasses.replace(probes[name], fibres=False), (3,), (64,), ctypes.c_longlong(x.size), x, y, back)
    return y, back


@pytest.mark.parametrize(("name", "dtype"), [("convert<__half>", "float16"), ("convert<__nv_bfloat16>", "bfloat16")])
def test_sixteen_bit_types_convert_as_in_numpy(probes, name, dtype):
    """All 65,536 patterns to float; and to 16 bits: all of them, points halfway between two, their neighbours, and any bits."""
    kind = storage(dtype)
    with np.errstate(all="ignore"):
        every = np.arange(65536, dtype=np.uint16).view(kind).astype(np.float32)
        finite = np.sort(every[np.isfinite(every)])
        halfway = ((finite[1:].astype(np.float64) + finite[:-1]) / 2).astype(np.float32)
        anything = np.random.default_rng(0).integers(0, 2**32, 200_000, dtype=np.uint32).view(np.float32)
        beside = [np.nextafter(halfway, np.float32(side)) for side in (-np.inf, np.inf)]
        x = np.concatenate([every, halfway, *beside, anything])
        want = x.astype(kind)
        y, back = convert(probes, name, x, kind)
        good = ~np.isnan(x)
        np.testing.assert_array_equal(y.view(np.uint16)[good], want.view(np.uint16)[good])
        np.testing.assert_array_equal(back, want.astype(np.float32))


def test_signatures_name_every_parameter(probes):
    assert probes["convert<__half>"].params == ("i8", "pf4", "pf2", "pf4")
    assert probes["convert<__nv_bfloat16>"].params == ("i8", "pf4", "pb2", "pf4")
    assert probes["where"].params == ("pi4",)
    assert probes["leaves_early"].params == ()


def test_dynamic_shared_memory_and_barriers(probes):
    for seed in range(5):
        x = np.arange(96, dtype=np.float32)
        start(probes["reverse"], (1,), (96,), x, dynamic=96 * 4, seed=seed)
        np.testing.assert_array_equal(x, np.arange(96)[::-1])


def test_shuffle_down_keeps_the_last_lanes(probes):
    x, y = np.arange(64, dtype=np.float32), np.zeros(64, np.float32)
    start(probes["shift"], (1,), (64,), x, y)
    lane = np.arange(64) % 32
    np.testing.assert_array_equal(y, np.where(lane < 30, x + 2, x))


def test_shared_memory_is_nan_at_the_start_of_every_block(probes):
    y = np.zeros(12, np.float32)
    start(probes["unwritten"], (3,), (4,), y)
    np.testing.assert_array_equal(y.reshape(3, 4), [[np.nan, 5, np.nan, np.nan]] * 3)


def test_indices_in_three_dimensions(probes):
    y = np.zeros(2 * 3 * 2 * 4 * 2 * 3, np.int32)
    start(probes["where"], (2, 3, 2), (4, 2, 3), y)
    np.testing.assert_array_equal(y.reshape(12, 24), np.arange(12)[:, None] * 100 + np.arange(24))


@pytest.mark.parametrize(("name", "threads", "why"), [
    ("leaves_early", 64, "__syncthreads is not reached by every thread of the block"),
    ("two_barriers", 64, "threads of one block wait at different __syncthreads"),
    ("half_a_warp", 32, "a warp operation is not reached by every lane of its warp"),
    ("half_a_warp", 16, None),
    ("partial_mask", 32, "a warp operation with a partial mask"),
    ("shift", 31, "a warp operation that reads a lane which does not exist"),
])
def test_breaches_of_the_dialect_are_named(probes, name, threads, why):
    entry, memory = probes[name], [np.zeros(64, np.float32) for _ in probes[name].params]
    if why is None:
        return start(entry, (1,), (threads,), *memory)
    for seed in range(3):
        with pytest.raises(ShimError, match=why):
            start(entry, (1,), (threads,), *memory, seed=seed)
    start(probes["reverse"], (1,), (64,), memory[0] if memory else np.zeros(64, np.float32), dynamic=256)   # goes on working


def test_a_barrier_in_loop_mode_is_an_error(probes):
    with pytest.raises(ShimError, match="started as one without"):
        start(dataclasses.replace(probes["reverse"], fibres=False), (1,), (64,), np.zeros(64, np.float32), dynamic=256)


def test_a_text_that_is_not_legal_is_refused():
    with pytest.raises(ShimError, match=r"kernel\.cu:2.*nonsense"):
        build('#include "device.h"\n__global__ void f(float* x) { nonsense(x); }', ["f"], FOLDER)


@pytest.mark.parametrize(("text", "fibres"), [("x = 1; // __syncthreads", False), ("__syncwarp();", True),
                                              ("__shfl_xor_sync(FULL_WARP, v, 1)", True), ('#include "reduce.h"', True), ('#include "sums.h"', True),
                                              ('#include "vector.h"', False)])
def test_which_texts_need_fibres(text, fibres):
    assert needs_fibres(text, FOLDER) is fibres
