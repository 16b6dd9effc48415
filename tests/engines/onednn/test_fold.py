"""A convolution with running batch norm and what follows, in one call, against the chain by the definitions."""
import numpy as np
import pytest

from caffempi.engines.base import PLAIN, Near
from caffempi.ops.batch_norm import BatchNormAttrs
from tests.engines.onednn.test_batch_norm import TAILS, fused
from tests.engines.onednn.test_conv import problem
from tests.helpers.enginecheck import call_of, check, run

NORM = BatchNormAttrs(1e-3)


@pytest.mark.parametrize("case", ["odd channels", "colour, stride, pad", "whole blocks", "groups", "depthwise", "pointwise", "1-D", "3-D"])
@pytest.mark.parametrize("tail", TAILS)
@pytest.mark.parametrize("bias", [True, False])
def test_chain(engine, rand, case, tail, bias):
    attrs, x, w, b = problem(case, rand)
    m = w.shape[0]
    first = [x, w, b] if bias else [x, w]
    ins = [*first, rand(m), np.abs(rand(m)) + 0.1, np.array([2], np.float32), *[rand(m) for t in tail if t != "relu"]]
    call = call_of("fused", fused(("conv", "batch_norm_global"), (attrs, NORM), tail, (len(first), 3)), ins)
    assert engine.why_not(call) is None
    offers = engine.offers(call)
    for around in (Near.unknown(call), Near((offers[0].ins[0], *[PLAIN] * (len(ins) - 1)), (offers[0].outs[0],))):
        check(engine, call, ins, around, 5e-5)


def test_the_numbers_follow_the_params_and_statistics(engine, rand):
    attrs, x, w, _ = problem("whole blocks", rand)
    m = w.shape[0]
    ins = [x, w, rand(m), np.abs(rand(m)), np.array([0], np.float32)]
    call = call_of("fused", fused(("conv", "batch_norm_global"), (attrs, NORM), (), (2, 3)), ins)
    check(engine, call, ins, tol=5e-5)
    (before,), _ = run(engine, call, engine.offers(call)[0], ins)
    ins[4][:] = 1
    check(engine, call, ins, tol=5e-5)
    (after,), _ = run(engine, call, engine.offers(call)[0], ins)
    assert np.abs(after - before).max() > 0.1
