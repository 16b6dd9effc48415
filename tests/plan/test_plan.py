"""The property that guards the whole design: what is observed, and which passes run, changes no number beyond rounding."""
import numpy as np
import pytest

from caffempi import TEST, TRAIN, Net
from caffempi.engines.choose import BEST_FIRST, make_engine
from caffempi.errors import EngineError, UsageError
from caffempi.plan.plan import ALL, PASSES, make_plan
from tests.helpers.randomnets import random_net


def numbers(path, seed, dtype="float64", **how):
    """Outputs, input gradients and param gradients of a forward and two backward runs, the second adding."""
    net = Net(path, how.pop("phase", TRAIN), seed=5, dtype=dtype, engine=how.pop("engine", "numpy"), **how)
    rng = np.random.default_rng(seed)
    out = {}
    for step in range(2):
        net.blobs["data"].data[...] = rng.standard_normal(net.blobs["data"].shape)
        net.blobs["label"].data[...] = rng.integers(0, 5, net.blobs["label"].shape)
        out[f"loss {step}"] = net.forward_backward(add=step > 0)
        out.update({f"{b} {step}": net.blobs[b].data.copy() for b in net.outputs})
        out[f"data diff {step}"] = net.blobs["data"].diff.copy()
        out.update({f"{layer}/{k} {step}": p.diff.copy() for layer, ps in net.params.items() for k, p in enumerate(ps)})
        out.update({f"{layer}/{k} data {step}": p.data.copy() for layer, ps in net.params.items() for k, p in enumerate(ps)})
    return out


def same(got, want, tol):
    assert got.keys() == want.keys()
    for k, w in want.items():
        limit = tol * max(1.0, float(np.abs(w).max(initial=0)))
        assert np.abs(got[k] - w).max(initial=0) <= limit, f"{k} differs by {np.abs(got[k] - w).max():.3g}"


@pytest.fixture
def written(tmp_path):
    def write(seed):
        path = tmp_path / f"net{seed}.prototxt"
        path.write_text(random_net(seed))
        return str(path)
    return write


@pytest.mark.parametrize("seed", range(40))
def test_observing_less_and_leaving_passes_out_changes_nothing(written, seed):
    path = written(seed)
    want = numbers(path, seed)
    same(numbers(path, seed, optimised=True), want, 1e-9)
    off = PASSES[seed % len(PASSES)]
    same(numbers(path, seed, optimised=True, no_pass=[off]), want, 1e-9)
    same(numbers(path, seed, optimised=True, no_pass=PASSES), want, 1e-9)
    same(numbers(path, seed, no_pass=PASSES), want, 1e-9)


@pytest.mark.parametrize("seed", range(40, 52))
def test_observing_some_blobs_shows_what_observing_all_does(written, seed):
    path = written(seed)
    everything = Net(path, TEST, seed=1, dtype="float64", engine="numpy")
    some = sorted(everything.blobs)[::3]
    part = Net(path, TEST, seed=1, dtype="float64", engine="numpy", observe=some)
    for net in (everything, part):
        net.blobs["data"].data[...] = np.random.default_rng(0).standard_normal(net.blobs["data"].shape)
        net.forward()
    for b in some:
        np.testing.assert_allclose(part.blobs[b].data, everything.blobs[b].data, rtol=1e-9, atol=1e-12, err_msg=b)


@pytest.mark.parametrize("seed", range(6))
def test_the_same_seed_gives_the_same_bits(written, seed):
    path = written(seed)
    first, second = (numbers(path, seed, "float32", optimised=True) for _ in range(2))
    for k, w in first.items():
        np.testing.assert_array_equal(second[k], w, err_msg=k)


def test_unknown_pass_and_unknown_blob_are_refused(written):
    with pytest.raises(UsageError, match='unknown pass "fusee".*fuse'):
        Net(written(0), TEST, no_pass=["fusee"])
    with pytest.raises(UsageError, match='cannot observe blob "dta".*data'):
        Net(written(0), TEST, observe=["dta"])


def test_a_plan_says_what_it_did_and_has_a_digest(written):
    net = Net(written(1), TRAIN, optimised=True, engine="numpy")
    text = "\n".join(net.plan.log)
    for name in ("prune", "accumulate", "fuse", "alias", "params"):
        assert name in text
    again = Net(written(1), TRAIN, engine="numpy")
    other = Net(written(2), TRAIN, engine="numpy")
    assert net.digest == again.digest != other.digest
    assert make_plan.__name__ and again.plan.observe == ALL


@pytest.mark.parametrize("seed", range(100, 120))
def test_every_engine_agrees_with_the_reference(written, seed):
    """In float32, observed and optimised: rounding may differ, nothing else (nets without MAX, whose winners rounding decides)."""
    path = written(seed)
    with open(path) as f:
        text = f.read().replace("pool: MAX", "pool: AVE").replace("operation: MAX", "operation: SUM")
    with open(path, "w") as f:
        f.write(text)
    want = numbers(path, seed, "float32")
    for name in BEST_FIRST[1:]:                                # cuda has tests of its own, over stand-ins
        try:
            make_engine(name)
        except EngineError as e:
            pytest.skip(str(e))
        for optimised in (False, True):
            same(numbers(path, seed, "float32", engine=name, optimised=optimised), want, 2e-3)
