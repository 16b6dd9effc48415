"""Sums, products, maxima and copies in any layout the ins share, in place on the first in, repeated ins included."""
import numpy as np
import pytest

from caffempi.engines.base import PLAIN, Near, Operands
from caffempi.ops.eltwise import EltwiseProdAttrs, WeightedSumAttrs
from caffempi.ops.fused import FusedAttrs
from caffempi.ops.relu import ReluAttrs
from tests.engines.onednn.test_pooling import near_layouts
from tests.helpers.enginecheck import call_of, check, moved, reference

OPS = {"sum": lambda n: None, "eltwise_prod": lambda n: EltwiseProdAttrs(), "eltwise_max": lambda n: None,
       "weighted_sum": lambda n: WeightedSumAttrs(tuple([2.0, -1.0, 0.5, 1.0][:n]))}


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("shape", [(2, 5, 4, 3), (1, 16, 3, 3), (7,), (3, 2), (2, 3, 2, 2, 2, 2, 2), ()])
def test_combinations(engine, rand, op, count, shape):
    if count == 1 and op in ("eltwise_prod", "eltwise_max"):
        return
    ins = [np.asarray(rand(*shape), np.float32) for _ in range(count)]
    call = call_of(op, OPS[op](count), ins)
    for layout in near_layouts(engine, ins[0]) if len(shape) == 4 else [PLAIN]:
        offers = check(engine, call, ins, Near((layout,) * count, (None,)), 1e-6)
        assert offers[0].ins == (layout,) * count and offers[0].outs == (layout,)


def test_sum_and_relu_are_one(engine, rand):
    for count in (1, 2, 3):
        ins = [rand(2, 5, 3, 3) for _ in range(count)]
        attrs = FusedAttrs(("sum", "relu"), (None, ReluAttrs(0.1)), (count, 0))
        offers = check(engine, call_of("fused", attrs, ins), ins, Near((near_layouts(engine, ins[0])[0],) * count, (None,)), 1e-6)
        assert len(offers[0].payload.parts) == max(1, count - 1)


def test_in_place_on_the_first_and_an_in_that_comes_twice(engine, rand):
    a, b = rand(3, 7), rand(3, 7)
    for ins in ([a, b], [a, b, b], [a, b, rand(3, 7)]):
        call = call_of("sum", None, ins)
        (want,), _ = reference(call, ins)
        for offer in engine.offers(call):
            assert offer.inplace == ((0, 0),)
            given = [ins[0].copy(), *ins[1:]]
            engine.compile(call, offer).bind(Operands(tuple(given), (given[0],)))()
            assert np.allclose(given[0], want)


def test_copy_keeps_the_layout(engine, rand):
    x = rand(2, 19, 5, 5)
    for layout in near_layouts(engine, x):
        call = call_of("copy", None, [x])
        offer = next(o for o in engine.offers(call, Near((layout,), (None,))) if o.outs[0] == layout)
        src, dst = moved(engine, x, call.ins[0], PLAIN, layout), np.zeros(layout.nbytes or x.nbytes, np.uint8)
        dst = dst if layout != PLAIN else dst.view(np.float32).reshape(x.shape)
        engine.compile(call, offer).bind(Operands((src,), (dst,)))()
        assert np.array_equal(src.reshape(-1).view(np.uint8), dst.reshape(-1).view(np.uint8))


def test_winners_are_not_told(engine, rand):
    call = call_of("eltwise_max", None, [rand(2, 3), rand(2, 3)], train=True)
    assert engine.why_not(call).endswith("does not tell the winners, which the gradient needs")
    many = [rand(2)] * 17
    assert "up to 16 sources, not 17" in engine.why_not(call_of("weighted_sum", WeightedSumAttrs((1.0,) * 17), many))
