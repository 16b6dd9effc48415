"""The table op -> kernels as a whole: what is in it, what it still lacks, and its arithmetic on huge arrays."""
import numpy as np
import pytest

from caffempi.engines.base import Call
from caffempi.engines.cuda.chains import key_of
from caffempi.engines.cuda.host import runs_on_host
from caffempi.engines.cuda.kernels import RULES, expressions, files, plan_job
from caffempi.engines.cuda.modules import TEXTS
from caffempi.engines.cuda.rule import EXTRA, MAX_BLOCKS, THREADS, TYPES, Form
from caffempi.ops import OPS, Spec, get_op
from caffempi.ops.relu import ReluAttrs
from caffempi.ops.softmax import SoftmaxAttrs
from tests.helpers.cuda.cases import all_cases, record


def test_every_op_has_kernels_or_runs_on_the_host():
    names = set(RULES.names())
    parts = {op for name in names for op in name.split("+")}
    assert parts <= set(OPS.names()) and not [op for op in parts if get_op(op).alias or runs_on_host(op)]
    without = {name for name, op in OPS.items() if not (op.alias or runs_on_host(name))} - names
    assert without == {"fused"} and any("+" in name for name in names)


def test_every_entry_has_cases():
    held = {key_of(r.call) for case in all_cases() for r in record(case)}
    assert set(RULES.names()) <= held, "no test runs these kernels"


def test_every_file_is_used():
    assert sorted(path.name for path in TEXTS.glob("*.cu")) == list(files())


def test_every_name_is_started_by_some_case():
    started = set()
    for case in all_cases():
        for r in record(case):
            if key_of(r.call) in RULES:
                for form in RULES.get(key_of(r.call)).forms(r.call, tuple(TYPES)):
                    started |= {(launch.file, launch.expression) for launch in plan_job(r.call, form).launches}
    assert started == {(file, e) for file in files() for dtype in TYPES for e in expressions(file, dtype) if file not in EXTRA}


@pytest.mark.parametrize("count", [1, THREADS, THREADS * MAX_BLOCKS * 4 + 1, 2**31, 2**40])
def test_grids_and_counts_of_huge_arrays(count):
    shape = (count, 3)
    (relu,) = plan_job(Call("relu", ReluAttrs(), (Spec(shape),), (Spec(shape),)), Form()).launches
    assert relu.grid[0] == max(1, min(-(-count * 3 // (4 * THREADS)), MAX_BLOCKS))
    assert relu.args[0] == count * 3
    (rows,) = plan_job(Call("softmax", SoftmaxAttrs(1), (Spec(shape),), (Spec(shape),)), Form()).launches
    assert rows.grid[0] == min(count, MAX_BLOCKS)
    assert rows.args[:3] == (count, 3, 1)
    for arg in (relu.args[0], *rows.args[:3]):
        assert type(arg) is np.int64


def test_nothing_is_started_for_no_elements():
    spec = Spec((0, 3))
    assert plan_job(Call("relu", ReluAttrs(), (spec,), (spec,)), Form()).launches == []
