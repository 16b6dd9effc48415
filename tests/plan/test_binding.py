"""Programs: steps by layer, whole and in part, errors located, params that no step writes zeroed, buckets between steps."""
import numpy as np
import pytest

from caffempi import TRAIN, Net
from caffempi.errors import DataError
from caffempi.plan.binding import Binding
from caffempi.plan.blueprint import Blueprint
from caffempi.plan.program import Program
from caffempi.plan.step import Step
from caffempi.plan.storage import Storage
from tests.helpers.randomnets import random_net


def recorded(layers, falling=False):
    said = []
    return Program([Step("F", k, lambda i=i: said.append(i)) for i, k in enumerate(layers)], [], falling), said


@pytest.mark.parametrize("layers, falling, run, want", [
    ([0, 1, 1, 3], False, (1, 1), [1, 2]), ([0, 1, 1, 3], False, (2, 3), [3]), ([0, 1, 1, 3], False, (0, 3), [0, 1, 2, 3]),
    ([3, 1, 1, 0], True, (3, 1), [0, 1, 2]), ([3, 1, 1, 0], True, (2, 0), [1, 2, 3]), ([3, 1], True, (0, 0), []),
])
def test_ranges_of_layers(layers, falling, run, want):
    program, said = recorded(layers, falling)
    program.run_layers(*run)
    assert said == want
    said.clear()
    program.run()
    assert said == list(range(len(layers)))


def test_an_error_in_a_step_names_its_layer(tmp_path):
    path = tmp_path / "n.prototxt"
    path.write_text(random_net(3))
    net = Net(str(path), TRAIN, seed=1)
    net.blobs["label"].data[...] = 77
    with pytest.raises(DataError, match=r'layer "softmaxwithloss\d+" \(SoftmaxWithLoss\).*n.prototxt:\d+.*77'):
        net.forward()


@pytest.mark.parametrize("seed", range(6))
def test_observed_layers_own_contiguous_steps_in_the_nets_order(tmp_path, seed):
    path = tmp_path / "n.prototxt"
    path.write_text(random_net(seed))
    net = Net(str(path), TRAIN, engine="numpy", seed=1)
    b = net._runner.binding
    up = [s.layer for s in b.forward.steps]
    down = [s.layer for s in b.backward_add.steps]
    assert up == sorted(up) and down == sorted(down, reverse=True)


@pytest.mark.parametrize("seed", range(12))
def test_overwriting_equals_clearing_and_adding(tmp_path, seed):
    """The program of a solver's first pass gives the gradients that pycaffe's clear and backward give, frozen params' too."""
    path = tmp_path / "n.prototxt"
    path.write_text(random_net(seed))
    net = Net(str(path), TRAIN, engine="numpy", seed=1, dtype="float64")
    net.blobs["data"].data[...] = np.random.default_rng(seed).standard_normal(net.blobs["data"].shape)
    net.arena.grad.fill(9)
    net.forward_backward()
    want = {p.name: net.arena.view(p, net.arena.grad).copy() for p in net.arena.params}
    net.run_ordinal = 0
    net.clear_param_diffs()
    for info in net.graph.layers:                               # statistics start over, so that both runs see the same
        for v in info.blobs:
            if v.kind == "stat":
                net.param_state.array(v.param)[...] = 0
    net.forward()
    net.backward()
    for p in net.arena.params:
        np.testing.assert_allclose(net.arena.view(p, net.arena.grad), want[p.name], rtol=1e-9, atol=1e-12, err_msg=p.name)


@pytest.mark.parametrize("until", [1, 2, 3])
def test_a_binding_of_the_first_nodes_runs_these_alone(tmp_path, until):
    path = tmp_path / "n.prototxt"
    path.write_text('layer { name: "d" type: "Input" top: "x" input_param { shape { dim: 2 } } }\n' + "".join(
        f'layer {{ name: "p{k}" type: "Power" bottom: "{b}" top: "y{k}" power_param {{ shift: 1 }} }}\n' for k, b in enumerate(["x", "y0", "y1"])))
    net = Net(path, TRAIN, seed=1)
    part = Binding(Blueprint(net.plan, {"x": (2,)}, until=until), Storage(net.plan.engine), net.param_state, net._runner._fires)
    assert not part.whole and len(part.nodes) == until and net.binding.whole
    part.forward.run()
    made = [part.array(net.graph.blobs[f"y{k}"][-1]) for k in range(3)]
    assert [a is not None for a in made] == [k < until for k in range(3)]
    np.testing.assert_array_equal(made[until - 1], [until, until])
    part.backward.run()
