"""The driver's account of the GPUs, over a library that plays it."""
import pytest

from caffempi.engines.cuda import driver
from caffempi.errors import EngineError
from tests.helpers.cuda.fakedriver import FakeDriver


def test_gpus_with_their_facts(monkeypatch):
    monkeypatch.setattr(driver, "load", lambda: FakeDriver([("A", 90, 80 << 30), ("B", 75, 16 << 30)], 13000))
    found = driver.ask()
    assert found == driver.Driver((13, 0), (driver.Gpu("A", (9, 0), 80 << 30), driver.Gpu("B", (7, 5), 16 << 30)))
    assert found.gpus[0].words == "A, compute capability 9.0, 80.0 GiB"


@pytest.mark.parametrize(("status", "words"), [(0, "no GPU, or CUDA_VISIBLE_DEVICES"), (100, "no GPU, or CUDA_VISIBLE_DEVICES"),
                                               (803, "of different versions"), (7, "the driver says 7")])
def test_why_there_is_none(monkeypatch, status, words):
    monkeypatch.setattr(driver, "load", lambda: FakeDriver([], 13000, status))
    with pytest.raises(EngineError, match=f"finds no GPU: .*{words}"):
        driver.ask()


def test_a_machine_without_the_library(monkeypatch):
    def missing():
        raise OSError("no such file")
    monkeypatch.setattr(driver, "load", missing)
    with pytest.raises(EngineError, match=r"finds no NVIDIA driver \(libcuda.so.1\)"):
        driver.ask()


def test_a_function_that_fails(monkeypatch):
    broken = FakeDriver([("A", 90, 1)], 13000)
    broken.cuDriverGetVersion = lambda found: 999
    monkeypatch.setattr(driver, "load", lambda: broken)
    with pytest.raises(EngineError, match="fails with status 999; see whether nvidia-smi works"):
        driver.ask()


def test_what_the_kernel_module_tells(tmp_path):
    assert driver.version(tmp_path) == "unknown" and driver.listed(tmp_path) == 0
    (tmp_path / "version").write_text("NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun Jul 27 2025\nGCC version: 12\n")
    for name in ("0000:01:00.0", "0000:41:00.0"):
        (tmp_path / "gpus" / name).mkdir(parents=True)
    assert driver.version(tmp_path) == "580.65.06" and driver.listed(tmp_path) == 2
