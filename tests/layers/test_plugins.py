"""Layers and ops of users' own: files and installed packages, run in fresh processes since what is registered stays."""
import re
import subprocess
import sys

import pytest

from caffempi.layers import LAYERS
from caffempi.layers.plugins import GROUP, check_registered
from tests.helpers.mpirun import ROOT, environment

GOOD = """
from dataclasses import dataclass
import numpy as np
from caffempi.layers import LAYERS, Layer
from caffempi.layers.base import above
from caffempi.ops.op import Op, op
from caffempi.ops.graph import Spec
import neighbour

@dataclass(frozen=True)
class CubeAttrs:
    factor: float

@op
class Cube(Op):
    name = "cube"
    def infer(self, attrs, ins):
        return [ins[0]]
    def forward(self, attrs, ins, outs, saved, state, rng):
        outs[0][...] = attrs.factor * ins[0] ** 3
    def backward(self, g, node, douts, need):
        return [g.emit_grad("cube_dx", node.attrs, [node.ins[0], douts[0]], like=[node.ins[0]])[0]]

@op
class CubeDx(Op):
    name = "cube_dx"
    grad = "none"
    def infer(self, attrs, ins):
        return [ins[0]]
    def forward(self, attrs, ins, outs, saved, state, rng):
        outs[0][...] = 3 * attrs.factor * ins[0] ** 2 * ins[1]

@LAYERS.register("Cube")
class CubeLayer(Layer):
    param = "power_param"
    limits = {"scale": above(0)}
    def build(self, g, bottoms):
        return g.emit("cube", CubeAttrs(self.p.scale), bottoms)
"""
NET = """force_backward: true
layer { name: "in" type: "Input" top: "x" input_param { shape { dim: 2 dim: 3 } } }
layer { name: "c" type: "Cube" bottom: "x" top: "y" power_param { scale: 2 } }
layer { name: "l" type: "Reduction" bottom: "y" top: "loss" loss_weight: 1 }
"""
USE = """
import sys, numpy as np, caffempi
from caffempi.layers.plugins import load_plugin
for name in sys.argv[2:]:
    load_plugin(name)
for optimised in (False, True):
    net = caffempi.Net(sys.argv[1], caffempi.TRAIN, optimised=optimised)
    net.blobs["x"].data[...] = 3
    print(net.forward_backward(), net.blobs["x"].diff.ravel()[0])
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "mine.py").write_text(GOOD)
    (tmp_path / "neighbour.py").write_text("")
    (tmp_path / "n.prototxt").write_text(NET)
    return tmp_path


def python(*args, path=()):
    return subprocess.run([sys.executable, *map(str, args)], capture_output=True, text=True, cwd=ROOT,
                          env=environment({"PYTHONPATH": ":".join(map(str, [*path, ROOT]))}))


def test_a_file_adds_a_layer_and_its_ops(folder):
    done = python("-c", USE, folder / "n.prototxt", folder / "mine.py", folder / "mine.py")
    assert done.stdout.split() == ["324.0", "54.0"] * 2, done.stderr


def test_a_module_is_named_as_in_an_import(folder):
    assert python("-c", USE, folder / "n.prototxt", "mine", path=[folder]).stdout.split()[0] == "324.0"


def install(folder, name="acme-layers", value="mine"):
    info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{GROUP}]\nacme = {value}\n")


def test_installed_packages_add_theirs_unasked(folder):
    install(folder)
    assert python("-c", USE, folder / "n.prototxt", path=[folder]).stdout.split()[0] == "324.0"


def test_the_command_line_takes_a_file(folder):
    command = ["-m", "caffempi", "check", folder / "n.prototxt"]
    bad = python(*command)
    assert bad.returncode == 1 and 'unknown layer type "Cube"' in bad.stdout + bad.stderr
    for spelled in (["--import", folder / "mine.py"], [f"-import={folder}/mine.py"]):
        assert python(*command, *spelled).returncode == 0
    wrong = python(*command, "--import", folder / "mine.py", "--phase", "TRAIN", "--import", folder / "none.py")
    assert wrong.returncode == 2 and wrong.stderr == f"caffempi: there is no file {folder}/none.py to import\n"
    text = (folder / "n.prototxt").read_text()
    (folder / "n.prototxt").write_text(text.replace("scale: 2", "scale: -1"))
    limit = python(*command, "--import", folder / "mine.py")
    assert limit.returncode == 1 and "power_param.scale = -1.0" in limit.stdout and "n.prototxt:3" in limit.stdout


LAYER = "from caffempi.layers import LAYERS, Layer\n"
OP = "from caffempi.ops.op import OPS, Op, op\n"


@pytest.mark.parametrize("code, said", [
    (LAYER + '@LAYERS.register("ReLU")\nclass A(Layer):\n    pass', "layer type 'ReLU' is registered twice"),
    (LAYER + '@LAYERS.register("A")\nclass A:\n    pass', 'layer type "A" of FILE does not derive from caffempi.layers.Layer'),
    (LAYER + '@LAYERS.register("A")\nclass A(Layer):\n    pass', 'layer type "A" of FILE has no build'),
    (LAYER + '@LAYERS.register("A")\nclass A(Layer):\n    param = "a_param"\n    def build(self, g, b): ...', '"a_param", which is no message'),
    (LAYER + '@LAYERS.register("A")\nclass A(Layer):\n    param = "name"\n    def build(self, g, b): ...', '"name", which is no message'),
    (LAYER + '@LAYERS.register("A")\nclass A(Layer):\n    param = "power_param"\n    limits = {"x": 1}\n    def build(self, g, b): ...',
     "has limits for x"),
    (OP + '@op\nclass A(Op):\n    name = "relu"\n    def forward(self, *a): ...', "op 'relu' is registered twice"),
    (OP + '@op\nclass A(Op):\n    name = "a"\n', 'op "a" of FILE has no forward'),
    (OP + '@op\nclass A(Op):\n    name = "a"\n    grad = "some"\n    def forward(self, *a): ...', 'has grad "some"'),
    (OP + '@op\nclass A(Op):\n    name = "a"\n    effects = frozenset({"odd"})\n    def forward(self, *a): ...', "has effects odd"),
    (OP + 'OPS.register("a")(3)', "does not derive from caffempi.ops.op.Op"),
    (OP + 'class A(Op):\n    name = "b"\n    def forward(self, *a): ...\nOPS.register("a")(A())', 'has the name "b"'),
    ("def f():\n    raise KeyError('z')\nf()", "importing FILE failed: KeyError: 'z'"), ("1 +", "SyntaxError"),
    ("import nothing_of_that_name", "ModuleNotFoundError")])
def test_what_is_at_fault_is_told_once(tmp_path, code, said):
    file = tmp_path / "bad.py"
    file.write_text(code)
    done = python("-m", "caffempi", "check", tmp_path / "n.prototxt", "--import", file)
    lines = done.stderr.splitlines()
    assert done.returncode == 1 and lines[-1].startswith("caffempi: ") and said.replace("FILE", str(file)) in lines[-1]
    assert sum(line.startswith("caffempi: ") for line in lines) == 1
    assert ("in f" in done.stderr) == ("def f()" in code) and "caffempi/layers/plugins" not in done.stderr


@pytest.mark.parametrize("value, code, said", [
    ("broken", "1 / 0", 'the package acme-layers, which adds layers as "acme", failed: ZeroDivisionError'),
    ("missing", "", "ModuleNotFoundError"),
    ("broken", LAYER + '@LAYERS.register("A")\nclass A:\n    pass', 'layer type "A" of the package acme-layers does not derive')])
def test_a_package_at_fault_is_named(folder, value, code, said):
    (folder / "broken.py").write_text(code)
    install(folder, value=value)
    done = python("-m", "caffempi", "check", folder / "n.prototxt", path=[folder])
    assert done.returncode == 1 and said in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("name, code", [("no.such.module", 2), ("a b", 2), ("..", 2)])
def test_names_of_nothing(tmp_path, name, code):
    done = python("-m", "caffempi", "check", tmp_path / "n.prototxt", "--import", name)
    assert done.returncode == code and len(done.stderr.splitlines()) == 1


def test_the_packages_own_layers_and_ops_keep_the_rules():
    check_registered("caffempi")
    assert "Python" in LAYERS


def test_the_examples_of_the_page_work(tmp_path):
    page = (ROOT / "docs" / "extending.md").read_text()
    for name, code in re.findall(r"```python\n# (\w+\.py)\n(.*?)```", page, re.S):
        (tmp_path / name).write_text(code)
    (layer,) = re.findall(r"^    layer \{.*?^    \}", page, re.S | re.M)
    (tmp_path / "n.prototxt").write_text(NET.replace('layer { name: "c" type: "Cube" bottom: "x" top: "y" power_param { scale: 2 } }',
                                                     layer.replace('"y"', '"h"') + 'layer { name: "t" type: "Twice" bottom: "h" top: "y" }'))
    done = python("-c", USE, tmp_path / "n.prototxt", tmp_path / "my_layers.py")
    assert done.stdout.split() == ["18.0", "1.0"] * 2, done.stderr
    assert GROUP in page
