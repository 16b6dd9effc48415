"""Guards without clocks: what an iteration of each zoo net is made of, on each instruction set that machines commonly have.

steps: kernels' calls, forward and backward. fused: those that stand for several ops. reorder: copies between layouts (in
backward one for each weight gradient is the price of plain params). pack: private copies of params, renewed once an update.
numpy: the ops that the reference runs. moved: MB that reorders, packs, additions and copies read and write. arena: per cent of
one buffer for the data and one for the diff of each blob that training in batches of BATCH takes. A change that lowers a
number writes the lower one here; none may rise unseen.
"""
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from caffempi import TEST, TRAIN
from caffempi.cli.inputs import prepare
from caffempi.net.load import Sharding, load_net
from caffempi.plan.blueprint import Blueprint
from caffempi.plan.buffers import size_of
from caffempi.plan.plan import make_plan
from caffempi.plan.sizes import for_blobs, one_buffer_a_blob

ROOT = Path(__file__).parents[3]
SIZES = {"lenet": (1, 28, 28), "cifar10_full": (3, 32, 32), "caffenet": (3, 227, 227), "googlenet": (3, 224, 224),
         "resnet50": (3, 224, 224), "alexnet": (3, 227, 227), "vgg16": (3, 224, 224)}
BATCH = {"lenet": 64, "cifar10_full": 100, "caffenet": 16, "googlenet": 16, "resnet50": 8, "alexnet": 16, "vgg16": 4}
WANT = {
    "lenet": {
        "forward": {"steps": 7, "fused": 1, "reorder": 1, "pack": 2, "add": 0, "copy": 0,
                    "numpy": {"softmax_nll": 1}},
        "backward": {"steps": 15, "fused": 0, "reorder": 3, "pack": 1, "add": 0, "copy": 0,
                     "numpy": {"inner_product_db": 2, "softmax_nll_dx": 1}},
        "deploy": {"steps": 7, "fused": 1, "reorder": 1, "pack": 4, "add": 0, "copy": 0,
                   "numpy": {}},
        "moved": 0.7, "arena": 47.6,
    },
    "cifar10_full": {
        "forward": {"steps": 11, "fused": 2, "reorder": 1, "pack": 3, "add": 0, "copy": 0,
                    "numpy": {"softmax_nll": 1}},
        "backward": {"steps": 20, "fused": 0, "reorder": 4, "pack": 2, "add": 0, "copy": 0,
                     "numpy": {"inner_product_db": 1, "softmax_nll_dx": 1}},
        "deploy": {"steps": 11, "fused": 2, "reorder": 1, "pack": 4, "add": 0, "copy": 0,
                   "numpy": {}},
        "moved": 1.9, "arena": 38.5,
    },
    "caffenet": {
        "forward": {"steps": 16, "fused": 7, "reorder": 1, "pack": 5, "add": 0, "copy": 0,
                    "numpy": {"dropout": 2, "softmax_nll": 1}},
        "backward": {"steps": 38, "fused": 0, "reorder": 6, "pack": 4, "add": 0, "copy": 0,
                     "numpy": {"dropout_dx": 2, "inner_product_db": 3, "softmax_nll_dx": 1}},
        "deploy": {"steps": 14, "fused": 7, "reorder": 1, "pack": 8, "add": 0, "copy": 0,
                   "numpy": {}},
        "moved": 56.0, "arena": 62.8,
    },
    "googlenet": {
        "forward": {"steps": 97, "fused": 61, "reorder": 2, "pack": 59, "add": 0, "copy": 0,
                    "numpy": {"dropout": 3, "softmax_nll": 3}},
        "backward": {"steps": 285, "fused": 0, "reorder": 61, "pack": 56, "add": 29, "copy": 0,
                     "numpy": {"dropout_dx": 3, "inner_product_db": 5, "softmax_nll_dx": 3}},
        "deploy": {"steps": 84, "fused": 57, "reorder": 0, "pack": 58, "add": 0, "copy": 0,
                   "numpy": {}},
        "moved": 216.7, "arena": 39.1,
    },
    "resnet50": {
        "forward": {"steps": 126, "fused": 69, "reorder": 0, "pack": 53, "add": 0, "copy": 0,
                    "numpy": {"softmax_nll": 1}},
        "backward": {"steps": 213, "fused": 53, "reorder": 53, "pack": 52, "add": 16, "copy": 0,
                     "numpy": {"inner_product_db": 1, "softmax_nll_dx": 1}},
        "deploy": {"steps": 73, "fused": 69, "reorder": 0, "pack": 54, "add": 0, "copy": 0,
                   "numpy": {}},
        "moved": 697.7, "arena": 46.4,
    },
    "alexnet": {
        "forward": {"steps": 16, "fused": 7, "reorder": 1, "pack": 5, "add": 0, "copy": 0,
                    "numpy": {"dropout": 2, "softmax_nll": 1}},
        "backward": {"steps": 38, "fused": 0, "reorder": 6, "pack": 4, "add": 0, "copy": 0,
                     "numpy": {"dropout_dx": 2, "inner_product_db": 3, "softmax_nll_dx": 1}},
        "deploy": {"steps": 14, "fused": 7, "reorder": 1, "pack": 8, "add": 0, "copy": 0,
                   "numpy": {}},
        "moved": 56.0, "arena": 60.3,
    },
    "vgg16": {
        "forward": {"steps": 24, "fused": 15, "reorder": 1, "pack": 13, "add": 0, "copy": 0,
                    "numpy": {"dropout": 2, "softmax_nll": 1}},
        "backward": {"steps": 70, "fused": 0, "reorder": 14, "pack": 12, "add": 0, "copy": 0,
                     "numpy": {"dropout_dx": 2, "inner_product_db": 3, "softmax_nll_dx": 1}},
        "deploy": {"steps": 22, "fused": 15, "reorder": 1, "pack": 16, "add": 0, "copy": 0,
                   "numpy": {}},
        "moved": 353.8, "arena": 53.8,
    },
}


