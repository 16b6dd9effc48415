"""debug_info lines: which there are, and that their numbers are the blobs'."""
from __future__ import annotations

import logging

import numpy as np

from caffempi.solver.named import get_solver
from caffempi.solver.report import number
from tests.helpers.task import make_task


def test_lines_of_a_display_with_debug_info(tmp_path, caplog):
    caplog.set_level(logging.INFO, "caffempi")
    solver = get_solver(make_task(tmp_path, "debug_info: true display: 2"), optimised=True)
    solver.step(1)
    lines = [r.getMessage() for r in caplog.records]
    net = solver.net

    def mean(a):
        return number(np.abs(a).sum(dtype=np.float64) / a.size)
    assert f"    [Forward] Layer ip, top blob ip data: {mean(net.blobs['ip'].data)}" in lines
    assert f"    [Backward] Layer loss, bottom blob ip diff: {mean(net.blobs['ip'].diff)}" in lines
    update = next(line for line in lines if line.startswith("    [Update] Layer conv, param 1 "))
    bias = net.params["conv"][1]
    assert update == f"    [Update] Layer conv, param 1 data: {mean(bias.data)}; diff: {mean(bias.diff)}"
    assert any(line.startswith("    [Forward] Layer conv, param blob 0 data: ") for line in lines)
    assert any(line.startswith("    [Backward] Layer conv, param blob 0 diff: ") for line in lines)
    assert any(line.startswith("    [Backward] All net params (data, diff): L1 norm = (") for line in lines)
    assert not any("bottom blob label" in line or "bottom blob data" in line for line in lines)
    assert not any("[Update] Layer bn" in line for line in lines)


def test_only_displayed_iterations_are_debugged(tmp_path, caplog):
    caplog.set_level(logging.INFO, "caffempi")
    solver = get_solver(make_task(tmp_path, "debug_info: true display: 2 iter_size: 2"))
    solver.step(3)
    text = [r.getMessage() for r in caplog.records]
    assert sum("[Forward] Layer ip, top" in line for line in text) == 4
    assert sum("[Update] Layer ip, param 0" in line for line in text) == 2
