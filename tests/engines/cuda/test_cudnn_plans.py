"""The real cuDNN has a plan for every convolution of the zoo's nets, in each precision, on each kind of GPU; none is needed.

Skipped where cuDNN's wheels are not installed; `tools/test.sh` installs them.
"""
from pathlib import Path

import pytest

from caffempi import TEST
from caffempi.engines.base import Call
from caffempi.engines.cuda.conv import Conv, conv_of
from caffempi.engines.cuda.cudnn import MOST_WORKSPACE
from caffempi.net.load import load_net
from caffempi.ops import Spec
from tests.helpers.cuda import noplan

MODELS = Path(__file__).parents[3] / "models"
ARCHS = (75, 80, 90, 100)
MODES = {"fp32": ("float32", False, False), "tf32": ("float32", True, True), "fp16": ("float16", True, False),
         "bf16": ("bfloat16", True, False)}                     # dtype, channels last, tf32
BATCH = 32


def zoo():
    """The calls of all convolutions and deconvolutions of the zoo, with both gradients."""
    calls = set()
    for path in sorted(MODELS.glob("*/deploy.prototxt")):
        for n in load_net(str(path), TEST).graph.nodes:
            if n.op not in ("conv", "conv_dx"):
                continue
            x, w, y = (n.ins[0], n.ins[1], n.outs[0]) if n.op == "conv" else (n.outs[0], n.ins[0], n.ins[1])
            x, y = (Spec((BATCH, *v.spec.shape[1:])) for v in (x, y))
            bias = (Spec((w.spec.shape[0],)),)
            calls |= {Call("conv", n.attrs, (x, w.spec), (y,)), Call("conv", n.attrs, (x, w.spec, *bias), (y,)),
                      Call("conv_dx", n.attrs, (w.spec, y), (x,)), Call("conv_dw", n.attrs, (x, y), (w.spec,))}
    return sorted(calls, key=str)


@pytest.mark.timeout(1200)
@pytest.mark.parametrize(("archs", "modes"), [
    ((80,), ("fp32", "fp16")), pytest.param(ARCHS, tuple(MODES), marks=pytest.mark.slow)], ids=["usual", "all"])
def test_every_convolution_of_the_zoo_has_a_plan(tmp_path, archs, modes):
    noplan.require()
    asked = [(sm, mode, conv_of(call, *MODES[mode])) for mode in modes for call in zoo() for sm in archs]
    assert len(asked) > 100 * len(archs) * len(modes)
    found = noplan.plan_all([(sm, conv) for sm, _, conv in asked], tmp_path)
    assert len(found) == len(asked)
    for (sm, mode, conv), plan in zip(asked, found, strict=True):
        if (sm, mode) == (75, "bf16"):
            assert "cuDNN has no plan for it in bfloat16" in str(plan)
        else:
            assert isinstance(plan, int) and plan <= MOST_WORKSPACE, (sm, mode, conv, plan)


def test_relu_unlike_padding_one_and_three_axes_have_plans(tmp_path):
    noplan.require()
    same = {"stride": (1, 1), "dilation": (1, 1)}
    convs = [Conv("forward", (4, 16, 9, 9), (8, 16, 3, 3), (4, 8, 10, 9), low=(1, 1), high=(2, 1), bias=True, relu=True, **same),
             Conv("forward", (4, 6, 50), (8, 6, 3), (4, 8, 48), (1,), (1,), (0,), (0,), bias=True),
             Conv("weights", (2, 4, 6, 6, 6), (8, 4, 3, 3, 3), (2, 8, 4, 4, 4), (1,) * 3, (1,) * 3, (0,) * 3, (0,) * 3)]
    assert all(isinstance(p, int) for p in noplan.plan_all([(80, c) for c in convs], tmp_path))
