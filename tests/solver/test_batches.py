"""batch_size of the data layers of a phase: divided among ranks, or set."""
from __future__ import annotations

import pytest

from caffempi.errors import SolverError
from caffempi.solver.batches import divide_batches, set_batches
from caffempi.solver.settings import Settings

DATA = """layer { name: "d" type: "Data" top: "x" top: "y" data_param { source: "s" batch_size: 64 } include { phase: TRAIN } }
layer { name: "t" type: "Data" top: "x" top: "y" data_param { source: "s" batch_size: 3 } include { phase: TEST } }
layer { name: "h" type: "HDF5Data" top: "z" hdf5_data_param { source: "s"
  batch_size: 10 } }"""


@pytest.fixture
def choice(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.prototxt").write_text(DATA)
    (tmp_path / "solver.prototxt").write_text('base_lr: 0.1 lr_policy: "fixed" net: "a.prototxt"')
    return Settings("solver.prototxt").train


def sizes(choice):
    return [layer.data_param.batch_size or layer.hdf5_data_param.batch_size for layer in choice.message.layer]


def test_a_global_batch_is_divided_in_the_layers_of_the_phase(choice):
    divide_batches(choice, 2)
    assert sizes(choice) == [32, 3, 5]


def test_a_batch_that_cannot_be_divided_names_layer_and_line(choice):
    with pytest.raises(SolverError, match=r'layer "h" .*batch_size = 10 \(a.prototxt:4\).*4 ranks.*multiple of 4'):
        divide_batches(choice, 4)


def test_a_batch_is_set_in_the_layers_of_the_phase(choice):
    set_batches(choice, 7)
    assert sizes(choice) == [7, 3, 7]


def test_there_must_be_a_layer_whose_batch_can_be_set(choice):
    del choice.message.layer[:]
    with pytest.raises(SolverError, match="no data layer"):
        set_batches(choice, 7)
