"""The measure of reading and writing weights: it measures, and what is read is mapped, not held."""
from __future__ import annotations

import pathlib

import pytest


@pytest.mark.skipif(not pathlib.Path("/proc/self/smaps_rollup").exists(), reason="needs Linux")
def test_a_small_file(tool, tmp_path):
    m = tool("time_weights").measure(32, tmp_path)
    assert 31 < m["file"] < 33 and all(m[name] > 0 for name in ("write_s", "read_s", "copy_s"))
    assert m["copy_mb"] < 0.5 * m["file"]
