"""The library's objects: descriptions, implementations, status codes, memory that is too small."""
import subprocess
import sys

import numpy as np
import pytest

from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.codes import DST, SRC
from caffempi.engines.onednn.primitives import Primitive
from caffempi.errors import EngineError


def test_version_and_instruction_set_are_told(engine):
    assert engine.library.version.startswith("3.")
    assert engine.library.isa.startswith(("sse", "avx", "0x"))


def test_a_library_that_is_none_is_one_clear_error(tmp_path):
    with pytest.raises(EngineError, match="cannot be loaded.*pip install onednn-cpu-gomp"):
        Library(str(tmp_path / "missing.so"))
    (tmp_path / "torn.so").write_bytes(b"\x7fELF torn")
    with pytest.raises(EngineError, match="cannot be loaded"):
        Library(str(tmp_path / "torn.so"))


def test_a_library_with_another_interface_is_refused():
    with pytest.raises(EngineError, match="cannot be loaded"):
        Library("libc.so.6")


def test_descriptions_are_equal_where_the_memory_is(engine):
    lib = engine.library
    assert lib.plain((4, 1, 5, 6)) == lib.channels_last((4, 1, 5, 6))
    assert lib.plain((4, 3, 5, 6)) != lib.channels_last((4, 3, 5, 6))
    assert lib.any((4, 3, 5, 6)) != lib.plain((4, 3, 5, 6))
    assert lib.plain((2, 3)).nbytes == 24 and lib.plain((2, 3)).tag == "ab"
    assert len({lib.plain((2, 3)), lib.plain((2, 3)), lib.plain((3, 2))}) == 2


def test_what_the_library_refuses_is_said_with_its_status(engine):
    lib = engine.library
    with pytest.raises(EngineError, match="reorder.*invalid arguments"):
        lib.reorder(lib.plain((2, 3)), lib.plain((3, 2)))


def test_memory_that_is_too_small_is_refused_not_overrun(engine):
    lib = engine.library
    copy = Primitive(lib.reorder(lib.plain((4, 4)), lib.strided((4, 4), (1, 4))))
    with pytest.raises(EngineError, match="cannot hold"):
        copy.bind({SRC: np.zeros((4, 4), np.float32), DST: np.zeros(15, np.float32)}, None)
    with pytest.raises(EngineError, match="cannot hold"):
        copy.bind({SRC: np.zeros((4, 8), np.float32)[:, ::2], DST: np.zeros((4, 4), np.float32)}, None)


def test_a_bound_call_keeps_its_memory_alive(engine):
    lib = engine.library
    out = np.zeros((300, 200), np.float32)
    copy = Primitive(lib.reorder(lib.plain((200, 300)), lib.strided((200, 300), (1, 200))))
    call = copy.bind({SRC: np.arange(60000, dtype=np.float32).reshape(200, 300), DST: out}, None)
    del copy
    junk = [np.full((200, 300), np.nan, np.float32) for _ in range(4)]
    call()
    assert (out == np.arange(60000).reshape(200, 300).T).all() and junk


def test_an_interpreter_ends_quietly_with_primitives_alive(engine):
    code = ("from caffempi.engines.onednn.engine import OneDnnEngine as E\n"
            "from caffempi.engines.onednn.primitives import Primitive\n"
            "e = E(); p = Primitive(e.library.reorder(e.library.plain((2, 3)), e.library.strided((2, 3), (1, 2))))\n")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0 and done.stderr == ""


def test_descriptions_of_the_same_memory_that_the_library_tells_apart_stay_apart():
    """A vector over 16 channels lies alike in blocks and plain; beside a blob in blocks it must be described in blocks."""
    lib = Library()
    plain, (*_, blocked) = lib.plain((1, 16, 1, 1)), lib.blocked((1, 16, 1, 1))
    assert plain == blocked and not plain.blocks and blocked.blocks
    assert lib.like(lib.blocked((2, 16, 3, 3))[-1], (1, 16, 1, 1)).blocks == blocked.blocks
    assert lib.plain((1, 16, 1, 1)) is plain
