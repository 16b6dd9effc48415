"""Small nets and solvers in a folder of their own, and a way to run the command line in this process."""
import pytest

from caffempi.cli.main import main

TINY = """name: "tiny"
layer { name: "data" type: "Input" top: "data" top: "label"
        input_param { shape { dim: 4 dim: 3 dim: 6 dim: 6 } shape { dim: 4 } } }
layer { name: "conv" type: "Convolution" bottom: "data" top: "conv"
        convolution_param { num_output: 2 kernel_size: 3 weight_filler { type: "xavier" } } }
layer { name: "relu" type: "ReLU" bottom: "conv" top: "conv" }
layer { name: "ip" type: "InnerProduct" bottom: "conv" top: "ip"
        inner_product_param { num_output: 5 weight_filler { type: "xavier" } } }
layer { name: "accuracy" type: "Accuracy" bottom: "ip" bottom: "label" top: "accuracy" include { phase: TEST } }
layer { name: "loss" type: "SoftmaxWithLoss" bottom: "ip" bottom: "label" top: "loss" }
"""
FED = TINY.replace('''type: "Input" top: "data" top: "label"
        input_param { shape { dim: 4 dim: 3 dim: 6 dim: 6 } shape { dim: 4 } } }''', '''type: "DummyData" top: "data" top: "label"
        dummy_data_param { shape { dim: 4 dim: 3 dim: 6 dim: 6 } shape { dim: 4 }
                           data_filler { type: "gaussian" std: 1 } data_filler { value: 2 } } }''')
SOLVER = """net: "fed.prototxt"
base_lr: 0.01
lr_policy: "fixed"
momentum: 0.9
max_iter: 4
display: 2
test_iter: 3
test_interval: 4
random_seed: 7
snapshot_prefix: "snap"
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working directory with tiny.prototxt (inputs), fed.prototxt (data of its own) and solver.prototxt."""
    monkeypatch.chdir(tmp_path)
    for name in ("GLOG_log_dir", "GLOG_minloglevel", "GLOG_v", "GLOG_logtostderr", "CAFFEMPI_ENGINE"):
        monkeypatch.delenv(name, raising=False)
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        monkeypatch.setenv(name, "1")
    (tmp_path / "tiny.prototxt").write_text(TINY)
    (tmp_path / "fed.prototxt").write_text(FED)
    (tmp_path / "solver.prototxt").write_text(SOLVER)
    return tmp_path


@pytest.fixture
def cli(folder, capsys):
    """cli("plan", "tiny.prototxt") -> (exit code, lines of stdout, lines of stderr)."""
    def run(*argv):
        code = main([str(word) for word in argv])
        out, err = capsys.readouterr()
        return code, out.splitlines(), err.splitlines()
    return run
