"""All kernels under the compiler's sanitizers: no data race, no access outside an array, nothing that C++ leaves undefined.

Races are looked for with a thread of the system for each thread of a block, within blocks and between them. Each sanitizer
is shown to report a fault that is put into a text.
"""
import re
import shutil

import numpy as np
import pytest

from caffempi.engines.cuda.kernels import expressions, files, plan_job
from caffempi.engines.cuda.modules import FOLDER, TEXTS
from caffempi.engines.cuda.rule import EXTRA, TYPES
from caffempi.ops.relu import ReluAttrs
from tests.helpers.cuda.cases import Case, all_cases
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.sanitize import SANITIZERS, calls, examine, require, vary

FAULTS = {
    "a barrier is missing": ("races", "softmax.cu", "reduce.h", "__syncthreads();  // all slots", "// all slots", "data race"),
    "a barrier is for a warp alone": ("races", "softmax.cu", "reduce.h", "__syncthreads();  // all have", "__syncwarp();  // all have",
                                      "data race"),
    "all blocks write to one place": ("races", "dropout.cu", "device.h", "(blockIdx.x) * blockDim.x", "(0) * blockDim.x", "data race"),
    "one element too many is read": ("memory", "dropout.cu", "device.h", "i < (n);", "i <= (n);", "heap-buffer-overflow"),
    "shared memory is too short": ("memory", "softmax.cu", "device.h", '#include "host_shim.h"', '#include "host_shim.h"\n#undef SHARED\n'
                                   "#define SHARED(T, name, n) static T name[1]", "insufficient space|global-buffer-overflow"),
    "a sum passes the largest int": ("memory", "softmax.cu", "device.h", "to_f(float x) { return x; }",
                                     "to_f(float x) { volatile int i = 2147483647; i = i + 1; return x; }", "signed integer overflow"),
}


@pytest.fixture
def texts(tmp_path):
    """A folder with all texts and headers."""
    for path in [*FOLDER.glob("*.h"), *TEXTS.glob("*.cu")]:
        shutil.copy(path, tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("file", files())
@pytest.mark.parametrize("name", SANITIZERS)
def test_nothing_is_found(texts, name, file):
    require(name)
    count, found = examine(name, texts, file)
    assert not found, found[:4000]
    assert count


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found(texts, fault):
    name, file, where, old, new, words = FAULTS[fault]
    require(name)
    text = (texts / where).read_text()
    assert old in text
    (texts / where).write_text(text.replace(old, new, 1))
    _, found = examine(name, texts, file)
    assert re.search(words, found), found


@needs_compiler
@pytest.mark.parametrize("file", files())
def test_each_kernel_is_started(file):
    started = {launch.expression for r, form in calls(file, tuple(TYPES), 1) for launch in plan_job(r.call, form).launches}
    assert file in EXTRA or started == {e for dtype in TYPES for e in expressions(file, dtype)}


def test_shapes_are_varied_where_an_op_takes_others():
    rand = np.random.default_rng(1)
    made = vary(Case("relu", ReluAttrs(), [(2, 3, 4, 5)]), rand)
    assert made.ins[0] != (2, 3, 4, 5) and made.ins[0][1] == 3 and len(made.ins[0]) == 4
    cases = all_cases()
    varied = [vary(case, rand) for case in cases]
    assert sum(a.ins != b.ins for a, b in zip(cases, varied, strict=True)) > len(cases) / 3
