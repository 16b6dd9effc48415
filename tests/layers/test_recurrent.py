"""LSTM and RNN layers: cases of the original, blobs and their order, hidden state kept or shown, gradients, refusals."""
import numpy as np
import pytest

from caffempi import TRAIN, Net
from tests.helpers.layercheck import build, one_layer, refused
from tests.helpers.netcheck import check_golden

STATES = {"LSTM": 2, "RNN": 1}
FILL = "weight_filler { type: 'gaussian' std: 0.7 } bias_filler { type: 'gaussian' std: 0.5 }"


@pytest.mark.parametrize("kind", STATES)
@pytest.mark.parametrize("number", range(8))
def test_cases_of_the_original(kind, number):
    check_golden(f"{kind}_0{number}.npz")


def text(kind, param="num_output: 3", static=None, hidden=None, tops=None, x=(4, 2, 3), cont=None, extra=""):
    shapes = {"x": x, "cont": cont or x[:2], **({"s": static} if static else {})}
    shapes |= {f"h{i}": hidden for i in range(STATES[kind])} if hidden else {}
    tops = tops if tops is not None else ["y"] + ([f"t{i}" for i in range(STATES[kind])] if hidden else [])
    return one_layer(f'type: "{kind}" ' + " ".join(f'bottom: "{b}"' for b in shapes) + " "
                     + " ".join(f'top: "{t}"' for t in tops) + f" recurrent_param {{ {param} {FILL} }} {extra}", **shapes)


def make(tmp_path, net, **how):
    file = tmp_path / "n.prototxt"
    file.write_text("force_backward: true\n" + net)
    return Net(str(file), TRAIN, engine="numpy", seed=1, **how)


@pytest.mark.parametrize("kind,static,shapes", [
    ("LSTM", None, [(12, 6), (12,), (12, 3)]), ("LSTM", (2, 5), [(12, 6), (12,), (12, 5), (12, 3)]),
    ("RNN", None, [(3, 6), (3,), (3, 3), (3, 3), (3,)]), ("RNN", (2, 2, 2), [(3, 6), (3,), (3, 4), (3, 3), (3, 3), (3,)])])
def test_blobs_and_their_order(kind, static, shapes):
    graph = build(text(kind, static=static, x=(4, 2, 3, 2)))
    assert [p.spec.shape for p in graph.params] == shapes
    assert [p.filler.std for p in graph.params] == pytest.approx([0.5 if len(s) == 1 else 0.7 for s in shapes])
    assert graph.layers[-1].top_values[0].spec.shape == (4, 2, 3)


@pytest.mark.parametrize("kind", STATES)
@pytest.mark.parametrize("static", [None, (2, 2)])
@pytest.mark.parametrize("optimised", [False, True])
def test_kept_and_shown_state_agree(tmp_path, kind, static, optimised):
    kept = make(tmp_path, text(kind, static=static), optimised=optimised)
    shown = make(tmp_path, text(kind, "num_output: 3 expose_hidden: true", static, (1, 2, 3)), optimised=optimised)
    rand = np.random.default_rng(2)
    ins = {"x": rand.standard_normal((4, 2, 3)), "cont": rand.integers(0, 2, (4, 2))}
    if static:
        ins["s"] = rand.standard_normal(static)
    state = {f"h{i}": np.zeros((1, 2, 3)) for i in range(STATES[kind])}
    for _ in range(3):
        a, b = kept.forward(**ins), shown.forward(**ins, **state)
        np.testing.assert_array_equal(a["y"], b["y"])
        state = {f"h{i}": b[f"t{i}"].copy() for i in range(STATES[kind])}
        if kind == "LSTM":
            np.testing.assert_array_equal(b["t0"][0], b["y"][-1])
        for net in (kept, shown):
            net.clear_param_diffs()
            net.blobs["y"].diff[...] = 1
            net.backward()
        for p, q in zip(kept.params["l"], shown.params["l"], strict=True):
            np.testing.assert_array_equal(p.diff, q.diff)
        for blob in ins:
            np.testing.assert_array_equal(kept.blobs[blob].diff, shown.blobs[blob].diff)
        for blob in state:
            assert not shown.blobs[blob].diff.any()


