"""Parts that are views of their whole: who may, that nothing else changes, and that it is left where somebody could tell."""
import numpy as np
import pytest
from google.protobuf import text_format

from caffempi import TEST, TRAIN, Net
from caffempi.engines.base import PLAIN
from caffempi.ops.graph import Spec
from caffempi.plan.buffers import Buffer, Draft, Ref
from caffempi.plan.views import share_parts
from caffempi.proto import caffe_pb2
from tests.helpers.joinednets import joined_net


def net_of(text, phase=TRAIN, **how):
    return Net(text_format.Parse(text, caffe_pb2.NetParameter()), phase, seed=3, **how)


def conv(name, bottom, count, relu=True):
    text = (f'layer {{ name: "{name}" type: "Convolution" bottom: "{bottom}" top: "{name}" convolution_param '
            f'{{ num_output: {count} kernel_size: 3 pad: 1 weight_filler {{ type: "xavier" }} }} }}\n')
    return text + (f'layer {{ name: "{name}r" type: "ReLU" bottom: "{name}" top: "{name}" }}\n' if relu else "")


def inception(batch, parts=(16, 32, 16), after=""):
    """Three convolutions side by side, joined, and what follows."""
    names = [f"c{k}" for k in range(len(parts))]
    return (f'layer {{ name: "x" type: "Input" top: "x" input_param {{ shape {{ dim: {batch} dim: 16 dim: 8 dim: 8 }} }} }}\n'
            + "".join(conv(n, "x", count) for n, count in zip(names, parts, strict=True))
            + 'layer { name: "all" type: "Concat" top: "all" ' + " ".join(f'bottom: "{n}"' for n in names) + " }\n" + after
            + conv("end", "all", 16, relu=False)
            + 'layer { name: "sum" type: "Reduction" bottom: "end" top: "sum" loss_weight: 0.01 reduction_param { operation: SUMSQ } }')


TAIL = 'layer { name: "t" type: "TanH" bottom: "all" top: "all" }\n'
SLICED = """
layer { name: "x" type: "Input" top: "x" input_param { shape { dim: 6 dim: 4 dim: 4 dim: 4 } } }
layer { name: "in" type: "Convolution" bottom: "x" top: "y" convolution_param { num_output: 16 kernel_size: 3 weight_filler { type: "xavier" } } }
layer { name: "cut" type: "Slice" bottom: "y" top: "a" top: "b" slice_param { axis: 0 slice_point: 4 } }
layer { name: "s" type: "Sigmoid" bottom: "a" top: "a" }
layer { name: "join" type: "Concat" bottom: "b" bottom: "a" top: "z" concat_param { axis: 0 } }
layer { name: "sum" type: "Reduction" bottom: "z" top: "sum" loss_weight: 1 reduction_param { operation: SUMSQ } }
"""


def copies(net, phase):
    drafts = {"F": net.binding.blueprint.forward, "B": net.binding.blueprint.backward}[phase]
    return sum(d.node is not None and d.phase == phase and d.node.op in ("concat", "concat_dx", "slice") for d in drafts)


@pytest.mark.parametrize("engine", ["numpy", "onednn"])
@pytest.mark.parametrize(("text", "left"), [
    (inception(1), (0, 0)),                                      # a batch of one: channels are outermost
    (inception(2), (1, 1)),
    (inception(1, (16, 8, 12)), None),                           # parts that may not fill their blocks
    (inception(1, after=TAIL), None),                            # the whole is written while the parts are still read
    (SLICED, None)])
def test_numbers_stay_and_copies_fall_away(engine, text, left):
    """Against the same net with nothing shared; run twice, since memory is used again."""
    net = net_of(text, optimised=True, engine=engine)
    want = net_of(text, engine="numpy")
    for k in range(2):
        x = np.random.default_rng(k).standard_normal(net.blobs["x"].data.shape)
        for n in (net, want):
            n.blobs["x"].data[...] = x
        assert np.isclose(net.forward_backward(), want.forward_backward(), rtol=1e-5)
        for p, q in zip(net.params.values(), want.params.values(), strict=True):
            for a, b in zip(p, q, strict=True):
                assert np.allclose(a.diff, b.diff, rtol=1e-4, atol=1e-5)
    if left is not None:
        assert (copies(net, "F"), copies(net, "B")) == left
        off = net_of(text, optimised=True, engine=engine, no_pass=["alias"])
        assert (copies(off, "F"), copies(off, "B")) == (1, 1)


def test_a_whole_that_somebody_looks_at_is_made_by_a_copy():
    net = net_of(inception(1), TEST, observe={"all", "c1"}, forward_only=True, engine="numpy")
    assert copies(net, "F") == 1
    free = net_of(inception(1), TEST, optimised=True, forward_only=True, engine="numpy")
    assert copies(free, "F") == 0 and free.binding.blueprint.arena < net.binding.blueprint.arena + sum(
        net.binding.blueprint.owned.values())


