"""The memory pass: no two buffers in use at once overlap, little is wasted, and nothing is read that is no longer there."""
import random

import numpy as np
import pytest

from caffempi import TEST, TRAIN, Net
from caffempi.errors import UsageError
from caffempi.plan.buffers import Buffer
from caffempi.plan.memory import ALIGN, place, usage
from tests.helpers.poison import poison
from tests.helpers.pylayers import inputs, layer, write
from tests.helpers.randomnets import random_net
from tests.plan.test_plan import numbers, same


def buffers(times, sizes=None):
    return [Buffer(k, n, "act", first=a, last=b) for k, ((a, b), n) in enumerate(zip(times, sizes or [64] * len(times), strict=True))]


def overlapping(found):
    return [(a.key, b.key) for i, a in enumerate(found) for b in found[:i] if a.nbytes and b.nbytes and a.first <= b.last and b.first <= a.last and
            a.offset < b.offset + b.nbytes and b.offset < a.offset + a.nbytes]


@pytest.mark.parametrize("times, sizes, want", [
    ([], [], 0), ([(0, 0)], [1], 64), ([(0, 1), (1, 2)], [64, 64], 128), ([(0, 0), (1, 1), (2, 2)], [64, 128, 30], 128),
    ([(0, 9), (1, 1), (2, 2), (3, 3)], [64, 640, 64, 128], 704), ([(0, 3), (1, 2), (2, 9)], [0, 64, 64], 128)])
def test_what_is_not_in_use_at_once_shares(times, sizes, want):
    found = buffers(times, sizes)
    assert place(found) == want and not overlapping(found)


@pytest.mark.parametrize("seed", range(30))
def test_random_lifetimes_never_overlap_and_waste_little(seed):
    r = random.Random(seed)
    times = [(a, a + r.choice([0, 0, 1, 2, 5, 40])) for a in (r.randrange(100) for _ in range(r.choice([5, 60, 200])))]
    found = buffers(times, [r.choice([0, 1, 64, 1000, r.randrange(1, 100_000)]) for _ in times])
    size = place(found)
    assert not overlapping(found) and all(b.offset % ALIGN == 0 for b in found)
    assert max(b.offset + b.nbytes for b in found) <= size
    assert usage(found)[0] <= size <= 1.3 * usage(found)[0]


def test_time_order_gives_way_where_it_wastes():
    """The small one that stays would stand between two halves of what the large one needs."""
    found = buffers([(0, 0), (0, 5), (1, 5)], [64 * 8, 64, 64 * 8])
    assert place(found) == 64 * 9 and not overlapping(found)
    found = buffers([(0, 1), (1, 9), (2, 9)], [640, 64, 704])
    assert place(found) == 64 * 12 == usage(found)[0] and not overlapping(found)


def test_usage_says_how_much_and_when():
    assert usage(buffers([(0, 2), (2, 3), (3, 9)], [64, 128, 1])) == (192, 2)
    assert usage([]) == (0, 0)


@pytest.mark.parametrize("seed", range(30))
def test_nothing_is_read_after_its_memory_was_used_again(tmp_path, monkeypatch, seed):
    """NaN in all that is not in use, before every step, changes no number; the arena is in use in observed nets too."""
    path = tmp_path / "n.prototxt"
    path.write_text(random_net(seed))
    want = numbers(str(path), seed, no_pass=["memory"])
    init, sizes = Net.__init__, []

    def poisoned(self, *args, **how):
        init(self, *args, **how)
        sizes.append(poison(self))
    monkeypatch.setattr(Net, "__init__", poisoned)
    same(numbers(str(path), seed, optimised=True), want, 1e-9)
    same(numbers(str(path), seed), want, 1e-9)
    same(numbers(str(path), seed, optimised=True, no_pass=["alias", "accumulate"]), want, 1e-9)
    assert sizes[0] > 0
    single = numbers(str(path), seed, "float32", optimised=True, engine=None)
    monkeypatch.undo()
    for k, v in numbers(str(path), seed, "float32", optimised=True, engine=None, no_pass=["memory"]).items():
        np.testing.assert_array_equal(single[k], v, err_msg=k)  # the very same kernels run


@pytest.mark.parametrize("seed", range(4))
def test_the_pass_can_be_left_out(tmp_path, seed):
    path = tmp_path / "n.prototxt"
    path.write_text(random_net(seed))
    on, off = (Net(str(path), TRAIN, seed=1, optimised=True, no_pass=how).binding.blueprint for how in ((), ("memory",)))
    assert off.arena == 0 and not any(b.offset is not None for b in off.buffers)
    assert on.arena + sum(on.owned.values()) < sum(off.owned.values())


