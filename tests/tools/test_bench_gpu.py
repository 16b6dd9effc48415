"""tools/bench_gpu.py: each side is asked in turn, failures are told, the table, and one line without a GPU."""
import pytest

from caffempi.engines.cuda import driver
from tests.helpers.cuda.fakedriver import FakeDriver


@pytest.fixture
def bench(tool, monkeypatch):
    from tests.tools.conftest import TOOLS
    monkeypatch.syspath_prepend(str(TOOLS))
    return tool("bench_gpu")


def test_a_score_and_its_table(bench):
    times = {"caffempi": 10.0, "eager": 20.0, "channels_last": 12.0}

    class Side:
        def __init__(self, module, settings, cores):
            assert module == ("gpu_ours" if settings["mode"] == "caffempi" else "gpu_rival")
            self.mode = settings["mode"]
            if self.mode not in times:
                raise bench.BenchError("no memory")

        def __enter__(self):
            return self

        def __exit__(self, *_):
            return None

        def profile(self, count):
            return {"ms": times[self.mode], "memory": 2e9}

    score = bench.measure(bench.nets.Task("n", "n.prototxt", 32, True), "tf32", 3, bench.MODES, Side)
    assert score.rival == "channels_last" and set(score.failed) == set(bench.MODES) - set(times)
    lines = bench.table([score])
    cells = [c.strip() for c in lines[2].split("|")[1:-1]]
    assert cells == ["n", "32", "tf32", "3200", "2.0", "2667", "2.0", "channels_last", "1.20"]
    assert "- n, batch 32, tf32, graph+channels_last: no memory" in lines


def test_without_a_gpu_one_line(bench, monkeypatch, capsys):
    monkeypatch.setenv("CAFFEMPI_ENGINE", "")
    monkeypatch.setattr(driver, "load", lambda: FakeDriver([], 13000))
    assert bench.main([]) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("bench_gpu: engine cuda finds no GPU") and err.count("\n") == 1
