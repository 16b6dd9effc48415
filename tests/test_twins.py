"""Each module of the package has a test file of its own at the mirrored place, and no file grows too long to read."""
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
ROOT = TESTS.parent
PACKAGE = ROOT / "caffempi"
GENERATED = {"caffe_pb2.py"}
MODULES = sorted(p for p in PACKAGE.rglob("*.py") if p.name not in {"__init__.py", "__main__.py"})
LONGEST = 300


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_has_a_twin(path):
    twin = TESTS / path.relative_to(PACKAGE).parent / f"test_{path.name}"
    assert twin.is_file(), f"{path.relative_to(ROOT)} has no {twin.relative_to(ROOT)}"


@pytest.mark.parametrize("path", sorted([*PACKAGE.rglob("*.py"), *PACKAGE.rglob("*.cu"), *(ROOT / "tools").glob("*.py")]),
                         ids=lambda p: str(p.relative_to(ROOT)))
def test_is_not_too_long(path):
    if path.name in GENERATED:
        return
    lines = len(path.read_text().splitlines())
    assert lines <= LONGEST, f"{path.relative_to(ROOT)} has {lines} lines; split it by stage"
