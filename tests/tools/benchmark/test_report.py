"""Tables, JSON and the picture."""
from __future__ import annotations

import datetime
import json

import pytest
from benchmark import report
from benchmark.contest import OURS, Contest
from benchmark.memory import Peaks
from benchmark.steps import Breakdown


def contest(**more):
    return Contest("lenet", 64, 2, True, rounds={OURS: [[1.0, 3.0], [2.0, 2.0]], "eager": [[4.0, 4.0], [4.0, 5.0]]},
                   tried={"eager": 4.25, "compile": "no compiler"}, **more)


def test_markdown_aligns_numbers_right():
    assert report.markdown([("name", "ms"), ("a|b", "1.5"), ("c", "")]) == [
        "| name |  ms |", "|------|----:|", "| a/b  | 1.5 |", "| c    |     |"]


def test_contests_are_a_line_each_with_spread_and_modes():
    lines = report.contests([contest(others={"BVLC Caffe ms": 12.5}), Contest("x", 1, 1, True, rounds={OURS: [[3.0]]})])
    assert "| lenet |    64 |       2 | 2.00 (1.75 to 2.25) | 4.00 (4.00 to 4.25) | eager         |" in lines[2]
    assert "0.50" in lines[2] and "12.50" in lines[2] and "BVLC Caffe ms" in lines[0] and "3.00 (3.00 to 3.00)" in lines[3]
    assert lines[-1] == "- lenet, 2 threads: eager 4.25, compile: no compiler"


def test_a_breakdown_is_told_whole():
    b = Breakdown("n", 8, 1, 4.0, [{"phase": "F", "layer": "l", "op": "conv", "impl": "c", "ms": 3.0, "flops": 10**9, "bytes": 9}],
                  {"sgemm": 5e11, "copy": 1e10})
    text = "\n".join(report.breakdown(b))
    assert "ceilings 500.0 GF/s (sgemm), 10.0 GB/s (copy)" in text and "Roofline: 2.00 of 4.00 ms, 0.50." in text
    assert "additions: 0.00 ms, 0.0%" in text and "between the steps" in text


def test_surroundings_name_machine_and_versions():
    found = report.surroundings(datetime.date(2030, 1, 2))
    assert found["date"] == "2030-01-02" and found["numpy"][0].isdigit() and "usable of" in found["cores"]


def test_json_holds_every_iteration(tmp_path):
    report.write_json(tmp_path / "x", {"date": "d"}, {"contests": [contest()], "memory": [Peaks("n", 1, 1, True, {OURS: 5})], "by_batch": []})
    found = json.loads((tmp_path / "x").read_text())
    assert found["contests"][0]["rounds"]["eager"] == [[4.0, 4.0], [4.0, 5.0]] and found["surroundings"] == {"date": "d"}
    assert found["memory"][0]["bytes"] == {OURS: 5} and "by_batch" not in found


def test_the_picture_leaves_out_what_has_no_rival(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed: no picture can be drawn")
    report.plot(tmp_path / "x.png", [contest(), Contest("x", 1, 1, True, rounds={OURS: [[3.0]]})], "title")
    assert (tmp_path / "x.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
