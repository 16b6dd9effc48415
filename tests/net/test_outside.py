"""What layers get from outside: blobs of files, Python objects, files to write; and that a net's end finishes them."""
import h5py
import numpy as np
import pytest

from caffempi import TEST, Net
from caffempi.errors import NetError
from caffempi.net.outside import Outside
from caffempi.ops.graph import Param, Spec
from caffempi.proto import caffe_pb2
from tests.helpers.pylayers import module_name


def test_first_values_are_those_of_the_owners_setup(tmp_path):
    name = module_name()
    (tmp_path / f"{name}.py").write_text("import caffempi\nclass A(caffempi.Layer):\n    def setup(self, b, t):\n"
                                         "        self.blobs.add_blob(2)\n        self.blobs[0].data[...] = 8\n")
    outside = Outside(str(tmp_path))
    lp = caffe_pb2.LayerParameter(name="a", python_param=caffe_pb2.PythonParameter(module=name, layer="A"))
    outside.extra["python"](lp, [])
    np.testing.assert_array_equal(outside.first_values(Param("a", 0, Spec((2,)))), [8, 8])
    assert outside.first_values(Param("b", 0, Spec((2,)))) is None


def test_each_file_has_one_writer_and_a_rank_its_own(tmp_path):
    outside = Outside(None, base=str(tmp_path), rank=2, ranks=3)
    write = outside.extra["hdf5_output"]("out.h5")
    with pytest.raises(NetError, match="another layer"):
        outside.extra["hdf5_output"]("out.h5")
    write([np.ones((2, 1)), np.ones(2)])
    outside.close()
    outside.close()
    assert [p.name for p in tmp_path.iterdir()] == ["out.rank2.h5"]


def test_closing_a_net_finishes_its_files(tmp_path):
    path = tmp_path / "n.prototxt"
    path.write_text('layer { name: "d" type: "Input" top: "x" top: "l" input_param { shape { dim: 2 dim: 3 } shape { dim: 2 } } }\n'
                    f'layer {{ name: "o" type: "HDF5Output" bottom: "x" bottom: "l" hdf5_output_param {{ file_name: "{tmp_path}/o.h5" }} }}')
    for _ in range(2):                                          # the second net replaces the first one's file
        net = Net(path, TEST)
        net.forward(x=np.arange(6).reshape(2, 3), l=np.array([1, 2]))
        net.forward(x=np.arange(6, 12).reshape(2, 3))
        net.close()
    with h5py.File(tmp_path / "o.h5") as f:
        np.testing.assert_array_equal(f["data"], np.arange(12).reshape(4, 3, 1, 1))
        np.testing.assert_array_equal(f["label"][:].ravel(), [1, 2, 1, 2])
