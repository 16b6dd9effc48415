"""Deconvolution layers: sizes, shared filters, bilinear upsampling, what is refused, cases of the original."""
import numpy as np
import pytest
from google.protobuf import text_format

from caffempi import TEST, Net
from caffempi.proto import caffe_pb2
from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import GOLDEN, check_golden

X = (2, 4, 5, 3)


def net(fields, shape=X):
    return one_layer(f'type: "Deconvolution" bottom: "x" top: "y" convolution_param {{ {fields} }}', x=shape)


@pytest.mark.parametrize("case", sorted(p.name for p in GOLDEN.glob("Deconvolution_*.npz")))
def test_cases_of_the_original(case):
    check_golden(case)


@pytest.mark.parametrize(("fields", "shape", "top", "weights"), [
    ("num_output: 6 kernel_size: 3", X, (2, 6, 7, 5), (4, 6, 3, 3)),
    ("num_output: 6 kernel_size: 4 stride: 2 pad: 1 group: 2", X, (2, 6, 10, 6), (4, 3, 4, 4)),
    ("num_output: 1 kernel_h: 3 kernel_w: 1 stride_h: 2 stride_w: 1 dilation: 2", X, (2, 1, 13, 3), (4, 1, 3, 1)),
    ("num_output: 2 kernel_size: 2 engine: CUDNN force_nd_im2col: true", (1, 3, 4), (1, 2, 5), (3, 2, 2)),
    ("num_output: 2 kernel_size: 2 stride: 2", (1, 1, 2, 3, 4), (1, 2, 4, 6, 8), (1, 2, 2, 2, 2)),
    ("num_output: 3 kernel_size: 2 axis: 2", X, (2, 4, 3, 4), (5, 3, 2)), ("num_output: 3", (2, 4), (2, 3), (4, 3)),
    ("num_output: 2 kernel_size: 2", (0, 1, 2, 2), (0, 2, 3, 3), (1, 2, 2, 2))])
def test_shapes(fields, shape, top, weights):
    layer = build(net(fields, shape)).layers[-1]
    assert layer.top_values[0].spec.shape == top
    assert [v.spec.shape for v in layer.blobs] == [weights, (top[1] if "axis" not in fields else 3,)]


def test_numbers_bias_and_several_bottoms():
    text = one_layer('type: "Deconvolution" bottom: "a" bottom: "b" top: "p" top: "q" '
                     "convolution_param { num_output: 1 kernel_size: 2 stride: 1 }", a=(1, 1, 1, 2), b=(1, 1, 1, 2))
    w = np.array([1.0, 2, 3, 4]).reshape(1, 1, 2, 2)
    blobs, own = run(text, {"a": [[[[1, 10]]]], "b": [[[[0, -1]]]]}, [w, [100]])
    assert len(own) == 2
    assert blobs["p"].tolist() == [[[[101, 112, 120], [103, 134, 140]]]]
    assert blobs["q"].tolist() == [[[[100, 99, 98], [100, 97, 96]]]]
    assert len(build(net("num_output: 1 kernel_size: 2 bias_term: false")).layers[-1].blobs) == 1


def test_bilinear_filler_with_a_group_a_channel_interpolates():
    text = net("num_output: 3 group: 3 kernel_size: 4 stride: 2 pad: 1 bias_term: false weight_filler { type: 'bilinear' }", (1, 3, 6, 6))
    made = Net(text_format.Parse(text, caffe_pb2.NetParameter()), TEST, engine="numpy")
    assert made.params["l"][0].data.shape == (3, 1, 4, 4)
    rows, columns = np.meshgrid(np.arange(6.0), np.arange(6.0), indexing="ij")
    made.blobs["x"].data[0] = [rows, columns, rows * 0 + 7]
    y = made.forward()["y"][0, :, 1:-1, 1:-1]
    fine = (np.arange(12) - 0.5)[1:-1] / 2
    np.testing.assert_allclose(y, [np.tile(fine[:, None], 10), np.tile(fine, (10, 1)), np.full((10, 10), 7)], rtol=1e-5)


@pytest.mark.parametrize(("fields", "words"), [
    ("kernel_size: 3", "field convolution_param.num_output = 0: must be above 0"),
    ("num_output: 2", "field convolution_param.kernel_size: is given 0 times for 2 spatial axes"),
    ("num_output: 2 kernel_size: 3 group: 3", "group = 3: does not divide the number of input channels, 4; input 2 x 4 x 5 x 3"),
    ("num_output: 3 kernel_size: 3 group: 2", "group = 2: does not divide the number of outputs, 3"),
    ("num_output: 2 kernel_size: 3 group: 0", "group = 0: must be at least 1"),
    ("num_output: 2 kernel_size: 1 pad: 2", "field convolution_param.pad: the padding 2 x 2 leaves nothing of an output"),
    ("num_output: 2 kernel_size: 1 pad_w: 2", "field convolution_param.pad_h: the padding 0 x 2 leaves nothing"),
    ("num_output: 2 kernel_size: 3 axis: 4", "convolution_param.axis: axis 4 does not exist"),
    ("num_output: 2 kernel_h: 3 kernel_w: 2 weight_filler { type: 'bilinear' }", "convolution_param.weight_filler"),
    ("num_output: 2 kernel_size: 3 bias_filler { type: 'x' }", "convolution_param.bias_filler.type")])
def test_refused(fields, words):
    message = refused(net(fields))
    assert message.startswith('layer "l" (Deconvolution)') and words in message
