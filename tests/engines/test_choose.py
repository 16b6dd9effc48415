"""Which engine: argument before variable before the best; unknown names and dtypes are refused with the choice there is."""
import pytest

from caffempi.engines.choose import BEST_FIRST, make_engine
from caffempi.errors import EngineError, UsageError


def test_the_argument_wins_over_the_variable(monkeypatch):
    monkeypatch.setenv("CAFFEMPI_ENGINE", "nonsense")
    assert make_engine("numpy").name == "numpy"
    with pytest.raises(EngineError, match='unknown engine "nonsense".*known: .*numpy'):
        make_engine()


def test_without_either_the_best_that_works(monkeypatch):
    monkeypatch.delenv("CAFFEMPI_ENGINE", raising=False)
    assert make_engine().name in BEST_FIRST
    assert make_engine(dtype="float64").name == "numpy"


def test_a_dtype_that_nobody_offers(monkeypatch):
    monkeypatch.delenv("CAFFEMPI_ENGINE", raising=False)
    with pytest.raises(EngineError, match="not float16.*use engine numpy"):
        make_engine("numpy", "float16")
    with pytest.raises(EngineError):
        make_engine(None, "float16")


def test_a_precision_that_nobody_offers(monkeypatch):
    monkeypatch.delenv("CAFFEMPI_ENGINE", raising=False)
    assert make_engine("numpy", precision="fp32").precision == make_engine().precision == "fp32"
    for name in (None, "numpy"):
        with pytest.raises(EngineError, match="computes in fp32, not tf32"):
            make_engine(name, precision="tf32")
    with pytest.raises(UsageError, match='unknown precision "bf61".*did you mean bf16.*known: fp32, bf16, fp16, tf32'):
        make_engine("numpy", precision="bf61")
    with pytest.raises(UsageError, match="precision bf16 is for nets of dtype float32, not float64"):
        make_engine("numpy", "float64", "bf16")


def test_near_names():
    with pytest.raises(EngineError, match="did you mean numpy"):
        make_engine("nmpy")


def test_all_engines_have_names_whether_they_work_here_or_not():
    from caffempi.engines.choose import BEST_FIRST, engine_names
    assert {"numpy", "cuda", *BEST_FIRST} <= set(engine_names())
