"""The bench's command line: what it refuses, and a run of each kind on a net that takes no time."""
from __future__ import annotations

import json
import sys

import pytest

from tests.tools.benchmark.conftest import TINY
from tests.tools.conftest import TOOLS

linux = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux")
QUICK = ["--threads", "1", "--rounds", "2", "--seconds", "0.01"]


@pytest.fixture
def bench(tool, monkeypatch):
    monkeypatch.syspath_prepend(TOOLS)
    return tool("bench")


@pytest.fixture
def tiny(tmp_path):
    (tmp_path / "tiny.prototxt").write_text(TINY)
    return str(tmp_path / "tiny.prototxt")


@pytest.mark.parametrize("arguments, words", [
    (["--threads", "0"], '--threads: "0" is no number from 1'), (["--threads", "1,some"], '"some" is no number'),
    (["--modes", "eager,lazy"], 'no mode "lazy"'), (["--rounds", "0"], "--rounds must be at least 1"),
    (["--seconds", "0"], "--seconds above 0"), (["--seconds", "inf"], "--seconds above 0"),
    (["--threads", "\u00b2"], "is no number from 1"), (["--batch", "0"], "--batch must be at least 1"),
    (["--json", "/nosuch/o.json"], "/nosuch/o.json cannot be written"), (["--png", "."], ". cannot be written"),
    (["nosuch", "--threads", "1"], 'there is no net "nosuch"')])
def test_mistakes_are_one_line(bench, arguments, words, capsys, monkeypatch):
    monkeypatch.setattr(bench, "find_spec", lambda name: True)
    assert bench.main(arguments) == 2
    said = capsys.readouterr().err
    assert said.startswith("bench: ") and words in said and said.count("\n") == 1


def test_more_than_one_thread_has_no_clock_of_its_own(bench, capsys, monkeypatch):
    monkeypatch.setattr(bench, "usable", lambda: [0, 1])
    assert bench.main(["--alone", "--clock", "cpu", "--threads", "2"]) == 2 and "--clock cpu" in capsys.readouterr().err


def test_without_pytorch_the_fix_is_told(bench, capsys, monkeypatch):
    monkeypatch.setattr(bench, "find_spec", lambda name: None)
    assert bench.main(["lenet"]) == 2
    assert "pip install 'caffempi[bench]'" in capsys.readouterr().err


@linux
def test_alone_the_net_is_timed_and_written_down(bench, tiny, tmp_path, capsys):
    out = tmp_path / "o.json"
    assert bench.main([tiny, "--alone", *QUICK, "--json", str(out), "--batch", "2"]) == 0
    assert "| tiny |     2 |       1 |" in capsys.readouterr().out
    (found,) = json.loads(out.read_text())["contests"]
    assert len(found["rounds"]["caffempi"]) == 2 and found["train"] and found["batch"] == 2


@linux
def test_memory_and_growth(bench, tiny, capsys):
    assert bench.main([tiny, "--memory", "--alone", *QUICK]) == 0
    assert "caffempi MB" in capsys.readouterr().out
    assert bench.main(["--grow", tiny, "--alone", *QUICK]) == 0
    said = capsys.readouterr().out
    assert "tiny, 2 of 2 layers" in said and said.count("caffempi ms") == 2


@linux
def test_steps(bench, tiny, capsys, monkeypatch):
    assert bench.main(["--steps", tiny, *QUICK, "--clock", "cpu"]) == 0
    said = capsys.readouterr().out
    assert "Roofline: " in said and "sgd_update" in said and "between the steps" in said


@linux
def test_against_pytorch(bench, tiny, tmp_path, capsys):
    pytest.importorskip("torch", reason="PyTorch is not installed: there is nobody to compare with")
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: no picture can be drawn")
    picture = tmp_path / "o.png"
    assert bench.main([tiny, *QUICK, "--modes", "eager,channels_last", "--png", str(picture)]) == 0
    assert "PyTorch's modes when tried" in capsys.readouterr().out and picture.stat().st_size > 1000
    assert bench.main([tiny, *QUICK, "--modes", "eager", "--infer", "--batch", "1"]) == 0
