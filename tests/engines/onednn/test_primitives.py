"""Objects of the library: implementations, arguments, and bound calls that keep what they need."""
import numpy as np
import pytest

from caffempi.engines.onednn.codes import DST, SRC, WEIGHTS
from caffempi.engines.onednn.primitives import Primitive
from caffempi.errors import EngineError


def test_what_an_implementation_tells(engine):
    lib = engine.library
    desc = lib.reorder(lib.plain((4, 5)), lib.strided((4, 5), (1, 4)))
    assert desc.impl and not desc.reference and desc.scratch >= 0
    assert desc.argument(SRC) == lib.plain((4, 5)) and desc.argument(SRC) is desc.argument(SRC)
    assert desc.argument(WEIGHTS).nbytes == 0


def test_one_memory_stands_for_equal_places(engine):
    lib = engine.library
    a = np.zeros((4, 5), np.float32)
    first = lib.memory(lib.plain((4, 5)), a)
    assert lib.memory(lib.plain((4, 5)), a) is first and lib.memory(lib.plain((20,)), a) is not first


def test_missing_scratch_is_said(engine):
    from caffempi.engines.onednn.primitives import PrimitiveDesc
    lib = engine.library

    class Hungry(PrimitiveDesc):
        scratch = 64
    desc = lib.reorder(lib.plain((4, 5)), lib.strided((4, 5), (1, 4)))
    desc.__class__ = Hungry
    with pytest.raises(EngineError, match="wants scratch memory"):
        Primitive(desc).bind({SRC: np.zeros(20, np.float32), DST: np.zeros(20, np.float32)}, None)
