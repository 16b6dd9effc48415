"""sigmoid_loss: the four divisors, ignored targets, large scores, the saved divisor, gradients, empty batches."""
import numpy as np
import pytest

from caffempi.errors import ShapeError
from caffempi.ops import Graph, Spec, get_op
from caffempi.ops.sigmoid_loss import SigmoidLoss, SigmoidLossAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients, run_nodes


@pytest.mark.parametrize("shape", [(4, 3), (2, 2, 3, 1), (5,)])
@pytest.mark.parametrize("mode", ["full", "valid", "batch", "none"])
@pytest.mark.parametrize("ignore", [None, 1, 0])
def test_value_and_gradient(shape, mode, ignore):
    rand = np.random.default_rng(4)
    x = rand.standard_normal(shape) * 2
    t = rand.choice([0.0, 0.25, 0.9, 1.0, 1.7], shape)
    counts = np.ones(shape, bool) if ignore is None else t.astype(int) != ignore
    p = 1 / (1 + np.exp(-x))
    total = -(t * np.log(p) + (1 - t) * np.log(1 - p))[counts].sum()
    divisor = max(1, {"full": x.size, "valid": counts.sum(), "batch": shape[0], "none": 1}[mode])
    (loss,) = forward("sigmoid_loss", SigmoidLossAttrs(mode, ignore), [x, t])
    np.testing.assert_allclose(loss, total / divisor)
    check_gradient("sigmoid_loss", SigmoidLossAttrs(mode, ignore), [x, t])
    assert SigmoidLossAttrs(mode, ignore).counts_vary == (mode == "valid" and ignore is not None)


def test_targets_may_have_another_shape_of_as_many_numbers():
    x, t = np.ones((2, 3)), np.zeros((6, 1))
    assert gradients("sigmoid_loss", SigmoidLossAttrs(), [x, t], [np.ones(())])[0].shape == (2, 3)
    with pytest.raises(ShapeError, match="2 x 3 needs a target"):
        forward("sigmoid_loss", SigmoidLossAttrs(), [x, np.ones(5)])


def test_large_scores_neither_overflow_nor_lose_the_loss():
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        (loss,) = forward("sigmoid_loss", SigmoidLossAttrs("none"), [np.array([800.0, -800.0]), np.array([0.0, 0.0])])
    np.testing.assert_allclose(loss, 800)


def test_backward_reads_the_divisor_that_an_exchange_may_have_overwritten():
    x, t = np.random.default_rng(1).standard_normal((4, 3)), np.ones((4, 3))
    t[0] = 0
    graph = Graph(dtype="float64")
    values = [graph.value(Spec(a.shape, "float64"), "in") for a in (x, t)]
    (loss,) = graph.emit("sigmoid_loss", SigmoidLossAttrs("valid", 1), values)
    (node,) = graph.nodes
    arrays = {values[0].id: x, values[1].id: t}
    run_nodes(graph, arrays)
    normalizer, count = (arrays[node.saved[i].id] for i in (SigmoidLoss.normalizer_saved, SigmoidLoss.count_saved))
    assert normalizer.shape == count.shape == (1,) and normalizer[0] == count[0] == 3
    seed = graph.value(loss.spec, "seed", like=loss)
    dx, _ = get_op("sigmoid_loss").backward(graph, node, [seed], [True, True])
    graph.nodes = graph.nodes[1:]
    arrays[seed.id] = np.ones(())
    run_nodes(graph, arrays)
    before = arrays[dx.id]
    normalizer[0] = 1.5
    run_nodes(graph, arrays)
    np.testing.assert_allclose(arrays[dx.id], before * 2)


def test_an_empty_batch_and_float32():
    x = np.zeros((0, 3), np.float32)
    (loss,) = forward("sigmoid_loss", SigmoidLossAttrs(), [x, x])
    assert loss == 0 and loss.dtype == np.float32
    dx, _ = gradients("sigmoid_loss", SigmoidLossAttrs("valid", 0), [x, x], [np.ones((), np.float32)])
    assert dx.shape == (0, 3) and dx.dtype == np.float32
