"""What a convolution's calls become: sizes, steps, layouts."""
import numpy as np
import pytest

from caffempi.engines.base import Call
from caffempi.engines.cuda.conv import Conv, conv_of, strides
from caffempi.ops import Spec, get_op
from caffempi.ops.conv import ConvAttrs
from caffempi.ops.fused import FusedAttrs
from caffempi.ops.relu import ReluAttrs

ATTRS = ConvAttrs((3, 2), (2, 1), (1, 0), (1, 2), 2)
X, W, B = Spec((4, 6, 9, 8)), Spec((10, 3, 3, 2)), Spec((10,))
Y = get_op("conv").infer(ATTRS, [X, W, B])[0]
SIZES = {"x": X.shape, "w": W.shape, "y": Y.shape, "stride": (2, 1), "dilation": (1, 2), "low": (1, 0), "high": (1, 0)}


@pytest.mark.parametrize(("call", "kind", "bias"), [
    (Call("conv", ATTRS, (X, W, B), (Y,)), "forward", True), (Call("conv", ATTRS, (X, W), (Y,)), "forward", False),
    (Call("conv_dx", ATTRS, (W, Y), (X,)), "data", False), (Call("conv_dw", ATTRS, (X, Y), (W,)), "weights", False)])
def test_each_product_names_the_same_three_arrays(call, kind, bias):
    assert conv_of(call, "float16", True) == Conv(kind, **SIZES, dtype="float16", last=True, bias=bias)
    assert conv_of(call).groups == 2


def test_relu_behind_it_and_tf32():
    call = Call("fused", FusedAttrs(("conv", "relu"), (ATTRS, ReluAttrs()), (3, 0)), (X, W, B), (Y,))
    assert conv_of(call, tf32=True) == Conv("forward", **SIZES, bias=True, relu=True, tf32=True)
    assert not conv_of(call, "float16", tf32=True).tf32


def test_axes_before_the_channels_are_one_batch_and_one_axis_becomes_two():
    attrs = ConvAttrs((3,), (1,), (1,), (2,), 1, 2)
    x, w = Spec((2, 5, 4, 20)), Spec((6, 4, 3))
    made = conv_of(Call("conv", attrs, (x, w), tuple(get_op("conv").infer(attrs, [x, w]))))
    assert (made.x, made.y) == ((10, 4, 20), (10, 6, 18))
    wide = made.wide()
    assert (wide.x, wide.w, wide.y) == ((10, 4, 1, 20), (6, 4, 1, 3), (10, 6, 1, 18))
    assert (wide.stride, wide.dilation, wide.low, wide.high) == ((1, 1), (1, 2), (0, 1), (0, 1))
    assert wide.wide() is wide


@pytest.mark.parametrize("shape", [(2, 3, 4, 5), (2, 3, 4, 5, 6), (1, 1, 1, 1), (2, 3, 4)])
def test_strides_are_those_of_numpy(shape):
    a = np.zeros(shape, np.int8)
    assert strides(shape, False) == list(a.strides)
    last = np.moveaxis(np.zeros((shape[0], *shape[2:], shape[1]), np.int8), -1, 1)
    assert [s for s, d in zip(strides(shape, True), shape, strict=True) if d > 1] == [
        s for s, d in zip(last.strides, shape, strict=True) if d > 1]