def runs(text, seed, seen, **how):
    """Losses, what is seen of blobs, and gradients of three runs, the last adding; and the net."""
    net, rng, found = net_of(text, **how), np.random.default_rng(seed), {}
    for k in range(3):
        net.blobs["data"].data[...] = rng.standard_normal(net.blobs["data"].shape)
        found["loss", k] = np.array(net.forward_backward(add=k == 2))
        found.update({(b, k): net.blobs[b].data.copy() for b in ("data", *seen)})
        found.update({(b, k, "diff"): net.blobs[b].diff.copy() for b in ("data", *seen) if b not in net.outputs})
        found.update({(layer, i, k): p.diff.copy() for layer, ps in net.params.items() for i, p in enumerate(ps)})
    return found, net


@pytest.mark.parametrize("seed", range(30))
def test_random_nets_of_joins_give_what_the_definitions_give(seed):
    """Unobserved and in part observed, against the same net with everything observed."""
    text = joined_net(seed)
    blobs = sorted(net_of(text, engine="numpy").blobs)
    seen = np.random.default_rng(seed).choice(blobs, min(3, len(blobs)), replace=False).tolist()
    want, _ = runs(text, seed, seen, engine="numpy", dtype="float64")
    for tolerance, how in ((1e-9, {"engine": "numpy", "dtype": "float64"}), (1e-3, {"engine": None, "updated": True})):
        for observe in ((), seen):
            got, _ = runs(text, seed, observe, observe=observe, **how)
            for key, value in got.items():
                limit = tolerance * max(1.0, np.abs(want[key]).max(initial=0))
                assert np.abs(value - want[key]).max(initial=0) <= limit, (key, observe, how)


class Steps:
    """Steps on named buffers of 64 numbers; a whole, in capitals, has two parts."""

    def __init__(self, *steps):
        self.buffers = {}
        self.drafts = [Draft("F", 0, ins=self.refs(ins), outs=self.refs(outs), adjacent=op in ("join", "cut"))
                       for op, ins, outs in steps]

    def refs(self, names):
        refs = []
        for name in names:
            spec = Spec((128 if name.isupper() else 64,), "float32")
            refs.append(Ref(self.buffers.setdefault(name, Buffer(name, 4 * spec.count, "act")), spec, PLAIN))
        return tuple(refs)


@pytest.mark.parametrize(("fits", "steps"), [
    (True, (("make", "", "a"), ("make", "", "b"), ("join", "ab", "W"), ("use", "W", "c"), ("use", "a", "d"))),
    (False, (("make", "", "a"), ("make", "", "b"), ("join", "ab", "W"), ("use", "W", "a"), ("use", "W", "d"))),
    (True, (("make", "", "a"), ("make", "", "b"), ("join", "ab", "W"), ("use", "W", "c"), ("make", "", "a"), ("use", "a", "d"))),
    (False, (("make", "", "a"), ("make", "", "b"), ("join", "ab", "W"), ("use", "W", "W"), ("use", "a", "d"))),
    (True, (("make", "", "a"), ("make", "", "b"), ("join", "ab", "W"), ("use", "a", "d"), ("use", "W", "W"))),
    (False, (("make", "", "W"), ("make", "W", "a"), ("make", "", "b"), ("join", "ab", "W"))),
    (False, (("use", "a", "c"), ("make", "", "a"), ("make", "", "b"), ("join", "ab", "W"))),
    (False, (("make", "", "a"), ("join", "aa", "W"))),
    (True, (("make", "", "W"), ("cut", "W", "ab"), ("use", "a", "a"), ("use", "ab", "c"))),
    (False, (("make", "", "W"), ("cut", "W", "ab"), ("use", "a", "a"), ("use", "Wb", "c"))),
    (False, (("make", "", "W"), ("cut", "W", "ab"), ("use", "", "W"), ("use", "ab", "c"))),
    (False, (("make", "", "a"), ("make", "", "W"), ("cut", "W", "ab"), ("use", "ab", "c"))),
    (False, (("use", "W", "c"), ("make", "", "W"), ("cut", "W", "ab"))),
])
def test_only_what_nobody_can_tell(fits, steps):
    s = Steps(*steps)
    assert bool(share_parts(s.drafts)) is fits
    shifts = {name: b.shift for name, b in s.buffers.items() if b.parent is not None}
    assert shifts == ({"a": 0, "b": 256} if fits else {})


def test_a_buffer_is_part_of_one_whole_and_a_whole_is_no_part():
    s = Steps(("make", "", "a"), ("make", "", "b"), ("join", "ab", "W"), ("join", "ab", "V"), ("use", "WV", "c"))
    assert share_parts(s.drafts) == [s.drafts[2]]
    assert s.buffers["a"].parent is s.buffers["W"]


def test_parts_of_odd_sizes_are_copied():
    s = Steps(("make", "", "a"), ("make", "", "b"), ("join", "ab", "W"))
    s.drafts[2].ins = tuple(Ref(r.buffer, Spec((60,), "float32"), PLAIN) for r in s.drafts[2].ins)
    assert share_parts(s.drafts) == []
