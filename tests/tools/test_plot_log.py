"""Training logs become curves: caffempi's own lines, the original's, and what stands between."""
from __future__ import annotations

import logging
import math

import numpy as np
import pytest

from caffempi.solver.report import Report

CAFFE = """\
I0817 17:03:09.913751 12345 solver.cpp:330] Iteration 0, Testing net (#0)
I0817 17:03:10.1 12345 solver.cpp:397]     Test net output #0: accuracy = 0.0912
I0817 17:03:10.1 12345 solver.cpp:397]     Test net output #1: loss = 2.34 (* 1 = 2.34 loss)
I0817 17:03:10.2 12345 solver.cpp:218] Iteration 0 (-nan iter/s, 0.02s/100 iters), loss = 2.32
I0817 17:03:10.2 12345 solver.cpp:237]     Train net output #0: loss = 2.32 (* 1 = 2.32 loss)
I0817 17:03:10.2 12345 sgd_solver.cpp:105] Iteration 0, lr = 0.01
I0817 17:03:11.2 12345 solver.cpp:218] Iteration 100 (99.5 iter/s, 1.0s/100 iters), loss = 1.5e-05
I0817 17:03:11.2 12345 sgd_solver.cpp:105] Iteration 100, lr = 0.00992565
[tcp_socket] Iteration of something else, loss = none
I0817 17:03:12.2 12345 solver.cpp:330] Iteration 500, Testing net (#0)
I0817 17:03:12.2 12345 solver.cpp:397]     Test net output #0: accuracy = 0.97
I0817 17:03:12.2 12345 solver.cpp:330] Iteration 500, Testing net (#1)
I0817 17:03:12.2 12345 solver.cpp:397]     Test net output #0: accuracy = 0.96
I0817 17:03:12.2 12345 solver.cpp:310] Iteration 500, loss = 0.003
"""


@pytest.fixture
def plotter(tool):
    return tool("plot_log")


def test_the_originals_lines(plotter):
    log = plotter.parse(CAFFE.splitlines())
    assert log.loss == {0: 2.32, 100: 1.5e-05, 500: 0.003}
    assert log.rate == {0: 0.01, 100: 0.00992565}
    assert log.test == {"accuracy": {0: 0.0912, 500: 0.97}, "loss": {0: 2.34}, "accuracy (net 1)": {500: 0.96}}


def test_the_lines_that_caffempi_writes(plotter, caplog):
    """The wording of `Report` and the patterns of the parser belong together."""
    caplog.set_level(logging.INFO, "caffempi")
    report = Report(active=True)
    report.testing(250, 0)
    report.outputs("Test", [("accuracy", np.array([0.5]), 0.0), ("loss", np.array([1.25]), 1.0)])
    report.iteration(300, 100, 0.5, 100, 0.125)
    report.outputs("Train", [("loss", np.array([9.0]), 1.0)])
    report.rate(300, 0.035)
    report.last_loss(400, 1e-9)
    log = plotter.parse(caplog.messages)
    assert (log.loss, log.rate) == ({300: 0.125, 400: 1e-9}, {300: 0.035})
    assert log.test == {"accuracy": {250: 0.5}, "loss": {250: 1.25}}


@pytest.mark.parametrize(("text", "value"), [("nan", math.nan), ("-nan", math.nan), ("inf", math.inf), ("-1.5", -1.5),
                                             ("2e+10", 2e10), ("3", 3.0)])
def test_any_number_that_a_stream_prints(plotter, text, value):
    assert plotter.parse([f"Iteration 7, loss = {text}"]).loss == {7: pytest.approx(value, nan_ok=True)}


def test_after_a_resume_the_later_line_counts(plotter):
    log = plotter.parse(["Iteration 5, Testing net (#0)", "Test net output #0: a = 1", "Test net output #0: a = 3",
                         "Iteration 5, loss = 1", "Iteration 5, loss = 2",
                         "Iteration 5, Testing net (#0)", "Test net output #0: a = 7", "Test net output #1: a = 9"])
    assert log.loss == {5: 2.0}
    assert log.test == {"a": {5: 8.0}}, "several values of one output count as their mean"


@pytest.mark.parametrize("lines", [["Test net output #0: a = 1"], ["Iteration x, loss = 3"], [""], ["Iteration 3, loss = "]])
def test_lines_that_say_nothing_are_passed_over(plotter, lines):
    log = plotter.parse(lines)
    assert not log.loss and not log.rate and not log.test


def test_writes_a_png(plotter, tmp_path, capsys):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: no curve can be drawn")
    log, out = tmp_path / "train.log", tmp_path / "curve.png"
    log.write_text(CAFFE)
    assert plotter.main([str(log), str(out)]) == 0
    assert out.read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert "3 losses, 4 test scores" in capsys.readouterr().out


@pytest.mark.parametrize("text", [None, "nothing of interest\n"])
def test_a_log_without_a_curve_is_one_line(plotter, text, tmp_path, capsys):
    log = tmp_path / "train.log"
    if text is not None:
        log.write_text(text)
    assert plotter.main([str(log), str(tmp_path / "curve.png")]) == 1
    said = capsys.readouterr().err
    assert said.startswith("plot_log: ") and said.count("\n") == 1 and str(log) in said
