"""The module's structure: merged scales, dropped values, params that are not to be learnt, nets without a loss."""
from __future__ import annotations

from pathlib import Path

import pytest
from google.protobuf import text_format

from caffempi.proto.caffe_pb2 import NetParameter
from caffempi.proto.text import read_net

torch = pytest.importorskip("torch", reason="PyTorch is not installed: there is nobody to compare with")
from benchmark import nets  # noqa: E402
from benchmark.torch_net import TorchNet, merge_scales  # noqa: E402


def parse(text):
    return text_format.Parse(text, NetParameter())


def test_a_scale_is_merged_only_where_it_follows_its_batch_norm():
    text = ('layer { name: "n" type: "BatchNorm" bottom: "x" top: "x" } layer { name: "s" type: "Scale" bottom: "x" top: "y" }'
            'layer { name: "t" type: "Scale" bottom: "y" top: "z" }')
    kept = merge_scales(parse(text).layer)
    assert [lp.name for lp in kept] == ["n", "t"] and list(kept[0].top) == ["y"] and kept[0].HasField("scale_param")
    apart = parse(text.replace('bottom: "x" top: "y"', 'bottom: "w" top: "y"'))
    assert len(merge_scales(apart.layer)) == 3
    other = parse(text.replace('top: "y" }', 'top: "y" scale_param { axis: 0 } }'))
    assert len(merge_scales(other.layer)) == 3


def test_values_are_dropped_after_their_last_reader(tiny):
    net = TorchNet(read_net(tiny)[0])
    assert [set(s.frees) for s in net._steps] == [{0}, {2}, {3}, {1, 4}]


def test_a_deploy_gives_its_outputs(tmp_path):
    net = TorchNet(read_net(nets.write("lenet", tmp_path, train=False, batch=2).path)[0]).eval()
    (prob,) = net(torch.zeros(2, 1, 28, 28))
    assert prob.shape == (2, 10) and torch.allclose(prob.sum(1), torch.ones(2))


def test_losses_add_up_by_weight_and_fixed_params_are_not_learnt(tiny):
    text = Path(tiny).read_text().replace('top: "conv"\n  conv', 'top: "conv" param { lr_mult: 1 } param { lr_mult: 0 }\n  conv')
    extra = 'layer { name: "l2" type: "SoftmaxWithLoss" bottom: "ip" bottom: "label" top: "l2" loss_weight: 0.5 }'
    one, two = TorchNet(parse(text)), TorchNet(parse(text + extra))
    two.load_state_dict(one.state_dict())
    x, y = torch.randn(4, 3, 8, 8), torch.zeros(4, dtype=torch.long)
    assert torch.allclose(1.5 * one(x, y), two(x, y))
    assert [p.requires_grad for p in one.parameters()] == [True, False, True, True]


@pytest.mark.parametrize("name", ["lenet", "cifar10_full"])
def test_nets_of_the_zoo_have_as_many_params_as_ours(name, tmp_path):
    from caffempi.net import TRAIN, Net
    path = nets.write(name, tmp_path, batch=2).path
    ours = Net(path, TRAIN, optimised=True)
    assert sum(p.numel() for p in TorchNet(read_net(path)[0]).parameters()) == sum(p.spec.count for p in ours.arena.params)
