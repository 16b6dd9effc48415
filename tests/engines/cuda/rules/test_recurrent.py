"""LSTM, RNN and the LSTM's unit held to their definitions: states kept and exposed, one step, none, sequences that start anew."""
import numpy as np
import pytest

from caffempi.ops.recurrent import RecurrentAttrs
from tests.helpers.cuda.cases import Case
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.kernelcheck import check

SIZES = [(3, 2, 5), (1, 3, 4), (4, 1, 1), (0, 2, 3), (2, 0, 3)]


def marks(*shape):
    return (np.arange(np.prod(shape)) % 3 > 0).reshape(shape).astype(np.float32)


def sequence(op, size, exposed):
    t, n, h = size
    parts, arrays = (4, 2) if op == "lstm" else (1, 1)
    state = [(1, n, h)] * arrays
    return Case(op, RecurrentAttrs(exposed), [(t, n, parts * h), marks(t, n), (parts * h, h), *(state if exposed else [])],
                [] if exposed else state, scale=0.7, slack=20)


CASES = [
    *(sequence(op, size, exposed) for op in ("lstm", "rnn") for size in SIZES for exposed in (False, True)),
    *(Case("lstm_unit", None, [(1, n, h), (1, n, 4 * h), marks(1, n)], slack=8) for n, h in [(3, 5), (1, 1), (0, 4), (2, 300)]),
]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case)
