"""Filter through nets: what follows takes the shape that each run gives, downstream layers, branches and gradients included."""
import numpy as np
import pytest

from caffempi import TRAIN, Net
from caffempi.errors import NetError
from tests.helpers.netcheck import check_golden

TEXT = """force_backward: true
layer { name: "d" type: "Input" top: "x" top: "s" input_param { shape { dim: 5 dim: 3 } shape { dim: 5 dim: 1 } } }
layer { name: "f" type: "Filter" bottom: "x" bottom: "s" top: "f" }
layer { name: "ip" type: "InnerProduct" bottom: "f" top: "ip" inner_product_param { num_output: 2 weight_filler { type: "xavier" } } }
layer { name: "g" type: "Filter" bottom: "ip" bottom: "t" top: "out" }
layer { name: "p" type: "Power" bottom: "out" top: "p" loss_weight: 1 power_param { power: 2 } }
""".replace('layer { name: "g"', 'layer { name: "e" type: "Power" bottom: "ip2" top: "t" }\nlayer { name: "g"').replace(
    'layer { name: "e"', 'layer { name: "ip2" type: "InnerProduct" bottom: "f" top: "ip2" inner_product_param { num_output: 1 '
    'weight_filler { type: "constant" value: 1 } } }\nlayer { name: "r" type: "ReLU" bottom: "ip2" top: "ip2" }\nlayer { name: "e"')


@pytest.mark.parametrize("case", [f"Filter_0{i}.npz" for i in range(8)])
def test_golden(case):
    check_golden(case)


@pytest.mark.parametrize("optimised", [False, True])
def test_two_filters_in_a_row_over_changing_selectors(tmp_path, optimised):
    path = tmp_path / "n.prototxt"
    path.write_text(TEXT)
    net = Net(str(path), TRAIN, seed=1, dtype="float64", engine="numpy", optimised=optimised)
    w = net.params["ip"][0].data
    rng = np.random.default_rng(2)
    for selector in ([1, 1, 0, 1, 0], [0, 0, 0, 0, 0], [1] * 5, [0, 0, 1, 0, 0], [1, 1, 0, 1, 0]):
        x = rng.standard_normal((5, 3))
        net.blobs["x"].data[...] = x
        net.blobs["s"].data[:, 0] = selector
        loss = net.forward_backward()
        first = np.flatnonzero(selector)
        second = first[x[first].sum(1) > 0]
        y = x[second] @ w.T
        np.testing.assert_allclose(net.blobs["p"].data, y * y)
        assert loss == pytest.approx((y * y).sum())
        want = np.zeros((5, 3))
        want[second] = 2 * y @ w
        np.testing.assert_allclose(net.blobs["x"].diff, want, atol=1e-12)


@pytest.mark.parametrize("layer, message", [
    ('bottom: "x" bottom: "s" top: "a" top: "b"', "one top for each bottom but the selector"),
    ('bottom: "x" bottom: "s" top: "a" propagate_down: true propagate_down: true', "can get no gradient"),
])
def test_refusals(tmp_path, layer, message):
    path = tmp_path / "n.prototxt"
    path.write_text(TEXT.splitlines()[1] + f'layer {{ name: "f" type: "Filter" {layer} }}')
    with pytest.raises(NetError, match=message):
        Net(str(path), TRAIN)
