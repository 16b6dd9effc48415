"""Buffers: what shares memory is exactly what Caffe shares, and what is overwritten is kept where backward reads it."""
import numpy as np
import pytest

from caffempi import TRAIN, Net
from caffempi.ops import Graph, Node, Spec
from caffempi.ops.relu import ReluAttrs
from caffempi.plan.groups import Groups, share_copies

HEAD = 'layer { name: "d" type: "Input" top: "x" top: "label" input_param { shape { dim: 2 dim: 3 dim: 4 dim: 4 } shape { dim: 2 } } } '


def net(tmp_path, text, **how):
    path = tmp_path / "n.prototxt"
    path.write_text("force_backward: true " + HEAD + text)
    return Net(str(path), TRAIN, engine="numpy", seed=1, **how)


def test_sets_join():
    g = Graph()
    vs = [g.value(Spec(()), "act") for _ in range(5)]
    groups = Groups(2)
    groups.join(vs[:2])
    groups.join(vs[1:3])
    assert groups.of(vs[0]) == groups.of(vs[2]) != groups.of(vs[3]) != groups.of(vs[4])


@pytest.mark.parametrize("layer, data, diff", [
    ('type: "Flatten"', True, True),
    ('type: "Concat"', True, True),
    ('type: "Power"', False, False),
    ('type: "Dropout"', False, False),
])
def test_aliases_that_users_see_are_caffes(tmp_path, layer, data, diff):
    n = net(tmp_path, f'layer {{ name: "y" {layer} bottom: "x" top: "y" }}')
    assert np.shares_memory(n.blobs["x"].data, n.blobs["y"].data) == data
    n.forward()
    n.backward()
    assert np.shares_memory(n.blobs["x"].diff, n.blobs["y"].diff) == diff


def test_split_shares_data_but_not_diffs(tmp_path):
    n = net(tmp_path, 'layer { name: "a" type: "Power" bottom: "x" top: "a" } layer { name: "b" type: "Power" bottom: "x" top: "b" }')
    one, two = n.blobs["x_d_0_split_0"], n.blobs["x_d_0_split_1"]
    assert np.shares_memory(one.data, two.data) and np.shares_memory(one.data, n.blobs["x"].data)
    assert not np.shares_memory(one.diff, two.diff) and not np.shares_memory(one.diff, n.blobs["x"].diff)


@pytest.mark.parametrize("how", [{}, {"optimised": True}, {"observe": {"p"}}])
@pytest.mark.parametrize(("shared", "late"), [('"Flatten" top: "f"', True), ('"Split" top: "f"', True), ('"Flatten" top: "f"', False)])
def test_in_place_over_what_shares_memory_changes_what_is_read_later(tmp_path, how, shared, late):
    """As in Caffe, whatever is observed: the layer behind reads what the ReLU has left, one before it does not."""
    reader = 'layer { name: "q" type: "Power" bottom: "p" top: "q" } '
    n = net(tmp_path, 'layer { name: "p" type: "Power" bottom: "x" top: "p" power_param { scale: 2 } } '
            + ("" if late else reader) + f'layer {{ name: "f" bottom: "p" type: {shared} }} layer {{ name: "r" type: "ReLU" bottom: "f" top: "f" }} '
            + (reader if late else ""), **how)
    x = np.random.default_rng(0).standard_normal(n.blobs["x"].shape).astype("f4")
    out = n.forward(x=x)
    np.testing.assert_allclose(out["f"].reshape(x.shape), 2 * x.clip(0), rtol=1e-6)
    np.testing.assert_allclose(out["q"], 2 * (x.clip(0) if late else x), rtol=1e-6)
    if how != {"optimised": True}:
        np.testing.assert_allclose(n.blobs["p"].data, 2 * x.clip(0), rtol=1e-6)


