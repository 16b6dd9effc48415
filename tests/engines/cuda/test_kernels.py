"""Each kernel text, run on the host, against the NumPy definition of its op; and the table's arithmetic."""
import itertools

import numpy as np
import pytest

from caffempi.engines.base import Call, Operands
from caffempi.engines.cuda.kernels import MAX_BLOCKS, RULES, THREADS, TYPES, plan_launch
from caffempi.ops import OPS, Spec
from caffempi.ops.relu import ReluAttrs
from caffempi.ops.softmax import SoftmaxAttrs
from tests.helpers.cuda.hostrun import call_of, entries, needs_compiler, reference, run, storage, tolerance

SHAPES = [(0,), (0, 3), (1,), (31,), (THREADS,), (THREADS + 1,), (3, 5, 7), (4, 300)]
ROWS = [((0, 4), 1), ((3, 0), 1), ((1, 1), 1), ((2, 10), 1), ((5, 64), -1), ((5, 65), -1), ((3, 1000), 1), ((2, 3, 4, 5), 1),
        ((70, 3), 0), ((2, 257, 3), 1), ((9,), 0)]


def draw(shape, dtype, seed):
    return (np.random.default_rng(seed).standard_normal(shape) * 3).astype(storage(dtype))


def both(op, attrs, ins, seed, dtype, blocks=None):
    """The kernel's result and the definition's; the result starts as NaN, so each element must be written."""
    call = call_of(op, attrs, ins)
    out = np.full(call.outs[0].shape, np.nan, storage(dtype))
    run(entries(RULES[op].file), call, Operands(tuple(ins), (out,)), seed, blocks)
    return out.astype(np.float32), reference(op, attrs, ins).astype(np.float32)


@needs_compiler
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("slope", [0.0, 0.1, -0.5])
@pytest.mark.parametrize("op", ["relu", "relu_dx"])
def test_elementwise_equals_the_definition(op, slope, dtype):
    for seed, shape in enumerate(SHAPES):
        ins = [draw(shape, dtype, seed), draw(shape, dtype, seed + 100)][:1 if op == "relu" else 2]
        attrs = ReluAttrs(float(np.float32(slope)))
        np.testing.assert_array_equal(*both(op, attrs, ins, seed, dtype))
        np.testing.assert_array_equal(*both(op, attrs, ins, seed, dtype, blocks=2))   # any grid covers any count


@needs_compiler
@pytest.mark.parametrize("slope", [0.0, 0.25])
def test_elementwise_at_zeros_infinities_and_nan(slope):
    values = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-45, -1e-45, 1.0, -1.0], np.float32)
    np.testing.assert_array_equal(*both("relu", ReluAttrs(slope), [values], 1, "float32"))
    s, dy = (np.array(column, np.float32) for column in zip(*itertools.product(values, values), strict=True))
    np.testing.assert_array_equal(*both("relu_dx", ReluAttrs(slope), [s, dy], 1, "float32"))


@needs_compiler
@pytest.mark.parametrize("dtype", TYPES)
def test_softmax_equals_the_definition(dtype):
    for seed, (shape, axis) in enumerate(ROWS):
        x = draw(shape, dtype, seed)
        for blocks in (None, 2):                               # with two blocks each takes several rows
            got, want = both("softmax", SoftmaxAttrs(axis), [x], seed, dtype, blocks)
            np.testing.assert_allclose(got, want, rtol=tolerance(dtype), atol=1e-7 if dtype == "float32" else 1e-6)


@needs_compiler
@pytest.mark.parametrize("count", [7, 300])
def test_softmax_of_large_and_not_finite_values(count):
    x = draw((6, count), "float32", 4)
    x[0] *= 1e37
    x[1, 2], x[2, 3], x[3, 1] = np.nan, np.inf, -np.inf
    x[4], x[5] = -np.inf, -3e38
    got, want = both("softmax", SoftmaxAttrs(1), [x], 4, "float32")
    np.testing.assert_allclose(got, want, rtol=5e-6, atol=1e-7)


@needs_compiler
@pytest.mark.parametrize(("op", "attrs", "shape"), [
    ("relu", ReluAttrs(0.1), (5, 70)), ("relu_dx", ReluAttrs(), (5, 70)),
    ("softmax", SoftmaxAttrs(1), (5, 70)), ("softmax", SoftmaxAttrs(0), (5, 7))])
def test_in_place_gives_the_same(op, attrs, shape):
    for pair in OPS.get(op).inplace:
        ins = [draw(shape, "float32", i) for i in range(2 if op == "relu_dx" else 1)]
        want, _ = both(op, attrs, ins, 3, "float32")
        run(entries(RULES[op].file), call_of(op, attrs, ins), Operands(tuple(ins), (ins[pair[0]],)), 3)
        np.testing.assert_array_equal(ins[pair[0]], want)


@needs_compiler
@pytest.mark.parametrize("op", ["relu", "softmax"])
def test_results_do_not_depend_on_the_order_of_threads(op):
    x, attrs = draw((7, 500), "float32", 5), ReluAttrs(0.1) if op == "relu" else SoftmaxAttrs(1)
    first, _ = both(op, attrs, [x], 0, "float32")
    for seed in range(1, 5):
        np.testing.assert_array_equal(both(op, attrs, [x], seed, "float32")[0], first)


@pytest.mark.parametrize("op", RULES)
def test_every_entry_of_the_table_is_an_op(op):
    assert op in OPS


@pytest.mark.parametrize("count", [1, THREADS, THREADS * MAX_BLOCKS + 1, 2**31, 2**40])
def test_grids_and_counts_of_huge_arrays(count):
    shape = (count, 3)
    relu = plan_launch(Call("relu", ReluAttrs(), (Spec(shape),), (Spec(shape),)))
    assert relu.grid[0] == min(-(-count * 3 // THREADS), MAX_BLOCKS)
    assert relu.args[0] == count * 3
    rows = plan_launch(Call("softmax", SoftmaxAttrs(1), (Spec(shape),), (Spec(shape),)))
    assert rows.grid[0] == min(count, MAX_BLOCKS)
    assert rows.args[:3] == (count, 3, 1)
    for arg in (relu.args[0], *rows.args[:3]):
        assert type(arg) is np.int64
