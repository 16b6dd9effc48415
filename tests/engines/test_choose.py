"""Which engine: argument before variable before the best; unknown names and dtypes are refused with the choice there is."""
import os
import subprocess
import sys
import textwrap

import pytest

import caffempi
from caffempi.engines.choose import BEST_FIRST, make_engine
from caffempi.engines.cuda import driver
from caffempi.errors import EngineError, UsageError
from tests.helpers.cuda import standin
from tests.helpers.mpirun import environment


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


def absent():
    raise EngineError("engine cuda finds no NVIDIA driver")


def present():
    return None


def test_without_a_gpu_its_engine_is_passed_over_in_silence(monkeypatch):
    monkeypatch.delenv("CAFFEMPI_ENGINE", raising=False)
    monkeypatch.setattr(driver, "ask", absent)
    engine = make_engine()
    assert engine.device == "cpu" and not any("cuda" in note for note in engine.notes)
    with pytest.raises(EngineError, match="no engine computes in tf32 here: engine cuda finds no NVIDIA driver"):
        make_engine(precision="tf32")


def test_a_gpu_that_cannot_be_used_is_told_of(monkeypatch):
    monkeypatch.delenv("CAFFEMPI_ENGINE", raising=False)
    monkeypatch.setattr(driver, "ask", present)
    monkeypatch.setitem(sys.modules, "cupy", None)
    (note,) = [n for n in make_engine().notes if "cuda" in n]
    assert "engine cuda is not used" in note and "needs CuPy" in note and 'pip install "caffempi[cuda12]"' in note


def test_with_a_gpu_and_cupy_its_engine_is_the_default(monkeypatch):
    monkeypatch.delenv("CAFFEMPI_ENGINE", raising=False)
    standin.install(monkeypatch)
    monkeypatch.setattr(driver, "ask", present)
    assert make_engine().name == "cuda" and make_engine(precision="tf32").precision == "tf32"
    assert make_engine(dtype="float64").name == "numpy"
    assert make_engine("cpu").device == "cpu"
    monkeypatch.setenv("CAFFEMPI_ENGINE", "cpu")
    assert make_engine().device == "cpu"


def test_set_mode_cpu_keeps_nets_on_the_cpu(monkeypatch):
    monkeypatch.setenv("CAFFEMPI_ENGINE", "cuda")               # put back at the end
    caffempi.set_mode_cpu()
    monkeypatch.setattr(driver, "ask", present)
    assert make_engine().device == "cpu"


def test_set_mode_gpu_insists_on_a_gpu_and_set_device_picks_one(monkeypatch):
    monkeypatch.setenv("CAFFEMPI_ENGINE", "cpu")                # put back at the end
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "4,6")
    monkeypatch.delitem(sys.modules, "cupy", raising=False)
    for wrong in (2, -1):
        with pytest.raises(UsageError, match=f"there is no GPU {wrong}; CUDA_VISIBLE_DEVICES leaves 2; GPUs count from 0"):
            caffempi.set_device(wrong)
    caffempi.set_device(1)
    caffempi.set_mode_gpu()
    assert os.environ["CUDA_VISIBLE_DEVICES"] == "6"
    standin.install(monkeypatch)
    assert make_engine().name == "cuda"
    with pytest.raises(UsageError, match="too late"):
        caffempi.set_device(0)


def test_nothing_of_cupy_is_imported_where_there_is_no_gpu(tmp_path):
    """Even where it is installed: here a module of that name that says when it is imported."""
    (tmp_path / "cupy.py").write_text("raise SystemExit('cupy was imported')")
    env = environment() | {"CUDA_VISIBLE_DEVICES": ""}
    env.pop("CAFFEMPI_ENGINE", None)
    env["PYTHONPATH"] = f"{tmp_path}:{env['PYTHONPATH']}"
    program = """
        import sys
        from caffempi.cli.main import main
        from caffempi.engines.choose import make_engine
        make_engine()
        make_engine("cpu")
        assert main(["device_query"]) == 0
        assert not [m for m in sys.modules if m.startswith("cupy")]
        """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, env=env)
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if "cuda" in line.lower()]
    assert len(lines) == 1 and lines[0].startswith("Engine cuda: does not work here: engine cuda finds no ")
