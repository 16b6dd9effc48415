"""The zoo's texts: they parse, have the shapes and sizes of the published nets, and their notes add up.

Shapes and parameter counts are worked out here from the layers' fields alone, with no code of the package but the
schema, so that they check the texts and not the program that will read them. Running the nets is tested elsewhere.
"""

from __future__ import annotations

import importlib
import math
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest
from google.protobuf import text_format

from caffempi.proto import caffe_pb2

ROOT = Path(__file__).resolve().parent.parent
MODELS, SOLVERS = ROOT / "models", ROOT / "solvers"
NETS = ["lenet", "cifar10_quick", "cifar10_full", "caffenet", "alexnet", "vgg16", "googlenet", "resnet50"]
FILES = sorted(path.relative_to(MODELS).as_posix() for path in MODELS.glob("*/*.prototxt"))
RECIPES = sorted(path.name for path in SOLVERS.glob("*.prototxt"))
INPUTS = {"lenet": (1, 28, 28), "cifar10_quick": (3, 32, 32), "cifar10_full": (3, 32, 32), "caffenet": (3, 227, 227),
          "alexnet": (3, 227, 227), "vgg16": (3, 224, 224), "googlenet": (3, 224, 224), "resnet50": (3, 224, 224)}
COUNTS = {"lenet": 431_080, "cifar10_quick": 145_578, "cifar10_full": 89_578, "caffenet": 60_965_224,
          "alexnet": 60_965_224, "vgg16": 138_357_544, "googlenet": 6_998_552, "resnet50": 25_557_096}
IMAGES = {"lenet": (60_000, 10_000), "quickstart": (8_000, 2_000), "cifar10": (50_000, 10_000),
          "imagenet": (1_281_167, 50_000)}


def read_net(file: str) -> caffe_pb2.NetParameter:
    """A net below models/, by the schema alone: an unknown field or value raises."""
    return text_format.Parse((MODELS / file).read_text(encoding="utf-8"), caffe_pb2.NetParameter())


def read_solver(file: str) -> caffe_pb2.SolverParameter:
    return text_format.Parse((SOLVERS / file).read_text(encoding="utf-8"), caffe_pb2.SolverParameter())


def in_phase(net: caffe_pb2.NetParameter, phase: int) -> list[caffe_pb2.LayerParameter]:
    return [layer for layer in net.layer if not layer.include or layer.include[0].phase == phase]


def window(field: object, size: int, up: bool) -> int:
    """Output size of a window that slides over `size`: rounded down (convolution) or up (pooling, as Caffe's)."""
    def one(value: object, default: int) -> int:
        return (value[0] if value else default) if hasattr(value, "__len__") else value or default
    kernel, stride, pad = one(field.kernel_size, 0), one(field.stride, 1), one(field.pad, 0)
    steps = (size + 2 * pad - kernel) / stride
    out = (math.ceil(steps) if up else math.floor(steps)) + 1
    return out - 1 if up and pad and (out - 1) * stride >= size + pad else out


