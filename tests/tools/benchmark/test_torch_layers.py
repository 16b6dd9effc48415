"""Layers in PyTorch compute what ours do: outputs, losses and gradients on the same weights."""
from __future__ import annotations

import numpy as np
import pytest
from google.protobuf import text_format

from caffempi.net import TRAIN, Net
from caffempi.proto.caffe_pb2 import NetParameter

torch = pytest.importorskip("torch", reason="PyTorch is not installed: there is nobody to compare with")
from benchmark.torch_net import TorchNet  # noqa: E402 (needs torch)

HEAD = """
layer { name: "in" type: "Input" top: "data" top: "label" input_param { shape { dim: 4 dim: 4 dim: 11 dim: 9 } shape { dim: 4 } } }
layer { name: "first" type: "Convolution" bottom: "data" top: "x"
  convolution_param { num_output: 6 kernel_size: 3 pad: 1 weight_filler { type: "xavier" } } }
"""
TAIL = """
layer { name: "ip" type: "InnerProduct" bottom: "y" top: "ip" inner_product_param { num_output: 5 weight_filler { type: "xavier" } } }
layer { name: "loss" type: "SoftmaxWithLoss" bottom: "ip" bottom: "label" top: "loss" loss_weight: 0.5 }
"""


def L(kind, bottoms, top, more=""):
    """A layer, named by what it does where."""
    ends = " ".join(f'bottom: "{b}"' for b in bottoms.split())
    return f'layer {{ name: "{kind} {bottoms} {top}" type: "{kind}" {ends} top: "{top}" {more} }}\n'


CASES = {
    "relu in place": L("ReLU", "x", "x") + L("TanH", "x", "y"),
    "relu with a slope": L("ReLU", "x", "y", 'relu_param { negative_slope: 0.1 }'),
    "relu over what tanh needs": L("TanH", "x", "x") + L("ReLU", "x", "x") + L("Sigmoid", "x", "y"),
    "convolution":
        L("Convolution", "x", "y", 'convolution_param { num_output: 4 kernel_h: 3 kernel_w: 1 stride: 2 group: 2 dilation: 2 pad_h: 1 '
          'pad_w: 0 bias_term: false weight_filler { type: "xavier" } }'),
    "batch norm and scale":
        L("BatchNorm", "x", "x") +
        L("Scale", "x", "x", 'scale_param { bias_term: true filler { type: "gaussian" std: 1 } }') +
        L("ReLU", "x", "y"),
    "batch norm alone": L("BatchNorm", "x", "y", 'batch_norm_param { eps: 0.01 }'),
    "scale alone": L("Scale", "x", "y", 'scale_param { bias_term: true filler { type: "gaussian" std: 1 } }'),
    "max pooling, tails": L("Pooling", "x", "y", 'pooling_param { kernel_size: 3 stride: 2 pad: 1 }'),
    "average pooling": L("Pooling", "x", "y", 'pooling_param { pool: AVE kernel_size: 3 stride: 2 }'),
    "global average": L("Pooling", "x", "y", 'pooling_param { pool: AVE global_pooling: true }'),
    "global maximum": L("Pooling", "x", "y", 'pooling_param { global_pooling: true }'),
    "lrn across": L("LRN", "x", "y", 'lrn_param { local_size: 5 alpha: 0.5 k: 2 }'),
    "lrn within": L("LRN", "x", "y", 'lrn_param { local_size: 3 alpha: 0.5 norm_region: WITHIN_CHANNEL }'),
    "sum with a shortcut":
        L("Convolution", "x", "z", 'convolution_param { num_output: 6 kernel_size: 1 weight_filler { type: "xavier" } }') +
        L("Eltwise", "x z", "s") +
        L("ReLU", "s", "s") +
        L("Flatten", "s", "y"),
    "sum of a blob that is read again": L("ReLU", "x", "r") + L("Eltwise", "x r", "s") + L("Concat", "s x", "y"),
    "weighted sum": L("Sigmoid", "x", "r") + L("Eltwise", "x r", "y", 'eltwise_param { coeff: 2 coeff: -1 }'),
    "product and maximum":
        L("Sigmoid", "x", "r") +
        L("Eltwise", "x r", "s", 'eltwise_param { operation: PROD }') +
        L("Eltwise", "s r", "y", 'eltwise_param { operation: MAX }'),
    "three operands":
        L("Sigmoid", "x", "r") +
        L("TanH", "x", "t") +
        L("Eltwise", "x r t", "u", 'eltwise_param { operation: PROD }') +
        L("Eltwise", "u r t", "v", 'eltwise_param { operation: MAX }') +
        L("Eltwise", "v r t", "y"),
    "softmax and no dropout": L("Softmax", "x", "s") + L("Dropout", "s", "y", 'dropout_param { dropout_ratio: 0 }'),
}


@pytest.mark.parametrize("text", CASES.values(), ids=CASES)
def test_the_same_loss_and_gradients(text, tmp_path):
    message = text_format.Parse(HEAD + text + TAIL, NetParameter())
    path = tmp_path / "n.prototxt"
    path.write_text(HEAD + text + TAIL)
    ours, theirs = Net(str(path), TRAIN, engine="numpy", seed=3), TorchNet(message)
    rng = np.random.default_rng(1)
    data, label = rng.standard_normal((4, 4, 11, 9), np.float32), rng.integers(0, 5, 4)
    ours.blobs["data"].data[...], ours.blobs["label"].data[...] = data, label
    params = {(name, k): (blob, p) for name, m in theirs.owners.items() for k, (blob, p) in enumerate(
        zip(_blobs(ours, name, message), m.parameters(), strict=True))}
    with torch.no_grad():
        for blob, p in params.values():
            p.copy_(torch.from_numpy(blob.data.reshape(p.shape)))
    theirs.train()
    loss = theirs(torch.from_numpy(data), torch.from_numpy(label))
    loss.backward()
    assert ours.forward_backward() == pytest.approx(float(loss.detach()), rel=1e-4)
    for (name, k), (blob, p) in params.items():
        np.testing.assert_allclose(p.grad.numpy(), blob.diff.reshape(p.shape), rtol=2e-3, atol=2e-5, err_msg=f"{name} {k}")


def _blobs(net, name, message):
    """What PyTorch holds in the module of that layer; a batch norm has taken over the Scale behind it."""
    layers = list(message.layer)
    at = next(k for k, lp in enumerate(layers) if lp.name == name)
    if layers[at].type != "BatchNorm":
        return net.params.get(name, [])
    return net.params[layers[at + 1].name] if layers[at + 1].type == "Scale" else []


@pytest.mark.parametrize("text, words", [('layer { name: "a" type: "Exp" bottom: "x" top: "y" }', 'no layer "Exp"'),
                                         ('layer { name: "a" type: "Scale" bottom: "x" bottom: "x" top: "y" }', "learnt factors")])
def test_what_pytorchs_side_lacks_is_told(text, words):
    with pytest.raises(ValueError, match=words):
        TorchNet(text_format.Parse(HEAD + text + TAIL, NetParameter()))
