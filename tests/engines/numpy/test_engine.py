"""The numpy engine has every op; its kernels are the definitions, bound once."""
from types import SimpleNamespace

import numpy as np

from caffempi.engines.base import PLAIN, Call, Operands
from caffempi.engines.numpy.engine import NumpyEngine
from caffempi.ops import OPS, Spec
from caffempi.ops.relu import ReluAttrs


def test_has_every_op_in_plain_layout():
    engine, attrs = NumpyEngine(), SimpleNamespace(axis=0)      # all that an offer reads of any op's attributes
    for name in OPS.names():
        call = Call(name, attrs, (Spec((1,)),), (Spec((1,)),))
        assert engine.why_not(call) is None
        (offer,) = engine.offers(call)
        assert offer.ins == offer.outs == (PLAIN,)


def test_a_bound_kernel_reads_and_writes_its_arrays_at_each_call():
    engine = NumpyEngine()
    spec = Spec((4,), "float64")
    call = Call("relu", ReluAttrs(), (spec,), (spec,))
    x, y = np.array([-1.0, 2, -3, 4]), np.empty(4)
    run = engine.compile(call, engine.offers(call)[0]).bind(Operands((x,), (y,)))
    run()
    assert y.tolist() == [0, 2, 0, 4]
    x[...] = 1
    run()
    assert y.tolist() == [1] * 4
