"""ArgMax layers: shapes and numbers in all forms, no gradient, what is refused, cases of the original."""
import numpy as np
import pytest

from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import GOLDEN, check_golden

X = np.array([[3.0, 9, 9, 1], [5, 4, 6, 7]])


def net(fields, shape=(2, 4)):
    return one_layer(f'type: "ArgMax" bottom: "x" top: "y" argmax_param {{ {fields} }}', x=shape)


@pytest.mark.parametrize("case", sorted(p.name for p in GOLDEN.glob("ArgMax_*.npz")))
def test_cases_of_the_original(case):
    check_golden(case)


@pytest.mark.parametrize(("fields", "top"), [
    ("", [[[2]], [[3]]]), ("top_k: 3", [[[2, 1, 0]], [[3, 2, 0]]]), ("out_max_val: true top_k: 2", [[[2, 1], [9, 9]], [[3, 2], [7, 6]]]),
    ("axis: 1 top_k: 2", [[2, 1], [3, 2]]), ("axis: -2", [[1, 0, 0, 1]]), ("axis: 0 out_max_val: true top_k: 2", [[5, 9, 9, 7], [3, 4, 6, 1]])])
def test_numbers(fields, top):
    assert run(net(fields), {"x": X})[0]["y"].tolist() == top


@pytest.mark.parametrize(("fields", "shape", "top"), [
    ("top_k: 5", (3, 2, 2, 4), (3, 1, 5, 1)), ("top_k: 2 out_max_val: true", (3, 2, 1, 2, 2), (3, 2, 2, 1, 1)),
    ("axis: 1", (3, 21, 4, 5), (3, 1, 4, 5)), ("", (7,), (7, 1, 1))])
def test_shapes(fields, shape, top):
    assert build(net(fields, shape)).layers[-1].top_values[0].spec.shape == top


@pytest.mark.parametrize(("fields", "shape", "words"), [
    ("top_k: 0", (2, 4), "field argmax_param.top_k = 0: must be at least 1"),
    ("top_k: 5", (2, 4), "field argmax_param.top_k = 5: the 5 largest are asked for, but there are 4 to choose from; input 2 x 4"),
    ("top_k: 3 axis: 0", (2, 4), "argmax_param.top_k = 3: the 3 largest are asked for, but there are 2"),
    ("axis: 2", (2, 4), "field argmax_param.axis = 2: axis 2 does not exist")])
def test_refused(fields, shape, words):
    message = refused(net(fields, shape))
    assert message.startswith('layer "l" (ArgMax)') and words in message


def test_a_gradient_can_not_be_forced():
    text = one_layer('type: "ArgMax" bottom: "x" top: "y" propagate_down: true', x=(2, 4))
    assert 'bottom "x" can get no gradient' in refused(text)
