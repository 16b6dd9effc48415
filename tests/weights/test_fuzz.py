"""Files cut anywhere, and files of another kind. (Damage at random: tests/tools/test_fuzz.py.)"""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from caffempi.errors import WeightsError
from caffempi.weights import read_blob, read_state, read_weights

GOLDEN = Path(__file__).parents[1] / "golden" / "weights"
FILES: list[tuple[str, Callable[[Any], Any]]] = [
    ("sgd.caffemodel", read_weights), ("sgd.solverstate", read_state), ("mean.binaryproto", read_blob),
    ("adadelta.caffemodel.h5", read_weights), ("adadelta.solverstate.h5", read_state)]


@pytest.mark.parametrize(("name", "read"), [f for f in FILES if f[0] != "sgd.caffemodel" and f[0] != "sgd.solverstate"])
def test_a_file_cut_anywhere_is_refused(tmp_path: Path, name: str, read: Callable[[Any], Any]) -> None:
    """Binary weights and states may also end between two of their parts: see the tests of their own modules."""
    whole = (GOLDEN / name).read_bytes()
    for cut in range(0, len(whole), 59):
        (tmp_path / "cut").write_bytes(whole[:cut])
        with pytest.raises(WeightsError):
            read(tmp_path / "cut")


@pytest.mark.parametrize(("name", "read"), FILES)
def test_another_file_of_any_kind_is_refused(tmp_path: Path, name: str, read: Callable[[Any], Any]) -> None:
    for other, its in FILES:
        if its is not read:
            with pytest.raises(WeightsError):
                read(GOLDEN / other)
