"""The texts that all sides run: no data layers, no phases, the wanted batch, and nets cut to a depth."""
from __future__ import annotations

import pytest
from benchmark import nets

from caffempi.errors import UsageError
from caffempi.net import TEST, TRAIN, Net
from caffempi.proto.text import read_net


@pytest.mark.parametrize("name", list(nets.BATCH))
@pytest.mark.parametrize("train", [True, False])
def test_nets_of_the_zoo_need_no_data(name, train, tmp_path):
    task = nets.write(name, tmp_path, train=train, batch=None if train else 2)
    assert (task.batch, task.train) == (nets.BATCH[name] if train else 2, train)
    message, _ = read_net(task.path)
    assert not [lp.name for lp in message.layer if lp.include or lp.exclude or (not lp.bottom and lp.type != "Input")]
    shapes = [tuple(s.dim) for lp in message.layer if lp.type == "Input" for s in lp.input_param.shape]
    assert shapes[0][0] == task.batch and len(shapes[0]) == 4 and shapes[1:] == ([(task.batch,)] if train else [])
    assert any(lp.type == "SoftmaxWithLoss" for lp in message.layer) == train


def test_a_prototxt_is_a_net_too_and_an_unknown_name_is_told(tiny, tmp_path):
    task = nets.write(tiny, tmp_path, batch=6)
    assert (task.name, task.batch) == ("tiny", 6)
    net = Net(task.path, TRAIN, optimised=True)
    assert net.blobs["data"].data.shape == (6, 3, 8, 8) and net.blobs["label"].data.shape == (6,)
    with pytest.raises(UsageError, match=r'there is no net "lenett".*lenet'):
        nets.write("lenett", tmp_path)


@pytest.mark.parametrize("name, depth", [("lenet", 1), ("lenet", 4), ("googlenet", 8), ("resnet50", 5)])
def test_cut_nets_train(name, depth, tmp_path):
    task = nets.write(name, tmp_path, batch=1, depth=depth)
    net = Net(task.path, TRAIN, optimised=True, seed=1)
    learning = [v.type for v in net.layers if v.type in ("Convolution", "InnerProduct")]
    assert 1 < len(learning) <= depth + 1 and list(net.outputs) == ["bench_loss"] and net.plan.backward


def test_cutting_leaves_out_what_the_end_does_not_need(tmp_path):
    whole = nets.without_data(nets.source("googlenet", True), True, None, 1)
    short = nets.cut(whole, 8)
    assert {lp.type for lp in whole.layer} > {"Concat"} and nets.learning(short) < 9
    read = {b for lp in short.layer for b in lp.bottom}
    assert all(set(lp.top) & read for lp in short.layer if not lp.type.endswith("Loss"))


def test_deploys_run(tmp_path):
    task = nets.write("lenet", tmp_path, train=False, batch=3)
    assert Net(task.path, TEST, optimised=True).forward()["prob"].shape == (3, 10)
