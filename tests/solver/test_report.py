"""Log lines as Caffe prints them, read by the regular expressions of parse_log.py and the plotters."""
from __future__ import annotations

import logging
import re

import numpy as np
import pytest

from caffempi.solver.report import Report, number


@pytest.fixture
def lines(caplog):
    caplog.set_level(logging.INFO, "caffempi")
    return lambda: [r.getMessage() for r in caplog.records]


@pytest.mark.parametrize("value, text", [
    (0.25, "0.25"), (12.345678, "12.3457"), (1e-05, "1e-05"), (0.0001, "0.0001"), (1234567.0, "1.23457e+06"), (100.0, "100"),
    (87.3365, "87.3365"), (0.0, "0"), (float("inf"), "inf"), (float("nan"), "nan"), (np.float32(0.1), "0.1")])
def test_numbers_look_as_from_a_cpp_stream(value, text):
    assert number(value) == text


def test_training_lines(lines):
    r = Report(True)
    r.solving("LeNet", "inv")
    r.iteration(100, 100, 8.125, 100, 0.25)
    r.outputs("Train", [("acc", np.array([0.5]), 0.0), ("loss", np.array(0.25), 1.0), ("aux", np.array([1.0, 2.0]), 0.5)])
    r.rate(100, 0.01)
    r.last_loss(200, 0.125)
    assert lines() == [
        "Solving LeNet", "Learning Rate Policy: inv",
        "Iteration 100 (12.3077 iter/s, 8.125s/100 iters), loss = 0.25",
        "    Train net output #0: acc = 0.5",
        "    Train net output #1: loss = 0.25 (* 1 = 0.25 loss)",
        "    Train net output #2: aux = 1 (* 0.5 = 0.5 loss)",
        "    Train net output #3: aux = 2 (* 0.5 = 1 loss)",
        "Iteration 100, lr = 0.01", "Iteration 200, loss = 0.125"]


def test_test_snapshot_and_end_lines(lines):
    r = Report(True)
    r.testing(0, 0)
    r.test_loss(2.5)
    r.outputs("Test", [("accuracy", np.array(0.1), 0.0)])
    r.snapshot("x_iter_10.caffemodel", None, False)
    r.snapshot("x_iter_10.caffemodel", "x_iter_10.solverstate", False)
    r.snapshot("x.caffemodel.h5", None, True)
    r.snapshot("x.caffemodel.h5", "x.solverstate.h5", True)
    r.end(True)
    r.end(False)
    assert lines() == [
        "Iteration 0, Testing net (#0)", "Test loss: 2.5", "    Test net output #0: accuracy = 0.1",
        "Snapshotting to binary proto file x_iter_10.caffemodel",
        "Snapshotting solver state to binary proto file x_iter_10.solverstate",
        "Snapshotting to HDF5 file x.caffemodel.h5", "Snapshotting solver state to HDF5 file x.solverstate.h5",
        "Optimization stopped early.", "Optimization Done."]


def test_parse_logs_expressions_find_all_numbers(lines):
    r = Report(True)
    r.iteration(1200, 100, 7.5e-05, 100, 1.5e-05)
    r.outputs("Train", [("loss", np.array(1.5e-05), 1.0)])
    r.rate(1200, 6.25e-06)
    r.outputs("Test", [("accuracy", np.array(0.9909), 0.0)])
    text = lines()
    assert re.search(r"Iteration (\d+)", text[0])[1] == "1200"
    assert float(re.search(r"loss = ([\.\deE+-]+)", text[0])[1]) == 1.5e-05
    found = re.search(r"Train net output #(\d+): (\S+) = ([\.\deE+-]+)", text[1])
    assert (found[1], found[2], float(found[3])) == ("0", "loss", 1.5e-05)
    assert float(re.search(r"lr = ([-+]?[0-9]*\.?[0-9]+([eE]?[-+]?[0-9]+)?)", text[2])[1]) == 6.25e-06
    assert float(re.search(r"Test net output #(\d+): (\S+) = ([\.\deE+-]+)", text[3])[3]) == 0.9909


@pytest.mark.parametrize("ranks, size, line", [
    (1, 1, "Batch: 32 records an update"), (2, 1, "Batch: 64 records an update = 32 a rank x 2 ranks"),
    (2, 3, "Batch: 192 records an update = 32 a rank x 2 ranks x 3 passes (iter_size)")])
def test_the_effective_batch_is_told(lines, ranks, size, line):
    Report(True).batch(32, ranks, size)
    assert lines() == [line]


def test_a_rank_that_does_not_log_is_silent(lines):
    r = Report(False)
    r.rate(1, 1)
    r.warn("w")
    r.end(False)
    assert lines() == []


def test_a_line_is_logged_in_the_name_of_the_code_that_has_something_to_say(caplog):
    caplog.set_level(logging.INFO, "caffempi")
    r = Report(True)
    r.line("x")
    r.rate(1, 1)
    r.warn("y")
    assert {record.filename for record in caplog.records} == {"test_report.py"}


def test_multistep_and_clipping(lines):
    r = Report(True)
    r.step(10, "MultiStep", 2)
    r.step(10, "Plateau", 3)
    r.minimum(10, 0.0625)
    r.clipped(10.0, 5.0, 0.5)
    assert lines() == ["MultiStep Status: Iteration 10, step = 2", "Plateau Status: Iteration 10, step = 3",
        "Plateau Status: Iteration 10, current minimum_loss = 0.0625",
                       "Gradient clipping: scaling down gradients (L2 norm 10 > 5) by scale factor 0.5"]
