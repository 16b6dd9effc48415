"""Layouts that the plan sees for the forms of kernels, and reorders between them on the engine."""
import sys

import numpy as np
import pytest

from caffempi.engines.base import PLAIN, Call, Layout, Operands
from caffempi.engines.choose import make_engine
from caffempi.engines.cuda.layouts import form_of, layout_of, offers_of, reorder_stored, stored_as
from caffempi.engines.cuda.rule import Form
from caffempi.ops import Spec
from caffempi.ops.affine import AffineAttrs
from caffempi.ops.dropout import DropoutAttrs
from caffempi.ops.relu import ReluAttrs
from caffempi.ops.softmax_loss import SoftmaxNllAttrs
from tests.helpers.cuda.fakecupy import make_cupy
from tests.helpers.cuda.hostrun import needs_compiler

IMAGE, FLAT, ONE = Spec((2, 3, 4, 5)), Spec((2, 3)), Spec(())
NHWC, HALF = Layout("nhwc", 480), Layout("plain", 240, None, "bfloat16")
HALF_NHWC = Layout("nhwc", 240, None, "bfloat16")


def test_layouts_and_forms():
    assert layout_of(IMAGE, "float32", False) is PLAIN
    for layout, form in ((PLAIN, Form()), (NHWC, Form(last=True)), (HALF, Form("bfloat16")), (HALF_NHWC, Form("bfloat16", True))):
        assert layout_of(IMAGE, form.dtype, form.last) == layout and form_of(layout) == form


def test_offers_of_an_elementwise_op():
    relu = Call("relu", ReluAttrs(), (IMAGE,), (IMAGE,))
    assert [o.ins[0] for o in offers_of(relu, "fp32")] == [PLAIN, NHWC]
    assert [o.outs[0] for o in offers_of(relu, "bf16")] == [HALF, HALF_NHWC, PLAIN, NHWC]
    assert [o.cost for o in offers_of(relu, "bf16")] == [1, 1, 481, 481]
    assert all(o.inplace == ((0, 0),) for o in offers_of(relu, "bf16"))
    assert [o.ins[0] for o in offers_of(Call("relu", ReluAttrs(), (FLAT,), (FLAT,)), "fp32")] == [PLAIN]


def test_params_labels_and_losses_stay_plain():
    w = Spec((3,))
    for offer in offers_of(Call("scale", AffineAttrs(), (IMAGE, w), (IMAGE,)), "bf16"):
        assert offer.ins[1] == PLAIN
    call = Call("softmax_nll", SoftmaxNllAttrs(), (IMAGE, Spec((2, 1, 4, 5))), (ONE,), (IMAGE, Spec((1,)), Spec((1,))))
    offers = offers_of(call, "bf16")
    assert {o.ins[0] for o in offers} == {HALF, HALF_NHWC, PLAIN, NHWC}
    assert all(o.ins[1] == o.outs[0] == o.saved[1] == PLAIN for o in offers)
    assert {o.saved[0] for o in offers} == {PLAIN, NHWC}, "probabilities are float32"


def test_operands_that_come_as_bytes():
    dropout = Call("dropout_dx", DropoutAttrs(), (IMAGE._replace(dtype="uint8"), IMAGE), (IMAGE,))
    assert stored_as(dropout, Form("bfloat16", True)) == {("ins", 0): "uint8", ("ins", 1): "uint16", ("outs", 0): "uint16"}
    assert stored_as(dropout, Form()) == {}
    assert reorder_stored(PLAIN, HALF_NHWC) == {("outs", 0): "uint16"}


@needs_compiler
@pytest.mark.parametrize("layout", [NHWC, Layout("plain", 240, None, "float16"), HALF_NHWC], ids=str)
def test_a_kernel_between_reorders_of_the_engine(monkeypatch, layout):
    monkeypatch.setitem(sys.modules, "cupy", make_cupy(2))
    engine = make_engine("cuda")
    engine.precision = "fp16" if layout.dtype == "float16" else "bf16"
    x = np.random.default_rng(3).integers(-8, 8, IMAGE.shape).astype(np.float32) / 4    # the same in every dtype
    call = Call("relu", ReluAttrs(), (IMAGE,), (IMAGE,))
    plain, stored, done, back = engine.alloc(480), engine.alloc(layout.nbytes), engine.alloc(layout.nbytes), engine.alloc(480)
    plain, back = (a.view("float32").reshape(IMAGE.shape) for a in (plain, back))
    plain.set(x, stream=engine.stream("compute"))
    offer = next(o for o in engine.offers(call) if o.ins == (layout,))
    engine.reorder(IMAGE, PLAIN, layout).bind(Operands((plain,), (stored,)))()
    engine.compile(call, offer).bind(Operands((stored,), (done,)))()
    engine.reorder(IMAGE, layout, PLAIN).bind(Operands((done,), (back,)))()
    np.testing.assert_array_equal(back.get(stream=engine.stream("compute")), np.maximum(x, 0))
