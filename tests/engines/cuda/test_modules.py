"""Compiling kernel files: once each, with headers that count, and errors in one line."""
import pytest

from caffempi.engines.cuda import modules
from caffempi.engines.cuda.kernels import expressions
from caffempi.engines.cuda.modules import TEXTS, Modules, headers_digest, options
from caffempi.errors import EngineError


class Recorder:
    """Plays cupy.RawModule: keeps what it is given; `fault` is raised when a kernel is asked for."""

    def __init__(self, fault=None):
        self.made, self.fault = [], fault

    def RawModule(self, **given):
        self.made.append(given)
        return self

    def get_function(self, name):
        if self.fault:
            raise self.fault
        return name


def test_a_file_is_compiled_once_a_storage_type_with_all_its_kernels():
    cupy = Recorder()
    kernels = Modules(cupy)
    for name in ("softmax<float, 32>", "softmax<float, 256>"):
        assert kernels.kernel("softmax.cu", name, "float32") == name
    kernels.kernel("softmax.cu", "softmax<__half, 32>", "float16")
    names = [given["name_expressions"] for given in cupy.made]
    assert names == [expressions("softmax.cu", "float32"), expressions("softmax.cu", "float16")]
    assert cupy.made[0]["code"] == (TEXTS / "softmax.cu").read_text()
    assert cupy.made[0]["options"] == options()


def test_headers_are_part_of_the_key_of_compiled_files(monkeypatch, tmp_path):
    assert any(headers_digest() in option for option in options())
    digests = {headers_digest()}
    monkeypatch.setattr(modules, "FOLDER", tmp_path)
    for text in ("one", "two"):
        (tmp_path / "device.h").write_text(text)
        digests.add(headers_digest.__wrapped__())              # past its cache
    assert len(digests) == 3


@pytest.mark.parametrize("fault", [RuntimeError("Failed to find CUDA headers\nlong\ntale"), ValueError("")])
def test_a_failed_compilation_is_one_line_with_the_fix(fault):
    with pytest.raises(EngineError) as e:
        Modules(Recorder(fault)).kernel("softmax.cu", "softmax<float, 32>", "float32")
    text = str(e.value)
    assert "\n" not in text
    assert "cannot compile softmax.cu: " + (str(fault).split("\n")[0] or "ValueError") in text
    assert "caffempi[cuda13]" in text