@pytest.mark.parametrize("kind", STATES)
@pytest.mark.parametrize("static", [None, (2, 2)])
def test_gradients_through_a_net_match_differences(tmp_path, kind, static):
    net = make(tmp_path, text(kind, "num_output: 2 expose_hidden: true", static, (1, 2, 2), x=(3, 2, 2)), dtype="float64")
    rand = np.random.default_rng(3)
    for name in net.inputs:
        blob = net.blobs[name].data
        blob[...] = rand.integers(0, 2, blob.shape) if name == "cont" else rand.standard_normal(blob.shape)
    weight = rand.standard_normal((3, 2, 2))
    net.forward()
    net.blobs["y"].diff[...] = weight
    net.backward()
    for b in [net.blobs["x"], *([net.blobs["s"]] if static else []), *net.params["l"]]:
        got = b.diff.copy()
        for at in np.ndindex(got.shape):
            sums = []
            for step in (1e-6, -1e-6):
                b.data[at] += step
                sums.append((net.forward()["y"] * weight).sum())
                b.data[at] -= step
            np.testing.assert_allclose(got[at], (sums[0] - sums[1]) / 2e-6, atol=1e-7)


@pytest.mark.parametrize("kind", STATES)
def test_an_in_place_layer_above_does_not_disturb_backward(tmp_path, kind):
    plain = make(tmp_path, text(kind) + 'layer { name: "r" type: "Power" bottom: "y" top: "z" power_param { scale: 3 } }')
    over = make(tmp_path, text(kind) + 'layer { name: "r" type: "Power" bottom: "y" top: "y" power_param { scale: 3 } }')
    x = np.random.default_rng(4).standard_normal((4, 2, 3))
    for net, top in ((plain, "z"), (over, "y")):
        net.forward(x=x, cont=np.ones((4, 2)))
        net.blobs[top].diff[...] = 1
        net.backward()
    for p, q in zip(plain.params["l"], over.params["l"], strict=True):
        np.testing.assert_array_equal(p.diff, q.diff)


def test_frozen_weights_get_no_gradient(tmp_path):
    file = tmp_path / "n.prototxt"
    file.write_text(text("LSTM", extra="param { lr_mult: 0 } param { lr_mult: 2 } param { lr_mult: 0 }")
                    + 'layer { name: "e" type: "EuclideanLoss" bottom: "y" bottom: "t" }'.join(
                        ['layer { name: "it" type: "Input" top: "t" input_param { shape { dim: 4 dim: 2 dim: 3 } } }\n', "\n"]))
    net = Net(str(file), TRAIN, engine="numpy", seed=1)
    net.forward(x=np.ones((4, 2, 3)))
    net.backward()
    w, b, hidden = net.params["l"]
    assert not w.diff.any() and b.diff.any() and not hidden.diff.any()


@pytest.mark.parametrize("kind", STATES)
def test_the_marks_get_no_gradient(kind):
    assert build("force_backward: true\n" + text(kind, static=(2, 2))).layers[-1].bottom_need == (True, False, True)


@pytest.mark.parametrize("net,words", [
    (text("LSTM", ""), ("recurrent_param.num_output = 0", "above 0")),
    (text("RNN", "num_output: 2 debug_info: true"), ("recurrent_param.debug_info = true", "solver")),
    (text("LSTM", x=(4, 2)), ("3 axes or more", "4 x 2")), (text("LSTM", cont=(2, 4)), ("4 steps of 2 streams", "2 x 4")),
    (text("RNN", static=(3, 2)), ("2 streams x values", "3 x 2")), (text("RNN", static=(2,)), ("2 axes or more",)),
    (text("LSTM", "num_output: 3 expose_hidden: true"), ("takes 4 to 5 bottom", "gives 2")),
    (text("RNN", "num_output: 3 expose_hidden: true", hidden=(1, 2, 3), tops=["y"]), ("takes 2 top",)),
    (text("RNN", "num_output: 3 expose_hidden: true", hidden=(2, 2, 3)), ("hidden state of 2 streams must be 1 x 2 x 3",)),
    (text("LSTM", tops=["y", "z"]), ("takes 1 top",)), (text("RNN", static=(2, 2), extra='bottom: "x"'), ("takes 2 to 3 bottom",)),
    (text("LSTM", "num_output: 3 weight_filler { type: 'odd' }"), ("recurrent_param.weight_filler.type", "odd"))])
def test_refusals(net, words):
    message = refused(net.replace(FILL, "") if "odd" in net else net)
    assert 'layer "l" (' in message and all(w in message for w in words), message
