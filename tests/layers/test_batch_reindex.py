"""BatchReindex layers: items picked, repeated and left out, what is refused, cases of the original."""
import numpy as np
import pytest

from caffempi.errors import DataError
from tests.helpers.layercheck import build, one_layer, refused, run
from tests.helpers.netcheck import GOLDEN, check_golden


def net(x, i, more=""):
    return one_layer(f'type: "BatchReindex" bottom: "x" bottom: "i" top: "y" {more}', x=x, i=i)


@pytest.mark.parametrize("case", sorted(p.name for p in GOLDEN.glob("BatchReindex_*.npz")))
def test_cases_of_the_original(case):
    check_golden(case)


@pytest.mark.parametrize("index", [[2, 0], [1, 1, 1, 0], [], [0, 1, 2]])
def test_numbers(index):
    x = np.arange(6.0).reshape(3, 2)
    np.testing.assert_array_equal(run(net((3, 2), (len(index),)), {"x": x, "i": index})[0]["y"], x[np.array(index, int)])


def test_an_index_outside_the_batch():
    with pytest.raises(DataError, match="index 3 at position 1 is none of the 3 rows"):
        run(net((3, 2), (2,)), {"x": np.zeros((3, 2)), "i": [0, 3]})


def test_refused():
    assert "field bottom[1]: the indices must be a list (one axis); got 2 x 1" in refused(net((3, 2), (2, 1)))
    assert "bottom of one axis or more" in refused(net((), (2,)))
    assert 'bottom "i" can get no gradient' in refused(net((3, 2), (2,), "propagate_down: true propagate_down: true"))
    assert build("force_backward: true " + net((3, 2), (2,))).layers[-1].bottom_need == (True, False)
