"""The stand-in for CuPy refuses what would fail or silently go wrong on a GPU, and lets streams run late and out of order."""
import numpy as np
import pytest

from caffempi.engines.cuda.kernels import expressions
from caffempi.engines.cuda.modules import TEXTS, options
from tests.helpers.cuda.fakecupy import make_cupy
from tests.helpers.cuda.fakestream import FakeCudaError
from tests.helpers.cuda.hostrun import needs_compiler

N = 100
ZEROS = (np.float32(0),) * 2


class Bench:
    """A device with arrays x and y of N floats, a stream and the kernel map1<float, Relu>."""

    def __init__(self, seed=0):
        self.cupy = make_cupy(seed)
        self.stream = self.cupy.cuda.Stream(non_blocking=True)
        self.x, self.y = self.array(), self.array()
        self.values = np.random.default_rng(1).standard_normal(N).astype(np.float32)
        module = self.cupy.RawModule(code=(TEXTS / "activations.cu").read_text(), options=options(),
                                     name_expressions=expressions("activations.cu", "float32"))
        self.module, self.relu = module, module.get_function("map1<float, Relu>")

    def array(self, n=N, dtype="float32"):
        return self.cupy.ndarray((n,), dtype, memptr=self.cupy.cuda.alloc(n * np.dtype(dtype).itemsize))

    def run(self, *args, grid=(1,), block=(64,), stream=None, **more):
        args = args or (np.int64(N), self.x, self.y, np.float32(0.1), *ZEROS)
        self.relu(grid, block, args, stream=stream or self.stream, **more)


@pytest.fixture
def bench():
    return Bench()


@needs_compiler
@pytest.mark.parametrize("bad", [
    lambda b: (np.int32(N), b.x, b.y, np.float32(0), *ZEROS),
    lambda b: (N, b.x, b.y, np.float32(0), *ZEROS),
    lambda b: (np.uint64(N), b.x, b.y, np.float32(0), *ZEROS),
    lambda b: (np.int64(N), b.x, b.y, 0.1, *ZEROS),
    lambda b: (np.int64(N), b.x, b.y, np.float64(0.1), *ZEROS),
    lambda b: (np.int64(N), b.values, b.y, np.float32(0), *ZEROS),
    lambda b: (np.int64(N), b.array(dtype="float64"), b.y, np.float32(0), *ZEROS),
    lambda b: (np.int64(N), b.array(dtype="int32"), b.y, np.float32(0), *ZEROS),
    lambda b: (b.x, np.int64(N), b.y, np.float32(0), *ZEROS),
    lambda b: (np.int64(N), b.x, b.y, *ZEROS),
    lambda b: (np.int64(N), b.x, b.y, np.float32(0), np.float32(0), *ZEROS),
], ids=range(11))
def test_arguments_of_other_types_are_refused(bench, bad):
    with pytest.raises(FakeCudaError, match="argument"):
        bench.run(*bad(bench))


@needs_compiler
@pytest.mark.parametrize("bad", [
    {"grid": (0,)}, {"grid": (1, 65536)}, {"grid": (2**31,)}, {"grid": 1}, {"block": (1025,)}, {"block": (512, 4)},
    {"block": (1, 1, 65)}, {"block": (64.0,)}, {"shared_mem": 1 << 16}], ids=str)
def test_launches_that_a_gpu_refuses_are_refused(bench, bad):
    with pytest.raises(FakeCudaError):
        bench.run(**bad)


@needs_compiler
@pytest.mark.parametrize("in_place", [False, True])
def test_writes_outside_an_allocation_are_found(bench, in_place):
    short = bench.array(N - 1)
    bench.run(np.int64(N), short if in_place else bench.x, short, np.float32(0), *ZEROS)
    with pytest.raises(FakeCudaError, match="outside an allocation"):
        bench.stream.synchronize()


def test_memory_starts_as_nan_and_arrays_stay_inside_it():
    cupy = make_cupy()
    memory = cupy.cuda.alloc(64)
    assert memory.ptr % 512 == 0
    assert np.isnan(cupy.ndarray((16,), "float32", memptr=memory).get()).all()
    with pytest.raises(FakeCudaError, match="does not lie in"):
        cupy.ndarray((16,), "float32", memptr=memory + 4)
    with pytest.raises(TypeError, match="get"):
        np.asarray(cupy.ndarray((16,), "float32", memptr=memory))