ISAS = {"AVX2": "avx2", "AVX512_CORE": "avx512_core"}
"""What DNNL_MAX_CPU_ISA may say -> what the library then says of itself."""
WIDE = {
    "lenet": {"moved": 0.8},
    "cifar10_full": {"arena": 45.4},
    "caffenet": {"arena": 68.8},
    "googlenet": {"forward": {"reorder": 6}, "backward": {"reorder": 65}, "deploy": {"reorder": 4}, "moved": 218.2, "arena": 43.7},
    "alexnet": {"arena": 75.1},
}
"""Where AVX-512 differs: channels lie in blocks of 16, which 24 channels do not fill, so that two 5x5 convolutions of GoogLeNet
are faster with channels last; and LRN has kernels of the library's own, which keep twice the data for backward."""


def printed(function, isa):
    """The JSON that a function of tests without arguments prints, run on kernels of that instruction set; skips for lack of it."""
    code = f"from {function.__module__} import {function.__name__} as run; run()"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True,
                          env={**os.environ, "DNNL_MAX_CPU_ISA": isa, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    if found["isa"] != ISAS[isa]:
        pytest.skip(f"this machine's kernels are those of {found['isa']}")
    return found


@pytest.fixture(scope="module", params=ISAS)
def counted(engine, request):
    return request.param, printed(count, request.param)


@pytest.mark.parametrize("name", SIZES)
def test_an_iteration_is_made_of_no_more_than_before(counted, name):
    isa, found = counted
    want, other = WANT[name], WIDE.get(name, {}) if isa != "AVX2" else {}
    assert found[name] == {k: {**v, **other.get(k, {})} if isinstance(v, dict) else other.get(k, v) for k, v in want.items()}


@pytest.mark.parametrize("name", SIZES)
def test_the_arena_takes_at_most_so_much_of_one_buffer_a_blob(counted, name):
    isa, found = counted
    assert found[name]["arena"] <= (65 if isa == "AVX2" else 76)


def count():
    """Prints what each net's training iteration and its deploy net are made of, as JSON."""
    from caffempi.engines.onednn.engine import OneDnnEngine
    engine = OneDnnEngine()
    result = {"isa": engine.library.isa}
    for name in SIZES:
        train, full = training(name, engine, 2), training(name, engine, BATCH[name])
        result[name] = {"forward": _of(train.forward), "backward": _of(train.backward),
                        "deploy": _of(deploy(name, engine).forward),
                        "moved": round(moved([*train.forward, *train.backward]) / 1e6, 1),
                        "arena": round(100 * for_blobs(full) / one_buffer_a_blob(full), 1)}
    print(json.dumps(result))


def training(name, engine, batch):
    """The blueprint of a net's training; no memory is allocated, no param filled."""
    text = str(ROOT / "models" / name / "train_val.prototxt")
    message = prepare(text, TRAIN, shapes={"data": (batch, *SIZES[name]), "label": (batch,)}).message
    return _drawn(message, TRAIN, engine)


def deploy(name, engine):
    """That of its deploy net."""
    return _drawn(str(ROOT / "models" / name / "deploy.prototxt"), TEST, engine)


def _drawn(source, phase, engine):
    loaded = load_net(source, phase, 0, (), "float32", Sharding(0, 1, 1, 1), None, False, None)
    return Blueprint(make_plan(loaded.graph, engine, frozenset()), {})


def moved(drafts):
    """Bytes that steps read and write which only bring arrays elsewhere, or add them."""
    refs = [r for d in drafts if d.phase in ("reorder", "pack", "add", "copy") for r in (*d.ins, *d.outs)]
    return sum(size_of(r.spec, r.layout) for r in refs)


def _of(drafts):
    phases = Counter(d.phase for d in drafts)
    main = [d for d in drafts if d.node is not None and d.phase in ("F", "B")]
    return {"steps": len(main), "fused": sum(d.node.op in ("fused", "batch_norm_affine_dx") for d in main),
            **{k: phases[k] for k in ("reorder", "pack", "add", "copy")},
            "numpy": dict(sorted(Counter(d.node.op for d in main if d.engine == "numpy").items()))}
