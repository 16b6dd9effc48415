"""Gradients of biases held to their definitions, on any axis and of empty batches."""
import pytest

from caffempi.ops.conv import ConvAttrs
from caffempi.ops.inner_product import InnerProductAttrs
from tests.helpers.cuda.cases import Case
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.kernelcheck import check


def conv(kernel, axis=1):
    ones = (1,) * kernel
    return ConvAttrs(ones, ones, (0,) * kernel, ones, axis=axis)


CASES = [
    *(Case("conv_db", conv(len(shape) - axis - 1, axis), [shape], slack=40, alone=True)
      for shape, axis in [((2, 3, 4, 5), 1), ((0, 3, 4, 4), 1), ((2, 3, 4, 5), 2), ((3, 35), 1), ((5, 3), 1), ((2, 3, 30, 40), 1)]),
    *(Case("inner_product_db", InnerProductAttrs(), [shape], slack=40, alone=True) for shape in [(7, 40), (0, 3), (2, 3, 5), (300, 2)]),
]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case)
