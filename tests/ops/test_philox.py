"""Philox4x32-10 gives the published known answers, and streams depend on all of their key and nothing else."""
import numpy as np
import pytest

from caffempi.ops.philox import Rng, philox4x32


@pytest.mark.parametrize("counter, key, want", [                # known answers of the authors' Random123 distribution
    ([0, 0, 0, 0], (0, 0), "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ([0xFFFFFFFF] * 4, (0xFFFFFFFF, 0xFFFFFFFF), "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ([0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344], (0xA4093822, 0x299F31D0), "d16cfe09 94fdcceb 5001e420 24126ea1"),
])
def test_known_answers(counter, key, want):
    got = philox4x32(np.array(counter, np.uint64).reshape(4, 1), key)
    assert " ".join(f"{int(v):08x}" for v in got[:, 0]) == want


def test_streams_differ_by_seed_purpose_layer_rank_and_run_and_repeat_otherwise():
    def draw(seed=1, purpose="dropout", layer="drop", rank=0, run=0, n=7):
        r = Rng(seed, purpose, layer, rank)
        r.run = run
        return tuple(r.uint32(n).tolist())
    base = draw()
    assert base == draw() and draw(n=3) == base[:3]
    others = {draw(seed=2), draw(purpose="pool"), draw(layer="d2"), draw(rank=1), draw(run=1), draw(run=1 << 40)}
    assert len(others) == 6 and base not in others


def test_uniform_is_in_range_and_even():
    u = Rng(3, "x", "y").uniform(40001)
    assert u.shape == (40001,) and u.min() >= 0 and u.max() < 1 and abs(u.mean() - 0.5) < 0.01
    assert np.abs(np.histogram(u, 10)[0] - 4000).max() < 300
    assert Rng(3, "x", "y").uniform(0).size == 0
