"""Gradients of BatchNorm and the Scale behind it become one node, where nobody sees the middle; the numbers stay."""
import numpy as np
import pytest
from google.protobuf import text_format

import caffempi
from caffempi.plan.gradients import differentiate
from caffempi.plan.norms import merge_norms
from caffempi.proto import caffe_pb2

HEAD = """layer { name: "in" type: "Input" top: "data" top: "label"
  input_param { shape { dim: 3 dim: 4 dim: 5 dim: 5 } shape { dim: 3 } } }
layer { name: "c" type: "Convolution" bottom: "data" top: "c" convolution_param { num_output: 6 kernel_size: 3 weight_filler { type: "xavier" } } }
layer { name: "bn" type: "BatchNorm" bottom: "c" top: "%(bn)s" }
layer { name: "scale" type: "Scale" bottom: "%(bn)s" top: "%(top)s" %(more)s }
layer { name: "relu" type: "ReLU" bottom: "%(top)s" top: "%(top)s" }
layer { name: "ip" type: "InnerProduct" bottom: "%(top)s" top: "ip" inner_product_param { num_output: 4 weight_filler { type: "xavier" } } }
layer { name: "loss" type: "SoftmaxWithLoss" bottom: "ip" bottom: "label" top: "loss" }"""
TERM = "scale_param { bias_term: true filler { type: 'gaussian' std: 1 } }"


def net(engine="numpy", bn="n", top="s", more=TERM, **how):
    text = text_format.Parse(HEAD % {"bn": bn, "top": top, "more": more}, caffe_pb2.NetParameter())
    made = caffempi.Net(text, caffempi.TRAIN, engine=engine, seed=3, dtype="float64" if engine == "numpy" else "float32", **how)
    rng = np.random.default_rng(0)
    made.blobs["data"].data[...] = rng.standard_normal(made.blobs["data"].shape)
    made.blobs["label"].data[...] = [0, 1, 3]
    return made


def gradients(made, runs=2):
    for k in range(runs):
        made.forward_backward(k > 0)
    return [np.array(made.arena.view(p, made.arena.grad)) for p in made.arena.net_order]


@pytest.mark.parametrize("place", [("n", "s"), ("n", "n"), ("c", "c")])
@pytest.mark.parametrize("more", [TERM, ""])
def test_numbers_stay(place, more):
    want = gradients(net(bn=place[0], top=place[1], more=more))
    made = net(bn=place[0], top=place[1], more=more, optimised=True)
    assert [n.op for n in made.plan.backward].count("batch_norm_affine_dx") == 1
    assert not {"scale", "scale_dw", "bias_db", "batch_norm_dx"} & {n.op for n in made.plan.backward}
    for a, b in zip(gradients(made), want, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("more", ["scale_param { axis: 0 }", "scale_param { num_axes: 2 }", "scale_param { num_axes: 0 }",
                                  "param { lr_mult: 0 }"])
def test_other_factors_stay_apart(more):
    want, made = net(more=more), net(more=more, optimised=True)
    assert "batch_norm_affine_dx" not in {n.op for n in made.plan.backward}
    for a, b in zip(gradients(made), gradients(want), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)


def test_an_observed_middle_is_kept():
    g = net().graph
    forward, backward = list(g.nodes), differentiate(g).nodes
    count = len(backward)
    assert merge_norms(forward, backward, {"n"}).startswith("0 ") and len(backward) == count
    assert merge_norms(forward, backward, set()).startswith("1 ") and len(backward) == count - 3
