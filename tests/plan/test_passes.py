"""Each pass does what it says on nets made for it, and only where nobody observes."""
import pytest

from caffempi import TEST, TRAIN, Net
from caffempi.engines.base import Pattern
from caffempi.plan.gradients import differentiate
from caffempi.plan.passes import accumulate, fuse, prune

HEAD = ('layer { name: "d" type: "Input" top: "data" top: "label" input_param { shape { dim: 2 dim: 3 dim: 6 dim: 6 } shape { dim: 2 } } } ')
CONV = 'layer {{ name: "{0}" type: "Convolution" bottom: "{1}" top: "{0}" convolution_param {{ num_output: 3 kernel_size: 1 }} }} '
RELU = 'layer {{ name: "{0}" type: "ReLU" bottom: "{1}" top: "{2}" }} '
LOSS = ('layer {{ name: "ip" type: "InnerProduct" bottom: "{0}" top: "ip" inner_product_param {{ num_output: 3 }} }} '
        'layer {{ name: "loss" type: "SoftmaxWithLoss" bottom: "ip" bottom: "label" top: "loss" }} ')
BRANCH = (HEAD + CONV.format("a", "data") + CONV.format("b", "a") + CONV.format("c", "a") +
          'layer { name: "e" type: "Eltwise" bottom: "b" bottom: "c" top: "e" } ' + LOSS.format("e"))


@pytest.fixture
def graph(tmp_path):
    def build(text, phase=TRAIN):
        path = tmp_path / "n.prototxt"
        path.write_text(text)
        net = Net(str(path), phase, engine="numpy", seed=1)
        del net.graph.nodes[len(net.plan.forward):]
        return net.graph
    return build


def test_prune_drops_what_nobody_reads(graph):
    g = graph("force_backward: true " + HEAD + CONV.format("a", "data") + LOSS.format("a"))
    grads = differentiate(g)
    forward, backward = list(g.nodes), grads.nodes
    before = [n.op for n in backward]
    prune(g, forward, backward, {"loss"})
    assert before.count("conv_dx") == 1 and "conv_dx" not in [n.op for n in backward] and "conv_dw" in [n.op for n in backward]


def test_prune_saves_nothing_in_a_test_net(graph):
    g = graph(HEAD + 'layer { name: "p" type: "Pooling" bottom: "data" top: "p" pooling_param { kernel_size: 2 } }', TEST)
    for n in g.nodes:
        n.saved = n.saved or (g.values[0],)
    forward = list(g.nodes)
    assert "1 nodes save nothing" in prune(g, forward, [], set(g.blobs)) and all(n.saved == () for n in forward)


def test_accumulate_replaces_the_sum_of_a_split(graph):
    g = graph(BRANCH)
    backward = differentiate(g).nodes
    sums = [n for n in backward if n.op == "sum" and len(n.ins) == 2]
    assert len(sums) == 1
    done, line = accumulate(backward, {"loss"})
    assert len(done) == 1 and "1 sums" in line and sums[0] not in backward
    total, parts = done[0]
    assert total is sums[0].outs[0] and {v.id for v in parts} == {v.id for v in sums[0].ins}


def test_accumulate_takes_sums_of_sums_as_one(graph):
    """Of all that meets in one buffer only what is written first may overwrite it; `late` reads what the text splits below it."""
    g = graph(HEAD + CONV.format("a", "data") + 'layer { name: "s" type: "Split" bottom: "a" top: "b" top: "c" } ' +
              CONV.format("d", "b") + CONV.format("e", "c") + CONV.format("late", "a") +
              'layer { name: "sum" type: "Eltwise" bottom: "d" bottom: "e" bottom: "late" top: "sum" } ' + LOSS.format("sum"))
    backward = differentiate(g).nodes
    done, line = accumulate(backward, {"loss"})
    written = [v for n in backward for v in n.outs]
    (total, parts), = done
    assert "2 sums" in line and len(parts) == 3 and parts == sorted(parts, key=written.index)
    assert total in [v for n in backward for v in n.ins] and parts[0].like.blob.startswith("a_") and not any(n.op == "sum" for n in backward)


def test_accumulate_leaves_observed_parts_alone(graph):
    g = graph(BRANCH)
    backward = differentiate(g).nodes
    done, _ = accumulate(backward, set(g.blobs))
    assert done == []


@pytest.mark.parametrize("text, observed, fused", [
    (CONV.format("a", "data") + RELU.format("r", "a", "a"), set(), 1),
    (CONV.format("a", "data") + RELU.format("r", "a", "a"), {"a"}, 1),     # the observed version is the newest: ReLU's
    (CONV.format("a", "data") + RELU.format("r", "a", "r"), {"a"}, 0),     # the middle is seen
    (CONV.format("a", "data") + RELU.format("r", "a", "r") + CONV.format("b", "a"), set(), 0),      # read twice
    (CONV.format("a", "data"), set(), 0),
])
def test_fuse_joins_declared_chains_where_the_middle_is_private(graph, text, observed, fused):
    g = graph(HEAD + text, TEST)
    forward = list(g.nodes)
    count = len(forward)
    line = fuse(g, forward, [], observed, [Pattern(("conv", "relu"))])
    assert f"{fused} chains" in line and len(forward) == count - fused
    assert [n.op for n in forward].count("fused") == fused


def test_fuse_asks_the_pattern(graph):
    g = graph(HEAD + CONV.format("a", "data") + RELU.format("r", "a", "a"), TEST)
    forward = list(g.nodes)
    fuse(g, forward, [], set(), [Pattern(("conv", "relu"), lambda nodes: nodes[1].attrs.slope != 0)])
    assert "fused" not in [n.op for n in forward]


NORM = 'layer {{ name: "{0}" type: "BatchNorm" bottom: "{1}" top: "{0}" {2} }} '


def test_fuse_takes_along_what_a_batch_norm_keeps(graph):
    g = graph(HEAD + NORM.format("n", "data", "") + RELU.format("r", "n", "n"))
    forward = list(g.nodes)
    state, saved = forward[0].state, forward[0].saved
    assert "1 chains" in fuse(g, forward, [], set(), [Pattern(("batch_norm", "relu"))])
    assert forward[0].state == state and len(state) == 3 and forward[0].saved == saved


def test_fuse_keeps_apart_what_others_change_in_between(graph):
    shared = "".join(f'param {{ name: "s{i}" }} ' for i in range(3))
    g = graph(HEAD + NORM.format("n", "data", shared) + NORM.format("m", "n", shared) + RELU.format("r", "m", "m"))
    forward = list(g.nodes)
    first, second, relu = forward
    forward[:] = [second, first, relu]                         # as if the other use stood between norm and ReLU
    assert "0 chains" in fuse(g, forward, [], set(), [Pattern(("batch_norm", "relu"))])
