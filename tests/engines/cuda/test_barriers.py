"""Every barrier of every kernel text is needed, and the tests can tell: with one of them broken, some case fails."""
import re
import shutil
from functools import cache

import pytest

from caffempi.engines.cuda.chains import key_of
from caffempi.engines.cuda.kernels import expressions
from caffempi.engines.cuda.modules import FOLDER, TEXTS
from caffempi.engines.cuda.rule import RULES
from tests.engines.cuda.rules.test_reorder import FILE as REORDER
from tests.engines.cuda.rules.test_reorder import hold as hold_reorder
from tests.helpers.cuda.build import ShimError, build
from tests.helpers.cuda.cases import all_cases, record
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.kernelcheck import check_form

BARRIER = re.compile(r"__sync(threads|warp)\(\);")
PATHS = sorted([*FOLDER.glob("*.h"), *TEXTS.glob("*.cu")])
BARRIERS = [(path.name, i) for path in PATHS for i, _ in enumerate(BARRIER.finditer(path.read_text()))]
SEEDS = range(2)
MODERATE = 10_000
FIRST = "__syncthreads();  // all slots"
pytestmark = needs_compiler


def users(file, at):
    """The .cu files whose kernels have that place of a text in them: the file itself, or those that, directly or by another
    header, call the function there."""
    if file.endswith(".cu"):
        return [file]
    name = re.findall(r"__device__ inline [^;{]*?(\w+)\(", (FOLDER / file).read_text()[:at])[-1]
    heads = {p.name for p in FOLDER.glob("*.h") if p.name != file and name in p.read_text()}
    return [p.name for p in sorted(TEXTS.glob("*.cu"), key=lambda p: p.stat().st_size)
            if re.search(rf"\b{name}\b", p.read_text()) or any(f'"{h}"' in p.read_text() for h in heads)]


@cache
def calls(file):
    """All calls of moderate size that some case makes of a file's kernels."""
    made = [r for case in all_cases() for r in record(case)
            if key_of(r.call) in RULES and RULES.get(key_of(r.call)).file == file]
    return [r for r in made if sum(s.count for s in [*r.call.ins, *r.call.outs]) <= MODERATE]


def fails(folder, file):
    """What the first case that fails says with the texts in that folder; None where all pass."""
    kernels = build((folder / file).read_text(), expressions(file, "float32"), folder)
    try:
        if file == REORDER:
            hold_reorder((2, 40, 7, 11), "float32", kernels)
        for r in calls(file):
            for form in RULES.get(key_of(r.call)).forms(r.call, ("float32",)):
                check_form(r, form, kernels, SEEDS)
    except AssertionError as e:
        return str(e)
    return None


@pytest.fixture
def texts(tmp_path):
    for path in PATHS:
        shutil.copy(path, tmp_path)
    return tmp_path


def replace(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))


def test_the_texts_as_they_are_pass(texts):
    for file in ("softmax.cu", REORDER):
        assert fails(texts, file) is None


def test_there_are_barriers():
    assert len(BARRIERS) >= 2


@pytest.mark.parametrize(("file", "i"), BARRIERS)
def test_without_one_barrier_some_case_fails(texts, file, i):
    text = (texts / file).read_text()
    start, end = list(BARRIER.finditer(text))[i].span()
    (texts / file).write_text(text[:start] + text[end:])
    assert any(fails(texts, user) for user in users(file, start))


def test_a_slot_that_is_never_written_is_found(texts):
    replace(texts / "reduce.h", "if (threadIdx.x % 32 == 0) slots", "if (threadIdx.x % 32 == 0 && threadIdx.x) slots")
    assert "not equal" in fails(texts, "softmax.cu").lower()


@pytest.mark.parametrize(("instead", "why"), [
    ("if (threadIdx.x < 32) " + FIRST, "__syncthreads is not reached by every thread|different __syncthreads"),
    ("if (threadIdx.x % 2) " + FIRST, "a warp operation is not reached by every lane"),
])
def test_a_barrier_in_a_divergent_branch_is_an_error(texts, instead, why):
    replace(texts / "reduce.h", FIRST, instead)
    assert issubclass(ShimError, AssertionError)
    assert re.search(why, fails(texts, "softmax.cu"))
