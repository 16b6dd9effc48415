"""Where the library is looked for."""
import importlib.metadata
import sys

from caffempi.engines.onednn.find import find_library


def test_without_wheel_and_environment_the_loader_is_asked(monkeypatch, tmp_path):
    def missing(name):
        raise importlib.metadata.PackageNotFoundError(name)
    monkeypatch.setattr(importlib.metadata, "files", missing)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert list(find_library()) == ["libdnnl.so.3"]


def test_a_file_of_the_environment_comes_before_the_loader(monkeypatch, tmp_path):
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "libdnnl.so.3").touch()
    monkeypatch.setattr(importlib.metadata, "files", lambda name: None)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    assert list(find_library()) == [str(tmp_path / "lib" / "libdnnl.so.3"), "libdnnl.so.3"]
