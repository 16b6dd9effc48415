"""Sizes by purpose add up, the report names the fullest moment, and the search for a batch finds the largest one."""
import pytest

from caffempi import TEST, TRAIN, Net
from caffempi.plan.sizes import HISTORIES, for_blobs, largest_batch, one_buffer_a_blob, report, sizes_of
from tests.helpers.pylayers import inputs
from tests.helpers.randomnets import random_net

NET = inputs(x=(2, 3, 8, 8), label=(2,)) + """
layer { name: "c" type: "Convolution" bottom: "x" top: "c" convolution_param { num_output: 4 kernel_size: 3 pad: 1 } }
layer { name: "r" type: "ReLU" bottom: "c" top: "c" }
layer { name: "p" type: "Pooling" bottom: "c" top: "p" pooling_param { kernel_size: 2 stride: 2 } }
layer { name: "f" type: "Flatten" bottom: "p" top: "f" }
layer { name: "ip" type: "InnerProduct" bottom: "f" top: "ip" inner_product_param { num_output: 5 } }
layer { name: "loss" type: "SoftmaxWithLoss" bottom: "ip" bottom: "label" top: "loss" }
"""
BLOBS = 4 * (2 * 4 * 64 + 2 * 4 * 16 + 2 * 5)                   # c, p (and f, the same memory), ip


@pytest.fixture
def net(tmp_path):
    def make(text=NET, phase=TRAIN, **how):
        (tmp_path / "n").write_text(text)
        return Net(tmp_path / "n", phase, seed=1, engine="numpy", **how)
    return make


def test_one_buffer_a_blob_counts_what_caffe_shares_once(net):
    trained, run = net(optimised=True), net(optimised=True, forward_only=True)
    assert one_buffer_a_blob(trained.binding.blueprint) == 2 * BLOBS + 4 + 4   # and the loss
    assert one_buffer_a_blob(run.binding.blueprint) == BLOBS + 4


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("how", [{}, {"optimised": True}, {"optimised": True, "no_pass": ["memory"]}])
def test_sizes_are_what_is_allocated_in_the_end(net, seed, how):
    n = net(random_net(seed), **how)
    n.forward_backward()
    n.forward_backward(add=True)
    b = n.binding
    for v in n.graph.values:                                    # what nobody has looked at so far
        b.array(v)
    sizes = sizes_of(b.blueprint, histories=2)
    assert sizes[HISTORIES] == 2 * n.arena.data.nbytes and all(sizes.values())
    held = sum(sizes.values()) - sizes[HISTORIES] + b.blueprint.adding
    assert held == b.storage.nbytes + n.arena.data.nbytes + n.arena.grad.nbytes + n.arena.stat.nbytes


def test_an_optimised_net_needs_less_than_an_observed_one(net):
    seen, free = (net(**how).binding.blueprint for how in ({}, {"optimised": True}))
    assert for_blobs(free) < for_blobs(seen) and for_blobs(free) < one_buffer_a_blob(free)


def test_the_report_tells_total_peak_and_share(net):
    b = net(optimised=True).binding.blueprint
    lines = report(b, 1, 10**7)
    total = (10**7 + sum(sizes_of(b, 1).values())) / 1e6
    text = "\n".join(lines)
    assert lines[0].endswith("10.000 MB  the program itself") and f"{total:.3f} MB  in all" in text
    assert "the arena is fullest in " in text and 'activations, layer "c"' in text
    assert f"{100 * for_blobs(b) / one_buffer_a_blob(b):.1f} %" in lines[-1]


def test_a_net_for_forward_runs_has_no_gradients(net):
    sizes = sizes_of(net(phase=TEST, optimised=True, forward_only=True).binding.blueprint)
    assert not any("gradient" in what or "backward" in what for what in sizes)


@pytest.mark.parametrize("base, each, limit", [(100, 10, 1000), (0, 7, 50), (3, 1, 10**6), (0, 999, 1000), (5, 333, 10**5)])
@pytest.mark.parametrize("start", [1, 64])
def test_the_largest_batch_is_found_with_few_sizes(base, each, limit, start):
    asked = []

    def total(n):
        asked.append(n)
        return base + each * n + (n // 16) * 3
    best, nbytes = largest_batch(total, limit, start)
    assert nbytes == total(best) <= limit < total(best + 1)
    assert len(set(asked)) < 24


@pytest.mark.parametrize("step", [2, 50, 10_000])
def test_sizes_in_steps_are_searched_through(step):
    best, _ = largest_batch(lambda n: n // step * step, 30_000, 64)
    assert best // step * step <= 30_000 < (best + 1) // step * step


def test_nothing_fits():
    assert largest_batch(lambda n: 100 * n, 99, 64) == (0, 100)
