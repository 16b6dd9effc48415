"""The barriers of the reductions are all needed, and the tests can tell: kernel texts with one of them broken fail."""
import re
import shutil

import numpy as np
import pytest

from caffempi.engines.base import Operands
from caffempi.engines.cuda.kernels import expressions
from caffempi.engines.cuda.modules import FOLDER
from caffempi.ops.softmax import SoftmaxAttrs
from tests.helpers.cuda.build import ShimError, build
from tests.helpers.cuda.hostrun import call_of, needs_compiler, reference, run

BARRIER = re.compile(r"__syncthreads\(\);")
BARRIERS = [(path.name, i) for path in sorted([*FOLDER.glob("*.h"), *FOLDER.glob("*.cu")])
            for i, _ in enumerate(BARRIER.finditer(path.read_text()))]
SEEDS = 4
FIRST = "__syncthreads();  // all slots"
pytestmark = needs_compiler


def wrong_seeds(folder):
    """How many of the seeds give wrong softmax numbers with the texts in that folder."""
    kernels = build((folder / "reduction.cu").read_text(), expressions("reduction.cu", "float32"), folder)
    x = (np.random.default_rng(2).standard_normal((4, 700)) * 4).astype(np.float32)
    attrs = SoftmaxAttrs(1)
    want, wrong = reference("softmax", attrs, [x]), 0
    for seed in range(SEEDS):
        out = np.zeros_like(x)
        run(kernels, call_of("softmax", attrs, [x]), Operands((x,), (out,)), seed, blocks=2)
        wrong += not np.allclose(out, want, rtol=1e-5)
    return wrong


@pytest.fixture
def texts(tmp_path):
    for path in [*FOLDER.glob("*.h"), *FOLDER.glob("*.cu")]:
        shutil.copy(path, tmp_path)
    return tmp_path


def replace(path, old, new):
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def test_the_texts_as_they_are_give_right_numbers(texts):
    assert wrong_seeds(texts) == 0


def test_there_are_barriers():
    assert len(BARRIERS) >= 2


@pytest.mark.parametrize(("file", "i"), BARRIERS)
def test_without_one_barrier_numbers_are_wrong(texts, file, i):
    text = (texts / file).read_text()
    start, end = list(BARRIER.finditer(text))[i].span()
    (texts / file).write_text(text[:start] + text[end:])
    assert wrong_seeds(texts) > 0


def test_a_slot_that_is_never_written_is_found(texts):
    replace(texts / "reduce.h", "if (threadIdx.x % 32 == 0) slots", "if (threadIdx.x % 32 == 0 && threadIdx.x) slots")
    assert wrong_seeds(texts) == SEEDS


@pytest.mark.parametrize(("instead", "why"), [
    ("if (threadIdx.x < 32) " + FIRST, "__syncthreads is not reached by every thread|different __syncthreads"),
    ("if (threadIdx.x % 2) " + FIRST, "a warp operation is not reached by every lane"),
])
def test_a_barrier_in_a_divergent_branch_is_an_error(texts, instead, why):
    replace(texts / "reduce.h", FIRST, instead)
    with pytest.raises(ShimError, match=why):
        wrong_seeds(texts)
