"""tools/gpu_first_run.sh: ends with the reason where there is no GPU, and what it calls takes the arguments that it gives."""
import os
import re
import subprocess
import sys

import pytest

from tests.helpers.cuda.chosen import missing
from tests.tools.conftest import TOOLS

SCRIPT = TOOLS / "gpu_first_run.sh"


def test_without_a_gpu_it_ends_with_the_reason(tmp_path):
    if missing() is None:
        pytest.skip("there is a GPU")
    done = subprocess.run(["bash", str(SCRIPT), str(tmp_path / "out")], env={**os.environ, "PYTHON": sys.executable},
                          capture_output=True, text=True)
    assert done.returncode == 1 and f"gpu_first_run: {missing()}" in done.stderr
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["device_query.txt"]


def test_the_bench_takes_its_arguments(tool, monkeypatch):
    monkeypatch.syspath_prepend(str(TOOLS))
    text = SCRIPT.read_text().replace("\\\n", " ")
    given = re.search(r"bench_gpu\.py (.*?) \$\{alone", text)[1].replace('"$minutes"', "1.5").split()
    args = tool("bench_gpu").parser().parse_args([*given, "--alone", "--json", "x"])
    assert args.steps and args.within == 1.5 and args.batch == [32, 128]
