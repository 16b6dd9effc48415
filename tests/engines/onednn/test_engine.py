"""The engine as the plan meets it: what it refuses and why, no reference code, and the environment without a library."""
import numpy as np
import pytest

from caffempi.engines.base import PLAIN, resolve
from caffempi.engines.choose import make_engine
from caffempi.engines.onednn import binding, primitives
from caffempi.engines.onednn.layouts import Prepared
from caffempi.errors import EngineError
from caffempi.ops.conv import ConvAttrs
from caffempi.ops.fused import FusedAttrs
from caffempi.ops.pool import PoolAttrs
from caffempi.ops.relu import ReluAttrs
from tests.helpers.enginecheck import call_of

ATTRS = ConvAttrs((3, 3), (1, 1), (1, 1), (1, 1))


def test_other_ops_go_to_numpy_with_a_reason(engine, rand):
    call = call_of("bnll", None, [rand(2, 3)])
    runs, _, reasons = resolve(engine, call)
    assert runs.name == "numpy" and reasons == ['engine onednn has no kernel for op "bnll"']
    assert engine.offers(call) == []


def test_a_chain_that_was_not_declared_is_refused(engine, rand):
    fused = FusedAttrs(("bnll", "relu"), (None, ReluAttrs()), (1, 0))
    assert engine.why_not(call_of("fused", fused, [rand(2, 3)])) is not None


def test_double_precision_and_empty_arrays_are_refused(engine):
    assert engine.why_not(call_of("relu", ReluAttrs(), [np.zeros((2, 3))])) == \
        "engine onednn does not run relu: computes in float32, not float64"
    empty = call_of("conv", ATTRS, [np.zeros((0, 3, 4, 4), np.float32), np.zeros((2, 3, 3, 3), np.float32)])
    assert engine.why_not(empty) == "engine onednn does not run conv: takes no empty arrays"


def test_no_offer_is_reference_code(engine, rand):
    x, w = rand(2, 3, 9, 9), rand(5, 3, 3, 3)
    dy = rand(2, 5, 9, 9)
    calls = [call_of("conv", ATTRS, [x, w]), call_of("conv_dx", ATTRS, [w, dy], [x.shape]), call_of("conv_dw", ATTRS, [x, dy]),
             call_of("max_pool", PoolAttrs((2, 2), (2, 2)), [x], train=True), call_of("relu", ReluAttrs(), [x])]
    for call in calls:
        for offer in engine.offers(call):
            assert isinstance(offer.payload, Prepared) and "ref" not in offer.payload.desc.impl


def test_where_only_reference_code_is_left_the_reason_says_so(engine, rand, monkeypatch):
    monkeypatch.setattr(primitives.PrimitiveDesc, "reference", property(lambda self: True))
    call = call_of("relu", ReluAttrs(), [rand(11, 13)])
    assert "only reference code for this eltwise forward" in engine.why_not(call) and engine.offers(call) == []


def test_every_call_that_is_not_refused_has_a_plain_offer_for_observed_nets(engine, rand):
    x, w = rand(2, 16, 9, 9), rand(32, 16, 3, 3)
    for call in (call_of("conv", ATTRS, [x, w]), call_of("max_pool", PoolAttrs((2, 2), (2, 2)), [x])):
        assert any(o.ins[0] == PLAIN and o.outs[0] == PLAIN for o in engine.offers(call))


def test_a_missing_library_leaves_numpy_and_a_note_of_what_it_costs(monkeypatch):
    monkeypatch.delenv("CAFFEMPI_ENGINE", raising=False)
    monkeypatch.setattr(binding, "find_library", lambda: iter(["/nowhere/libdnnl.so.3"]))
    fallback = make_engine()
    assert fallback.name == "numpy"
    (note,) = fallback.notes
    assert "engine onednn is not used, which makes nets several times slower" in note and "pip install" in note
    with pytest.raises(EngineError, match="libdnnl.so.3 cannot be loaded.*nowhere"):
        make_engine("onednn")


def test_double_precision_does_not_load_the_library(monkeypatch):
    monkeypatch.delenv("CAFFEMPI_ENGINE", raising=False)
    monkeypatch.setattr(binding, "find_library", lambda: pytest.fail("looked for"))
    chosen = make_engine(dtype="float64")
    assert chosen.name == "numpy" and chosen.notes == ()
