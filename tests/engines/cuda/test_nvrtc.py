"""Every kernel text compiles for GPUs, by the compiler and with the options that CuPy uses, and without any remark."""
import pytest

from caffempi.engines.cuda.kernels import expressions
from caffempi.engines.cuda.modules import TEXTS, options
from caffempi.engines.cuda.rule import TYPES
from tests.engines.cuda.test_host_shim import PROBE_NAMES, PROBES
from tests.helpers.cuda.hostrun import FILES
from tests.helpers.cuda.nvrtc import compile_text, supported


def compiles(text, names, arch):
    cubin, log, lowered = compile_text(text, names, arch, options())
    assert log == ""
    assert cubin[:4] == b"\x7fELF"
    for name in lowered:
        assert name.encode() in cubin                          # each kernel is really in it
    assert len(set(lowered)) == len(names)


def names_of(file):
    return list(dict.fromkeys(e for dtype in TYPES for e in expressions(file, dtype)))


@pytest.mark.parametrize("file", FILES)
def test_every_kernel_compiles(file):
    compiles((TEXTS / file).read_text(), names_of(file), 80)


def test_what_the_shim_plays_is_cuda():
    """The texts that test the shim are legal for a GPU: the dialect promises nothing that CUDA lacks."""
    compiles(PROBES, PROBE_NAMES, 80)


@pytest.mark.slow
@pytest.mark.parametrize("arch", [75, 80, 86, 89, 90, 100, 120, "newest"])
@pytest.mark.parametrize("file", FILES)
def test_every_kernel_compiles_for_every_architecture(file, arch):
    archs = supported()
    if arch not in archs and arch != "newest":
        pytest.skip(f"this NVRTC does not compile for sm_{arch}")
    compiles((TEXTS / file).read_text(), names_of(file), max(archs) if arch == "newest" else arch)
