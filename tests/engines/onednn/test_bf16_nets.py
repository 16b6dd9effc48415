"""Whole nets in precision bf16: their numbers beside those of fp32, what is cast where, training, and snapshots.

On CPUs without such instructions the kernels are those of float32 between roundings (tests/helpers/bf16.py); plans, layouts,
casts and buffers are the engine's own in either case.
"""
from collections import Counter
from pathlib import Path

import h5py
import numpy as np
import pytest
from google.protobuf import text_format

import caffempi
import caffempi.net.net as net_module
from caffempi.cli.inputs import prepare
from caffempi.proto import caffe_pb2
from caffempi.proto.text import read_net
from caffempi.solver.solver import Solver
from caffempi.weights import read_weights
from tests.engines.onednn.test_nets import CHAIN, FORK, INPUT, LOSS, conv, feed, ip, pool, relu

ROOT = Path(__file__).parents[3]


def norm(name, bottom):
    return (f'layer {{ name: "{name}" type: "BatchNorm" bottom: "{bottom}" top: "{name}" }}\n'
            f'layer {{ name: "s{name}" type: "Scale" bottom: "{name}" top: "{name}" scale_param {{ bias_term: true }} }}')


BLOCKS = [INPUT, conv("c1", "data", 16), norm("n1", "c1"), relu("n1"), conv("a", "n1", 16), norm("na", "a"),
          'layer { name: "sum" type: "Eltwise" bottom: "n1" bottom: "na" top: "sum" }', relu("sum"), conv("x", "sum", 8),
          conv("y", "sum", 24, "kernel_size: 1"), 'layer { name: "cat" type: "Concat" bottom: "x" bottom: "y" top: "cat" }',
          pool("p1", "cat"), 'layer { name: "drop" type: "Dropout" bottom: "p1" top: "p1" }', ip("ip2", "p1", 10), LOSS]


@pytest.fixture
def in_bf16(half_engine, monkeypatch):
    """Has nets that ask for bf16 get the engine of these tests; others get what they ask for."""
    real = net_module.engine_of

    def engine_of(name, dtype, precision, message):
        return (half_engine, []) if precision == "bf16" else real(name, dtype, precision, message)
    monkeypatch.setattr(net_module, "engine_of", engine_of)


def build(layers, **how):
    message = text_format.Parse("\n".join(layers), caffe_pb2.NetParameter())
    net = caffempi.Net(message, caffempi.TRAIN, seed=11, engine="onednn", **how)
    feed(net)
    return net


def of_kind(net, *phases):
    return [s for s in (*net.binding.forward.steps, *net.binding.backward.steps) if s.phase in phases and s.node is not None]


@pytest.mark.parametrize("layers", [CHAIN, FORK, BLOCKS])
@pytest.mark.parametrize("how", [{}, {"optimised": True}, {"observe": {"c1"}}, {"optimised": True, "no_pass": ["fuse", "accumulate"]}])
def test_loss_and_direction_of_gradients_are_those_of_fp32(in_bf16, layers, how):
    want, net = build(layers), build(layers, precision="bf16", **how)
    for add in (False, True):
        loss = want.forward_backward(add)
        assert abs(net.forward_backward(add) - loss) < 0.02 * max(1, abs(loss))
        for p in net.graph.params:
            a = net.arena.view(p, net.arena.grad).ravel()
            b = want.arena.view(next(q for q in want.graph.params if q.name == p.name), want.arena.grad).ravel()
            assert a.dtype == np.float32
            if np.abs(b).max() > 1e-3:                         # a bias before a batch norm has none but noise
                assert a @ b > 0.98 * np.linalg.norm(a) * np.linalg.norm(b), p.name
    used = Counter(s.stored for s in of_kind(net, "F", "B") if s.kernel == "onednn")
    assert used["bfloat16"] > (4 if how else 2) and all(not s.stored for s in of_kind(net, "F", "B") if s.kernel != "onednn")


