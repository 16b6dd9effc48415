"""Updates on oneDNN against plain transcriptions: over pieces and tails, alarms, memory that must not be touched."""
from __future__ import annotations

import numpy as np
import pytest

from caffempi.engines.base import Call
from caffempi.engines.numpy.engine import NumpyEngine
from caffempi.engines.onednn.update import OPS, piece_of
from caffempi.ops import Spec
from caffempi.ops.update import UpdateAttrs
from tests.helpers.updates import MORE, PLAIN, Case, run_case, run_skipped


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("op, more", MORE)
def test_updates_follow_the_formula(engine, op, more, keep):
    for n in (1, 9, 100):
        run_case(engine, op, more, UpdateAttrs(keep=keep), n, "float32", 3e-5)


@pytest.mark.parametrize("op, more", MORE)
def test_large_pieces_are_as_the_definition(engine, op, more):
    cases = [Case(e, op, UpdateAttrs(), 2 * piece_of(engine.library) + 4096 + 5, "float32", 1, lead=16) for e in (engine, NumpyEngine())]
    for rate in (0.1, 0.01):
        for case in cases:
            case.g[...] = np.random.default_rng(2).standard_normal(case.g.size)
            case.terms[...] = 0.5, 0.1, rate, *more
            case.call()
    for a, b in zip([cases[0].w, cases[0].g, *cases[0].h], [cases[1].w, cases[1].g, *cases[1].h], strict=True):
        np.testing.assert_allclose(a, b, rtol=3e-5, atol=3e-5)
    assert np.isfinite(cases[0].alarm).all()


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("op, more", MORE)
def test_a_scale_of_nan_skips(engine, op, more, keep):
    run_skipped(engine, op, more, keep)


def test_momentum_may_come_and_go(engine):
    case = Case(engine, "sgd_update", UpdateAttrs(), 50, "float32", 3)
    for momentum in (0.0, 0.9, 0.0, 1e-6, 1e-30, 0.5):
        case.step(0.5, 0.1, 0.1, momentum)
        case.check(3e-5)


@pytest.mark.parametrize("pieces, at", [(0, 0), (0, 4095), (1, -1), (1, 0), (1, 4096), (1, 4100)])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("op, more", MORE)
def test_the_alarm_is_raised_and_the_place_can_be_found(engine, op, more, bad, pieces, at):
    piece = piece_of(engine.library)
    at += pieces * piece
    for keep in (True, False):
        case = Case(engine, op, UpdateAttrs(keep=keep), piece + 4101, "float32", 5)
        case.terms[...] = 1, 0, 0.1, *more
        case.call()
        assert np.isfinite(case.alarm).all()
        case.g[:] = 1
        case.g[at] = bad
        case.call()
        assert np.isnan(case.alarm).any()
        assert np.flatnonzero(~np.isfinite(case.g)).tolist() == [at]
        case.alarm.fill(0)
        case.g[...], case.w[...] = 1, 1
        for h in case.h:
            h.fill(1)
        case.call()
        assert np.isfinite(case.alarm).all()                   # no alarm is left over from the last run


def test_every_update_is_covered_and_the_rest_told():
    assert set(OPS) == set(PLAIN)


@pytest.mark.parametrize("attrs, dtype, words", [(UpdateAttrs(l1=True), "float32", "sign of W"),
                                                 (UpdateAttrs(), "float64", "float32, not float64")])
def test_what_it_does_not_run(engine, attrs, dtype, words):
    specs = (Spec((8,), dtype),) * 3
    ends = (Spec((4,), dtype), Spec((2,), dtype))
    assert words in engine.why_not(Call("sgd_update", attrs, (*specs, *ends), (*specs, ends[1])))
