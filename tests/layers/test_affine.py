"""Where Scale and Bias take their factor or term from: the shape of the blob, or the second bottom."""
import pytest

from tests.helpers.layercheck import build, one_layer, refused

KINDS = [("Scale", "scale_param"), ("Bias", "bias_param")]


def net(kind, param, text="", shape=(2, 3, 4, 5), **more):
    second = ' bottom: "g"' if more else ""
    return one_layer(f'type: "{kind}" bottom: "x"{second} top: "y" {param} {{ {text} }}', x=shape, **more)


@pytest.mark.parametrize("kind,param", KINDS)
@pytest.mark.parametrize("text,shape", [
    ("", (3,)), ("axis: 0", (2,)), ("axis: -1", (5,)), ("axis: 1 num_axes: 2", (3, 4)), ("num_axes: -1", (3, 4, 5)),
    ("axis: 0 num_axes: -1", (2, 3, 4, 5)), ("num_axes: 0", ()), ("axis: 9 num_axes: 0", ()), ("axis: 2 num_axes: 2", (4, 5))])
def test_the_blob_covers_the_axes_named(kind, param, text, shape):
    (blob,) = build(net(kind, param, text)).params
    assert blob.spec.shape == shape


@pytest.mark.parametrize("kind,param,value", [("Scale", "scale_param", 1), ("Bias", "bias_param", 0)])
def test_first_values_leave_x_as_it_is_unless_a_filler_is_named(kind, param, value):
    assert build(net(kind, param)).params[0].filler.value == value
    assert build(net(kind, param, "filler { type: 'gaussian' }")).params[0].filler.type == "gaussian"
    assert build(net(kind, param, "filler { }")).params[0].filler.value == 0, "an empty filler is constant 0"


@pytest.mark.parametrize("kind,param", KINDS)
@pytest.mark.parametrize("text,shape", [("axis: 0", (2, 3, 4, 5)), ("", (3, 4)), ("axis: 3 num_axes: 7", (5,)),
                                        ("axis: 8", ())])
def test_a_second_bottom_stands_for_the_blob(kind, param, text, shape):
    assert build(net(kind, param, text, g=shape)).params == []


@pytest.mark.parametrize("kind,param", KINDS)
@pytest.mark.parametrize("text,more,words", [
    ("axis: 4", {}, ("{param}.axis = 4", "axis 4 does not exist in a blob of 4 axes")),
    ("axis: -5", {"g": (3,)}, ("{param}.axis = -5", "does not exist")),
    ("axis: 2 num_axes: 3", {}, ("{param}.num_axes = 3", "has only 2 axes from axis 2 on")),
    ("num_axes: -2", {}, ("{param}.num_axes = -2", "at least -1")),
    ("", {"g": (4,)}, ("does not fit a bottom 2 x 3 x 4 x 5",)),
    ("filler { type: 'xaver' }", {}, ("{param}.filler.type", "did you mean xavier?"))])
def test_refusals(kind, param, text, more, words):
    message = refused(net(kind, param, text, **more))
    assert f'layer "l" ({kind})' in message
    assert all(w.format(param=param) in message for w in words), message
