"""Compiling kernel files: once each, with headers that count, and errors in one line."""
import pytest

from caffempi.engines.cuda import modules
from caffempi.engines.cuda.modules import FOLDER, Modules, headers_digest, options
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
    assert [kernels.kernel("elementwise.cu", n, "float32") for n in ("relu<float>", "relu_dx<float>")] == ["relu<float>", "relu_dx<float>"]
    kernels.kernel("elementwise.cu", "relu<__half>", "float16")
    assert [g["name_expressions"] for g in cupy.made] == [("relu<float>", "relu_dx<float>"), ("relu<__half>", "relu_dx<__half>")]
    assert cupy.made[0]["code"] == (FOLDER / "elementwise.cu").read_text()
    assert cupy.made[0]["options"] == options()


def test_headers_are_part_of_the_key_of_compiled_files(monkeypatch, tmp_path):
    assert any(headers_digest() in option for option in options())
    for text in ("one", "two"):
        (tmp_path / "device.h").write_text(text)
        monkeypatch.setattr(modules, "FOLDER", tmp_path)
        digest = headers_digest.__wrapped__()
        assert digest != headers_digest()
        tmp_path = tmp_path / "next"
        tmp_path.mkdir()


@pytest.mark.parametrize("fault", [RuntimeError("Failed to find CUDA headers\nlong\ntale"), ValueError("")])
def test_a_failed_compilation_is_one_line_with_the_fix(fault):
    with pytest.raises(EngineError) as e:
        Modules(Recorder(fault)).kernel("reduction.cu", "softmax<float, 32>", "float32")
    text = str(e.value)
    assert "\n" not in text
    assert "cannot compile reduction.cu: " + (str(fault).split("\n")[0] or "ValueError") in text
    assert "caffempi[cuda13]" in text