def test_backward_twice_or_without_forward_is_refused_where_memory_is_shared(tmp_path):
    path = tmp_path / "n.prototxt"
    path.write_text(random_net(1))
    net = Net(str(path), TRAIN, seed=1, optimised=True)
    for _ in range(2):
        with pytest.raises(UsageError, match="must follow a forward run"):
            net.backward()
        net.forward()
        net.backward()
    net.forward()
    net.blobs["data"].reshape(1, *net.blobs["data"].shape[1:])
    net.blobs["label"].reshape(1)
    net.reshape()
    with pytest.raises(UsageError, match="must follow a forward run"):
        net.backward()
    net = Net(str(path), TRAIN, seed=1)
    net.forward()
    net.backward()
    net.backward()


def test_a_net_for_forward_runs_needs_less_and_gives_the_same(tmp_path):
    path = tmp_path / "n.prototxt"
    conv = 'convolution_param { num_output: 16 kernel_size: 3 pad: 1 weight_filler { type: "xavier" } }'
    path.write_text(inputs(data=(2, 4, 8, 8), label=(2,)) + "".join(
        f'layer {{ name: "c{k}" type: "Convolution" bottom: "{below}" top: "c{k}" {conv} }}\n'
        for k, below in enumerate(["data", "c0", "c1", "c2", "c3"])) + 'layer { name: "ip" type: "InnerProduct" bottom: "c4" '
        'top: "ip" inner_product_param { num_output: 3 weight_filler { type: "xavier" } } }\n'
        'layer { name: "loss" type: "SoftmaxWithLoss" bottom: "ip" bottom: "label" top: "loss" }')
    nets = [Net(str(path), TEST, seed=1, optimised=True, forward_only=only) for only in (False, True)]
    x = np.random.default_rng(1).standard_normal((2, 4, 8, 8))
    losses = []
    for net in nets:
        net.blobs["data"].data[...] = x
        losses.append(net.run_forward())
    assert losses[0] == pytest.approx(losses[1], rel=1e-5)
    assert 2 * nets[1].binding.blueprint.arena < nets[0].binding.blueprint.arena and not nets[1].plan.backward
    assert not nets[1].blobs["data"].diff.any() and not any(p.diff.any() for ps in nets[1].params.values() for p in ps)
    with pytest.raises(UsageError, match="forward runs only"):
        nets[1].backward()


PYTHON = """import caffempi
class Keep(caffempi.Layer):
    def setup(self, bottom, top): top[0].reshape(*bottom[0].shape)
    def forward(self, bottom, top):
        kept = bottom[0].data[bottom[1].data.reshape(-1) != 0]
        top[0].reshape(*kept.shape)
        top[0].data[...] = kept
    def backward(self, top, propagate_down, bottom):
        bottom[0].diff[...] = 0
        bottom[0].diff[bottom[1].data.reshape(-1) != 0] = top[0].diff
"""


@pytest.mark.parametrize("engine", ["numpy", None])
def test_what_a_dynamic_layer_separates_survives_the_change_of_shapes(tmp_path, engine):
    conv = 'convolution_param { num_output: 16 kernel_size: 3 pad: 1 weight_filler { type: "xavier" } }'
    text = inputs(x=(4, 16, 6, 6), k=(4,)) + f"""
      layer {{ name: "a" type: "Convolution" bottom: "x" top: "a" {conv} }}
      layer {{ name: "ra" type: "ReLU" bottom: "a" top: "a" }}
      layer {{ name: "b" type: "Convolution" bottom: "a" top: "b" {conv} }}
      {layer("f", "Keep", "b", "k")}
      layer {{ name: "c" type: "Convolution" bottom: "f" top: "c" {conv} }}
      layer {{ name: "rc" type: "Sigmoid" bottom: "c" top: "c" }}
      layer {{ name: "r" type: "Reduction" bottom: "a" top: "r" loss_weight: 0.1 reduction_param {{ operation: SUMSQ }} }}
      layer {{ name: "s" type: "Reduction" bottom: "c" top: "s" loss_weight: 1 reduction_param {{ operation: SUMSQ }} }}"""
    path = write(tmp_path, PYTHON, text)
    nets = [Net(path, TRAIN, seed=3, engine="numpy"), Net(path, TRAIN, seed=3, engine=engine, optimised=True)]
    rng = np.random.default_rng(1)
    for kept in ([1, 0, 1, 1], [0, 0, 0, 1], [1, 1, 1, 1], [1, 0, 1, 0], [1, 0, 1, 1]):
        x = rng.standard_normal((4, 16, 6, 6))
        for net in nets:
            net.blobs["x"].data[...], net.blobs["k"].data[...] = x, kept
        losses = [net.forward_backward() for net in nets]
        np.testing.assert_allclose(losses[1], losses[0], rtol=1e-3)
        want, got = (net.arena.grad for net in nets)
        np.testing.assert_allclose(got, want, rtol=1e-2, atol=1e-3 * np.abs(want).max())
