"""What one run of a zoo net gives the GPU: kernels, products and copies of the recorded forward run, and nothing between.

A number that grows means that a fusion, an alias or a layout is lost; one that falls is to be written down here.
"""
from pathlib import Path

import pytest

from caffempi import TEST, Net
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.standin import install

MODELS = Path(__file__).parents[3] / "models"
WORK = {("lenet", "fp32"): 9, ("lenet", "fp16"): 18, ("cifar10_full", "fp32"): 12, ("cifar10_full", "fp16"): 22,
        ("googlenet", "fp32"): 85, ("googlenet", "fp16"): 203, ("resnet50", "fp32"): 180, ("resnet50", "fp16"): 238}
"""In 16 bits weights are cast first, one piece each; that is done again only when they have changed."""


def forward_work(net):
    """Pieces of work in the stream for one forward run, without running any of it."""
    stream = net.engine.stream("compute")
    steps = net.binding.forward.steps
    stream.begin_capture()
    for step in steps:
        step.call()
    return len(stream.end_capture()._works)


@needs_compiler
@pytest.mark.parametrize(("name", "precision"), WORK)
def test_a_forward_run_is_one_graph_of_so_many_pieces(monkeypatch, name, precision):
    install(monkeypatch)
    net = Net(str(MODELS / name / "deploy.prototxt"), TEST, seed=1, optimised=True, forward_only=True, engine="cuda",
              precision=precision)
    net.blobs["data"].reshape(1, *net.blobs["data"].shape[1:])
    net.reshape()
    assert forward_work(net) == WORK[name, precision]
    segments = net.binding.forward.segments
    segments.cut()
    assert sum(piece.reason is None for piece in segments.pieces) == 1