def test_what_is_observed_and_every_param_is_float32(in_bf16):
    net = build(BLOCKS, precision="bf16", observe={"sum", "ip2"})
    net.forward_backward()
    assert all(net.blobs[b].data.dtype == net.blobs[b].diff.dtype == np.float32 for b in ("sum", "ip2", "data", "loss"))
    assert all(b.data.dtype == b.diff.dtype == np.float32 for blobs in net.params.values() for b in blobs)
    scores = net.blobs["ip2"].data
    assert (scores.view(np.uint32) & 0xFFFF).any()             # not rounded on its way to who looks at it


def test_activations_take_half_the_memory(in_bf16):
    full, half = (build(CHAIN, optimised=True, precision=p).binding.blueprint for p in ("fp32", "bf16"))
    assert half.arena < 0.75 * full.arena                      # the arena holds scratch and outs in float32 too
    refs = [r for d in half.forward if d.stored for r in (*d.ins, *d.outs) if r.layout.dtype == "bfloat16"]
    assert len(refs) > 8 and all(r.layout.nbytes < 4 * r.spec.count or r.layout.tag != "plain" for r in refs)


def test_casts_of_weights_are_packs_redone_when_the_params_change(in_bf16):
    net = build(CHAIN, precision="bf16", optimised=True)
    packs = [s for s in net.binding.forward.steps if s.phase == "pack"]
    assert len(packs) == 2                                     # the convolutions' weights: two images are too few for others
    assert {s.kernel for s in of_kind(net, "F") if s.node.op == "inner_product" and not s.stored} == {"onednn"}
    before = net.run_forward()
    for p in net.graph.params:
        if len(p.spec.shape) > 2:
            net.param_state.array(p)[...] *= 1.25
    assert net.run_forward() == before                         # nobody has said that they are other now
    net.param_state.touch()
    assert net.run_forward() != before


@pytest.mark.parametrize("images, half", [(4, False), (256, True)])
def test_inner_products_cast_their_weights_where_the_batch_pays_for_it(in_bf16, images, half):
    net = build([INPUT.replace("dim: 4", f"dim: {images}"), conv("c1", "data", 16), ip("ip1", "c1", 200), relu("ip1"),
                 ip("ip2", "ip1", 10), LOSS], precision="bf16", optimised=True)
    assert np.isfinite(net.forward_backward())
    products = [s for s in of_kind(net, "F", "B") if s.layer == 2 and s.node.op != "inner_product_db"]
    assert all(bool(s.stored) is half for s in products if s.node.op != "inner_product_dw") and len(products) == 3


@pytest.mark.parametrize("name", ["lenet", "cifar10_full", pytest.param("caffenet", marks=pytest.mark.slow),
                                  pytest.param("googlenet", marks=pytest.mark.slow), pytest.param("resnet50", marks=pytest.mark.slow),
                                  pytest.param("vgg16", marks=pytest.mark.slow)])
def test_casts_stand_at_the_borders_alone(in_bf16, name):
    """One for the data, one for each op that is in float32 (loss, dropout, LRN, sums of a bias; of so few images inner
    products), up to two for what comes back from it: nothing goes to and fro between the ops that bf16 has."""
    size = {"lenet": (1, 28, 28), "cifar10_full": (3, 32, 32), "caffenet": (3, 227, 227)}.get(name, (3, 224, 224))
    path = str(ROOT / "models" / name / "train_val.prototxt")
    message = prepare(path, caffempi.TRAIN, shapes={"data": (2, *size), "label": (2,)}).message
    net = caffempi.Net(message, caffempi.TRAIN, engine="onednn", precision="bf16", seed=1, optimised=True)
    main, drafts = of_kind(net, "F", "B"), [*net.binding.blueprint.forward, *net.binding.blueprint.backward]
    casts = sum(d.phase == "reorder" and d.ins[0].layout.dtype != d.outs[0].layout.dtype for d in drafts)
    there, back = (sum(not s.stored and s.node.op.startswith(ops) for s in main) for ops in (
        ("softmax_nll", "dropout", "lrn", "inner_product", "conv_db"), ("dropout", "lrn", "inner_product")))
    assert 3 <= casts <= 1 + there + 2 * back
    assert sum(bool(s.stored) for s in main) > 0.7 * (len(main) - there)   # what stands between two of those stays float32
    net.close()


