"""The numbers are the library's: each algorithm computes what its name says."""
import numpy as np

from caffempi.engines.onednn import codes
from caffempi.engines.onednn.primitives import Primitive


def test_functions(engine):
    lib, row = engine.library, engine.library.plain((5,))
    x, y = np.array([-2, -1, 0, 1, 2], np.float32), np.zeros(5, np.float32)
    wanted = {codes.RELU: np.maximum(x, 0) + 0.5 * np.minimum(x, 0), codes.TANH: np.tanh(x), codes.LINEAR: 0.5 * x,
              codes.ELU: np.where(x > 0, x, 0.5 * np.expm1(x)), codes.LOGISTIC: 1 / (1 + np.exp(-x))}
    for algorithm, want in wanted.items():
        desc = lib.describe("eltwise_forward", codes.TRAINING, algorithm, row, row, 0.5, 0.0)
        Primitive(desc).bind({codes.SRC: x, codes.DST: y}, np.zeros(4096, np.uint8))()
        assert np.allclose(y, want, atol=1e-6)


def test_operations_and_post_operands(engine):
    lib, row = engine.library, engine.library.plain((3,))
    a, b, y = np.array([1, -2, 3], np.float32), np.array([2, 5, -1], np.float32), np.zeros(3, np.float32)
    for algorithm, want in ((codes.ADD, a + b), (codes.MULTIPLY, a * b), (codes.MAXIMUM, np.maximum(a, b))):
        desc = lib.describe("binary", algorithm, row, row, row, attr=lib.after((codes.MULTIPLY, row), (codes.ADD, row)))
        places = {codes.SRC: a, codes.SRC_1: b, codes.DST: y, codes.post_operand(0): b, codes.post_operand(1): a}
        Primitive(desc).bind(places, np.zeros(4096, np.uint8))()
        assert np.allclose(y, want * b + a)