def test_slices_reshapes_and_views_share_memory():
    cupy = make_cupy()
    a = cupy.ndarray((6, 4), "float32", memptr=cupy.cuda.alloc(96))
    a.set(np.arange(24, dtype=np.float32).reshape(6, 4))
    np.testing.assert_array_equal(a[2:4].reshape(8).get(), np.arange(8, 16))
    assert a[2:4].data.ptr == a.data.ptr + 32
    assert a.view("uint8").shape == (6, 16)
    assert len(a[6:]) == 0
    with pytest.raises(FakeCudaError):
        a[::2]


@needs_compiler
def test_a_forgotten_wait_gives_wrong_numbers_and_a_wait_right_ones():
    right = {True: 0, False: 0}
    for wait in right:
        for seed in range(20):
            b = Bench(seed)
            copy = b.cupy.cuda.Stream(non_blocking=True)
            b.x.set(b.values, stream=copy)
            event = copy.record(b.cupy.cuda.Event(disable_timing=True))
            if wait:
                b.stream.wait_event(event)
            b.run()
            want = np.where(b.values > 0, b.values, b.values * np.float32(0.1))
            right[wait] += bool(np.array_equal(b.y.get(stream=b.stream), want))
    assert right[True] == 20
    assert right[False] < 20


@needs_compiler
def test_capture_runs_nothing_and_its_graph_replays(bench):
    s = bench.stream
    s.begin_capture()
    bench.run()
    s.wait_event(s.record(bench.cupy.cuda.Event()))
    graph = s.end_capture()
    assert s.done
    assert np.isnan(bench.y.get()).all()
    for factor in np.float32([1, 2]):
        bench.x.set(bench.values * factor, stream=s)
        graph.launch(s)
        got = bench.y.get(stream=s)
        np.testing.assert_array_equal(got, np.where(bench.values > 0, bench.values, bench.values * np.float32(0.1)) * factor)


@needs_compiler
@pytest.mark.parametrize("what", [
    lambda b: b.x.get(stream=b.stream), lambda b: b.x.set(b.values), lambda b: b.cupy.cuda.alloc(4),
    lambda b: b.stream.synchronize(), lambda b: b.cupy.cuda.Device().synchronize(),
    lambda b: b.cupy.cuda.Event().synchronize(), lambda b: b.stream.begin_capture(),
    lambda b: b.module.get_function("map1<float, Relu>"),
    lambda b: b.stream.wait_event(b.cupy.fake.null.record(b.cupy.cuda.Event())),
], ids=range(9))
def test_what_capture_forbids(bench, what):
    bench.stream.begin_capture()
    with pytest.raises(FakeCudaError, match="captur"):
        what(bench)
    bench.stream.end_capture()


def test_other_faults_of_streams():
    cupy = make_cupy()
    with pytest.raises(FakeCudaError, match="non_blocking"):
        cupy.cuda.Stream()
    with pytest.raises(FakeCudaError, match="null stream"):
        cupy.fake.null.begin_capture()
    with pytest.raises(FakeCudaError, match="without begin_capture"):
        cupy.cuda.Stream(non_blocking=True).end_capture()
    assert cupy.cuda.Event().done


@needs_compiler
def test_a_kernel_that_was_not_named_is_refused(bench):
    with pytest.raises(FakeCudaError, match="name expressions"):
        bench.module.get_function("relu<double>")


@needs_compiler
def test_what_is_given_is_counted_and_a_dry_device_does_not_compute(bench):
    s, tally, event = bench.stream, bench.cupy.fake.tally, bench.cupy.cuda.Event()
    bench.cupy.fake.dry = True
    s.begin_capture()
    bench.run()
    bench.y.data.memset_async(0, bench.y.nbytes, s)
    s.wait_event(s.record(event))
    graph = s.end_capture()
    assert not tally
    graph.launch(s)
    bench.run()
    bench.x.set(bench.values, stream=s)
    bench.cupy.fake.null.wait_event(s.record(event))
    event.synchronize()
    assert tally == {"graph": 1, "replayed": 2, "kernel": 2, "fill": 1, "upload": 1, "record": 1, "stream wait": 1, "host wait": 1}
    np.testing.assert_array_equal(bench.y.get(stream=s), 0)
    np.testing.assert_array_equal(bench.x.get(stream=s), bench.values)
