"""The python ops: who is called with what, and where gradients go. The user's side is tested with the nets."""
import numpy as np
import pytest

from caffempi.ops.graph import Graph, Spec
from caffempi.ops.op import get_op
from caffempi.ops.python import PythonAttrs, PythonDxAttrs


class Host:
    """y = 2 x + b, as a host gives it; tells the calls."""

    def __init__(self):
        self.calls = []

    def shapes(self, bottoms):
        return [Spec(bottoms[0].shape)]

    def forward(self, bottoms, blobs):
        self.calls.append(("forward", len(bottoms), len(blobs)))
        self.y = 2 * bottoms[0] + blobs[0]
        return [Spec(self.y.shape)]

    def tops(self):
        return [self.y]

    def backward(self, bottoms, blobs, tops, douts, down):
        self.calls.append(("backward", len(bottoms), len(blobs), list(down)))
        assert np.array_equal(tops[0], 2 * bottoms[0] + blobs[0])
        return [2 * douts[0], douts[0].sum(0)]


def attrs(host, same=(False,)):
    return PythonAttrs("m.C", "text", same, host)


def test_actual_runs_the_code_and_forward_copies():
    host, rule = Host(), get_op("python")
    a, x, b, y = attrs(host), np.ones((2, 3)), np.arange(3.), np.empty((2, 3))
    assert rule.infer(a, [Spec((2, 3)), Spec((3,))]) == [Spec((2, 3))]
    assert rule.actual(a, [x, b]) == [Spec((2, 3))] and host.calls == [("forward", 1, 1)]
    rule.forward(a, [x, b], [y], (), (), None)
    np.testing.assert_array_equal(y, 2 * x + b)
    assert rule.cost(a, [Spec((2, 3))], [Spec((2, 3))]) == (0, 48)


@pytest.mark.parametrize("need", [(True, True), (True, False), (False, True)])
def test_gradients_of_those_in_need(need):
    host, g = Host(), Graph()
    x, b = g.value(Spec((2, 3)), "in"), g.value(Spec((3,)), "param")
    (y,) = g.emit("python", attrs(host), [x, b])
    dy = g.value(y.spec, "seed", like=y)
    grads = get_op("python").backward(g, g.nodes[0], [dy], need)
    node = g.nodes[-1]
    assert [v is not None for v in grads] == list(need) and list(node.outs) == [v for v in grads if v is not None]
    assert [v.spec for v in node.outs] == get_op("python_dx").infer(node.attrs, [v.spec for v in node.ins])
    arrays = {x.id: np.ones((2, 3)), b.id: np.arange(3.), dy.id: np.arange(6.).reshape(2, 3)}
    arrays[y.id] = 2 * arrays[x.id] + arrays[b.id]
    outs = [np.empty(v.spec.shape) for v in node.outs]
    get_op("python_dx").forward(node.attrs, [arrays[v.id] for v in node.ins], outs, (), (), None)
    want = [2 * arrays[dy.id], arrays[dy.id].sum(0)]
    for out, right in zip(outs, [w for w, n in zip(want, need, strict=True) if n], strict=True):
        np.testing.assert_array_equal(out, right)
    assert host.calls == [("backward", 1, 1, [need[0]])]


def test_in_place_backward_reads_the_top_alone():
    g = Graph()
    x, b = g.value(Spec((2, 3)), "in"), g.value(Spec((3,)), "param")
    (y,) = g.emit("python", attrs(Host(), (True,)), [x, b])
    get_op("python").backward(g, g.nodes[0], [g.value(y.spec, "seed")], (True, False))
    assert g.nodes[-1].ins[0] is y and x not in g.nodes[-1].ins


def test_digests_of_ranks_agree_though_their_objects_differ():
    assert repr(attrs(Host())) == repr(attrs(Host())) and "text" in repr(attrs(Host()))
    assert repr(PythonDxAttrs(attrs(Host()), (True,))) == repr(PythonDxAttrs(attrs(Host()), (True,)))
