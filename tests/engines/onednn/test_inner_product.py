"""Inner product and its gradients with packed and plain weights, against the NumPy definitions."""
import pytest

from caffempi.engines.base import PLAIN
from caffempi.ops.fused import FusedAttrs
from caffempi.ops.inner_product import InnerProductAttrs
from caffempi.ops.relu import ReluAttrs
from tests.helpers.enginecheck import call_of, check


@pytest.mark.parametrize("transpose", [False, True])
@pytest.mark.parametrize(("shape", "axis", "filters"), [
    ((4, 7), 1, 5), ((1, 33), 1, 10), ((3, 5, 4, 3), 1, 17), ((2, 3, 8), 2, 16), ((2, 3, 4), -1, 1), ((5, 2), 0, 3),
    ((16, 64), 1, 48), ((9, 4, 3), 1, 5), ((33, 20), 1, 70), ((16, 1100), 1, 1000)])
def test_all_directions(engine, rand, shape, axis, filters, transpose):
    attrs = InnerProductAttrs(axis, transpose)
    x = rand(*shape)
    k = attrs.flat(shape)[1]
    w, b = rand(*((k, filters) if transpose else (filters, k))), rand(filters)
    for ins in ([x, w], [x, w, b]):
        offers = check(engine, call_of("inner_product", attrs, ins), ins)
        assert any(o.ins[1] == PLAIN for o in offers)
        for slope in (0.0, 0.3):
            fused = FusedAttrs(("inner_product", "relu"), (attrs, ReluAttrs(slope)), (len(ins), 0))
            check(engine, call_of("fused", fused, ins), ins)
    dy = rand(*call_of("inner_product", attrs, [x, w]).outs[0].shape)
    check(engine, call_of("inner_product_dx", attrs, [w, dy], [shape]), [w, dy])
    check(engine, call_of("inner_product_dw", attrs, [x, dy]), [x, dy])


def test_packed_weights_are_offered_for_sizes_that_gain(engine, rand):
    offers = engine.offers(call_of("inner_product", InnerProductAttrs(), [rand(64, 256), rand(128, 256)]))
    assert {o.ins[1] == PLAIN for o in offers} == {True, False}


def test_plain_weights_are_the_left_factor_where_that_is_the_faster_product(engine, rand):
    """Forward with AVX-512 for more than 8 rows; the gradient of the input with AVX2 for 8 to 16 rows of large weights."""
    def impl(op, rows):
        w, x, dy = rand(1024, 1100), rand(rows, 1100), rand(rows, 1024)
        call = (call_of("inner_product", InnerProductAttrs(), [x, w]) if op == "forward" else
                call_of("inner_product_dx", InnerProductAttrs(), [w, dy], [x.shape]))
        return next(o.impl for o in engine.offers(call) if {*o.ins, *o.outs} == {PLAIN})
    if engine.library.isa == "avx2":
        turned, never = [("dx", 8), ("dx", 16)], [("forward", 16), ("dx", 7), ("dx", 17)]
    elif "avx512" in engine.library.isa:
        turned, never = [("forward", 9), ("forward", 64)], [("forward", 8), ("dx", 16)]
    else:
        pytest.skip(f"nothing is known of {engine.library.isa}")
    assert all(" " in impl(*which) for which in turned)        # the product, and its turning
    assert not any(" " in impl(*which) for which in never)
