"""Embed layers: vectors by index, bias, what is refused, cases of the original."""
import numpy as np
import pytest

from caffempi.errors import DataError
from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import GOLDEN, check_golden

W = np.arange(6.0).reshape(3, 2)


def net(fields, shape=(2, 2), more=""):
    return one_layer(f'type: "Embed" bottom: "i" top: "y" embed_param {{ {fields} }} {more}', i=shape)


@pytest.mark.parametrize("case", sorted(p.name for p in GOLDEN.glob("Embed_*.npz")))
def test_cases_of_the_original(case):
    check_golden(case)


@pytest.mark.parametrize("index", [[[0, 2], [1, 1]], [2], 1, [[[]]]])
def test_numbers(index):
    index, sizes = np.array(index), "input_dim: 3 num_output: 2"
    want = W[index.astype(int)]
    blobs, own = run(net(sizes, index.shape), {"i": index}, [W, [10, 20]])
    np.testing.assert_array_equal(blobs["y"], want + [10, 20])
    blobs, own = run(net(f"{sizes} bias_term: false", index.shape), {"i": index}, [W])
    np.testing.assert_array_equal(blobs["y"], want)
    assert len(own) == 1


def test_blobs_and_their_fillers():
    graph = build(net("input_dim: 3 num_output: 2 weight_filler { type: 'uniform' } bias_filler { value: 4 }"))
    assert [(p.spec.shape, p.filler.type) for p in graph.params] == [((3, 2), "uniform"), ((2,), "constant")]
    assert build("force_backward: true " + net("input_dim: 3 num_output: 2")).layers[-1].bottom_need == (False,)


def test_an_index_beyond_the_vectors():
    with pytest.raises(DataError, match=r"index 3 at position \[0, 1\] is none of the 3 rows"):
        run(net("input_dim: 3 num_output: 2", (1, 2)), {"i": [[0, 3]]}, [W, [0, 0]])


@pytest.mark.parametrize(("fields", "words"), [
    ("input_dim: 3", "field embed_param.num_output = 0: must be above 0"), ("num_output: 2", "field embed_param.input_dim = 0: must be"),
    ("input_dim: 65536 num_output: 65536", "its blob 0: the shape 65536 x 65536 has more than 2147483647 elements"),
    ("input_dim: 3 num_output: 2 weight_filler { type: 'xaver' }", "embed_param.weight_filler.type"),
    ("input_dim: 3 num_output: 2 bias_filler { type: 'xaver' }", "embed_param.bias_filler.type")])
def test_refused(fields, words):
    assert words in refused(net(fields))


def test_indices_can_get_no_gradient():
    assert 'bottom "i" can get no gradient' in refused(net("input_dim: 3 num_output: 2", more="propagate_down: true"))
