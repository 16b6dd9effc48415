"""Where two nets part."""
import numpy as np
import pytest

from caffempi.cli.comparing import Difference, compare, difference, verdict
from caffempi.cli.inputs import fill_inputs
from caffempi.net import TRAIN, Net
from tests.cli.conftest import TINY

nan, inf = np.nan, np.inf


@pytest.mark.parametrize("a, b, largest, relative", [
    ([1, -2], [1, -2], 0, 0), ([1, -2], [1.5, -2], 0.5, 0.25), ([0, 0], [0, 1], 1, inf), ([], [], 0, 0),
    ([nan, 1], [nan, 1], 0, 0), ([nan, 1], [0, 1], inf, inf), ([inf, 2], [inf, 2], 0, 0), ([inf, 2], [-inf, 2], inf, inf),
    ([1, 2], [nan, 2], inf, inf),
])
def test_difference(a, b, largest, relative):
    assert difference(np.array(a, np.float32), np.array(b, np.float32)) == (largest, relative)


def nets(folder, change=None, **second):
    (folder / "n").write_text(TINY)
    pair = [Net("n", TRAIN, seed=1), Net("n", TRAIN, seed=1, **second)]
    for net in pair:
        fill_inputs(net, 2)
    if change is not None:
        change(pair[1])
    return pair


def test_equal_nets_do_not_differ_and_every_array_is_looked_at(folder):
    found = list(compare(*nets(folder)))
    assert all(d.largest == 0 for d in found)
    assert verdict(found, 0)[1] is False
    told = [(d.layer, d.what, d.name) for d in found]
    assert told[:4] == [("data", "top", "data"), ("data", "top", "label"), ("conv", "top", "conv"), ("relu", "top", "conv")]
    assert told[-5:] == [("ip", "param diff", "0"), ("ip", "param diff", "1"), ("relu", "bottom diff", "conv"),
                         ("conv", "param diff", "0"), ("conv", "param diff", "1")]


def test_the_first_layer_that_differs_is_named(folder):
    def change(net):
        net.params["ip"][1].data[...] += 1
    line, differs = verdict(list(compare(*nets(folder, change))), 1e-4)
    assert differs and line.startswith('first difference: layer "ip" (InnerProduct), top "ip": 1, relative ')


def test_a_difference_in_backward_alone_is_named_as_such(folder):
    def change(net):
        net.blobs["loss"].diff[...] = 3
    line, differs = verdict(list(compare(*nets(folder, change))), 1e-4)
    assert differs and line.startswith('first difference: layer "loss" (SoftmaxWithLoss), gradient of bottom "ip"')


@pytest.mark.parametrize("second", [{"optimised": True}, {"observe": ["ip"]}, {"engine": "numpy"}, {"no_pass": ["prune"]}])
def test_other_ways_to_run_a_net_agree(folder, second):
    found = list(compare(*nets(folder, **second)))
    assert not verdict(found, 1e-4)[1]
    assert ("ip", "top") in [(d.layer, d.what) for d in found] or "observe" not in second


def test_what_is_not_observed_by_both_is_left_out(folder):
    assert "conv" not in [d.layer for d in compare(*nets(folder, optimised=True)) if d.what == "top"]


def test_a_relative_difference_that_is_not_a_number_counts():
    assert verdict([Difference("l", "T", "stat", "0", np.inf, np.nan)], 1)[1]
