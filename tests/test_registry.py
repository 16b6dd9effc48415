"""Registries: entered by decorator, a name twice is an error, an unknown name lists near names."""
import sys

import pytest

from caffempi.errors import NetError
from caffempi.layers import LAYERS
from caffempi.registry import Registry, import_all, looking_in


def test_enter_get_and_list():
    table = Registry("colour", NetError)

    @table.register("red", "rouge")
    class Red:
        pass

    assert table.get("red") is table.get("rouge") is Red
    assert table.names() == ["red", "rouge"] and "red" in table and next(iter(table.items()))[0] == "red"
    with pytest.raises(ValueError, match="twice"):
        table.register("red")(int)
    with pytest.raises(NetError, match='unknown colour "rod"; did you mean red.*known: red, rouge'):
        table.get("rod")


def test_importing_a_package_fills_its_table():
    import_all("caffempi.layers")
    assert {"Convolution", "ReLU", "SoftmaxWithLoss"} <= set(LAYERS.names())


@pytest.mark.parametrize("known", [False, True])
def test_a_folder_is_looked_into_first_then_last(tmp_path, monkeypatch, known):
    monkeypatch.setattr(sys, "path", ["/a", *([str(tmp_path)] if known else []), "/b"])
    with looking_in(str(tmp_path)):
        assert sys.path == (["/a", str(tmp_path), "/b"] if known else [str(tmp_path), "/a", "/b"])
    assert sys.path == (["/a", str(tmp_path), "/b"] if known else ["/a", "/b", str(tmp_path)])
