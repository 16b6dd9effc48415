"""The three upgrade verbs from the command line."""
from pathlib import Path

import pytest

from caffempi.proto.caffe_pb2 import NetParameter, SolverParameter
from caffempi.proto.text import read_net, read_solver

OLD = """layers { layer { name: "c" type: "conv" num_output: 3 kernelsize: 2 } bottom: "d" top: "c" }
input: "d" input_dim: [1, 2, 3, 4]
"""
GOLDEN = Path(__file__).parents[2] / "golden" / "weights"


def test_a_nets_text(cli, folder):
    (folder / "old").write_text(OLD)
    code, out, err = cli("upgrade_net_proto_text", "old", "new")
    assert (code, out) == (0, []) and any("2013 (V0)" in line for line in err) and "Wrote new" in err[-1]
    net, places = read_net("new")
    assert [lp.type for lp in net.layer] == ["Input", "Convolution"] and places.notes == []
    assert read_net("old")[0] == net
    code, _, err = cli("upgrade_net_proto_text", "--input=new", "--output=new")          # in place, and nothing to do
    assert code == 0 and "today's notation already" in err[0] and read_net("new")[0] == net


def test_a_nets_binary(cli, folder):
    net = NetParameter()
    net.layers.add(name="r", type="RELU", blobs=[{"data": [1.5]}])
    (folder / "old").write_bytes(net.SerializeToString())
    assert cli("upgrade_net_proto_binary", "old", "new")[0] == 0
    got = NetParameter.FromString((folder / "new").read_bytes())
    assert [lp.type for lp in got.layer] == ["ReLU"] and list(got.layer[0].blobs[0].data) == [1.5] and not got.layers
    assert cli("upgrade_net_proto_binary", GOLDEN / "sgd.caffemodel", "same")[0] == 0
    assert NetParameter.FromString((folder / "same").read_bytes()) == NetParameter.FromString((GOLDEN / "sgd.caffemodel").read_bytes())


def test_a_solvers_text(cli, folder):
    (folder / "old").write_text('net: "x" solver_type: NESTEROV')
    code, _, err = cli("upgrade_solver_proto_text", "old", "new")
    assert code == 0 and "solver_type became" in err[0]
    assert read_solver("new")[0] == SolverParameter(net="x", type="Nesterov")


@pytest.mark.parametrize("argv, code, words", [
    (("upgrade_net_proto_text", "none", "new"), 1, "there is no such file"),
    (("upgrade_net_proto_text", "bad", "new"), 1, 'no field "odd"'),
    (("upgrade_net_proto_binary", "bad", "new"), 1, "bad: "), (("upgrade_solver_proto_text", "bad", "new"), 1, "odd"),
    (("upgrade_net_proto_text", "tiny.prototxt"), 2, "needs a output"), (("upgrade_net_proto_text",), 2, "needs a input"),
    (("upgrade_net_proto_text", "tiny.prototxt", "a", "b"), 2, 'unexpected word "b"'),
    (("upgrade_net_proto_text", "tiny.prototxt", "nowhere/new"), 1, "create the folder first")])
def test_faults_are_one_line_and_nothing_is_written(cli, folder, argv, code, words):
    (folder / "bad").write_text("odd: 1")
    got, _, err = cli(*argv)
    assert got == code and words in err[-1] and not (folder / "new").exists()


def test_unknown_fields_can_be_dropped(cli, folder):
    (folder / "old").write_text("odd: 1 " + OLD)
    code, _, err = cli("upgrade_net_proto_text", "old", "new", "--allow-unknown")
    assert code == 0 and any("skipped" in line for line in err) and len(read_net("new")[0].layer) == 2
