"""Update rules against a plain transcription."""
from __future__ import annotations

import numpy as np
import pytest

from caffempi.errors import SolverError
from caffempi.proto.caffe_pb2 import SolverParameter
from caffempi.solver.rules import RULES, make_rule


@pytest.mark.parametrize("dtype, tol", [("float64", 1e-13), ("float32", 1e-5)])
@pytest.mark.parametrize("momentum", [0.0, 0.5, 0.9])
def test_sgd_is_momentum_with_the_rate_inside(dtype, tol, momentum):
    rule = make_rule(SolverParameter(type="SGD", momentum=momentum))
    rng = np.random.default_rng(0)
    h, memory = np.zeros(9), [np.zeros(9, dtype)]
    for i, rate in enumerate([0.1, 0.1, 0.01, 0.0, 0.5]):
        g = rng.standard_normal(9)
        h = rate * g + np.float32(momentum) * h
        value = rule.update(g.astype(dtype), memory, rate, i, np.empty(9, dtype))
        np.testing.assert_allclose(value, h, rtol=tol, atol=tol)
        np.testing.assert_allclose(memory[0], h, rtol=tol, atol=tol)
        assert value.dtype == dtype


@pytest.mark.parametrize("name", RULES.names())
def test_no_rule_allocates(name):
    import tracemalloc
    rule = make_rule(SolverParameter(type=name))
    g, scratch, *memory = (np.ones(1 << 16, np.float32) for _ in range(2 + rule.memories))
    rule.update(g, memory, 0.1, 0, scratch)
    tracemalloc.start()
    rule.update(g, memory, 0.1, 1, scratch)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < g.nbytes / 16


def test_an_unknown_type_says_which_there_are():
    with pytest.raises(SolverError, match=r"known: .*SGD") as e:
        make_rule(SolverParameter(type="Adamm"))
    assert e.value.field == "type"
