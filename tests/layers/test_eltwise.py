"""Eltwise layer: its three operations, coefficients, and what is refused."""
from pathlib import Path

import numpy as np
import pytest

from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import check_golden

GOLDEN = Path(__file__).parents[1] / "golden" / "layers"

A, B = np.array([1.0, 5, -2]), np.array([3.0, 2, -2])


@pytest.mark.parametrize("case", ["Eltwise_01", "Eltwise_03", "Eltwise_06"])
def test_cases_of_the_original(case):
    check_golden(GOLDEN / f"{case}.npz")


def net(param="", bottoms=("a", "b"), **shapes):
    return one_layer(f'type: "Eltwise" {" ".join(f"bottom: {chr(34)}{b}{chr(34)}" for b in bottoms)} top: "y" '
                     f'eltwise_param {{ {param} }}', **(shapes or {"a": (3,), "b": (3,)}))


@pytest.mark.parametrize("param,op,expected", [
    ("", "sum", A + B), ("operation: SUM coeff: 1 coeff: 1", "sum", A + B),
    ("coeff: 2 coeff: -1", "weighted_sum", 2 * A - B), ("operation: PROD", "eltwise_prod", A * B),
    ("operation: PROD stable_prod_grad: false", "eltwise_prod", A * B), ("operation: MAX", "eltwise_max", np.maximum(A, B))])
def test_operations(param, op, expected):
    blobs, _ = run(net(param), {"a": A, "b": B})
    np.testing.assert_array_equal(blobs["y"], expected)
    assert [n.op for n in build(net(param)).nodes] == [op]


def test_stable_prod_grad_reaches_the_op():
    assert build(net("operation: PROD")).nodes[0].attrs.stable
    assert not build(net("operation: PROD stable_prod_grad: false")).nodes[0].attrs.stable


@pytest.mark.parametrize("text,words", [
    (net("coeff: 1"), ("eltwise_param.coeff", "1 entries for 2 bottoms")),
    (net("operation: PROD coeff: 1 coeff: 2"), ("eltwise_param.coeff", "operation SUM only, not PROD")),
    (net("operation: MAX coeff: 1 coeff: 2"), ("eltwise_param.coeff", "not MAX")),
    (net(bottoms=("a",)), ("takes 2 or more bottom blob(s), the net gives 1",)),
    (net(a=(2, 3), b=(3, 2)), ("2 x 3", "3 x 2")), (net("operation: MAX", a=(2,), b=()), ("one shape; got 2, scalar",))])
def test_refusals(text, words):
    message = refused(text)
    assert 'layer "l" (Eltwise)' in message and all(w in message for w in words), message
