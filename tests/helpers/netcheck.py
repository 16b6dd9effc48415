"""Holds nets to reference cases computed by BVLC Caffe 1.0: outputs, gradients, params that forward changes."""
from __future__ import annotations

from pathlib import Path

import numpy as np

from caffempi import TEST, TRAIN, Net

GOLDEN = Path(__file__).parent.parent / "golden" / "layers"
TOLERANCE = 3e-4


def check_golden(path: str | Path, engine: str | None = None) -> None:
    """Runs one case (a .npz of tests/golden/layers, by name or path), all blobs observed and then optimised.

    A case holds prototxt, phase, in/BLOB, param/LAYER/K, top/BLOB, topdiff/BLOB, indiff/BLOB, paramdiff/LAYER/K and
    param_after/LAYER/K; an array may be off by 3e-4 of its largest value (of 1 if that is smaller).
    """
    case = np.load(GOLDEN / path)
    for optimised in (False, True):
        bad = _differences(case, optimised, engine)
        assert not bad, f"{path}{' optimised' if optimised else ''}: {'; '.join(bad)}"


def _differences(case: np.lib.npyio.NpzFile, optimised: bool, engine: str | None) -> list[str]:
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "net.prototxt"
        file.write_text(str(case["prototxt"]))
        net = Net(file, TRAIN if str(case["phase"]) == "TRAIN" else TEST, optimised=optimised, engine=engine)

    def part(prefix: str) -> list[str]:
        return [k[len(prefix):] for k in case.files if k.startswith(prefix)]

    def blob(key: str):
        layer, k = key.rsplit("/", 1)
        return net.params[layer][int(k)]
    for name in part("in/"):
        net.blobs[name].data[...] = case[f"in/{name}"]
    for key in part("param/"):
        blob(key).data[...] = case[f"param/{key}"]
        blob(key).diff[...] = 0
    bad: list[str] = []

    def close(what: str, got: np.ndarray, want: np.ndarray) -> None:
        if got.shape != want.shape:
            bad.append(f"{what} has shape {got.shape}, expected {want.shape}")
        elif want.size and not np.abs(got.astype("f8") - want).max() <= TOLERANCE * max(1.0, np.abs(want).max()):
            bad.append(f"{what} is off by {np.abs(got - want).max():.3g}")
    net.forward()
    for name in part("top/"):
        if not optimised or name in net.outputs:
            close(f"top {name}", net.blobs[name].data, case[f"top/{name}"])
    for key in part("param_after/"):
        close(f"param {key} after forward", blob(key).data, case[f"param_after/{key}"])
    if part("indiff/") or part("paramdiff/"):
        for name in part("topdiff/"):
            net.blobs[name].diff[...] = case[f"topdiff/{name}"]
        net.backward()
        for name in part("indiff/"):
            if not optimised or name in net.inputs:
                close(f"gradient of {name}", net.blobs[name].diff, case[f"indiff/{name}"])
        for key in part("paramdiff/"):
            close(f"gradient of param {key}", blob(key).diff, case[f"paramdiff/{key}"])
    return bad
