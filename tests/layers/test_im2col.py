"""Im2col layers: forms of the fields, numbers, what is refused, cases of the original."""
import numpy as np
import pytest

from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import GOLDEN, check_golden

X = (2, 3, 6, 5)


def net(fields, shape=X):
    return one_layer(f'type: "Im2col" bottom: "x" top: "y" convolution_param {{ {fields} }}', x=shape)


@pytest.mark.parametrize("case", sorted(p.name for p in GOLDEN.glob("Im2col_*.npz")))
def test_cases_of_the_original(case):
    check_golden(case)


@pytest.mark.parametrize(("fields", "shape", "top"), [
    ("kernel_size: 3", X, (2, 27, 4, 3)), ("kernel_h: 3 kernel_w: 2 stride_h: 2 stride_w: 1 pad_h: 1 pad_w: 0", X, (2, 18, 3, 4)),
    ("kernel_size: 2 kernel_size: 1 dilation: 2", X, (2, 6, 4, 5)), ("kernel_size: 2", (2, 3, 5), (2, 6, 4)),
    ("kernel_size: 2 axis: 2", X, (2, 3, 12, 4)), ("kernel_size: 2 axis: -4 engine: CAFFE force_nd_im2col: true", X, (16, 2, 5, 4)),
    ("kernel_size: 2", (0, 1, 2, 2), (0, 4, 1, 1))])
def test_shapes(fields, shape, top):
    assert build(net(fields, shape)).layers[-1].top_values[0].spec.shape == top


def test_numbers():
    x = np.arange(9.0).reshape(1, 1, 3, 3)
    blobs, own = run(net("kernel_size: 2 pad: 1 stride: 2", x.shape), {"x": x})
    assert blobs["y"].tolist() == [[[[0, 0], [0, 4]], [[0, 0], [3, 5]], [[0, 1], [0, 7]], [[0, 2], [6, 8]]]] and own == []


@pytest.mark.parametrize(("fields", "words"), [
    ("", "field convolution_param.kernel_size: is given 0 times for 2 spatial axes"),
    ("kernel_size: 7", "field convolution_param.kernel_size = 7 x 7: the kernel reaches over 7 x 7"),
    ("kernel_h: 7 kernel_w: 1", "field convolution_param.kernel_h = 7 x 1"), ("kernel_size: 2 stride: 0", "stride[0] = 0: must be"),
    ("kernel_size: 2 axis: 4", "convolution_param.axis: axis 4 does not exist"),
    ("kernel_size: 2 axis: 3", "convolution_param.axis = 3: leaves no spatial axes after it; input 2 x 3 x 6 x 5"),
    *((f"kernel_size: 2 {f}", "means nothing here: there are no filters; remove it") for f in (
        "num_output: 2", "group: 3", "bias_term: false", "weight_filler { }", "bias_filler { }"))])
def test_refused(fields, words):
    assert words in refused(net(fields))
