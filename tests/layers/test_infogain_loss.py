"""InfogainLoss layer: cases of the original, the matrix as a bottom and from a file, fields, refusals."""
import numpy as np
import pytest

from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import check_golden

H = np.array([[1.0, 0.5], [0.0, 2.0]])


@pytest.mark.parametrize("number", range(8))
def test_cases_of_the_original(number):
    check_golden(f"InfogainLoss_0{number}.npz")


def net(param="", extra='top: "loss"', x=(2, 2), label=(2,), h=(1, 1, 2, 2), loss=""):
    third = 'bottom: "H"' if h else ""
    shapes = {"x": x, "label": label, **({"H": h} if h else {})}
    return one_layer(f'type: "InfogainLoss" bottom: "x" bottom: "label" {third} {extra} infogain_loss_param {{ {param} }} '
                     f"loss_param {{ {loss} }}", **shapes)


@pytest.mark.parametrize("loss,scale", [("", 0.5), ("normalization: NONE", 1), ("normalization: FULL", 0.5)])
def test_by_hand(loss, scale):
    x = np.log([[0.25, 0.75], [0.5, 0.5]])
    blobs, _ = run(net(loss=loss, extra='top: "loss" top: "prob"'), {"x": x, "label": [0, 1], "H": H.reshape(1, 1, 2, 2)})
    expected = -(np.log(0.25) + 0.5 * np.log(0.75) + 2 * np.log(0.5))
    np.testing.assert_allclose(blobs["loss"], expected * scale, rtol=1e-6)
    np.testing.assert_allclose(blobs["prob"], np.exp(x), rtol=1e-6)


def test_a_matrix_from_a_file_counts_as_one_from_a_bottom():
    asked = []

    def blob(path):
        asked.append(path)
        return H.astype(np.float32)
    graph = build(net('source: "h.binaryproto"', h=None, loss="ignore_label: 1"), extra={"blob": blob})
    assert asked == ["h.binaryproto"] and [n.op for n in graph.nodes] == ["constant", "infogain_loss"]
    attrs = graph.nodes[0].attrs
    np.testing.assert_array_equal(np.frombuffer(attrs.data, "<f8").reshape(attrs.shape), H)
    assert graph.nodes[1].attrs.ignore == 1 and graph.nodes[1].attrs.counts_vary


def test_with_three_bottoms_the_file_is_not_looked_at():
    assert len(build(net('source: "nowhere"')).nodes) == 1


def test_labels_and_matrix_get_no_gradient_and_a_left_out_top_is_made_up():
    layer = build("force_backward: true\n" + net(extra="")).layers[-1]
    assert layer.bottom_need == (True, False, False) and layer.loss_weights == (1.0,)


@pytest.mark.parametrize("text,words", [
    (net(h=None), ("infogain_loss_param.source", "matrix is missing")),
    (net('source: "h"', h=None), ('infogain_loss_param.source = "h"', "third bottom")),
    (net(loss="normalize: true"), ("loss_param.normalize = true", "normalization: VALID")),
    (net(loss="normalize: false"), ("normalization: BATCH_SIZE",)), (net("axis: 2"), ("infogain_loss_param.axis = 2",)),
    (net(h=(3, 3)), ("matrix 3 x 3 does not fit 2 classes",)), (net(label=(3,)), ("3 labels",)),
    (net(extra='top: "a" top: "b" top: "c"'), ("takes 1 to 2 top",)),
    (net(extra='top: "a" propagate_down: [true, false, true]'), ("propagate_down[2]",))])
def test_refusals(text, words):
    message = refused(text)
    assert 'layer "l" (InfogainLoss)' in message and all(w in message for w in words), message


def test_a_file_of_another_size_is_refused():
    message = refused(net('source: "h"', h=None), extra={"blob": lambda path: np.eye(3)})
    assert "matrix 3 x 3 does not fit 2 classes" in message
