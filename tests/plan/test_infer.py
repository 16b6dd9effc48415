"""Shapes of all values follow from those of the inputs, gradients and saved values included; faults name the layer."""
import pytest

from caffempi import TRAIN, Net
from caffempi.errors import ShapeError
from caffempi.ops.graph import Spec
from caffempi.plan.infer import infer_specs
from tests.helpers.randomnets import random_net


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("batch", [0, 1, 5])
def test_every_value_that_a_node_touches_has_a_spec_of_the_new_batch(tmp_path, seed, batch):
    path = tmp_path / "n.prototxt"
    path.write_text(random_net(seed))
    net = Net(str(path), TRAIN, engine="numpy", seed=1)
    shape = (batch, *net.blobs["data"].shape[1:])
    specs = infer_specs(net.plan, {"data": shape, "label": (batch,)})
    for n in [*net.plan.forward, *net.plan.backward]:
        for v in (*n.ins, *n.outs, *n.saved):
            assert v.id in specs
    for blob, versions in net.graph.blobs.items():
        for v in versions:
            if v.spec.shape and v.spec.shape[0] == 3 and blob not in ("data", "label"):
                assert specs[v.id].shape == (batch, *v.spec.shape[1:])
    for primal, diff in net.plan.grads.diffs.items():
        assert specs[diff.id] == specs[primal]


def test_faults_name_the_layer_and_its_place(tmp_path):
    path = tmp_path / "n.prototxt"
    path.write_text('layer { name: "d" type: "Input" top: "x" input_param { shape { dim: 1 dim: 2 dim: 5 dim: 5 } } }\n'
                    'layer { name: "c" type: "Convolution" bottom: "x" top: "y" convolution_param { num_output: 1 kernel_size: 3 } }')
    net = Net(str(path), TRAIN, engine="numpy")
    with pytest.raises(ShapeError, match=r'layer "c" \(Convolution\).*n.prototxt:2'):
        infer_specs(net.plan, {"x": (1, 3, 5, 5)})


def test_what_a_layer_keeps_follows_the_batch(tmp_path):
    path = tmp_path / "n.prototxt"
    path.write_text('layer { name: "d" type: "Input" top: "x" top: "k" input_param { shape { dim: 3 dim: 2 dim: 4 } shape { dim: 3 dim: 2 } } }\n'
                    'layer { name: "l" type: "LSTM" bottom: "x" bottom: "k" top: "y" recurrent_param { num_output: 5 } }')
    net = Net(str(path), TRAIN, engine="numpy")
    specs = infer_specs(net.plan, {"x": (6, 7, 4), "k": (6, 7)})
    kept = [v for v in net.graph.values if v.kind == "state"]
    assert [specs[v.id].shape for v in kept] == [(1, 7, 5), (1, 7, 5)]


def test_shapes_that_are_known_take_the_place_of_bounds_and_nodes_may_be_left_out(tmp_path):
    path = tmp_path / "n.prototxt"
    path.write_text('layer { name: "d" type: "Input" top: "x" top: "s" input_param { shape { dim: 3 dim: 2 } shape { dim: 3 dim: 1 } } }\n'
                    'layer { name: "f" type: "Filter" bottom: "x" bottom: "s" top: "f" }\nlayer { name: "p" type: "Power" bottom: "f" top: "y" }')
    net = Net(str(path), TRAIN, engine="numpy")
    f, y = (net.graph.blobs[b][-1].id for b in "fy")
    shapes = {"x": (3, 2), "s": (3, 1)}
    assert infer_specs(net.plan, shapes)[y].shape == (3, 2)
    assert infer_specs(net.plan, shapes, {0: (Spec((1, 2)),)})[y].shape == (1, 2)
    part = infer_specs(net.plan, shapes, until=1)
    assert f in part and y not in part
