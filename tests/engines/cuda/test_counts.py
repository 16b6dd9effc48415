"""Guards without clocks: what a training iteration of each zoo net gives the GPU, and that all of it but the update is replayed.

Counted is the fourth iteration of a solver (forward, backward, update; a batch of 2 random images) on a device that
does not compute. A number that grows means that a fusion, an alias or a layout is lost; one that falls is to be written down
here. Few of them depend on sizes: images are as small as a net allows, inner products have 16 outputs at most.
"""
from pathlib import Path
from typing import NamedTuple

import pytest
from google.protobuf import text_format

from caffempi import TEST, TRAIN, Net
from caffempi.cli.inputs import prepare
from caffempi.proto import caffe_pb2
from caffempi.solver import Solver
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.standin import install

MODELS = Path(__file__).parents[3] / "models"
SIZES = {"lenet": (1, 28, 28), "cifar10_full": (3, 32, 32), "caffenet": (3, 67, 67), "alexnet": (3, 67, 67),
         "googlenet": (3, 224, 224), "resnet50": (3, 224, 224), "vgg16": (3, 32, 32)}


class Work(NamedTuple):
    """Starts of kernels, convolutions by cuDNN, products by cuBLAS; graphs that are replayed. alone: what no graph replays."""

    kernels: int
    convolutions: int
    products: int
    graphs: int
    alone: int


WORK = {
    ("lenet", "fp32"): Work(20, 5, 6, 2, 2), ("lenet", "fp16"): Work(32, 5, 6, 3, 4),
    ("cifar10_full", "fp32"): Work(33, 8, 3, 2, 5), ("cifar10_full", "fp16"): Work(45, 8, 3, 3, 7),
    ("caffenet", "fp32"): Work(53, 14, 9, 2, 10), ("caffenet", "fp16"): Work(67, 14, 9, 2, 12),
    ("alexnet", "fp32"): Work(53, 14, 9, 2, 10), ("alexnet", "fp16"): Work(67, 14, 9, 2, 12),
    ("vgg16", "fp32"): Work(85, 38, 9, 2, 18), ("vgg16", "fp16"): Work(103, 38, 9, 3, 20),
    ("googlenet", "fp32"): Work(308, 176, 15, 2, 16), ("googlenet", "fp16"): Work(517, 176, 15, 3, 18),
    ("resnet50", "fp32"): Work(373, 158, 3, 2, 5), ("resnet50", "fp16"): Work(552, 158, 3, 3, 7),
}
"""Graphs are those of the forward and the backward program, and in 16 bits those of the copies of weights, which have changed.
Alone are updates, one for each run of params with equal rates, and in fp16 the two steps of the scale of the loss."""
AROUND = {"record": 4, "stream wait": 2, "host wait": 3, "copy": 2}
"""Around them, in every net: images and labels on their way in, with two events, and a wait of the host for what went that way
two iterations before; the loss and the alarm on their way out, with an event and a wait each. Rates go in when they change."""
FORWARD = {("lenet", "fp32"): 9, ("lenet", "fp16"): 18, ("cifar10_full", "fp32"): 12, ("cifar10_full", "fp16"): 22,
           ("googlenet", "fp32"): 76, ("googlenet", "fp16"): 203, ("resnet50", "fp32"): 180, ("resnet50", "fp16"): 238}
"""Pieces of the graph of a deploy net. In 16 bits weights are cast first, one piece each; later only when they have changed."""


def message(name):
    """The text of a train net on two random images: weights are zeros, and inner products narrow, for speed."""
    made = prepare(str(MODELS / name / "train_val.prototxt"), TRAIN, shapes={"data": (2, *SIZES[name]), "label": (2,)}).message
    for lp in made.layer:
        if lp.type == "Input" and any(rule.phase == TRAIN for rule in lp.include):
            lp.type = "DummyData"
            lp.dummy_data_param.shape.extend(lp.input_param.shape)
            lp.ClearField("input_param")
        lp.convolution_param.ClearField("weight_filler")
        lp.inner_product_param.ClearField("weight_filler")
        if lp.type == "InnerProduct":
            lp.inner_product_param.num_output = min(16, lp.inner_product_param.num_output)
    return made


def iteration(monkeypatch, name, precision, policy='lr_policy: "fixed"'):
    """(what the device was given in one iteration, the net)."""
    device = install(monkeypatch)
    device.dry = True
    p = caffe_pb2.SolverParameter(net_param=message(name), base_lr=0.01, momentum=0.9, weight_decay=5e-4, random_seed=1)
    text_format.Merge(policy, p)
    solver = Solver(p, optimised=True, engine="cuda", precision=precision)
    solver.step(3)
    device.tally.clear()
    solver.step(1)
    return device.tally, solver.net


@needs_compiler
@pytest.mark.parametrize(("name", "precision"), WORK)
def test_a_training_iteration_gives_the_gpu_no_more_than_before(monkeypatch, name, precision):
    tally, net = iteration(monkeypatch, name, precision)
    computed = [tally[kind] for kind in ("kernel", "convolution", "product")]
    assert Work(*computed, tally["graph"], sum(computed) - tally["replayed"]) == WORK[name, precision]
    late = int(precision == "fp16")                            # whether an update was left out, which is read late
    around = {**AROUND, "record": AROUND["record"] + late, "host wait": AROUND["host wait"] + late}
    assert {kind: tally[kind] for kind in AROUND} == around
    losses, drawing = (sum(n.op in ops for n in net.plan.forward) for ops in (("softmax_nll",), ("dropout",)))
    assert tally["upload"] == 2 + drawing                      # images and labels; of each layer that draws, its ordinal
    assert tally["download"] == 2 * losses + 2 + 2 * late      # losses and their weights; words of faults, the alarm
    assert tally["fill"] == 0
    for program in (net.binding.forward, net.binding.backward):
        assert program.segments.line() == "1 recorded segments"


@needs_compiler
def test_rates_that_change_each_time_go_in_like_a_batch(monkeypatch):
    tally, _ = iteration(monkeypatch, "lenet", "fp32", 'lr_policy: "inv" gamma: 0.1 power: 0.75')
    more = {"record": 2, "stream wait": 2, "host wait": 1, "copy": 1}
    assert {kind: tally[kind] - AROUND[kind] for kind in AROUND} == more and tally["upload"] == 3


@needs_compiler
@pytest.mark.parametrize(("name", "precision"), FORWARD)
def test_a_forward_run_is_one_graph_of_so_many_pieces(monkeypatch, name, precision):
    install(monkeypatch)
    net = Net(str(MODELS / name / "deploy.prototxt"), TEST, seed=1, optimised=True, forward_only=True, engine="cuda",
              precision=precision)
    net.blobs["data"].reshape(1, *net.blobs["data"].shape[1:])
    net.reshape()
    stream, steps = net.engine.stream("compute"), net.binding.forward.steps
    stream.begin_capture()
    for step in steps:
        step.call()
    assert len(stream.end_capture().pieces) == FORWARD[name, precision]
    assert net.binding.forward.segments.line() == "1 recorded segments"
