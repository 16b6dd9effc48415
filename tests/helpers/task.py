"""A small training task on disk: HDF5 data, a net with what makes resuming hard, and a solver."""
from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np

NET = """
name: "small"
layer {{ name: "data" type: "HDF5Data" top: "data" top: "label"
  hdf5_data_param {{ source: "{folder}/list.txt" batch_size: {batch} shuffle: {shuffle} }} include {{ phase: TRAIN }} }}
layer {{ name: "data" type: "HDF5Data" top: "data" top: "label"
  hdf5_data_param {{ source: "{folder}/list.txt" batch_size: {test_batch} shuffle: true }} include {{ phase: TEST }} }}
layer {{ name: "conv" type: "Convolution" bottom: "data" top: "conv" param {{ lr_mult: 1 }} param {{ lr_mult: 2 decay_mult: 0 }}
  convolution_param {{ num_output: 3 kernel_size: 3 weight_filler {{ type: "gaussian" std: 0.3 }} }} }}
{extra}
layer {{ name: "relu" type: "ReLU" bottom: "conv" top: "conv" }}
layer {{ name: "ip" type: "InnerProduct" bottom: "conv" top: "ip"
  inner_product_param {{ num_output: 4 weight_filler {{ type: "gaussian" std: 0.3 }} }} }}
layer {{ name: "loss" type: "SoftmaxWithLoss" bottom: "ip" bottom: "label" top: "loss" }}
layer {{ name: "accuracy" type: "Accuracy" bottom: "ip" bottom: "label" top: "accuracy" include {{ phase: TEST }} }}
"""
HARD = """
layer { name: "bn" type: "BatchNorm" bottom: "conv" top: "conv" }
layer { name: "scale" type: "Scale" bottom: "conv" top: "conv" scale_param { bias_term: true } }
layer { name: "drop" type: "Dropout" bottom: "conv" top: "conv" dropout_param { dropout_ratio: 0.3 } }
"""
SOLVER = """
net: "{folder}/net.prototxt"
base_lr: 0.05
lr_policy: "multistep"
gamma: 0.5
stepvalue: 3
stepvalue: 6
momentum: 0.9
weight_decay: 0.01
max_iter: 8
snapshot_prefix: "{folder}/snap"
random_seed: 3
solver_mode: CPU
"""


def make_task(folder: Path, text: str = "", *, extra: str = HARD, batch: int = 4, test_batch: int = 3, records: int = 26,
              shuffle: bool = True, drop: str = "") -> str:
    """Writes the task and returns the solver's path. text: further lines of the solver; drop: start of lines to leave out."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(5)
    labels = rng.integers(0, 4, records)
    with h5py.File(folder / "data.h5", "w") as f:
        f["data"] = (rng.standard_normal((records, 2, 5, 5)) + labels.reshape(-1, 1, 1, 1)).astype(np.float32)
        f["label"] = labels.astype(np.float32)
    (folder / "list.txt").write_text(f"{folder}/data.h5\n")
    (folder / "net.prototxt").write_text(NET.format(folder=folder, extra=extra, batch=batch, test_batch=test_batch,
                                                    shuffle=str(shuffle).lower()))
    lines = [line for line in SOLVER.format(folder=folder).splitlines() if not drop or not line.startswith(drop)]
    path = folder / "solver.prototxt"
    path.write_text("\n".join(lines) + "\n" + text)
    return str(path)
