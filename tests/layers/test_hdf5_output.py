"""HDF5Output's limits; the file: tests/data/test_hdf5_output.py; in nets: tests/net/test_outside.py."""
import numpy as np
import pytest

from caffempi.errors import NetError
from caffempi.layers import BuildContext
from caffempi.layers.build import build_graph
from caffempi.proto import caffe_pb2


def build(file_name="f.h5", extra=None, tops=(), label=(2,)):
    net = caffe_pb2.NetParameter()
    net.layer.add(name="in", type="Input", top=["x", "l"])
    net.layer[0].input_param.shape.add(dim=[2, 3])
    net.layer[0].input_param.shape.add(dim=label)
    net.layer.add(name="o", type="HDF5Output", bottom=["x", "l"], top=tops,
                  hdf5_output_param=caffe_pb2.HDF5OutputParameter(file_name=file_name))
    return build_graph(net, BuildContext(extra=extra if extra is not None else {"hdf5_output": lambda name: [].append}))


def test_it_writes_to_the_named_file():
    names, got = [], []
    graph = build(extra={"hdf5_output": lambda name: names.append(name) or got.append})
    assert names == ["f.h5"] and graph.outputs == []
    graph.nodes[0].attrs.write([np.ones(2)])
    assert len(got) == 1


def refuse(name):
    raise NetError("taken")


@pytest.mark.parametrize("how, said", [
    ({"file_name": ""}, "hdf5_output_param.file_name: is missing"), ({"extra": {}}, "where nothing can be written"),
    ({"tops": ["t"]}, "takes 0 top"), ({"label": (3,)}, "do not hold equally many items"),
    ({"extra": {"hdf5_output": refuse}}, "hdf5_output_param.file_name = f.h5: taken")])
def test_refusals(how, said):
    with pytest.raises(NetError, match=said):
        build(**how)
