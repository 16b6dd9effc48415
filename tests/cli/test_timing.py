"""What is timed, and how it is told. No clock is trusted here."""
import re

import pytest

from caffempi.cli import timing
from caffempi.cli.inputs import fill_inputs
from caffempi.errors import UsageError
from caffempi.net import TRAIN, Net
from tests.cli.conftest import FED, TINY


def make(folder, text):
    (folder / "n").write_text(text)
    net = Net("n", TRAIN, optimised=True, seed=1)
    fill_inputs(net, 1)
    return net


def test_a_training_iteration_changes_the_params_and_a_forward_does_not(folder):
    net = make(folder, TINY)
    before = net.arena.data.copy()
    timing.iteration_of(net, False)()
    assert (net.arena.data == before).all()
    run = timing.iteration_of(net, True)
    run()
    run()
    assert not (net.arena.data == before).all()


def test_an_update_uses_the_gradients_that_are_there(folder):
    net = make(folder, TINY)
    net.arena.grad[...] = 1
    before = net.arena.data.copy()
    timing.update_of(net)()
    assert (net.arena.data <= before).all() and (net.arena.data < before).any()


def test_without_a_loss_there_is_nothing_to_train(folder):
    net = make(folder, TINY[:TINY.index('layer { name: "accuracy"')])
    with pytest.raises(UsageError, match="--train: the net has no loss"):
        timing.iteration_of(net, True)


@pytest.mark.parametrize("text", [TINY, FED], ids=["input", "data layer"])
@pytest.mark.parametrize("iterations, profiles", [(1, 1), (25, 10)])
def test_every_layer_is_profiled_in_both_directions(folder, text, iterations, profiles):
    net = make(folder, text)
    forward, backward = timing.profile(net, iterations)
    assert forward.profiles == backward.profiles == profiles
    names = [layer.name for layer in net.layers]
    assert forward.layers[names.index("ip")] > 0 and backward.layers[names.index("ip")] > 0
    assert (forward.layers[0] > 0) == (text is FED)


def test_layers_whose_shapes_depend_on_the_data_are_profiled_too(folder):
    net = make(folder, '''layer { name: "d" type: "DummyData" top: "x" top: "s" dummy_data_param { shape { dim: 6 dim: 2 } shape { dim: 6 dim: 1 }
  data_filler { type: "gaussian" } data_filler { type: "uniform" min: -0.9 max: 1 } } }
layer { name: "p" type: "Power" bottom: "s" top: "s" power_param { power: 0 shift: 1 } }
layer { name: "f" type: "Filter" bottom: "x" bottom: "s" top: "f" }
layer { name: "r" type: "ReLU" bottom: "f" top: "r" }
''')
    forward, _ = timing.profile(net, 3)
    assert forward.profiles == 3 and all(forward.layers)


def test_lines_are_caffes(folder):
    net = make(folder, TINY)
    forward, backward = timing.Times(len(net.layers)), timing.Times(len(net.layers))
    forward.profiles = backward.profiles = 2
    forward.layers[1], backward.layers[1] = 0.004, 0.010
    lines = timing.lines(net, forward, backward, 3)
    assert lines[0] == "Average time per layer: "
    assert lines[3:5] == ["      conv\tforward: 2 ms.", "      conv\tbackward: 5 ms."]
    assert lines[-4:] == ["Average Forward pass: 2 ms.", "Average Backward pass: 5 ms.", "Average Forward-Backward: 7 ms.",
                          "Total Time: 21 ms."]
    assert len(lines) == 1 + 2 * len(net.layers) + 4


@pytest.mark.parametrize("ms, text", [(0.0, "0.000000"), (0.00001, "0.000010"), (1.5, "1.5"), (123.4567, "123.457")])
def test_numbers_are_never_in_powers_of_ten(ms, text):
    assert timing.number(ms) == text and re.fullmatch(r"[\d.]+", text)


def test_the_median_is_over_all_calls():
    calls = []
    assert timing.median_ms(lambda: calls.append(1), 5) >= 0
    assert len(calls) == 5
