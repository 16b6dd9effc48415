"""Rules and jobs: exact types of arguments, room in scratch, how operands are stored, and axes as they lie."""
import numpy as np
import pytest

from caffempi.engines.base import Call
from caffempi.engines.cuda.rule import (
    ALIGN,
    IN,
    MAX_BLOCKS,
    OUT,
    THREADS,
    Form,
    Job,
    Rule,
    Slot,
    always,
    blocks_for,
    rule,
    split_axis,
)
from caffempi.errors import EngineError
from caffempi.ops import Spec


def nothing(job, call, form):
    """A plan without launches."""


def test_arguments_get_the_types_of_the_kernels_parameters():
    job = Job("some.cu")
    room = job.take(10)
    job.start("f<float>", 3, 64, 5, 0.5, IN(0), OUT(), room, np.int32(2), strided=False)
    (launch,) = job.launches
    assert (launch.file, launch.grid, launch.block, launch.strided) == ("some.cu", (3,), (64,), False)
    assert [type(a) for a in launch.args] == [np.int64, np.float32, Slot, Slot, type(room), np.int32]


def test_arrays_in_scratch_do_not_touch():
    job = Job("some.cu")
    arrays = [job.take(3), job.take(1, "int64"), job.take(100, "bfloat16")]
    assert [a.nbytes for a in arrays] == [12, 8, 200]
    assert [a.offset for a in arrays] == [0, ALIGN, 2 * ALIGN]
    assert job.scratch == 3 * ALIGN


@pytest.mark.parametrize(("count", "a_thread", "blocks"), [(0, 1, 1), (1, 4, 1), (THREADS * 4, 4, 1), (THREADS * 4 + 1, 4, 2),
                                                          (2**40, 1, MAX_BLOCKS)])
def test_blocks(count, a_thread, blocks):
    assert blocks_for(count, a_thread) == blocks


def test_how_operands_are_stored():
    r = Rule("some.cu", (), nothing, ins="TfF", last=always)
    form, image = Form("float16", True), Spec((2, 3, 4, 5))
    assert [r.dtype("ins", i, image, form) for i in range(4)] == ["float16", "float32", "float32", "float32"]
    assert [r.is_last("ins", i, image, form) for i in range(4)] == [True, False, True, True]
    assert r.dtype("ins", 0, Spec((2,), "int32"), form) == "int32"
    assert not r.is_last("ins", 0, Spec((2, 3)), form) and not r.is_last("state", 0, image, form)
    call = Call("relu", None, (image,), (image,))
    assert r.forms(call, ("float32", "float16")) == [Form("float32", False), Form("float32", True), Form("float16", False), form]
    assert Rule("some.cu", (), nothing).forms(call, ("float32",)) == [Form()]
    assert r.pairs("relu") == ((0, 0),) and Rule("some.cu", (), nothing, inplace=()).pairs("relu") == ()


def test_forms():
    assert [(f.t, f.size, f.width) for f in map(Form, ("float32", "float16", "bfloat16"))] == [
        ("float", 4, 4), ("__half", 2, 8), ("__nv_bfloat16", 2, 8)]


def test_an_op_has_one_rule():
    with pytest.raises(ValueError, match="twice"):
        rule("other.cu", "relu", names=())(nothing)


def test_axes_as_they_lie():
    shape = (2, 3, 4, 5)
    assert split_axis(shape, 1, Form()) == (2, 3, 20)
    assert split_axis(shape, 3, Form()) == (24, 5, 1)
    assert split_axis(shape, 1, Form(last=True)) == (40, 3, 1)
    assert split_axis((7, 3), 1, Form(last=True)) == (7, 3, 1)
    with pytest.raises(EngineError, match="axis 2"):
        split_axis(shape, 2, Form(last=True))
