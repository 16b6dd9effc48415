"""constant: the array that was read, in the graph's dtype; part of what ranks must agree on."""
import numpy as np
import pytest

from caffempi.ops import Graph
from caffempi.ops.constant import ConstantAttrs
from tests.helpers.opcheck import run_nodes


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("array", [np.arange(6, dtype=np.float32).reshape(2, 3) / 7, np.zeros((0, 2)), np.array(3.5)])
def test_gives_the_array_back(array, dtype):
    graph = Graph(dtype=dtype)
    (y,) = graph.emit("constant", ConstantAttrs.of(array, dtype), [])
    arrays = {}
    run_nodes(graph, arrays)
    assert arrays[y.id].dtype == dtype
    np.testing.assert_array_equal(arrays[y.id], array.astype(dtype))


def test_other_values_give_another_digest():
    digests = set()
    for value in (1.0, 1.0, 2.0):
        graph = Graph()
        graph.emit("constant", ConstantAttrs.of(np.full(3, value), "float32"), [])
        digests.add(graph.digest())
    assert len(digests) == 2
