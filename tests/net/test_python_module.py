"""Finding classes of Python layers: beside the net, on Python's path, in packages; and what is told when they are not there."""
import sys

import pytest

from caffempi import TRAIN, Net
from caffempi.errors import CodeError, NetError
from caffempi.net.python_module import find_class
from tests.helpers.pylayers import module_name, write

CODE = "import caffempi\nclass Mine(caffempi.Layer):\n    x = {}\nclass Other:\n    pass\nvalue = 3\n"


def put(folder, code, name=None):
    name = name or module_name()
    folder.mkdir(exist_ok=True, parents=True)
    (folder / f"{name}.py").write_text(code)
    return name


def test_beside_the_net_comes_before_the_path(tmp_path, monkeypatch):
    name = put(tmp_path / "path", CODE.format(1))
    put(tmp_path / "net", CODE.format(2), name)
    monkeypatch.syspath_prepend(tmp_path / "path")
    assert find_class(name, "Mine", str(tmp_path / "net")).x == 2


def test_on_the_path(tmp_path, monkeypatch):
    name = put(tmp_path / "path", CODE.format(1))
    monkeypatch.syspath_prepend(tmp_path / "path")
    assert find_class(name, "Mine", str(tmp_path)).x == find_class(name, "Mine", None).x == 1


def test_in_a_package_and_with_neighbours_that_are_imported_late(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    package, beside = module_name(), module_name()
    put(tmp_path / package, "", "__init__")
    put(tmp_path / package, CODE.format(4), "layers")
    put(tmp_path, "five = 5\n", beside)
    put(tmp_path / package, f"from caffempi import Layer\nclass Late(Layer):\n    def five(self):\n        import {beside}\n"
        f"        return {beside}.five\n", "late")
    assert find_class(f"{package}.layers", "Mine", str(tmp_path)).x == 4
    assert find_class(f"{package}.late", "Late", str(tmp_path))().five() == 5
    assert sys.path[-1] == str(tmp_path), "what lies beside the net hides nothing"


@pytest.mark.parametrize("module, layer, said", [
    ("nowhere_at_all", "Mine", 'there is no module "nowhere_at_all"; put it beside the net (in'),
    ("NAME.sub", "Mine", 'there is no module'),
    ("a-b", "Mine", "is no name of a module"), ("mine.py.", "Mine", "is no name of a module"),
    ("NAME", "Nine", "there is no such class in"), ("NAME", "value", "there is no such class in"),
    ("NAME", "Other", "does not derive from caffempi.Layer"),
    ("json", "Mine", "another module of that name is in use already"), ("sys", "Mine", "is in use already (built in)")])
def test_what_is_not_there(tmp_path, module, layer, said):
    name = put(tmp_path, CODE.format(1))
    for taken in ("json", "sys"):
        put(tmp_path, CODE.format(1), taken)
    with pytest.raises(NetError) as caught:
        find_class(module.replace("NAME", name), layer, str(tmp_path))
    assert said in str(caught.value) and "python_param." in str(caught.value)
    if layer == "Nine":
        assert "did you mean Mine?" in str(caught.value)


def test_two_nets_with_modules_of_one_name(tmp_path):
    name = put(tmp_path / "one", CODE.format(1))
    put(tmp_path / "two", CODE.format(2), name)
    assert find_class(name, "Mine", str(tmp_path / "one")).x == 1
    with pytest.raises(NetError, match="give the file another name"):
        find_class(name, "Mine", str(tmp_path / "two"))


@pytest.mark.parametrize("code, said", [("import nothing_of_this_name", "No module named"), ("1 +", "SyntaxError"),
                                        ("x = 1 / 0", "ZeroDivisionError")])
def test_a_module_that_fails(tmp_path, code, said):
    name = put(tmp_path, code)
    with pytest.raises(CodeError) as caught:
        find_class(name, "Mine", str(tmp_path))
    assert said in str(caught.value) and f"{name}.py" in caught.value.trace and "caffempi/net" not in caught.value.trace


@pytest.mark.parametrize("text, said", [
    ('python_param { layer: "Mine" }', "python_param.module"), ('python_param { module: "MODULE" }', "python_param.layer"),
    ('python_param { module: "MODULE" layer: "Mine" } param { lr_mult: 1 }', "1 param entries")])
def test_fields_of_the_layer(tmp_path, text, said):
    path = write(tmp_path, "import caffempi\nclass Mine(caffempi.Layer):\n    def setup(self, b, top):\n        top[0].reshape(1)\n",
                 f'layer {{ name: "x" type: "Python" top: "y" {text} }}')
    with pytest.raises(NetError) as caught:
        Net(path, TRAIN)
    assert said in str(caught.value) and "net.prototxt:1" in str(caught.value)


def test_share_in_parallel_has_no_effect(tmp_path):
    path = write(tmp_path, "import caffempi\nclass Mine(caffempi.Layer):\n    def setup(self, b, top):\n        top[0].reshape(1)\n"
                 "    def forward(self, b, top):\n        top[0].data[...] = 4\n",
                 'layer { name: "x" type: "Python" top: "y" python_param { module: "MODULE" layer: "Mine" share_in_parallel: true } }')
    assert Net(path, TRAIN).forward()["y"] == 4
