"""The engines, once for all tests here; without the library they are skipped, with its reason."""
import numpy as np
import pytest

from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.codes import BFLOAT16
from caffempi.engines.onednn.engine import OneDnnEngine
from caffempi.errors import EngineError
from tests.helpers.bf16 import RoundingLibrary


@pytest.fixture(scope="session")
def engine():
    try:
        return OneDnnEngine()
    except EngineError as e:
        pytest.skip(str(e))


@pytest.fixture(scope="session", params=["rounding", "native"])
def half_engine(request):
    """The engine with precision bf16: on float32 kernels between roundings, and on the library's own where the CPU has any.

    On CPUs with AVX-512 and no instructions for it, those are slow ones that users are not given.
    """
    try:
        library = RoundingLibrary() if request.param == "rounding" else Library()
        if BFLOAT16 not in library.types:
            library = Library(reference=True)
    except EngineError as e:
        pytest.skip(str(e))
    if BFLOAT16 not in library.types:
        pytest.skip(f"oneDNN has no kernels of bfloat16 for {library.isa}")
    return OneDnnEngine("bf16", library)


@pytest.fixture
def rand():
    rng = np.random.default_rng(7)
    return lambda *shape: rng.standard_normal(shape, dtype=np.float32)
