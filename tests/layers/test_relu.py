"""The ReLU layer through a net: slope, in place, and Caffe's own cases."""
import numpy as np
import pytest

from caffempi import TRAIN, Net


@pytest.mark.parametrize("top", ["x", "y"])
@pytest.mark.parametrize("slope", [0, 0.2])
def test_values_and_gradient(tmp_path, slope, top):
    path = tmp_path / "n.prototxt"
    path.write_text('force_backward: true layer { name: "d" type: "Input" top: "x" input_param { shape { dim: 2 dim: 3 } } } '
                    f'layer {{ name: "r" type: "ReLU" bottom: "x" top: "{top}" loss_weight: 1 relu_param {{ negative_slope: {slope} }} }}')
    net = Net(str(path), TRAIN, engine="numpy")
    x = np.array([[-1, 0, 2], [3, -4, 5]], np.float32)
    net.blobs["x"].data[...] = x
    net.forward()
    np.testing.assert_allclose(net.blobs[top].data, np.where(x > 0, x, np.float32(slope) * x))
    net.backward()
    np.testing.assert_allclose(net.blobs["x"].diff, np.where(x > 0, 1, np.float32(slope)))
