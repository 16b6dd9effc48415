"""Updates of SGD and Nesterov, and what all updates share: order, chunks, alarm, and that ins may be kept."""
from __future__ import annotations

import numpy as np
import pytest

from caffempi.engines.numpy.engine import NumpyEngine
from caffempi.ops import OPS, Spec, get_op
from caffempi.ops.update import CHUNK, Update, UpdateAttrs, finite, update_op
from tests.helpers.updates import MORE, PLAIN, Case, run_case, run_skipped


@pytest.mark.parametrize("dtype, tol", [("float64", 1e-11), ("float32", 2e-5)])
@pytest.mark.parametrize("l1", [False, True])
@pytest.mark.parametrize("op, more", [m for m in MORE if m[0] in ("sgd_update", "nesterov_update")])
def test_updates_follow_the_formula(op, more, l1, dtype, tol):
    for n in (1, 9, 100):
        run_case(NumpyEngine(), op, more, UpdateAttrs(l1), n, dtype, tol)


def test_every_update_has_a_transcription():
    updates = {name for name, rule in OPS.items() if isinstance(rule, Update)}
    assert updates == set(PLAIN) == {op for op, _ in MORE}


@pytest.mark.parametrize("op, more", MORE)
def test_pieces_beyond_a_chunk_are_as_their_parts(op, more):
    n = CHUNK + 7
    whole, part = (Case(NumpyEngine(), op, UpdateAttrs(), m, "float32", 1) for m in (n, 7))
    for a in (whole.w, whole.g):
        a[...] = np.random.default_rng(2).standard_normal(n)
    for a, b in zip((part.w, part.g), (whole.w, whole.g), strict=True):
        a[...] = b[-7:]
    for case in (whole, part):
        case.terms[...] = 0.5, 0.1, 0.1, *more
        case.call()
    for a, b in zip([part.w, part.g, *part.h], [whole.w, whole.g, *whole.h], strict=True):
        np.testing.assert_array_equal(a, b[-7:])


@pytest.mark.parametrize("op, more", MORE)
def test_without_keep_params_and_memory_move_alike(op, more):
    cases = [Case(NumpyEngine(), op, UpdateAttrs(keep=keep), 50, "float32", 3) for keep in (True, False)]
    for case in cases:
        case.step(0.5, 0.1, 0.1, *more)
    for a, b in zip([cases[0].w, *cases[0].h], [cases[1].w, *cases[1].h], strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("op, more", MORE)
def test_ins_that_are_not_outs_stay_as_they_are(op, more):
    case = Case(NumpyEngine(), op, UpdateAttrs(), 20, "float32", 4)
    case.g[...] = 1
    case.terms[...] = 0.5, 0.1, 0.1, *more
    ins = [case.w, case.g, *case.h, case.terms, case.alarm]
    before = [a.copy() for a in ins]
    outs = [np.full_like(a, np.nan) for a in (*ins[:-2], ins[-1])]
    get_op(op).forward(case.attrs, ins, outs, (), (), None)
    for a, b in zip(ins, before, strict=True):
        np.testing.assert_array_equal(a, b)
    case.call()
    for a, b in zip([*ins[:-2], ins[-1]], outs, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("op, more", MORE)
def test_the_alarm_is_raised_and_the_place_can_be_found(op, more, bad):
    for keep in (True, False):
        case = Case(NumpyEngine(), op, UpdateAttrs(keep=keep), CHUNK + 20, "float32", 5)
        case.g[CHUNK + 3] = bad
        case.terms[...] = 1, 0, 0.1, *more
        case.call()
        assert np.isnan(case.alarm).any()
        assert np.flatnonzero(~np.isfinite(case.g)).tolist() == [CHUNK + 3]


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("op, more", MORE)
def test_a_scale_of_nan_skips(op, more, keep):
    run_skipped(NumpyEngine(), op, more, keep)


def test_large_gradients_are_no_alarm():
    big = np.full(3, 1e30, np.float32)
    with np.errstate(over="ignore"):
        assert finite(big) and not finite(np.array([1, np.inf], np.float32))


@pytest.mark.parametrize("op", PLAIN)
def test_shapes_cost_and_places(op):
    rule = get_op(op)
    specs = [Spec((8,))] * (2 + rule.memories) + [Spec((5,)), Spec((2,))]
    outs = rule.infer(UpdateAttrs(), specs)
    assert [s.shape for s in outs] == [(8,)] * (2 + rule.memories) + [(2,)]
    assert len(rule.inplace) == len(outs) and all(specs[i] == outs[o] for i, o in rule.inplace)
    assert rule.cost(UpdateAttrs(), specs, outs)[1] - rule.cost(UpdateAttrs(keep=False), specs, outs)[1] == 32


def test_another_op_is_no_update():
    with pytest.raises(TypeError, match='"relu" is no update'):
        update_op(get_op("relu"))