@pytest.mark.parametrize("layers", [
    ["PReLU"], ["ELU"], ["Scale"], ["BatchNorm"], ["ELU", "PReLU"], ["Scale", "ELU"], ["BatchNorm", "Scale", "ReLU"],
    ["Power"], ["PReLU", "BatchNorm"],
])
def test_in_place_chains_have_the_gradient_of_their_chain_out_of_place(tmp_path, layers):
    def text(in_place):
        lines, blob = 'layer { name: "p" type: "Power" bottom: "x" top: "p" power_param { scale: 2 } } ', "p"
        for i, t in enumerate(layers):
            top = blob if in_place else f"b{i}"
            lines += f'layer {{ name: "l{i}" type: "{t}" bottom: "{blob}" top: "{top}" }} '
            blob = top
        return lines + f'layer {{ name: "s" type: "Power" bottom: "{blob}" top: "out" loss_weight: 1 power_param {{ power: 2 }} }}'
    results = []
    for in_place in (True, False):
        n = net(tmp_path, text(in_place))
        n.blobs["x"].data[...] = np.random.default_rng(0).standard_normal(n.blobs["x"].shape)
        n.forward()
        n.backward()
        results.append([n.blobs["x"].diff.copy(), *(b.diff.copy() for bs in n.params.values() for b in bs)])
    for got, want in zip(*results, strict=True):
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(("after", "shared"), [
    ([], 1),
    (["read copy", "write first"], 1),                         # the first is overwritten when the copy is done with
    (["read first", "write copy"], 1),
    (["write first", "read copy"], 0),
    (["write copy", "read first"], 0),
])
def test_copies_of_gradients_share_memory_until_one_is_overwritten(after, shared):
    g = Graph()
    first, copy, spare = (g.value(Spec((4,)), "grad") for _ in range(3))
    other = g.value(Spec((4,)), "grad")
    groups = Groups(len(g.values) + 2)
    backward = [Node("zeros", None, (), (first,), 0), Node("copy", None, (first,), (copy,), 0)]
    for what in after:
        which = first if what.endswith("first") else copy
        if what.startswith("read"):
            backward.append(Node("relu", ReluAttrs(), (which,), (spare,), 0))
        else:
            new = g.value(Spec((4,)), "grad")
            groups.join([which, new])
            backward.append(Node("zeros", None, (), (new,), 0))
    assert share_copies(groups, g, [], backward, set()) == shared
    assert (groups.of(first) == groups.of(copy)) is bool(shared) and groups.of(other) != groups.of(copy)


def test_what_is_observed_is_never_shared():
    g = Graph()
    first, copy = (g.value(Spec((4,)), "grad") for _ in range(2))
    copy.blob = "seen"
    nodes = [Node("zeros", None, (), (first,), 0), Node("copy", None, (first,), (copy,), 0)]
    assert share_copies(Groups(2), g, [], nodes, {"seen"}) == 0


def test_a_sum_of_an_identity_and_a_branch_copies_no_gradient(tmp_path):
    text = ('layer { name: "p" type: "Power" bottom: "x" top: "p" power_param { power: 2 } } '
            'layer { name: "q" type: "Power" bottom: "p" top: "q" power_param { power: 2 } } '
            'layer { name: "t" type: "TanH" bottom: "q" top: "t" } '
            'layer { name: "e" type: "Eltwise" bottom: "p" bottom: "t" top: "e" } '
            'layer { name: "s" type: "Power" bottom: "e" top: "out" loss_weight: 1 power_param { power: 2 } }')
    results = []
    for how in ({}, {"optimised": True, "observe": {"x"}}):
        n = net(tmp_path, text, **how)
        n.blobs["x"].data[...] = np.random.default_rng(0).standard_normal(n.blobs["x"].shape)
        n.forward()
        n.backward()
        results.append(n.blobs["x"].diff.copy())
        if how:
            assert "copy" not in [s.node.op for s in n._runner.binding.backward.steps if s.node and s.phase == "B"]
    np.testing.assert_allclose(*results, rtol=1e-5)
