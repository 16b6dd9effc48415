"""Updates by mean squares against plain transcriptions, element by element."""
from __future__ import annotations

import pytest

from caffempi.engines.numpy.engine import NumpyEngine
from caffempi.ops.update import UpdateAttrs
from tests.helpers.updates import MORE, run_case


@pytest.mark.parametrize("dtype, tol", [("float64", 1e-11), ("float32", 2e-5)])
@pytest.mark.parametrize("l1", [False, True])
@pytest.mark.parametrize("op, more", [m for m in MORE if m[0] not in ("sgd_update", "nesterov_update")])
def test_updates_follow_the_formula(op, more, l1, dtype, tol):
    for n in (1, 9, 100):
        run_case(NumpyEngine(), op, more, UpdateAttrs(l1), n, dtype, tol)
