"""Blobs by name: values, gradients, shapes and the loss, also while a user's new shape has not been followed yet."""
import numpy as np
import pytest

from caffempi import TRAIN, Net
from caffempi.errors import UsageError

TEXT = """name: "n" force_backward: true input: "x" input_shape { dim: 2 dim: 3 } input: "t" input_shape { dim: 2 dim: 3 }
layer { name: "p" type: "Power" bottom: "x" top: "y" power_param { scale: 2 } }
layer { name: "loss" type: "EuclideanLoss" bottom: "y" bottom: "t" top: "loss" loss_weight: 3 }
layer { name: "side" type: "Power" bottom: "t" top: "side" }
"""


@pytest.fixture
def net(tmp_path):
    (tmp_path / "n").write_text(TEXT)
    made = Net(tmp_path / "n", TRAIN, seed=1, engine="numpy")
    made.blobs["x"].data[...], made.blobs["t"].data[...] = 1, 0
    return made


def test_the_loss_is_of_the_moment_it_is_asked_for(net):
    values = net._runner.values
    net.forward()
    before = values.begin_loss()
    net.blobs["loss"].diff[...] = 1
    assert before() == pytest.approx(3 * 6) and values.begin_loss()() == pytest.approx(6)
    assert net.begin_pass()() == pytest.approx(6) and net.forward_backward() == pytest.approx(6)


def test_values_gradients_and_views(net):
    values = net._runner.values
    net.forward()
    net.backward()
    np.testing.assert_allclose(values.value("y"), 2)
    assert np.shares_memory(values.data("y"), values.value("y")) and np.shares_memory(values.diff("y"), values.gradient("y"))
    np.testing.assert_array_equal(net.read("y"), values.value("y"))


def test_a_new_shape_shows_at_once(net):
    net.blobs["x"].reshape(4, 3)
    assert net._runner.values.shape("x") == (4, 3) == net.blobs["x"].data.shape
    assert net._runner.values.shape("y") == (2, 3)


def test_first_nonfinite(net):
    net.blobs["x"].data[0, 0] = np.nan
    net.forward()
    assert net._runner.values.first_nonfinite() == 'layer "input" (Input), blob "x"'


def test_what_is_not_observed_is_refused(tmp_path):
    (tmp_path / "n").write_text(TEXT)
    net = Net(tmp_path / "n", TRAIN, seed=1, engine="numpy", optimised=True)
    with pytest.raises(UsageError, match="not observed"):
        net._runner.values.value("y")
