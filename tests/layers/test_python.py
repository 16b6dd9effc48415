"""The Python layer's limits; what it does in nets: tests/net/test_python_layer.py and test_python_module.py."""
import pytest

from caffempi.errors import NetError
from caffempi.layers import BuildContext
from caffempi.layers.build import build_graph
from caffempi.ops.graph import Spec
from caffempi.proto import caffe_pb2


class Host:
    blob_shapes = ((4,), (2, 3))

    def shapes(self, bottoms):
        return [Spec((1,))] * 2


def build(made, **fields):
    net = caffe_pb2.NetParameter()
    net.layer.add(name="p", type="Python", top=["a", "b"], python_param=caffe_pb2.PythonParameter(**fields))
    return build_graph(net, BuildContext(extra={"python": made} if made else {}))


def test_blobs_become_params_and_the_object_is_made_by_who_builds_the_net():
    calls = []
    graph = build(lambda lp, specs: calls.append((lp.name, specs)) or Host(), module="m", layer="C", param_str="s")
    assert calls == [("p", [])]
    assert [p.spec.shape for p in graph.params] == [(4,), (2, 3)] and [p.name for p in graph.params] == ["p/0", "p/1"]
    assert graph.outputs == ["a", "b"] and graph.nodes[0].attrs.code == "m.C"


@pytest.mark.parametrize("made, fields, said", [
    (Host, {"module": "m"}, "python_param.layer: is missing"), (Host, {"layer": "C"}, "python_param.module: is missing"),
    (None, {"module": "m", "layer": "C"}, "where no code of users runs")])
def test_refusals(made, fields, said):
    with pytest.raises(NetError, match=said):
        build(made, **fields)
