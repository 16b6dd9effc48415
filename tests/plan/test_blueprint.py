"""Blueprints: steps and sizes without memory, both backward programs sharing what they have in common."""
import pytest

from caffempi import TRAIN, Net
from caffempi.engines.numpy.engine import NumpyEngine
from caffempi.plan.blueprint import Blueprint
from caffempi.plan.plan import make_plan
from tests.helpers.randomnets import random_net


@pytest.fixture
def graph(tmp_path):
    def make(seed):
        path = tmp_path / "n.prototxt"
        path.write_text(random_net(seed))
        return Net(str(path), TRAIN, seed=1, engine="numpy").graph
    return make


class NoMemory(NumpyEngine):
    def alloc(self, nbytes):
        raise AssertionError("allocates")

    def compile(self, call, offer):
        raise AssertionError("compiles")


@pytest.mark.parametrize("seed", range(4))
def test_sizes_are_known_without_allocating_or_compiling(graph, seed):
    g = graph(seed)
    plan = make_plan(g, NoMemory(), observe=())
    small, large = (Blueprint(plan, {"data": (n, *g.blobs["data"][0].spec.shape[1:]), "label": (n,)}) for n in (20, 80))
    assert 3.5 * small.arena < large.arena < 4.5 * small.arena
    assert len(small.order) == len(large.order)


@pytest.mark.parametrize("seed", range(6))
def test_the_order_holds_every_step_once_and_lifetimes_fit_it(graph, seed):
    b = Blueprint(make_plan(graph(seed), NumpyEngine(), observe=()), {})
    assert len({id(d) for d in b.order}) == len(b.order)
    place = {id(d): at for at, d in enumerate(b.order)}
    for program in (b.forward, b.backward, b.backward_add):
        at = [place[id(d)] for d in program]
        assert at == sorted(at)
    common = {id(d) for d in b.backward} & {id(d) for d in b.backward_add}
    assert common and {d.node.op for d in b.backward if id(d) not in common and d.node} <= {
        n.op for n in b.back if any(v.param is not None for v in n.outs)}
    for at, d in enumerate(b.order):
        for r in (*d.ins, *d.outs, *d.saved, *d.state):
            assert r.buffer.kind.startswith("param") or r.buffer.first <= at <= r.buffer.last


def test_refs_are_of_what_is_kept(graph):
    g = graph(2)
    b = Blueprint(make_plan(g, NumpyEngine(), observe=["data"]), {})
    data = g.blobs["data"][0]
    assert b.ref(data).spec == data.spec and b.ref(data).buffer.offset is None
    assert b.owned[b.ref(data).buffer.key] == b.ref(data).buffer.nbytes
