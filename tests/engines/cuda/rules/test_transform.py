"""Batches in bytes: the kernel against the definition, which is held to the host's transform; to the bit in float32."""
import numpy as np
import pytest

from caffempi.engines.cuda.rule import RULES, Form
from caffempi.ops.transform import TransformAttrs
from tests.helpers.cuda.cases import Case, record
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.kernelcheck import check, definition, execute


def ins(shape, mean=None, seed=0):
    """Images, windows of records that are 3 rows and 2 columns larger, and a mean: "image", a number of values, or none."""
    rand = np.random.default_rng(seed)
    n, c, h, w = shape
    places = np.stack([rand.integers(0, 4, n), rand.integers(0, 3, n), rand.integers(0, 2, n)], 1).astype(np.int32)
    images = rand.integers(0, 256, shape, np.uint8)
    if mean is None:
        return [images, places]
    size = (c, h + 3, w + 2) if mean == "image" else (mean, 1, 1)
    return [images, places, (rand.standard_normal(size) * 50 + 100).astype(np.float32)]


SHAPES = [(1, 1, 1, 1), (0, 3, 4, 4), (2, 3, 5, 7), (3, 1, 8, 8), (4, 3, 6, 4), (2, 5, 3, 9), (2, 3, 33, 17)]
CASES = [*(Case("transform", TransformAttrs(), ins(shape, mean)) for shape in SHAPES for mean in (None, 1, "image")),
         *(Case("transform", TransformAttrs(0.00390625), ins((3, 3, 5, 6), mean, 1)) for mean in (None, 1, 3, "image")),
         Case("transform", TransformAttrs(0.0137), ins((2, 1, 1, 40), "image", 2))]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case)


@needs_compiler
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("last", [False, True])
def test_float32_is_equal_to_the_bit_over_random_shapes(seed, last):
    rand = np.random.default_rng(seed)
    shape = tuple(int(d) for d in rand.integers(1, 9, 4))
    mean = [None, 1, shape[1], "image"][seed % 4]
    (recorded,) = record(Case("transform", TransformAttrs(float(rand.standard_normal())), ins(shape, mean, seed)))
    rule, form = RULES.get("transform"), Form("float32", last)
    want, got = definition(recorded, rule, form).outs[0], execute(recorded, rule, form, seed).outs[0]
    np.testing.assert_array_equal(got, want)
