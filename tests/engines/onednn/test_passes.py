"""Chains of element-wise steps, cut into pieces with temporary arrays and constants."""
import numpy as np

from caffempi.engines.base import Operands
from caffempi.engines.onednn.codes import ADD, DIVIDE, LINEAR, MULTIPLY, SQRT
from caffempi.engines.onednn.passes import Passes, chain, pieces_of


def test_pieces_are_equal_and_fit_the_cache_where_images_do():
    assert pieces_of(16, 1 << 16) == 1
    assert pieces_of(16, 1 << 21) == 4
    assert pieces_of(6, 3 << 19) == 3
    assert pieces_of(7, 1 << 22) == 7
    assert pieces_of(2, 1 << 30) == 2


def test_chains_run_on_every_piece(engine, rand):
    lib, count = engine.library, 24
    x, z, out, saved = np.abs(rand(2, count)), rand(2, count), np.full((2, count), np.nan, np.float32), rand(2, count)
    row, source, temp, constant = lib.plain((count,)), ("ins", 0), ("temps", 0), ("fixed", 0)
    parts = (chain(lib, row, source, temp, (SQRT, 0.0, 0.0), (ADD, ("ins", 1)), (LINEAR, 2.0, 1.0)),
             chain(lib, row, temp, ("saved", 0), (MULTIPLY, constant)),
             chain(lib, row, temp, ("outs", 0), (DIVIDE, ("saved", 0)), (ADD, source)))
    three = np.full(count, 3, np.float32)
    made = Passes(parts, 2, (count * 4,), (lambda: three,))
    assert made.scratch == 128 and made.impl.count("jit") == 3
    made.compile().bind(Operands((x, z), (out,), (saved,), scratch=engine.alloc(made.scratch)))()
    assert np.allclose(saved, 3 * (2 * (np.sqrt(x) + z) + 1), rtol=1e-5, atol=1e-5)
    assert np.allclose(out, 1 / 3 + x, rtol=1e-5)