def walk(layers: list[caffe_pb2.LayerParameter], image: tuple[int, int, int],
         ) -> tuple[dict[str, tuple[int, ...]], dict[str, list[tuple[int, ...]]]]:
    """(shape of each blob without the batch axis, shapes of each layer's blobs) for a net fed with `image`."""
    blobs: dict[str, tuple[int, ...]] = {}
    params: dict[str, list[tuple[int, ...]]] = {}
    for layer in layers:
        ins = [blobs[bottom] for bottom in layer.bottom]
        out = ins[0] if ins else image
        if layer.type == "Convolution":
            field = layer.convolution_param
            channels = out[0]
            assert channels % field.group == 0 and field.num_output % field.group == 0, layer.name
            params[layer.name] = [(field.num_output, channels // field.group, field.kernel_size[0],
                                   field.kernel_size[0])] + ([(field.num_output,)] if field.bias_term else [])
            out = (field.num_output, *(window(field, size, up=False) for size in out[1:]))
        elif layer.type == "Pooling":
            out = (out[0], *(window(layer.pooling_param, size, up=True) for size in out[1:]))
        elif layer.type == "InnerProduct":
            outputs = layer.inner_product_param.num_output
            params[layer.name] = [(outputs, math.prod(out)), (outputs,)]
            out = (outputs,)
        elif layer.type == "BatchNorm":
            params[layer.name] = [(out[0],), (out[0],), (1,)]
        elif layer.type == "Scale":
            params[layer.name] = [(out[0],)] * (2 if layer.scale_param.bias_term else 1)
        elif layer.type == "Concat":
            assert {shape[1:] for shape in ins} == {out[1:]}, layer.name
            out = (sum(shape[0] for shape in ins), *out[1:])
        elif layer.type == "Eltwise":
            assert set(ins) == {out}, layer.name
        elif layer.type in ("SoftmaxWithLoss", "Accuracy"):
            assert ins[1] == (), layer.name
            out = ()
        else:
            assert layer.type in ("Data", "Input", "ReLU", "LRN", "Dropout", "Softmax"), layer.type
        for i, top in enumerate(layer.top):
            assert top not in blobs or top in layer.bottom, f"{layer.name} overwrites {top}"
            blobs[top] = () if layer.type == "Data" and i else out
    return blobs, params


def size_of(params: dict[str, list[tuple[int, ...]]], layers: list[caffe_pb2.LayerParameter]) -> int:
    """Numbers in all blobs but batch statistics."""
    kinds = {layer.name: layer.type for layer in layers}
    return sum(math.prod(shape) for name, shapes in params.items() if kinds[name] != "BatchNorm" for shape in shapes)


