"""LSTM, RNN and the LSTM's unit held to their definitions: states kept and exposed, one step, none, sequences that start anew."""
import numpy as np
import pytest

from caffempi import TRAIN, Net
from caffempi.ops.recurrent import RecurrentAttrs
from tests.helpers.cuda.cases import Case
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.kernelcheck import check
from tests.helpers.cuda.standin import install
from tests.helpers.pylayers import inputs

SIZES = [(3, 2, 5), (1, 3, 4), (4, 1, 1), (0, 2, 3), (2, 0, 3)]


def marks(*shape):
    return (np.arange(np.prod(shape)) % 3 > 0).reshape(shape).astype(np.float32)


def sequence(op, size, exposed):
    t, n, h = size
    parts, arrays = (4, 2) if op == "lstm" else (1, 1)
    state = [(1, n, h)] * arrays
    return Case(op, RecurrentAttrs(exposed), [(t, n, parts * h), marks(t, n), (parts * h, h), *(state if exposed else [])],
                [] if exposed else state, scale=0.7, slack=20, rounds=True)


CASES = [
    *(sequence(op, size, exposed) for op in ("lstm", "rnn") for size in SIZES for exposed in (False, True)),
    *(Case("lstm_unit", None, [(1, n, h), (1, n, 4 * h), marks(1, n)], slack=8) for n, h in [(3, 5), (1, 1), (0, 4), (2, 300)]),
]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case)


NET = inputs(x=(4, 3, 5), k=(4, 3), l=(12,)) + """
layer { name: "r" type: "%s" bottom: "x" bottom: "k" top: "r" recurrent_param { num_output: 6 weight_filler { type: "xavier" } } }
layer { name: "ip" type: "InnerProduct" bottom: "r" top: "ip" inner_product_param { axis: 2 num_output: 4
  weight_filler { type: "xavier" } } }
layer { name: "f" type: "Reshape" bottom: "ip" top: "f" reshape_param { shape { dim: 12 dim: 4 } } }
layer { name: "loss" type: "SoftmaxWithLoss" bottom: "f" bottom: "l" top: "loss" }
"""


@needs_compiler
@pytest.mark.parametrize(("precision", "stored", "off"), [("fp32", "", 1e-5), ("fp16", "float16", 5e-3), ("bf16", "bfloat16", 4e-2)])
@pytest.mark.parametrize(("kind", "op"), [("LSTM", "lstm"), ("RNN", "rnn")])
def test_a_net_learns_the_same_in_each_precision(monkeypatch, tmp_path, kind, op, precision, stored, off):
    """The state goes on from run to run, in fp32."""
    install(monkeypatch)
    (tmp_path / "n").write_text(NET % kind)
    a, b = (Net(str(tmp_path / "n"), TRAIN, seed=1, optimised=True, **how)
            for how in ({"engine": "numpy"}, {"engine": "cuda", "precision": precision}))
    assert {s.stored for p in (b.binding.forward, b.binding.backward) for s in p.steps
            if s.does is not None and s.does.op in (op, f"{op}_grad")} == {stored}
    rand = np.random.default_rng(1)
    for _ in range(2):
        x, labels = rand.standard_normal((4, 3, 5)), rand.integers(0, 4, 12)
        for net in (a, b):
            net.blobs["x"].data[...], net.blobs["k"].data[...], net.blobs["l"].data[...] = x, marks(4, 3), labels
        assert b.forward_backward() == pytest.approx(a.forward_backward(), rel=off)
        want = a.arena.grad
        np.testing.assert_allclose(b.engine.get(b.arena.grad), want, atol=5 * off * np.abs(want).max())
