"""The reference cases of BVLC Caffe on the GPU engine over the stand-ins, observed and optimised."""
import pytest

from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.standin import install
from tests.helpers.netcheck import GOLDEN, check_golden

CASES = sorted(p.name for p in GOLDEN.glob("*.npz"))


QUICK = ("_00.npz", "_01.npz")
"""The ends of the names of those that the ordinary run takes: two of each type of layer."""


@needs_compiler
@pytest.mark.parametrize("case", [pytest.param(c, marks=() if c.endswith(QUICK) else pytest.mark.slow) for c in CASES])
def test_layer(case, monkeypatch):
    install(monkeypatch, CASES.index(case))
    check_golden(case, "cuda")
