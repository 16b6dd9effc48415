"""tools/bench_gpu.py: each side is asked in turn, failures are told; tables, steps, JSON, and one line without a GPU."""
import json

import pytest

from caffempi.engines.cuda import driver
from tests.helpers.cuda.fakedriver import FakeDriver


@pytest.fixture
def bench(tool, monkeypatch):
    from tests.tools.conftest import TOOLS
    monkeypatch.syspath_prepend(str(TOOLS))
    return tool("bench_gpu")


TIMES = {"caffempi": 10.0, "eager": 20.0, "channels_last": 12.0}
CEILINGS = {"copy": 4e12, "fp32": 5e13, "tf32": 4e14, "fp16": 8e14, "bf16": 8e14}
STEPS = [{"phase": "F", "layer": "c", "op": "conv+relu", "impl": "cuda cudnn", "ms": 4.0, "flops": 8 * 10**11, "bytes": 10**9},
         {"phase": "reorder", "layer": "c", "op": "conv+relu", "impl": "cuda", "ms": 1.0, "flops": 0, "bytes": 0},
         {"phase": "update", "layer": "", "op": "sgd_update", "impl": "", "ms": 0.5, "flops": 10**8, "bytes": 10**9}]


class Side:
    """A side that answers at once; modes that are not in TIMES fail."""

    def __init__(self, module, settings, cores):
        from benchmark.launch import BenchError
        assert module == ("gpu_ours" if settings["mode"] == "caffempi" else "gpu_rival")
        self.mode = settings["mode"]
        if self.mode not in TIMES:
            raise BenchError("no memory")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return None

    def profile(self, count=None, steps=None, ceilings=False):
        if ceilings:
            return CEILINGS
        return {"steps": STEPS} if steps else {"ms": TIMES[self.mode], "memory": 2e9}


def cells(line):
    return [c.strip() for c in line.split("|")[1:-1]]


def test_a_score_and_its_table(bench):
    score = bench.measure(bench.nets.Task("n", "n.prototxt", 32, True), "tf32", 3, bench.MODES, open_child=Side)
    assert score.rival == "channels_last" and set(score.failed) == set(bench.MODES) - set(TIMES) and not score.steps
    lines = bench.table([score])
    assert cells(lines[2]) == ["n", "32", "tf32", "3200", "2.0", "2667", "2.0", "channels_last", "1.20"]
    assert "- n, batch 32, tf32, graph+channels_last: no memory" in lines


def test_steps_are_held_against_the_ceilings_of_their_precision(bench):
    score = bench.measure(bench.nets.Task("n", "n.prototxt", 32, True), "fp16", 3, (), True, Side)
    rows = [cells(line) for line in bench.breakdown(score, CEILINGS) if line.startswith("|")]
    # 8e11 operations take 1 ms at 8e14 a second: a quarter of what the convolution takes
    assert ["conv+relu", "1", "4.00", "40.0%", "200000.0", "250.0", "25%"] in rows
    assert ["reorder", "1", "1.00", "10.0%", "", "", ""] in rows
    assert any(row[:2] == ["between the steps", ""] and row[2] == "4.50" for row in rows)


@pytest.fixture
def gpu(monkeypatch):
    monkeypatch.setenv("CAFFEMPI_ENGINE", "")
    monkeypatch.setattr(driver, "load", lambda: FakeDriver([("Card", 90, 80 << 30)], 13000))


def test_a_run_prints_tables_and_writes_all_of_it(bench, gpu, tmp_path, capsys):
    file = tmp_path / "out.json"
    arguments = ["lenet", "--batch", "32", "64", "--precision", "fp32", "bf16", "--steps", "--alone", "--json", str(file)]
    assert bench.main(arguments, Side) == 0
    out = capsys.readouterr().out
    assert "Card, compute capability 9.0" in out and "ceilings: copy 4.00 TB/s, fp32 50.00 TF/s" in out
    assert out.count("between the steps") == 4
    made = json.loads(file.read_text())
    assert made["ceilings"] == [CEILINGS] and len(made["scores"]) == 4
    assert {(s["batch"], s["precision"]) for s in made["scores"]} == {(b, p) for b in (32, 64) for p in ("fp32", "bf16")}
    assert made["scores"][0]["sides"] == {"caffempi": {"ms": 10.0, "memory": 2e9}} and made["scores"][0]["steps"] == STEPS


def test_when_the_time_is_over_the_rest_is_left_out(bench, gpu, capsys):
    assert bench.main(["lenet", "--batch", "32", "--alone", "--within", "0"], Side) == 0
    assert "4 measurements were left out: --within 0 minutes were over" in capsys.readouterr().out


def test_without_a_gpu_one_line(bench, monkeypatch, capsys):
    monkeypatch.setenv("CAFFEMPI_ENGINE", "")
    monkeypatch.setattr(driver, "load", lambda: FakeDriver([], 13000))
    assert bench.main([]) == 1
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("bench_gpu: engine cuda finds no GPU") and err.count("\n") == 1


@pytest.mark.parametrize("arguments, words", [
    (["--batch", "32", "0"], "--batch and --count must be"), (["--count", "0"], "must be at least 1"),
    (["--json", "/nosuch/o.json"], "/nosuch/o.json cannot be written")])
def test_mistakes_are_told_before_anything_is_measured(bench, gpu, arguments, words, capsys):
    assert bench.main(["lenet", *arguments], open_child=None) == 1
    said = capsys.readouterr()
    assert said.err.startswith("bench_gpu: ") and words in said.err and said.err.count("\n") == 1 and not said.out
