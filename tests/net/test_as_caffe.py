"""`import caffe` in the code of Python layers."""
import subprocess
import sys
from pathlib import Path

import pytest

import caffempi
from caffempi.net import as_caffe
from tests.helpers.mpirun import environment
from tests.helpers.pylayers import layer, make

ROOT = Path(__file__).parents[2]
OLD = """
import caffe
from caffe import TEST
from caffe.proto import caffe_pb2
class Old(caffe.Layer):
    def setup(self, bottom, top):
        import caffe.proto
        top[0].reshape(4)
    def forward(self, bottom, top):
        top[0].data[...] = [caffe.solver_rank(), caffe.solver_count(), self.phase == TEST, caffe_pb2.LayerParameter(name="x").name == "x"]
"""


def test_code_written_for_pycaffe_works(tmp_path):
    net = make(tmp_path, OLD, layer("y", "Old"), caffempi.TEST)
    assert list(net.forward()["y"]) == [0, 1, 1, 1]
    assert sys.modules["caffe"] is as_caffe


def test_what_it_has_and_has_not():
    assert as_caffe.Net is caffempi.Net and as_caffe.Layer is caffempi.Layer and as_caffe.get_solver is caffempi.get_solver
    assert "Python" in as_caffe.layer_type_list()
    with pytest.raises(AttributeError, match=r"nothing that stands for caffe\.io"):
        _ = as_caffe.io


@pytest.mark.parametrize("made, ours", [("caffe/solver.txt", True), ("caffe/__init__.py", False), ("caffe.py", False)])
def test_an_installed_caffe_is_left_alone_and_a_mere_folder_is_none(tmp_path, made, ours):
    (tmp_path / made).parent.mkdir(exist_ok=True)
    (tmp_path / made).write_text("")
    code = "from caffempi.net.as_caffe import install; install(); import caffe; print(hasattr(caffe, 'Layer'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          env=environment({"PYTHONPATH": f"{tmp_path}:{ROOT}"}))
    assert done.stdout.strip() == str(ours)
