"""Updates held to their definition: decays, tails, alarms of single blocks, and gradients that are not kept."""
import numpy as np
import pytest

from caffempi.engines.cuda.rule import RULES, Form
from caffempi.ops.update import UpdateAttrs
from tests.helpers.cuda.cases import Case, record
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.kernelcheck import check, execute
from tests.helpers.updates import MORE


def case_of(op, more, n, l1=False, keep=True, g=None, alarms=4, scale=0.5):
    rng = np.random.default_rng(n)
    memories = 2 if op in ("adadelta_update", "adam_update") else 1
    flat = [rng.standard_normal(n).astype(np.float32), rng.standard_normal(n).astype(np.float32) if g is None else g]
    h = [np.abs(rng.standard_normal(n)).astype(np.float32) for _ in range(memories)]
    terms = np.array([scale, 0.1, 0.05, *more], np.float32)
    return Case(op, UpdateAttrs(l1, keep), [*flat, *h, terms, np.arange(alarms, dtype=np.float32)], slack=4)


CASES = [case_of(op, more, n, l1) for op, more in MORE for n, l1 in ((1, False), (4099, True), (1024, False))]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case, ("float32",))


@needs_compiler
@pytest.mark.parametrize("op, more", MORE[:1] + MORE[-1:])
def test_without_keep_the_gradients_place_is_not_written(op, more):
    kept, bare = (record(case_of(op, more, 70, keep=keep))[0] for keep in (True, False))
    a, b = (execute(r, RULES.get(op), Form(), 0).outs for r in (kept, bare))
    assert np.isnan(b[1]).all()
    for i in {*range(len(a))} - {1}:
        np.testing.assert_array_equal(a[i], b[i])


@needs_compiler
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("at", [0, 1027, 4098])
def test_an_alarm_is_raised(bad, at):
    g = np.ones(4099, np.float32)
    g[at] = bad
    r = record(case_of("sgd_update", (0.9,), 4099, g=g))[0]
    alarm = execute(r, RULES.get("sgd_update"), Form(), 0).outs[-1]
    assert np.isnan(alarm).any()
    np.testing.assert_array_equal(alarm[~np.isnan(alarm)], np.arange(4)[~np.isnan(alarm)])


@needs_compiler
@pytest.mark.parametrize("op, more", MORE)
def test_a_scale_of_nan_changes_nothing(op, more):
    g = np.full(1027, np.inf, np.float32)
    g[::5] = np.nan
    r = record(case_of(op, more, 1027, g=g, scale=np.nan))[0]
    outs = execute(r, RULES.get(op), Form(), 0).outs
    for i, (a, b) in enumerate(zip(outs, [*r.ins[:-2], r.ins[-1]], strict=True)):
        np.testing.assert_array_equal(a, np.zeros_like(g) if i == 1 else b)
