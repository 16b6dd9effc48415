"""From message to graph: blobs by name, shared params, outputs, and every fault named with layer, field and place."""
import pytest
from google.protobuf import text_format

from caffempi.errors import NetError, ShapeError
from caffempi.layers import BuildContext
from caffempi.layers.build import build_graph
from caffempi.proto import caffe_pb2

HEAD = 'layer { name: "d" type: "Input" top: "data" top: "label" input_param { shape { dim: 2 dim: 3 dim: 6 dim: 6 } shape { dim: 2 } } } '
CONV = 'convolution_param { num_output: 4 kernel_size: 3 } '


def build(text, head=HEAD, phase="TRAIN"):
    net = text_format.Parse(head + text, caffe_pb2.NetParameter())
    return build_graph(net, BuildContext(phase), lambda i, path: f"net.prototxt:{i + 1}" if not path or path[0] == "type" else None)


def test_names_shapes_params_outputs():
    g = build('layer { name: "c" type: "Convolution" bottom: "data" top: "c" ' + CONV + '} '
              'layer { name: "r" type: "ReLU" bottom: "c" top: "c" } '
              'layer { name: "p" type: "Pooling" bottom: "c" top: "p" pooling_param { kernel_size: 2 stride: 2 } }')
    assert [(i.name, i.bottoms, i.tops) for i in g.layers][1:] == [("c", ("data",), ("c",)), ("r", ("c",), ("c",)), ("p", ("c",), ("p",))]
    assert [v.version for v in g.blobs["c"]] == [0, 1] and g.blobs["p"][0].spec.shape == (2, 4, 2, 2)
    assert [p.name for p in g.params] == ["c/0", "c/1"] and g.params[0].spec.shape == (4, 3, 3, 3)
    assert g.outputs == ["label", "p"] and g.inputs == ["data", "label"]


def test_shared_params_are_one_and_multipliers_merge():
    use = 'param { name: "w" %s } param { name: "b" } ' + CONV.replace("4", "3").replace("kernel_size: 3", "kernel_size: 1")
    g = build('layer { name: "a" type: "Convolution" bottom: "data" top: "a" ' + use % "" + '} '
              'layer { name: "b" type: "Convolution" bottom: "a" top: "b" ' + use % "lr_mult: 3" + '}')
    assert len(g.params) == 2 and g.params[0].lr_mult == 3
    assert g.layers[1].blobs[0].param is g.layers[2].blobs[0].param


def test_losses_get_weight_one_by_default_and_a_top_if_they_have_none():
    g = build('layer { name: "ip" type: "InnerProduct" bottom: "data" top: "ip" inner_product_param { num_output: 3 } } '
              'layer { name: "loss" type: "SoftmaxWithLoss" bottom: "ip" bottom: "label" }')
    assert g.layers[-1].loss_weights == (1.0,) and g.layers[-1].tops == ("loss",)


CASES = [
    ('layer { name: "x" type: "Convolutoin" bottom: "data" top: "x" }', NetError,
     r'layer "x" \(Convolutoin\) \(net.prototxt:2\): unknown layer type "Convolutoin"; did you mean Convolution'),
    ('layer { name: "x" type: "ReLU" bottom: "dta" top: "x" }', NetError, r'layer "x" .*net.prototxt:2.*unknown bottom blob "dta"'),
    ('layer { name: "x" type: "ReLU" top: "x" }', NetError, "takes 1 bottom blob"),
    ('layer { name: "x" type: "ReLU" bottom: "data" top: "x" top: "y" }', NetError, "takes 1 top blob.*the net gives 2"),
    ('layer { name: "x" type: "ReLU" bottom: "data" top: "label" }', NetError, 'top blob "label" is made by two layers'),
    ('layer { name: "x" type: "ReLU" bottom: "data" top: "x" loss_weight: 1 loss_weight: 2 }', NetError, "2 entries for 1 top"),
    ('layer { name: "x" type: "ReLU" bottom: "data" top: "x" propagate_down: true propagate_down: true }', NetError, "for 1 bottom"),
    ('layer { name: "x" type: "ReLU" bottom: "data" top: "x" param { lr_mult: 1 } }', NetError, "1 param entries, but .* only 0"),
    ('layer { name: "x" type: "Convolution" bottom: "data" top: "x" convolution_param { num_output: 4 kernel_size: 9 } }', ShapeError,
     r'layer "x" \(Convolution\)'),
    ('layer { name: "x" type: "BatchNorm" bottom: "data" top: "x" param { lr_mult: 1 } }', NetError, r"param\[0\].lr_mult = 1.0"),
    ('layer { name: "a" type: "PReLU" bottom: "data" top: "a" param { name: "w" } } layer { name: "b" type: "InnerProduct" bottom: "a" '
     'top: "b" param { name: "w" } inner_product_param { num_output: 2 } }', NetError, 'shares param "w" with layer "a"'),
    ('layer { name: "a" type: "PReLU" bottom: "data" top: "a" param { name: "w" lr_mult: 1 } } layer { name: "b" type: "PReLU" '
     'bottom: "a" top: "b" param { name: "w" lr_mult: 2 } }', NetError, "make them equal"),
    ('layer { name: "ip" type: "InnerProduct" bottom: "data" top: "ip" inner_product_param { num_output: 3 } } layer { name: "loss" type: '
     '"SoftmaxWithLoss" bottom: "ip" bottom: "label" propagate_down: true propagate_down: true }', NetError, r"propagate_down\[1\] = true"),
]


@pytest.mark.parametrize("text, error, message", CASES, ids=range(len(CASES)))
def test_faults(text, error, message):
    with pytest.raises(error, match=message) as e:
        build(text)
    assert "net.prototxt:" in str(e.value)


def test_permissive_sharing_takes_equal_counts():
    one = 'param { name: "w" share_mode: PERMISSIVE } inner_product_param { num_output: %d bias_term: false axis: %d } '
    g = build('layer { name: "a" type: "InnerProduct" bottom: "data" top: "a" ' + one % (6, 3) + '} '
              'layer { name: "b" type: "InnerProduct" bottom: "a" top: "b" ' + one % (6, 3) + '}')
    assert len(g.params) == 1


@pytest.mark.parametrize("text, field", [
    ('layer { name: "x" type: "PReLU" bottom: "data" top: "x" param { lr_mult: nan } }', r"param\[0\].lr_mult"),
    ('layer { name: "x" type: "PReLU" bottom: "data" top: "x" param { decay_mult: inf } }', r"param\[0\].decay_mult"),
    ('layer { name: "x" type: "ReLU" bottom: "data" top: "x" loss_weight: nan }', r"loss_weight\[0\]"),
])
def test_factors_must_be_finite(text, field):
    with pytest.raises(NetError, match=f"field {field}.*must be a finite number"):
        build(text)
