"""Loss scaling held to its definition: seeds, flags of single blocks, and every way that the factor can go."""
import numpy as np
import pytest

from caffempi.engines.cuda.rule import RULES, Form
from caffempi.ops.loss_scale import LossScaleAttrs
from tests.helpers.cuda.cases import Case, record
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.kernelcheck import check, execute

ATTRS = LossScaleAttrs(every=3, lowest=0.5, highest=16.0)


def f(*values):
    return np.array(values, np.float32)


def step(factor, good, flag=0.0, own=0.0, rows=3):
    """A step of a factor after so many good ones; the flag is the last of many."""
    flags = [np.zeros(300, np.float32) for _ in range(2)]
    flags[0][-1], flags[1][0] = flag, own
    terms = np.arange(rows * 4, dtype=np.float32).reshape(rows, 4)
    return Case("loss_scale", ATTRS, [*flags, np.array(factor, np.float32), f(good, 1, 2, 3), terms])


CASES = [
    *(Case("scale_seed", None, [shape, np.array(1024, np.float32)]) for shape in ((), (7, 3), (0,))),
    *(Case("nonfinite", None, [(n,), f(*range(flags))]) for n, flags in ((0, 2), (1, 4), (4099, 3), (3000, 16))),
    *(step(factor, good, flag, own, rows) for factor, good in ((4, 0), (4, 2), (16, 2), (64, 2), (0.5, 1), (0.25, 2), (0.75, 0))
      for flag, own, rows in ((0, 0, 3), (np.nan, 0, 1), (np.nan, np.nan, 90), (0, np.nan, 0))),
]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case, ("float32",))


@needs_compiler
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("at", [0, 1027, 4098])
def test_a_flag_is_raised(bad, at):
    a = np.full(4099, 3e38, np.float32)
    a[at] = bad
    r = record(Case("nonfinite", None, [a, f(*range(4))]))[0]
    flags = execute(r, RULES.get("nonfinite"), Form(), 0).outs[0]
    assert np.isnan(flags).any()
    np.testing.assert_array_equal(flags[~np.isnan(flags)], np.arange(4)[~np.isnan(flags)])
