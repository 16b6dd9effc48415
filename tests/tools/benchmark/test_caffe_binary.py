"""BVLC Caffe's lines are read; what is not a Caffe is told so."""
from __future__ import annotations

import sys

import pytest
from benchmark.caffe_binary import milliseconds
from benchmark.launch import BenchError, usable

CAFFE = """#!/bin/sh
echo "$@" > {folder}/arguments
echo "I1 caffe.cpp:409] Average Forward pass: 11.5 ms."
echo "I1 caffe.cpp:411] Average Backward pass: 20 ms." >&2
echo "I1 caffe.cpp:413] Average Forward-Backward: 31.75 ms."
"""


def script(folder, text):
    path = folder / "caffe"
    path.write_text(text)
    path.chmod(0o755)
    return str(path)


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
@pytest.mark.parametrize("train, ms, phase", [(True, 31.75, "TRAIN"), (False, 11.5, "TEST")])
def test_reads_the_mean(tmp_path, train, ms, phase):
    binary = script(tmp_path, CAFFE.format(folder=tmp_path))
    assert milliseconds(binary, "n.prototxt", train, usable()[:1], 7) == ms
    assert (tmp_path / "arguments").read_text() == f"time -model=n.prototxt -iterations=7 -phase={phase}\n"


@pytest.mark.skipif(sys.platform == "win32", reason="needs a shell")
@pytest.mark.parametrize("text, words", [("#!/bin/sh\necho what\nexit 3\n", "status 3.*what"), ("#!/bin/sh\n", "status 0.*nothing"),
                                         (None, "cannot run")])
def test_what_is_no_caffe_is_told(tmp_path, text, words):
    binary = script(tmp_path, text) if text else str(tmp_path / "none")
    with pytest.raises(BenchError, match=words):
        milliseconds(binary, "n", True, usable()[:1], 1)