def task(folder, name, records, batch):
    """The zoo's net over patterns of its image size in an HDF5 file: ten classes, each a random picture in noise.

    Fillers are xavier ones: those of CIFAR-10 full take hundreds of iterations to leave their plateau.
    """
    rng = np.random.default_rng(4)
    shape = {"lenet": (1, 28, 28), "cifar10_full": (3, 32, 32)}[name]
    labels = np.arange(records) % 10
    images = 0.5 * rng.standard_normal((10, *shape))[labels] + 0.5 * rng.standard_normal((records, *shape))
    with h5py.File(folder / "d.h5", "w") as f:
        f["data"], f["label"] = images.astype(np.float32), labels.astype(np.float32)
    (folder / "list.txt").write_text(f"{folder}/d.h5\n")
    message, _ = read_net(str(ROOT / "models" / name / "train_val.prototxt"))
    data = text_format.Parse(f'name: "data" type: "HDF5Data" top: "data" top: "label" hdf5_data_param {{ source: "{folder}/list.txt" '
                             f'batch_size: {batch} }}', caffe_pb2.LayerParameter())
    kept = [lp for lp in message.layer if lp.type != "Data"]
    for lp in kept:
        for field in ("convolution_param", "inner_product_param"):
            if lp.HasField(field):
                getattr(lp, field).weight_filler.CopyFrom(caffe_pb2.FillerParameter(type="xavier"))
    del message.layer[:]
    message.layer.extend([data, *kept])
    return message


def train(folder, name, precision, seed, steps, lr=0.02, batch=20):
    solver = caffe_pb2.SolverParameter(net_param=task(folder, name, 4 * batch, batch), base_lr=lr, lr_policy="fixed", momentum=0.9,
                                       weight_decay=0.0005, max_iter=steps, random_seed=seed, snapshot_prefix=f"{folder}/s", type="SGD")
    made = Solver(solver, engine="onednn", precision=precision, optimised=True)
    losses = []
    for _ in range(steps):
        made.step(1)
        losses.append(made.net.loss)
    return made, np.array(losses)


@pytest.mark.parametrize("name, steps, lr, batch", [
    ("lenet", 20, 0.02, 15), pytest.param("cifar10_full", 100, 0.003, 10, marks=pytest.mark.slow)])
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)])
def test_training_converges_as_in_fp32(in_bf16, tmp_path, name, steps, lr, batch, seed):
    curves = {}
    for precision in ("fp32", "bf16"):
        solver, curves[precision] = train(tmp_path, name, precision, seed, steps, lr, batch)
        solver.close()
    full, half = curves["fp32"], curves["bf16"]
    assert abs(half[0] - full[0]) < 0.01 * full[0] and full[-5:].mean() < 0.4 * full[0]
    assert np.abs(half - full).mean() < 0.03 * full[0] and half[-5:].mean() < 0.4 * half[0]


def test_a_snapshot_of_a_bf16_run_is_plain_fp32(in_bf16, tmp_path):
    solver, _ = train(tmp_path, "lenet", "bf16", 1, 3)
    path = solver.snapshot()
    layers = read_weights(path)
    for name, blobs in solver.net.params.items():
        for kept, blob in zip(layers[name], blobs, strict=True):
            array = np.asarray(kept)
            assert array.dtype == np.float32 and np.array_equal(array.ravel(), blob.data.ravel())
    assert (solver.net.params["ip1"][0].data.view(np.uint32) & 0xFFFF).any()
    again = caffempi.Net(solver.net.message, caffempi.TRAIN, weights=path, engine="numpy")
    assert np.isfinite(again.run_forward())
    again.close()
    solver.step(2)
    later = solver.net.arena.data.copy()
    solver.restore(path.replace(".caffemodel", ".solverstate"))   # from it the run goes on as if it had not stopped
    solver.step(2)
    assert np.array_equal(solver.net.arena.data, later)
    solver.close()
