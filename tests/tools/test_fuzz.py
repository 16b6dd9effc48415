"""Damaged files of every kind, thousands of them: reading gives values or one line of the errors allowed, and no more."""
from __future__ import annotations

from pathlib import Path

import pytest

MUTATORS = ("truncate", "flip", "splice", "repeat", "lengths", "words")
CASES = {"net text": 40, "solver text": 60, "net binary": 80, "weights": 80, "weights hdf5": 60, "state": 80, "state hdf5": 60,
         "mean": 80}


@pytest.fixture
def fuzz(tool):
    return tool("fuzz")


@pytest.mark.parametrize("mutator", MUTATORS)
@pytest.mark.parametrize("kind", CASES)
def test_reading_damaged_files_brings_nothing_to_light(fuzz, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str,
                                                       mutator: str) -> None:
    monkeypatch.setattr(fuzz, "SECONDS", float("inf"))      # the tool's own bound; a busy machine proves nothing
    assert fuzz.run(kind, mutator, 0, CASES[kind], tmp_path) == []


def test_all_kinds_and_mutators_are_here(fuzz) -> None:
    assert set(fuzz.kinds()) == set(CASES) and set(fuzz.MUTATORS) == set(MUTATORS)
    assert sum(CASES.values()) * len(MUTATORS) > 3000


def test_most_cases_are_damage_that_shows(fuzz, tmp_path: Path) -> None:
    """A fuzz test of files that are all still sound would prove nothing (texts may end between two fields)."""
    for name, kind in fuzz.kinds().items():
        files, refused = kind.files(), 0
        for number in range(20):
            (tmp_path / "case").write_bytes(fuzz.damaged(files, name, "truncate", number))
            try:
                kind.read(str(tmp_path / "case"))
            except Exception as err:
                refused += type(err).__name__ in kind.errors
        assert refused >= 8, name


def test_a_case_is_the_same_every_time_and_a_fault_is_told(fuzz, tmp_path: Path) -> None:
    files = fuzz.kinds()["mean"].files()
    assert fuzz.damaged(files, "mean", "flip", 7) == fuzz.damaged(files, "mean", "flip", 7) != files[0]

    def raises(err: Exception):
        def read(path: str) -> None:
            raise err
        return fuzz.Kind(lambda: files, read, ("KeyError",))
    assert "ValueError: odd" in fuzz.fault(raises(ValueError("odd")), tmp_path)
    assert "no line naming the file" in fuzz.fault(raises(KeyError("odd")), tmp_path)
    assert fuzz.fault(raises(KeyError(f"{tmp_path}")), tmp_path) is None
