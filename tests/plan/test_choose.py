"""The choice among offers: times and reorders are weighed, what forward saved decides, engines that refuse are told."""
import numpy as np
import pytest

import caffempi.net.net as net_module
from caffempi import TRAIN, Net
from caffempi.engines.base import PLAIN, Engine, Layout, Offer
from caffempi.engines.numpy.engine import NumpyEngine
from caffempi.errors import EngineError
from tests.helpers.pylayers import inputs

BLOCKS = Layout("blocks", 4 * 64, "b")


class TwoWays(NumpyEngine):
    """Sigmoids run plain, slowly, or in blocks."""

    name = "two ways"
    slow, saved = 0.0, PLAIN

    def offers(self, call, near=None):
        if not call.op.startswith("sigmoid"):
            return super().offers(call, near)
        return [Offer((lay,) * len(call.ins), (lay,), (), (), cost=cost) for lay, cost in ((PLAIN, self.slow), (BLOCKS, 0.0))]


@pytest.fixture
def layouts_of(monkeypatch, tmp_path):
    def make(engine, text, **how):
        monkeypatch.setattr(net_module, "engine_of", lambda *_: (engine, []))
        (tmp_path / "n").write_text(inputs(x=(4, 16)) + text)
        b = Net(tmp_path / "n", TRAIN, seed=1, **how)._runner.binding.blueprint
        return [[r.layout.tag for r in (*d.ins, *d.outs)] for d in b.forward if d.phase == "F"], b
    return make


CHAIN = "".join(f'layer {{ name: "s{k}" type: "Sigmoid" bottom: "{below}" top: "s{k}" }}\n'
                for k, below in enumerate(["x", "s0", "s1"]))


@pytest.mark.parametrize("slow, want", [(0.0, "plain"), (100.0, "plain"), (10_000.0, "blocks")])
def test_a_reorder_must_be_worth_it(layouts_of, slow, want):
    engine = TwoWays()
    engine.slow = slow
    used, b = layouts_of(engine, CHAIN, optimised=True, no_pass=["alias"])
    assert used[1] == [want, want]
    assert [d.phase for d in b.forward].count("reorder") == (2 if want == "blocks" else 0)


def test_what_is_observed_stays_plain(layouts_of):
    engine = TwoWays()
    engine.slow = 10_000.0
    _, b = layouts_of(engine, CHAIN)
    assert not b.layouts and [d.phase for d in b.forward].count("reorder") == 6


class Refuses(Engine):
    name = "refuses"

    def __init__(self):
        self.base = NumpyEngine()


def test_who_refuses_is_told_once_and_another_runs_it(layouts_of):
    used, b = layouts_of(Refuses(), CHAIN)
    assert len(used) == 3 and b.log == ['s0: engine refuses has no kernel for op "sigmoid"; numpy runs it']


class Keeps(NumpyEngine):
    """Saves dropout's mask in a layout that its gradient does not read."""

    def offers(self, call, near=None):
        (offer,) = super().offers(call, near)
        if call.op == "dropout":
            return [Offer(offer.ins, offer.outs, (BLOCKS,) * len(call.saved))]
        return [offer]


def test_a_gradient_that_cannot_read_what_was_saved_is_an_error(layouts_of):
    text = 'layer { name: "p" type: "InnerProduct" bottom: "x" top: "p" inner_product_param { num_output: 16 } }\n' \
        'layer { name: "d" type: "Dropout" bottom: "p" top: "d" loss_weight: 1 }'
    with pytest.raises(EngineError, match='layer "d".*in no form that reads what forward saved'):
        layouts_of(Keeps(), text)
    assert np.dtype("float32").itemsize * 64 == BLOCKS.nbytes
