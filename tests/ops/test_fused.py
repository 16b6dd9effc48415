"""A fused chain gives what its parts give one after another, shapes and saved values included."""
import numpy as np

from caffempi.ops import Spec, get_op
from caffempi.ops.affine import AffineAttrs
from caffempi.ops.batch_norm import BatchNormAttrs
from caffempi.ops.conv import ConvAttrs
from caffempi.ops.fused import FusedAttrs
from caffempi.ops.pool import PoolAttrs
from caffempi.ops.relu import ReluAttrs
from tests.helpers.opcheck import forward


def test_chain_equals_its_parts():
    rng = np.random.default_rng(0)
    x, w, b = rng.standard_normal((2, 3, 7, 7)), rng.standard_normal((4, 3, 3, 3)), rng.standard_normal(4)
    conv, relu, pool = ConvAttrs((3, 3), (1, 1), (1, 1), (1, 1)), ReluAttrs(0.1), PoolAttrs((2, 2), (2, 2), (0, 0))
    attrs = FusedAttrs(("conv", "relu", "max_pool"), (conv, relu, pool), (3, 0, 0))
    (want,) = forward("max_pool", pool, forward("relu", relu, forward("conv", conv, [x, w, b])))
    (got,) = forward("fused", attrs, [x, w, b])
    np.testing.assert_array_equal(got, want)
    specs = [Spec(a.shape, "float64") for a in (x, w, b)]
    rule = get_op("fused")
    outs = rule.infer(attrs, specs)
    assert outs[0].shape == want.shape
    assert len(rule.saved(attrs, specs, outs)) == len(get_op("max_pool").saved(pool, [Spec((2, 4, 7, 7), "float64")], outs))
    assert rule.cost(attrs, specs, outs)[0] > get_op("conv").cost(conv, specs, [Spec((2, 4, 7, 7), "float64")])[0]


def test_cost_leaves_out_the_middles_and_keeps_what_a_part_reads_twice():
    x, c = Spec((2, 3, 4, 4)), Spec((3,))
    attrs = FusedAttrs(("batch_norm", "scale", "relu"), (BatchNormAttrs(), AffineAttrs(), ReluAttrs()), (1, 1, 0))
    flops, moved = get_op("fused").cost(attrs, [x, c], [x])
    assert (flops, moved) == ((5 + 1 + 1) * x.count, 4 * (3 * x.count + c.count))
