"""The engine, once for all tests here; without the library they are skipped, with its reason."""
import numpy as np
import pytest

from caffempi.engines.onednn.engine import OneDnnEngine
from caffempi.errors import EngineError


@pytest.fixture(scope="session")
def engine():
    try:
        return OneDnnEngine()
    except EngineError as e:
        pytest.skip(str(e))


@pytest.fixture
def rand():
    rng = np.random.default_rng(7)
    return lambda *shape: rng.standard_normal(shape, dtype=np.float32)
