"""A side answers line by line, keeps its output clean, and tells its failure as the last answer."""
from __future__ import annotations

import json
import subprocess
import sys

import pytest
from benchmark.service import iterations, status

from tests.tools.conftest import TOOLS

SIDE = """
import sys
from benchmark.service import serve
class Side:
    facts = {"fact": 1}
    def __init__(self, settings):
        print("noise of a library")
        if settings["fails"]: raise ValueError("because of\\n two lines")
    def iterate(self): pass
    def profile(self, request): return {"echo": request["what"]}
serve(Side, lambda: None)
"""


def talk(fails, requests):
    done = subprocess.run([sys.executable, "-c", SIDE, json.dumps({"fails": fails})], cwd=TOOLS, text=True, capture_output=True,
                          input="".join(json.dumps(r) + "\n" for r in requests), timeout=60)
    return done, [json.loads(line) for line in done.stdout.splitlines()]


def test_iterations_are_counted_after_the_warm_ones():
    runs = []
    found = iterations(lambda: runs.append(1), 0.0, 3, 2)
    assert len(runs) == 5 and len(found["wall"]) == len(found["cpu"]) == 3 and all(ms >= 0 for ms in found["wall"])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux")
def test_memory_is_read_from_the_system(tmp_path):
    assert 2**20 < status("RssAnon") + status("RssFile") <= status("VmHWM")
    (tmp_path / "s").write_text("Name: x\nRssAnon:\t  12 kB\n")
    assert status("RssAnon", str(tmp_path / "s")) == 12 * 1024
    with pytest.raises(OSError, match="VmHWM"):
        status("VmHWM", str(tmp_path / "s"))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux")
def test_requests_are_answered_until_the_input_ends():
    done, said = talk(False, [{"do": "iterate", "seconds": 0, "least": 2, "warm": 0}, {"do": "memory"}, {"do": "profile", "what": 7}])
    assert done.returncode == 0 and "noise" in done.stderr
    assert said[0]["facts"] == {"fact": 1} and said[0]["ready"] >= 0
    assert len(said[1]["wall"]) == 2 and 0 < said[2]["imported"] <= said[2]["peak"] and said[3] == {"echo": 7}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs Linux")
def test_a_failure_is_one_line():
    done, said = talk(True, [])
    assert done.returncode == 1 and said == [{"error": "ValueError: because of two lines"}]