@pytest.fixture
def make_zoo(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    for name in ("make_zoo", "zoo_layers"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return importlib.import_module("make_zoo")


def test_generator_writes_exactly_the_kept_texts(make_zoo: ModuleType) -> None:
    texts = make_zoo.texts()
    assert sorted(texts) == FILES
    for file, text in texts.items():
        assert (MODELS / file).read_text(encoding="utf-8") == text, f"models/{file}: run tools/make_zoo.py"


def test_every_net_has_train_val_deploy_and_notes() -> None:
    for net in NETS:
        assert {f"{net}/train_val.prototxt", f"{net}/deploy.prototxt"} <= set(FILES)
        assert (MODELS / net / "README.md").is_file()
    assert {file.split("/")[0] for file in FILES} == set(NETS)
    assert {next(net for net in NETS if name.startswith(net)) for name in RECIPES} == set(NETS)


@pytest.mark.parametrize("net", NETS)
def test_deploy_has_the_published_number_of_parameters(net: str) -> None:
    layers = list(read_net(f"{net}/deploy.prototxt").layer)
    assert tuple(layers[0].input_param.shape[0].dim[1:]) == INPUTS[net]
    blobs, params = walk(layers, INPUTS[net])
    assert size_of(params, layers) == COUNTS[net]
    assert layers[-1].top == ["prob"]
    assert blobs["prob"] == ((10,) if net in ("lenet", "cifar10_quick", "cifar10_full") else (1000,))


@pytest.mark.parametrize("file", [file for file in FILES if "deploy" not in file])
@pytest.mark.parametrize("phase", [caffe_pb2.TRAIN, caffe_pb2.TEST])
def test_training_net_has_the_blobs_of_deploy_and_both_readers(file: str, phase: int) -> None:
    net = file.split("/")[0]
    text = read_net(file)
    layers = in_phase(text, phase)
    crops = [layer.transform_param.crop_size for layer in layers if layer.type == "Data"]
    assert crops == [INPUTS[net][1] if INPUTS[net][1] > 200 else 0]
    _, params = walk(layers, INPUTS[net])
    _, deployed = walk(list(read_net(f"{net}/deploy.prototxt").layer), INPUTS[net])
    side = {name: shapes for name, shapes in params.items() if name not in deployed}
    assert {name: shapes for name, shapes in params.items() if name in deployed} == deployed
    assert all(name.startswith(("loss1/", "loss2/")) for name in side)
    assert len(side) == (6 if net == "googlenet" else 0)
    top_k = sorted({layer.accuracy_param.top_k for layer in layers if layer.type == "Accuracy"})
    assert top_k == ([] if phase == caffe_pb2.TRAIN else [1, 5] if len(crops) and crops[0] else [1])
    assert any(layer.type == "SoftmaxWithLoss" for layer in layers)


def test_googlenet_trains_with_two_side_heads() -> None:
    layers = in_phase(read_net("googlenet/train_val.prototxt"), caffe_pb2.TRAIN)
    blobs, params = walk(layers, INPUTS["googlenet"])
    assert size_of(params, layers) == 13_378_280
    assert blobs["loss1/ave_pool"] == (512, 4, 4) and blobs["loss2/ave_pool"] == (528, 4, 4)
    weights = {layer.name: layer.loss_weight[0] for layer in layers if layer.type == "SoftmaxWithLoss"}
    assert weights == pytest.approx({"loss1/loss": 0.3, "loss2/loss": 0.3, "loss3/loss3": 1})


def test_resnet50_learns_25557032_numbers() -> None:
    layers = in_phase(read_net("resnet50/train_val.prototxt"), caffe_pb2.TRAIN)
    blobs, params = walk(layers, INPUTS["resnet50"])
    assert size_of(params, layers) - math.prod(params["conv1"][1]) == 25_557_032
    statistics = [params[layer.name] for layer in layers if layer.type == "BatchNorm"]
    assert len(statistics) == 53 and sum(math.prod(s) for shapes in statistics for s in shapes) == 53_173
    assert [blobs[name] for name in ("pool1", "res2c", "res3d", "res4f", "res5c", "pool5")] == [
        (64, 56, 56), (256, 56, 56), (512, 28, 28), (1024, 14, 14), (2048, 7, 7), (2048, 1, 1)]
    conv1 = next(layer for layer in layers if layer.name == "conv1")
    assert [spec.lr_mult for spec in conv1.param] == [1, 0]


def test_names_are_those_of_the_published_models() -> None:
    """The layers that carry weights in the public .caffemodel files, spelt out here by their own rules."""
    def names(net: str) -> set[str]:
        return set(walk(list(read_net(f"{net}/deploy.prototxt").layer), INPUTS[net])[1])

    alexnet = {*(f"conv{i}" for i in range(1, 6)), "fc6", "fc7", "fc8"}
    assert names("alexnet") == names("caffenet") == alexnet
    assert names("lenet") == {"conv1", "conv2", "ip1", "ip2"}
    assert names("cifar10_full") == {"conv1", "conv2", "conv3", "ip1"}
    assert names("vgg16") == {"fc6", "fc7", "fc8"} | {
        f"conv{i}_{j}" for i, count in enumerate((2, 2, 3, 3, 3), 1) for j in range(1, count + 1)}
    parts = ("3a", "3b", "4a", "4b", "4c", "4d", "4e", "5a", "5b")
    branches = ("1x1", "3x3_reduce", "3x3", "5x5_reduce", "5x5", "pool_proj")
    assert names("googlenet") == {"conv1/7x7_s2", "conv2/3x3_reduce", "conv2/3x3", "loss3/classifier"} | {
        f"inception_{part}/{branch}" for part in parts for branch in branches}
    stages = {2: "abc", 3: "abcd", 4: "abcdef", 5: "abc"}
    units = {f"{stage}{letter}_branch{branch}" for stage, letters in stages.items()
             for letter in letters for branch in ("1", "2a", "2b", "2c") if branch != "1" or letter == "a"}
    assert names("resnet50") == {"conv1", "bn_conv1", "scale_conv1", "fc1000"} | {
        f"{kind}{unit}" for kind in ("res", "bn", "scale") for unit in units}


def test_order_of_norm_and_pool_tells_alexnet_from_caffenet() -> None:
    def order(net: str) -> list[str]:
        return [layer.name for layer in read_net(f"{net}/deploy.prototxt").layer][1:8]

    assert order("alexnet") == ["conv1", "relu1", "norm1", "pool1", "conv2", "relu2", "norm2"]
    assert order("caffenet") == ["conv1", "relu1", "pool1", "norm1", "conv2", "relu2", "pool2"]


def batches(file: str) -> tuple[int, int]:
    """(TRAIN, TEST) batch_size of a training net."""
    found = {layer.include[0].phase: layer.data_param for layer in read_net(file).layer if layer.type == "Data"}
    assert all(reader.backend == caffe_pb2.DataParameter.LMDB and reader.source for reader in found.values())
    return found[caffe_pb2.TRAIN].batch_size, found[caffe_pb2.TEST].batch_size


def images_of(file: str) -> tuple[int, int]:
    """(training, test) images behind a training net."""
    key = "quickstart" if "quickstart" in file else file.split("/")[0].split("_")[0]
    return IMAGES.get(key, IMAGES["imagenet"])


@pytest.mark.parametrize("recipe", RECIPES)
def test_solver_names_its_net_and_tests_every_image_once(recipe: str) -> None:
    solver = read_solver(recipe)
    file = solver.net.removeprefix("models/")
    assert file in FILES and recipe.startswith(file.split("/")[0])
    assert solver.type == "SGD"
    assert solver.test_iter[0] * batches(file)[1] == images_of(file)[1]
    assert 0 < solver.test_interval <= solver.max_iter
    assert solver.max_iter % solver.test_interval == 0 and solver.max_iter % (solver.snapshot or 1) == 0
    needs = {"fixed": set(), "step": {"gamma", "stepsize"}, "multistep": {"gamma", "stepvalue"}, "poly": {"power"},
             "inv": {"gamma", "power"}}[solver.lr_policy]
    given = {field.name for field, _ in solver.ListFields()} & {"gamma", "power", "stepsize", "stepvalue"}
    assert given == needs
    assert list(solver.stepvalue) == sorted(value for value in solver.stepvalue if value < solver.max_iter)
    assert re.fullmatch(r"run/(\w+)/\w+", solver.snapshot_prefix)


@pytest.mark.parametrize("path", [*(f"models/{file}" for file in FILES), *(f"solvers/{name}" for name in RECIPES)])
def test_header_gives_source_dataset_batch_and_expected_result(path: str) -> None:
    text = (ROOT / path).read_text(encoding="utf-8")
    head = "\n".join(line for line in text.split('\nn', 1)[0].splitlines() if line.startswith("#"))
    for word in ("Source: ", "Dataset: ", "Batch: ", "Expected: "):
        assert word in head, word
    per_rank, ranks, total = map(int, re.search(r"Batch: (\d+) a rank x (\d+) ranks? = (\d+)", head).groups())
    file = read_solver(path.split("/")[1]).net if path.startswith("solvers/") else path
    file = re.sub("deploy", "train_val", file.removeprefix("models/"))
    assert per_rank == batches(file)[0] and per_rank * ranks == total
    flat = re.sub(r"\n#\s*", " ", head)
    for iterations, epochs in re.findall(r"([\d,]+)(?: \(quick\))? iterations are ([\d.]+) epochs", flat):
        assert int(iterations.replace(",", "")) * total / images_of(file)[0] == pytest.approx(float(epochs), rel=0.02)


@pytest.mark.parametrize("net", NETS)
def test_notes_state_the_parameter_count(net: str) -> None:
    count = 25_557_032 if net == "resnet50" else COUNTS[net]
    assert f"- Parameters: {count:,}" in (MODELS / net / "README.md").read_text(encoding="utf-8")


def test_quickstart_is_the_main_jobs_recipe() -> None:
    solver = read_solver("lenet_quickstart.prototxt")
    assert (solver.net, solver.lr_policy, solver.max_iter) == ("models/lenet/quickstart.prototxt", "poly", 1000)
    assert (solver.base_lr, solver.momentum, solver.weight_decay) == pytest.approx((0.05, 0.9, 0.0005))
    assert solver.random_seed == 1 and solver.solver_mode == caffe_pb2.SolverParameter.CPU
    assert solver.snapshot == 0 and solver.snapshot_after_train
    sources = [layer.data_param.source for layer in read_net("lenet/quickstart.prototxt").layer if layer.type == "Data"]
    assert sources == ["run/quickstart/mnist_train_lmdb", "run/quickstart/mnist_test_lmdb"]
