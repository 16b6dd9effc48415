"""The programs of tools/ as modules."""
from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch):
    """tool(name): tools/name.py, imported afresh and forgotten after the test."""
    def load(name: str) -> ModuleType:
        spec = importlib.util.spec_from_file_location(f"tools_{name}", TOOLS / f"{name}.py")
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, spec.name, module)    # dataclasses look their module up
        spec.loader.exec_module(module)
        return module
    return load
