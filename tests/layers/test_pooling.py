"""Pooling layers: forms of the fields, the mask, phases, what is refused, cases of the original."""
import numpy as np
import pytest

from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import check_golden

X = (2, 3, 8, 7)


def net(fields, shape=X, tops='top: "y"'):
    return one_layer(f'type: "Pooling" bottom: "x" {tops} pooling_param {{ {fields} }}', x=shape)


@pytest.mark.parametrize("case", ["Pooling_01", "Pooling_03", "Pooling_07"])
def test_cases_of_the_original(case):
    check_golden(f"{case}.npz")


@pytest.mark.parametrize(("fields", "top"), [
    ("kernel_size: 2 stride: 2", (2, 3, 4, 4)), ("kernel_size: 2 stride: 2 round_mode: FLOOR", (2, 3, 4, 3)),
    ("kernel_h: 3 kernel_w: 2 stride_h: 1 stride_w: 2 pad_h: 1 pad_w: 0", (2, 3, 8, 4)),
    ("global_pooling: true pool: AVE", (2, 3, 1, 1)),
    ("kernel_size: 3 stride: 2 pad: 1 engine: CUDNN", (2, 3, 5, 4)), ("kernel_size: 3", (2, 3, 6, 5)),
    ("global_pooling: true stride: 1 pad: 0", (2, 3, 1, 1))])
def test_shapes(fields, top):
    assert build(net(fields)).layers[-1].top_values[0].spec.shape == top


@pytest.mark.parametrize(("pool", "phase", "op"), [
    ("MAX", "TRAIN", "max_pool"), ("AVE", "TEST", "ave_pool"), ("STOCHASTIC", "TRAIN", "stochastic_pool"),
    ("STOCHASTIC", "TEST", "stochastic_pool_mean")])
def test_which_op(pool, phase, op):
    assert build(net(f"pool: {pool} kernel_size: 2"), phase).nodes[-1].op == op


def test_mask_and_numbers():
    x = np.array([[1.0, 5, 2], [4, 5, 0], [7, 7, 7]]).reshape(1, 1, 3, 3)
    blobs, _ = run(net("kernel_size: 2", x.shape, 'top: "y" top: "mask"'), {"x": x})
    np.testing.assert_array_equal(blobs["y"][0, 0], [[5, 5], [7, 7]])
    np.testing.assert_array_equal(blobs["mask"][0, 0], [[1, 1], [6, 7]])
    assert blobs["mask"].dtype == np.float32
    blobs, _ = run(net("kernel_size: 2 pad: 1 stride: 2 pool: AVE", x.shape), {"x": x})
    np.testing.assert_array_equal(blobs["y"][0, 0], [[0.25, 1.75], [2.75, 4.75]])


@pytest.mark.parametrize(("fields", "words"), [
    ("pool: MAX", "pooling_param.kernel_size: is missing; give kernel_size, or kernel_h and kernel_w, or global_pooling"),
    ("kernel_size: 0", "field pooling_param.kernel_size = 0: must be at least 1"),
    ("kernel_h: 2", "kernel_h = 2: is given without the other side; give both kernel_h and kernel_w, or kernel_size"),
    ("kernel_h: 2 kernel_w: 0", "field pooling_param.kernel_w = 0: must be at least 1"),
    ("kernel_size: 2 kernel_w: 2", "field pooling_param.kernel_size = 2: is given beside kernel_w"),
    ("kernel_size: 2 stride: 0", "field pooling_param.stride = 0: must be at least 1"),
    ("kernel_size: 2 stride_w: 2", "field pooling_param.stride_w = 2: is given without the other side"),
    ("kernel_size: 2 stride: 1 stride_w: 2 stride_h: 2", "field pooling_param.stride = 1: is given beside stride_h"),
    ("kernel_size: 2 pad: 2", "field pooling_param.pad = 2: must be less than the kernel, 2"),
    ("kernel_size: 2 pad_h: 0 pad_w: 3", "field pooling_param.pad_w = 3: must be less than the kernel, 2"),
    ("kernel_size: 2 pad_h: 1", "field pooling_param.pad_h = 1: is given without the other side"),
    ("global_pooling: true kernel_size: 2",
     "field pooling_param.kernel_size = 2: cannot stand beside global_pooling: true"),
    ("global_pooling: true stride: 2", "field pooling_param.stride = 2: must be 1 beside global_pooling: true"),
    ("global_pooling: true pad: 1", "field pooling_param.pad = 1: must be 0 beside global_pooling: true"),
    ("pool: STOCHASTIC kernel_size: 3 pad: 1",
     "field pooling_param.pad = 1: padding is for MAX and AVE pooling only"),
    ("kernel_size: 12", "the window 12 x 12 with padding 0 x 0 is too large for the input 2 x 3 x 8 x 7"),
])
def test_refused(fields, words):
    message = refused(net(fields))
    assert message.startswith('layer "l" (Pooling)') and words in message


def test_a_mask_is_for_max_only_and_images_have_four_axes():
    message = refused(net("pool: AVE kernel_size: 2", tops='top: "y" top: "m"'))
    assert "pool = AVE: a second top (the mask) is for MAX" in message
    assert "4 axes (N x C x H x W); got 2 x 3" in refused(net("kernel_size: 2", (2, 3)))
