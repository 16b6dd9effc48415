"""Inner products held to their definition: any axis, transposed weights, with and without a bias, no items, no numbers."""
import pytest

from caffempi.engines.base import Call
from caffempi.engines.cuda.kernels import plan_job
from caffempi.engines.cuda.rule import Form
from caffempi.ops import Spec
from caffempi.ops.inner_product import InnerProductAttrs
from caffempi.ops.relu import ReluAttrs
from tests.helpers.cuda.cases import Case, chain
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.kernelcheck import check

SHAPES = [((4, 3, 5), 1, 7), ((4, 3, 5), 2, 2), ((4, 3), -1, 1), ((1, 300), 1, 300), ((6,), 0, 3), ((0, 3), 1, 4)]
CASES = [Case("inner_product", InnerProductAttrs(axis, turned), [shape, (k, n) if turned else (n, k), *[(n,)] * bias], slack=8)
         for shape, axis, n in SHAPES for turned in (False, True) for bias in (0, 1)
         for k in [InnerProductAttrs(axis).flat(shape)[1]]]
CASES += [chain(("inner_product", "relu"), (InnerProductAttrs(), ReluAttrs()), ([(4, 3), (5, 3), *[(5,)] * bias], []), slack=8)
          for bias in (0, 1)]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case)


def test_gradients_of_weights_are_float32():
    x, w = Spec((4, 3)), Spec((5, 3))
    (work,) = plan_job(Call("inner_product_dw", InnerProductAttrs(), (x, Spec((4, 5))), (w,)), Form("float16")).work
    assert work.product.dtype == "float16" and work.product.out == "float32" and work.add
