"""BVLC Caffe's own `caffe time` on the same text: forward and backward, without an update."""
from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence

from benchmark.launch import BenchError, start

_TOTAL = re.compile(r"Average Forward-Backward: ([0-9.e+]+) ms")
_FORWARD = re.compile(r"Average Forward pass: ([0-9.e+]+) ms")


def milliseconds(binary: str, path: str, train: bool, cores: Sequence[int], iterations: int) -> float:
    """The mean that the binary prints, of forward and backward, or of forward for a net that is not trained.

    Raises BenchError: no such program, or one that fails or prints something else.
    """
    command = [binary, "time", f"-model={path}", f"-iterations={iterations}", f"-phase={'TRAIN' if train else 'TEST'}"]
    try:
        process = start(command, cores, stderr=subprocess.STDOUT)
    except OSError as e:
        raise BenchError(f"cannot run {binary}: {e.strerror or e}") from None
    said, _ = process.communicate()
    found = (_TOTAL if train else _FORWARD).search(said)
    if process.returncode or not found:
        last = said.strip().splitlines()[-1] if said.strip() else "nothing"
        raise BenchError(f"{binary} time ended with status {process.returncode} and printed no mean; its last line: {last}")
    return float(found[1])
