"""The reference cases of BVLC Caffe on the GPU engine over the stand-ins, observed and optimised."""
import pytest

from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.standin import install
from tests.helpers.netcheck import GOLDEN, check_golden

CASES = sorted(p.name for p in GOLDEN.glob("*.npz"))


@needs_compiler
@pytest.mark.gpu
@pytest.mark.parametrize("case", CASES)
def test_layer(case, monkeypatch):
    install(monkeypatch, CASES.index(case))
    check_golden(case, "cuda")
