"""What an iteration is made of, from steps whose times are known."""
from __future__ import annotations

import pytest
from benchmark.steps import Breakdown, slowest_table, table


def step(phase, op, ms, flops=0, moved=0, layer="l", impl="code"):
    return {"phase": phase, "layer": layer, "op": op, "impl": impl, "ms": ms, "flops": flops, "bytes": moved}


STEPS = [step("F", "conv+relu", 4.0, 2 * 10**9, 10**6), step("reorder", "conv_dw", 0.5), step("pack", "conv+relu", 0.25),
         step("B", "conv_dw", 3.0, 2 * 10**9, 10**6), step("B", "relu_dx", 1.0, 10**6, 5 * 10**6), step("fire", "", 0.0, impl=""),
         step("F", "conv+relu", 1.0, 10**9, 10**6), step("update", "sgd_update", 0.25, 6 * 10**5, 2 * 10**6, layer="", impl="")]


@pytest.fixture
def b():
    return Breakdown.of("n", 8, 1, {"steps": STEPS, "iteration": [9.0, 12.0, 10.5], "ceilings": {"sgemm": 1e12, "copy": 1e10}})


def test_the_roofline_takes_the_larger_of_work_and_traffic(b):
    assert b.iteration == 10.5 and b.roofline == pytest.approx(2 + 2 + 0.5 + 1 + 0.2)
    assert b.share == pytest.approx(5.7 / 10.5) and b.moved() == 0.75 and b.between == pytest.approx(0.5)


def test_kinds_come_by_time(b):
    kinds = b.kinds()
    assert [k.name for k in kinds] == ["conv+relu", "conv_dw", "relu_dx", "reorder", "pack", "sgd_update", "fire"]
    assert (kinds[0].count, kinds[0].ms, kinds[0].flops) == (2, 5.0, 3 * 10**9) and kinds[0].least == pytest.approx(3)


def test_tables_say_rates_where_there_is_work(b):
    rows = table(b)
    assert rows[1] == ("conv+relu", "2", "5.00", "47.6%", "600.0", "0.4", "60%")
    assert rows[4] == ("reorder", "1", "0.50", "4.8%", "", "", "")
    assert rows[-2][:3] == ("between the steps", "", "0.50") and rows[-1][-1] == "54%"
    slow = slowest_table(b, 2)
    assert slow[1] == ("conv+relu", "l", "4.00", "500.0", "0.2", "50%", "code") and len(slow) == 3
    assert slowest_table(b, 9)[6][0] == "reorder for conv_dw" or slowest_table(b, 9)[5][0] == "reorder for conv_dw"
