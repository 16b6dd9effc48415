"""Libraries by name: the pathfinder first, then the loader."""
import ctypes
import sys
from types import SimpleNamespace

import pytest

from caffempi.engines.cuda.libraries import open_library


def test_where_pip_put_it_comes_first(monkeypatch):
    found = SimpleNamespace(load_nvidia_dynamic_lib=lambda name: SimpleNamespace(abs_path=f"/wheels/{name}"))
    monkeypatch.setitem(sys.modules, "cuda.pathfinder", found)
    monkeypatch.setattr(ctypes, "CDLL", lambda name: name)
    assert open_library("nccl", ("libnccl.so.2",)) == "/wheels/nccl"


@pytest.mark.parametrize("path", [None, "/wheels/broken"])
def test_else_the_first_that_the_loader_finds(monkeypatch, path):
    def load(name):
        if name != "b.so":
            raise OSError(name)
        return name
    found = SimpleNamespace(load_nvidia_dynamic_lib=lambda name: SimpleNamespace(abs_path=path))
    monkeypatch.setitem(sys.modules, "cuda.pathfinder", found)
    monkeypatch.setattr(ctypes, "CDLL", load)
    assert open_library("x", ("a.so", "b.so")) == "b.so"
    with pytest.raises(OSError, match=r"none of a.so can be loaded"):
        open_library("x", ("a.so",))
