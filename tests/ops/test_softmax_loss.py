"""softmax_nll: the four divisors, ignored labels, clamping, the saved divisor that backward reads, gradients."""
import numpy as np
import pytest

from caffempi.errors import DataError
from caffempi.ops import Graph, Spec, get_op
from caffempi.ops.softmax_loss import SoftmaxNll, SoftmaxNllAttrs
from tests.helpers.opcheck import check_gradient, forward, gradients, run_nodes

SHAPES = [((4, 3), 1), ((2, 3, 2, 2), 1), ((2, 2, 3), -1), ((3,), 0)]


def labels(shape, axis, ignored=None):
    rand = np.random.default_rng(13)
    rest = [d for i, d in enumerate(shape) if i != axis % len(shape)]
    label = rand.integers(0, shape[axis], rest).astype(np.float64)
    if ignored is not None:
        label.reshape(-1)[0] = ignored
    return label


def by_hand(x, label, axis, mode, ignore):
    p = np.exp(x) / np.exp(x).sum(axis=axis, keepdims=True)
    rows = np.moveaxis(p, axis, -1).reshape(-1, x.shape[axis])
    flat = label.reshape(-1)
    valid = [i for i in range(len(flat)) if ignore is None or flat[i] != ignore]
    outer = int(np.prod(x.shape[:axis % x.ndim]))
    divisor = max(1, {"full": len(flat), "valid": len(valid), "batch": outer, "none": 1}[mode])
    return sum(-np.log(rows[i, int(flat[i])]) for i in valid) / divisor, p, divisor


@pytest.mark.parametrize("shape,axis", SHAPES)
@pytest.mark.parametrize("mode", ["full", "valid", "batch", "none"])
@pytest.mark.parametrize("ignore", [None, -1, 1])
def test_loss_probabilities_and_gradient(shape, axis, mode, ignore):
    x = np.random.default_rng(14).standard_normal(shape)
    label = labels(shape, axis, ignore)
    attrs = SoftmaxNllAttrs(axis, mode, ignore, True)
    loss, prob = forward("softmax_nll", attrs, [x, label])
    expected, p, _ = by_hand(x, label, axis, mode, ignore)
    assert loss.shape == ()
    np.testing.assert_allclose(loss, expected)
    np.testing.assert_allclose(prob, p)
    check_gradient("softmax_nll", attrs, [x, label], outs=[0])


def test_backward_reads_the_divisor_that_an_exchange_may_have_overwritten():
    x, label = np.random.default_rng(1).standard_normal((4, 3)), np.array([0.0, 1, 2, 1])
    attrs = SoftmaxNllAttrs(ignore=2)
    assert attrs.counts_vary and not SoftmaxNllAttrs().counts_vary and not SoftmaxNllAttrs(1, "full", 2).counts_vary
    graph = Graph(dtype="float64")
    values = [graph.value(Spec(a.shape, "float64"), "in") for a in (x, label)]
    (loss,) = graph.emit("softmax_nll", attrs, values)
    (node,) = graph.nodes
    arrays = {values[0].id: x, values[1].id: label}
    run_nodes(graph, arrays)
    normalizer, count = (arrays[node.saved[i].id] for i in (SoftmaxNll.normalizer_saved, SoftmaxNll.count_saved))
    assert normalizer.shape == count.shape == (1,) and normalizer[0] == count[0] == 3
    seed = graph.value(loss.spec, "seed", like=loss)
    dx, dlabel = get_op("softmax_nll").backward(graph, node, [seed], [True, True])
    assert dlabel is None
    graph.nodes = graph.nodes[1:]
    arrays[seed.id] = np.ones(())
    run_nodes(graph, arrays)
    before = arrays[dx.id]
    normalizer[0] = 1.5
    run_nodes(graph, arrays)
    np.testing.assert_allclose(arrays[dx.id], before * 2)


@pytest.mark.parametrize("label", [[-1.0, -1.0], []])
def test_where_nothing_counts_the_loss_and_the_gradient_are_zero(label):
    x = np.ones((len(label), 3), np.float32)
    with np.errstate(all="raise"):
        (loss,) = forward("softmax_nll", SoftmaxNllAttrs(ignore=-1), [x, np.array(label, np.float32)])
        dx, _ = gradients("softmax_nll", SoftmaxNllAttrs(ignore=-1), [x, np.array(label, np.float32)],
                          [np.ones((), np.float32)])
    assert loss == 0 and loss.dtype == np.float32
    np.testing.assert_array_equal(dx, np.zeros_like(x))


def test_a_hopeless_prediction_costs_at_most_the_log_of_flt_min():
    (loss,) = forward("softmax_nll", SoftmaxNllAttrs(), [np.array([[1e4, 0]], np.float32), np.ones(1, np.float32)])
    np.testing.assert_allclose(loss, 87.3365, atol=1e-4)


def test_the_loss_weight_scales_the_gradient_and_a_missing_one_is_zero():
    x, label = np.random.default_rng(1).standard_normal((4, 3)), np.zeros(4)
    one = gradients("softmax_nll", SoftmaxNllAttrs(), [x, label], [np.ones(())])[0]
    np.testing.assert_allclose(gradients("softmax_nll", SoftmaxNllAttrs(), [x, label], [np.full((), 2.5)])[0], 2.5 * one)
    assert gradients("softmax_nll", SoftmaxNllAttrs(with_prob=True), [x, label], [None, x]) == [None, None]


def test_a_label_out_of_range_is_an_error_that_names_it():
    with pytest.raises(DataError, match=r"label 7 at position 2 .* 3 classes"):
        forward("softmax_nll", SoftmaxNllAttrs(), [np.ones((4, 3)), np.array([0.0, 1, 7, 2])])
