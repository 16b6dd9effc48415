"""Sums become means by one IEEE division an element."""
import numpy as np
import pytest

from caffempi.engines.base import Operands
from caffempi.engines.cuda.bound import CudaKernel
from caffempi.engines.cuda.device import Device
from caffempi.engines.cuda.rules.quotient import quotient
from tests.helpers.cuda.fakecupy import make_cupy
from tests.helpers.cuda.hostrun import needs_compiler


@needs_compiler
@pytest.mark.parametrize("count", [1, 3, 4, 1027])
@pytest.mark.parametrize("divisor", [1, 3, 7])
def test_divides_to_the_bit_on_the_stream_that_it_is_given(count, divisor):
    gpu = Device(make_cupy(count))
    stream, job = gpu.stream("exchange"), quotient(count, divisor)
    x = np.random.default_rng(count).standard_normal(count).astype(np.float32)
    array = gpu.alloc(x.nbytes).view("float32")
    array.set(x, stream=stream)
    functions = {n.expression: gpu.modules.kernel(n.file, n.expression, "float32") for n in job.launches}
    CudaKernel(gpu, job, functions, "a mean", stream=stream).bind(Operands((), (array,)))()
    assert not gpu.compute.queue
    np.testing.assert_array_equal(array.get(stream=stream), x / np.float32(divisor))


def test_nothing_is_started_for_no_elements():
    assert quotient(0, 2).launches == []
