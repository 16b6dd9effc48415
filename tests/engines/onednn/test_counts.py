"""Guards without clocks: what an iteration of each zoo net is made of, on the instruction set that most machines have.

steps: kernels' calls, forward and backward. fused: those that stand for several ops. reorder: copies between layouts (in
backward one for each weight gradient is the price of plain params). pack: private copies of params, renewed once an update.
numpy: the ops that the reference runs. A change that lowers a number writes the lower one here; none may rise unseen.
"""
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SIZES = {"lenet": (1, 28, 28), "cifar10_full": (3, 32, 32), "caffenet": (3, 227, 227), "googlenet": (3, 224, 224),
         "resnet50": (3, 224, 224)}
WANT = {
    "lenet": {
        "forward": {"steps": 7, "fused": 1, "reorder": 1, "pack": 2, "add": 0, "copy": 0,
                    "numpy": {"softmax_nll": 1}},
        "backward": {"steps": 15, "fused": 0, "reorder": 3, "pack": 1, "add": 0, "copy": 0,
                     "numpy": {"inner_product_db": 2, "softmax_nll_dx": 1}},
        "deploy": {"steps": 7, "fused": 1, "reorder": 1, "pack": 4, "add": 0, "copy": 0,
                   "numpy": {}},
    },
    "cifar10_full": {
        "forward": {"steps": 11, "fused": 2, "reorder": 1, "pack": 3, "add": 0, "copy": 0,
                    "numpy": {"softmax_nll": 1}},
        "backward": {"steps": 20, "fused": 0, "reorder": 4, "pack": 2, "add": 0, "copy": 0,
                     "numpy": {"inner_product_db": 1, "softmax_nll_dx": 1}},
        "deploy": {"steps": 11, "fused": 2, "reorder": 1, "pack": 4, "add": 0, "copy": 0,
                   "numpy": {}},
    },
    "caffenet": {
        "forward": {"steps": 16, "fused": 7, "reorder": 1, "pack": 5, "add": 0, "copy": 0,
                    "numpy": {"dropout": 2, "softmax_nll": 1}},
        "backward": {"steps": 38, "fused": 0, "reorder": 6, "pack": 4, "add": 0, "copy": 0,
                     "numpy": {"dropout_dx": 2, "inner_product_db": 3, "softmax_nll_dx": 1}},
        "deploy": {"steps": 14, "fused": 7, "reorder": 1, "pack": 8, "add": 0, "copy": 0,
                   "numpy": {}},
    },
    "googlenet": {
        "forward": {"steps": 97, "fused": 61, "reorder": 2, "pack": 59, "add": 0, "copy": 0,
                    "numpy": {"dropout": 3, "softmax_nll": 3}},
        "backward": {"steps": 285, "fused": 0, "reorder": 61, "pack": 56, "add": 29, "copy": 0,
                     "numpy": {"dropout_dx": 3, "inner_product_db": 5, "softmax_nll_dx": 3}},
        "deploy": {"steps": 84, "fused": 57, "reorder": 0, "pack": 58, "add": 0, "copy": 0,
                   "numpy": {}},
    },
    "resnet50": {
        "forward": {"steps": 126, "fused": 69, "reorder": 0, "pack": 53, "add": 0, "copy": 0,
                    "numpy": {"softmax_nll": 1}},
        "backward": {"steps": 213, "fused": 53, "reorder": 53, "pack": 52, "add": 16, "copy": 0,
                     "numpy": {"inner_product_db": 1, "softmax_nll_dx": 1}},
        "deploy": {"steps": 73, "fused": 69, "reorder": 0, "pack": 54, "add": 0, "copy": 0,
                   "numpy": {}},
    },
}


@pytest.fixture(scope="module")
def counted(engine):
    done = subprocess.run([sys.executable, "-c", "from tests.engines.onednn.test_counts import count; count()"], cwd=ROOT,
                          env={**os.environ, "DNNL_MAX_CPU_ISA": "AVX2", "PYTHONPATH": str(ROOT)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", SIZES)
def test_an_iteration_is_made_of_no_more_than_before(counted, name):
    if counted["isa"] != "avx2":
        pytest.skip(f"this machine's kernels are those of {counted['isa']}")
    assert counted[name] == WANT[name]


def count():
    """Prints what each net's training iteration (and ResNet-50's and GoogLeNet's deploy net) is made of, as JSON."""
    from caffempi import TEST, TRAIN, Net
    from caffempi.cli.inputs import prepare
    result = {}
    for name, size in SIZES.items():
        text = str(ROOT / "models" / name / "train_val.prototxt")
        message = prepare(text, TRAIN, shapes={"data": (2, *size), "label": (2,)}).message
        net = Net(message, TRAIN, engine="onednn", seed=1, optimised=True)
        result[name] = {"forward": _of(net, "forward"), "backward": _of(net, "backward")}
        result["isa"] = net.plan.engine.library.isa
        net.close()
        deploy = Net(str(ROOT / "models" / name / "deploy.prototxt"), TEST, engine="onednn", seed=1, optimised=True, batch=1)
        result[name]["deploy"] = _of(deploy, "forward")
        deploy.close()
    print(json.dumps(result))


def _of(net, program):
    steps = getattr(net._runner.binding, program).steps
    phases = Counter(s.phase for s in steps)
    main = [s for s in steps if s.node is not None and s.phase in ("F", "B")]
    return {"steps": len(main), "fused": sum(s.node.op in ("fused", "batch_norm_affine_dx") for s in main),
            **{k: phases[k] for k in ("reorder", "pack", "add", "copy")},
            "numpy": dict(sorted(Counter(s.node.op for s in main if s.kernel == "numpy").items()))}
