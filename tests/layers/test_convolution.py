"""Convolution layers: forms of the fields, shared params, hand-made numbers, what is refused, cases of the original."""
import numpy as np
import pytest

from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import check_golden

X = (2, 4, 9, 8)


def net(fields, shape=X, more=""):
    return one_layer(f'type: "Convolution" bottom: "x" top: "y" convolution_param {{ {fields} }} {more}', x=shape)


@pytest.mark.parametrize("case", ["Convolution_01", "Convolution_04", "ConvolutionND_01", "ConvolutionND_06"])
def test_cases_of_the_original(case):
    check_golden(f"{case}.npz")


@pytest.mark.parametrize(("fields", "shape", "top", "weights"), [
    ("num_output: 6 kernel_size: 3", X, (2, 6, 7, 6), (6, 4, 3, 3)),
    ("num_output: 6 kernel_size: 3 kernel_size: 2 stride: 2 stride: 1 pad: 0 pad: 1", X, (2, 6, 4, 9), (6, 4, 3, 2)),
    ("num_output: 6 kernel_h: 1 kernel_w: 3 stride_w: 2 pad_h: 2 group: 2", X, (2, 6, 13, 3), (6, 2, 1, 3)),
    ("num_output: 6 kernel_size: 3 dilation: 2 dilation: 1", X, (2, 6, 5, 6), (6, 4, 3, 3)),
    ("num_output: 2 kernel_size: 3 force_nd_im2col: true engine: CUDNN", X, (2, 2, 7, 6), (2, 4, 3, 3)),
    ("num_output: 2 kernel_size: 3", (2, 4, 7), (2, 2, 5), (2, 4, 3)),
    ("num_output: 2 kernel_size: 2 stride: 2", (2, 3, 4, 5, 6), (2, 2, 2, 2, 3), (2, 3, 2, 2, 2)),
    ("num_output: 2 kernel_size: 2 axis: 2", (2, 3, 4, 5, 6), (2, 3, 2, 4, 5), (2, 4, 2, 2)),
    ("num_output: 2 kernel_size: 2 axis: -2", (2, 3, 4, 5), (2, 3, 2, 4), (2, 4, 2)),
    ("num_output: 5", (3, 4), (3, 5), (5, 4)),
    ("num_output: 5 kernel_size: 7", (3, 4), (3, 5), (5, 4)),
    ("num_output: 6 kernel_size: 3", (0, 4, 9, 8), (0, 6, 7, 6), (6, 4, 3, 3))])
def test_shapes(fields, shape, top, weights):
    graph = build(net(fields, shape))
    assert graph.layers[-1].top_values[0].spec.shape == top
    assert [v.spec.shape for v in graph.layers[-1].blobs] == [weights, weights[:1]]


def test_numbers_and_no_bias():
    x = np.arange(9.0).reshape(1, 1, 3, 3)
    w = np.array([[[[1.0, 0], [0, -1]]]])
    blobs, own = run(net("num_output: 1 kernel_size: 2 bias_term: false", x.shape), {"x": x}, [w])
    assert len(own) == 1
    np.testing.assert_array_equal(blobs["y"], np.full((1, 1, 2, 2), -4))
    blobs, _ = run(net("num_output: 1 kernel_size: 2", x.shape), {"x": x}, [w, [10.0]])
    np.testing.assert_array_equal(blobs["y"], np.full((1, 1, 2, 2), 6))


def test_several_bottoms_share_the_filters():
    text = one_layer('type: "Convolution" bottom: "a" bottom: "b" top: "p" top: "q" '
                     "convolution_param { num_output: 1 kernel_size: 1 }", a=(1, 1, 2, 2), b=(1, 1, 2, 2))
    blobs, own = run(text, {"a": np.ones((1, 1, 2, 2)), "b": np.full((1, 1, 2, 2), 2)}, [[[[[3]]]], [1]])
    assert len(own) == 2 and (blobs["p"] == 4).all() and (blobs["q"] == 7).all()


@pytest.mark.parametrize(("fields", "shape", "words"), [
    ("kernel_size: 3", X, "field convolution_param.num_output = 0: must be above 0"),
    ("num_output: 2", X, "field convolution_param.kernel_size: is given 0 times for 2 spatial axes"),
    ("num_output: 2 kernel_size: 3 kernel_size: 3 kernel_size: 3",
     X, "is given 3 times for 2 spatial axes; give it once, or once a"),
    ("num_output: 2 kernel_size: 3 kernel_size: 0",
     X, "field convolution_param.kernel_size[1] = 0: must be at least 1"),
    ("num_output: 2 kernel_size: 0", X, "field convolution_param.kernel_size[0] = 0: must be at least 1"),
    ("num_output: 2 kernel_h: 3", X, "field convolution_param.kernel_w = 0: must be at least 1"),
    ("num_output: 2 kernel_size: 3 kernel_h: 3 kernel_w: 3",
     X, "kernel_size: is given beside kernel_h; give kernel_size, or kernel_h"),
    ("num_output: 2 kernel_size: 3 stride: 2 stride_w: 1",
     X, "field convolution_param.stride: is given beside stride_w"),
    ("num_output: 2 kernel_size: 3 pad: 2 pad_h: 1", X, "field convolution_param.pad: is given beside pad_h"),
    ("num_output: 2 kernel_h: 3 kernel_w: 3",
     (2, 3, 5), "kernel_h = 3: serves two spatial axes only, the bottom has 1"),
    ("num_output: 2 kernel_size: 3 stride: 0", X, "field convolution_param.stride[0] = 0: must be at least 1"),
    ("num_output: 2 kernel_size: 3 stride_h: 0", X, "field convolution_param.stride_h = 0: must be at least 1"),
    ("num_output: 2 kernel_size: 3 dilation: 0", X, "field convolution_param.dilation[0] = 0: must be at least 1"),
    ("num_output: 2 kernel_size: 3 group: 3",
     X, "group = 3: does not divide the number of input channels, 4; input 2 x 4 x 9 x 8"),
    ("num_output: 3 kernel_size: 3 group: 2", X, "group = 2: does not divide the number of outputs, 3"),
    ("num_output: 2 kernel_size: 3 group: 0", X, "field convolution_param.group = 0: must be at least 1"),
    ("num_output: 2 kernel_size: 3 axis: 4",
     X, "field convolution_param.axis: axis 4 does not exist in a blob of 4 axes"),
    ("num_output: 2 kernel_size: 9", X, "field convolution_param.kernel_size = 9 x 9: the kernel reaches over 9 x 9, more than "
                                        "the padded input 9 x 8 (input 2 x 4 x 9 x 8); use a smaller kernel"),
    ("num_output: 2 kernel_h: 1 kernel_w: 9", X, "field convolution_param.kernel_h = 1 x 9"),
])
def test_refused(fields, shape, words):
    message = refused(net(fields, shape))
    assert message.startswith('layer "l" (Convolution)') and words in message


def test_bottoms_of_different_shapes_and_too_few_tops_are_refused():
    layer = 'type: "Convolution" bottom: "a" bottom: "b" top: "p" {} convolution_param {{ num_output: 1 kernel_size: 1 }}'
    assert "bottom 0 is 1 x 1 x 2 x 2, bottom 1 is 1 x 1 x 2 x 3" in refused(
        one_layer(layer.format('top: "q"'), a=(1, 1, 2, 2), b=(1, 1, 2, 3)))
    assert "as many tops as bottoms" in refused(one_layer(layer.format(""), a=(1, 1, 2, 2), b=(1, 1, 2, 2)))
