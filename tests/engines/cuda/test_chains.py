"""Which chains the plan may hand to the engine as one."""
import pytest

from caffempi.engines.cuda.chains import fusable, patterns
from caffempi.engines.cuda.kernels import RULES
from caffempi.ops import Graph, Spec
from caffempi.ops.affine import AffineAttrs
from caffempi.ops.relu import ReluAttrs

SHAPE = (2, 3, 4, 5)


def nodes(*steps, ins=1):
    """sum of `ins` images, then (op, attrs, further shapes) one behind another."""
    g = Graph(dtype="float32")
    value = g.emit("sum", None, [g.value(Spec(SHAPE), "in") for _ in range(ins)])[0]
    for op, attrs, more in steps:
        value = g.emit(op, attrs, [value, *[g.value(Spec(s), "param") for s in more]])[0]
    return g.nodes


def test_the_usual_chains_are_there():
    have = {"+".join(p.ops) for p in patterns(RULES.names())}
    assert {"conv+relu", "inner_product+relu", "sum+relu", "batch_norm+scale+bias+relu", "batch_norm_global+scale+bias"} <= have
    assert all(len(p.ops) > 1 for p in patterns(RULES.names()))


@pytest.mark.parametrize(("steps", "ins", "allowed"), [
    ([("relu", ReluAttrs(), [])], 2, True), ([("relu", ReluAttrs(0.1), [])], 2, False), ([("relu", ReluAttrs(), [])], 3, False),
    ([("scale", AffineAttrs(), [(3,)]), ("bias", AffineAttrs(), [(3,)])], 2, True),
    ([("scale", AffineAttrs(2), [(4,)])], 2, False), ([("bias", AffineAttrs(), [(3, 4)])], 2, False)])
def test_chains_go_channel_by_channel(steps, ins, allowed):
    assert fusable(nodes(*steps, ins=ins)) is allowed
