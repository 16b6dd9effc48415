"""Errors say what, where, why and the fix in one line; context is added on the way up and never overwritten."""
import pytest

from caffempi import errors
from caffempi.errors import CaffempiError, CodeError, NetError, ShapeError, did_you_mean


@pytest.mark.parametrize("given, text", [
    ({}, "too small"),
    ({"layer": "pool5", "type": "Pooling"}, 'layer "pool5" (Pooling): too small'),
    ({"field": "kernel_size", "value": 0}, "field kernel_size = 0: too small"),
    ({"layer": "p", "field": "f", "value": 3, "where": "a.prototxt:7", "fix": "set it"},
     'layer "p", field f = 3 (a.prototxt:7): too small; set it'),
    ({"where": "x:1"}, "x:1: too small"),
])
def test_one_line_with_all_that_is_known(given, text):
    assert str(NetError("too small", **given)) == text


def test_context_is_added_and_never_overwritten():
    e = ShapeError("why", layer="inner").at(layer="outer", where="f:2")
    assert str(e) == 'layer "inner" (f:2): why'
    with pytest.raises(TypeError):
        e.at(colour="red")


def test_line_breaks_in_a_reason_do_not_make_two_lines():
    assert "\n" not in str(NetError("a\n   b"))


def test_every_error_has_an_exit_code_and_one_root():
    kinds = [k for k in vars(errors).values() if isinstance(k, type) and issubclass(k, Exception)]
    assert all(issubclass(k, CaffempiError) and k.exit_code in (1, 2) for k in kinds) and len(kinds) >= 10


@pytest.mark.parametrize("name, hint", [("Convolutoin", "Convolution"), ("relu", "ReLU"), ("zzzz", "")])
def test_near_names(name, hint):
    assert hint in did_you_mean(name, ["Convolution", "ReLU", "Pooling"])
    assert bool(did_you_mean(name, ["Convolution", "ReLU", "Pooling"])) == bool(hint)


def test_code_errors_carry_the_users_own_traceback():
    def broken():
        raise KeyError("z\nz")
    try:
        broken()
    except KeyError as cause:
        e = CodeError("it failed", cause, layer="x", type="Python")
    assert str(e) == "layer \"x\" (Python): it failed: KeyError: 'z\\nz'" and e.exit_code == 1
    assert "in broken" in e.trace and e.trace.endswith("KeyError: 'z\\nz'\n") and CaffempiError("x").trace == ""
