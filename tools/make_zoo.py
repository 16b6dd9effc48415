"""Writes the nets of `models/`: train_val.prototxt and deploy.prototxt of each, and lenet's quickstart.prototxt.

Run `python tools/make_zoo.py` in the project's root after a change here; the texts are kept in the repository and
tests/test_zoo_texts.py holds both against each other. A net is described once, as a list of layers; the files of one
net differ in where images come from and in what follows the last score, so weights trained with one load into the
other. Layer names are those of the published Caffe models, so that their .caffemodel files load too. The list on top
of a net's README.md (source, dataset, batch, expected result) becomes the header of its texts; a file with a section
of its own name there has that section's list.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from zoo_layers import (
    LR_ONLY,
    MSRA,
    XAVIER,
    accuracy,
    block,
    conv,
    data,
    dense,
    dropout,
    gaussian,
    layer,
    loss,
    lrn,
    pool,
    relu,
)

MODELS = Path(__file__).resolve().parent.parent / "models"
INCEPTION = {  # 1x1, 3x3 reduce, 3x3, 5x5 reduce, 5x5, pool projection: table 1 of the GoogLeNet paper
    "3a": (64, 96, 128, 16, 32, 32),
    "3b": (128, 128, 192, 32, 96, 64),
    "4a": (192, 96, 208, 16, 48, 64),
    "4b": (160, 112, 224, 24, 64, 64),
    "4c": (128, 128, 256, 24, 64, 64),
    "4d": (112, 144, 288, 32, 64, 64),
    "4e": (256, 160, 320, 32, 128, 128),
    "5a": (256, 160, 320, 32, 128, 128),
    "5b": (384, 192, 384, 48, 128, 128),
}
BGR_MEAN = ("mean_value: 104", "mean_value: 117", "mean_value: 123")
VGG_MEAN = ("mean_value: 103.939", "mean_value: 116.779", "mean_value: 123.68")
IMAGENET_MEAN = ('mean_file: "data/imagenet/imagenet_mean.binaryproto"',)


def mnist(folder: str, batch: int) -> str:
    """MNIST's readers: 100 images a test batch, bytes scaled to [0, 1)."""
    sources = (f"{folder}/mnist_train_lmdb", f"{folder}/mnist_test_lmdb")
    return data("mnist", sources, (batch, 100), ["scale: 0.00390625"])


def cifar() -> str:
    """CIFAR-10's readers: the mean image of the training set is subtracted."""
    sources = ("data/cifar10/cifar10_train_lmdb", "data/cifar10/cifar10_test_lmdb")
    return data("cifar", sources, (100, 100), ['mean_file: "data/cifar10/mean.binaryproto"'])


def imagenet(batch: int, crop: int, mean: Sequence[str]) -> str:
    """ImageNet's readers: images of 256 x 256 in the database, 50 a test batch."""
    sources = ("data/imagenet/ilsvrc12_train_lmdb", "data/imagenet/ilsvrc12_val_lmdb")
    return data("data", sources, (batch, 50), mean, crop)


def lenet() -> str:
    """LeNet with ReLU and max pooling; both convolutions are linear, as in Caffe's example."""
    return (conv("conv1", "data", 20, 5, XAVIER, params=LR_ONLY) + pool("pool1", "conv1", 2, 2)
            + conv("conv2", "pool1", 50, 5, XAVIER, params=LR_ONLY) + pool("pool2", "conv2", 2, 2)
            + dense("ip1", "pool2", 500, XAVIER, params=LR_ONLY) + relu("relu1", "ip1")
            + dense("ip2", "ip1", 10, XAVIER, params=LR_ONLY))


def cifar10(full: bool) -> str:
    """cuda-convnet's CIFAR-10 nets: full normalises within channels and has one inner product, quick has two."""
    text = conv("conv1", "data", 32, 5, gaussian("0.0001"), pad=2, params=LR_ONLY)
    text += pool("pool1", "conv1", 3, 2) + relu("relu1", "pool1")
    blob = "pool1"
    for i, outputs in ((2, 32), (3, 64)):
        if full:
            text += lrn(f"norm{i - 1}", blob, 3, "5e-05", "norm_region: WITHIN_CHANNEL")
            blob = f"norm{i - 1}"
        params = () if full and i == 3 else LR_ONLY
        text += conv(f"conv{i}", blob, outputs, 5, gaussian("0.01"), pad=2, params=params)
        text += relu(f"relu{i}", f"conv{i}") + pool(f"pool{i}", f"conv{i}", 3, 2, "AVE")
        blob = f"pool{i}"
    if full:
        strong = ("param { lr_mult: 1 decay_mult: 250 }", "param { lr_mult: 2 decay_mult: 0 }")
        return text + dense("ip1", blob, 10, gaussian("0.01"), params=strong)
    text += dense("ip1", blob, 64, gaussian("0.1"), params=LR_ONLY)
    return text + dense("ip2", "ip1", 10, gaussian("0.1"), params=LR_ONLY)


def alexnet(norm_first: bool, bias: str) -> str:
    """AlexNet in one piece: AlexNet normalises and then pools, CaffeNet the other way round."""
    text, blob = "", "data"
    for i, (outputs, kernel, stride, pad, group, start) in enumerate(
            ((96, 11, 4, 0, 1, "0"), (256, 5, 1, 2, 2, bias), (384, 3, 1, 1, 1, "0"), (384, 3, 1, 1, 2, bias),
             (256, 3, 1, 1, 2, bias)), 1):
        text += conv(f"conv{i}", blob, outputs, kernel, gaussian("0.01"), stride=stride, pad=pad, group=group,
                     bias=start)
        blob = f"conv{i}"
        text += relu(f"relu{i}", blob)
        if i <= 2:
            for kind in ("norm", "pool") if norm_first else ("pool", "norm"):
                name = f"{kind}{i}"
                text += lrn(name, blob, 5, "0.0001") if kind == "norm" else pool(name, blob, 3, 2)
                blob = name
    text += pool("pool5", "conv5", 3, 2)
    return text + top_of_vgg("pool5", gaussian("0.005"), gaussian("0.01"), bias)


def top_of_vgg(blob: str, hidden: str, last: str, bias: str) -> str:
    """fc6, fc7 with ReLU and dropout, and fc8: shared by AlexNet and VGG."""
    text = ""
    for i in (6, 7):
        text += dense(f"fc{i}", blob, 4096, hidden, bias) + relu(f"relu{i}", f"fc{i}")
        text += dropout(f"drop{i}", f"fc{i}", "0.5")
        blob = f"fc{i}"
    return text + dense("fc8", blob, 1000, last)


def vgg16() -> str:
    """VGG's configuration D: thirteen 3x3 convolutions in five groups."""
    text, blob = "", "data"
    for group, (outputs, count) in enumerate(((64, 2), (128, 2), (256, 3), (512, 3), (512, 3)), 1):
        for i in range(1, count + 1):
            name = f"{group}_{i}"
            text += conv(f"conv{name}", blob, outputs, 3, XAVIER, pad=1) + relu(f"relu{name}", f"conv{name}")
            blob = f"conv{name}"
        text += pool(f"pool{group}", blob, 2, 2)
        blob = f"pool{group}"
    return text + top_of_vgg(blob, XAVIER, XAVIER, "0")


def conv_relu(prefix: str, size: str, bottom: str, outputs: int, kernel: int, stride: int = 1) -> str:
    """GoogLeNet's unit: a padded convolution and its ReLU, named PREFIX/SIZE and PREFIX/relu_SIZE."""
    name, base = f"{prefix}/{size}", size.removesuffix("_s2")
    text = conv(name, bottom, outputs, kernel, XAVIER, stride=stride, pad=kernel // 2, bias="0.2")
    return text + relu(f"{prefix}/relu_{base}", name)


def inception(part: str, bottom: str) -> str:
    """An inception module: four branches, concatenated."""
    one, reduce3, three, reduce5, five, proj = INCEPTION[part]
    p = f"inception_{part}"
    return (conv_relu(p, "1x1", bottom, one, 1)
            + conv_relu(p, "3x3_reduce", bottom, reduce3, 1) + conv_relu(p, "3x3", f"{p}/3x3_reduce", three, 3)
            + conv_relu(p, "5x5_reduce", bottom, reduce5, 1) + conv_relu(p, "5x5", f"{p}/5x5_reduce", five, 5)
            + pool(f"{p}/pool", bottom, 3, 1, pad=1) + conv_relu(p, "pool_proj", f"{p}/pool", proj, 1)
            + layer(f"{p}/output", "Concat", [f"{p}/{s}" for s in ("1x1", "3x3", "5x5", "pool_proj")], f"{p}/output"))


def side_head(i: int, bottom: str) -> str:
    """An auxiliary classifier, weighted 0.3; only train_val has it."""
    p = f"loss{i}"
    return (pool(f"{p}/ave_pool", bottom, 5, 3, "AVE") + conv_relu(p, "conv", f"{p}/ave_pool", 128, 1)
            + dense(f"{p}/fc", f"{p}/conv", 1024, XAVIER, "0.2") + relu(f"{p}/relu_fc", f"{p}/fc")
            + dropout(f"{p}/drop_fc", f"{p}/fc", "0.7") + dense(f"{p}/classifier", f"{p}/fc", 1000, XAVIER)
            + loss(f"{p}/loss", f"{p}/loss{i}", f"{p}/classifier", "0.3") + accuracies(p))


def googlenet(side_heads: bool) -> str:
    """GoogLeNet up to its last classifier."""
    text = conv_relu("conv1", "7x7_s2", "data", 64, 7, 2) + pool("pool1/3x3_s2", "conv1/7x7_s2", 3, 2)
    text += lrn("pool1/norm1", "pool1/3x3_s2", 5, "0.0001")
    text += conv_relu("conv2", "3x3_reduce", "pool1/norm1", 64, 1)
    text += conv_relu("conv2", "3x3", "conv2/3x3_reduce", 192, 3)
    text += lrn("conv2/norm2", "conv2/3x3", 5, "0.0001") + pool("pool2/3x3_s2", "conv2/norm2", 3, 2)
    blob, heads = "pool2/3x3_s2", {"4a": 1, "4d": 2} if side_heads else {}
    for part in INCEPTION:
        text += inception(part, blob)
        blob = f"inception_{part}/output"
        if part in heads:
            text += side_head(heads[part], blob)
        if part in ("3b", "4e"):
            name = f"pool{part[0]}/3x3_s2"
            text += pool(name, blob, 3, 2)
            blob = name
    text += pool("pool5/7x7_s1", blob, 7, 1, "AVE") + dropout("pool5/drop_7x7_s1", "pool5/7x7_s1", "0.4")
    return text + dense("loss3/classifier", "pool5/7x7_s1", 1000, XAVIER)


def conv_bn(name: str, bottom: str, outputs: int, kernel: int, stride: int, stored: bool) -> str:
    """ResNet's unit without its ReLU; stored: normalise with the stored statistics in every phase."""
    tag = name.removeprefix("res") if name != "conv1" else "_conv1"
    first = ("param { lr_mult: 1 decay_mult: 1 }", "param { lr_mult: 0 decay_mult: 0 }") if name == "conv1" else ()
    statistics = block("batch_norm_param", "use_global_stats: true") if stored else ()
    return (conv(name, bottom, outputs, kernel, MSRA, stride=stride, pad=kernel // 2, params=first,
                 bias="0" if first else None)
            + layer(f"bn{tag}", "BatchNorm", name, name, *statistics)
            + layer(f"scale{tag}", "Scale", name, name, *block("scale_param", "bias_term: true")))


def resnet50(stored: bool) -> str:
    """ResNet-50 as published for Caffe: the first 1x1 of a stage strides, conv1 has a bias (held at its start)."""
    text = conv_bn("conv1", "data", 64, 7, 2, stored) + relu("conv1_relu", "conv1") + pool("pool1", "conv1", 3, 2)
    blob = "pool1"
    for stage, blocks in ((2, 3), (3, 4), (4, 6), (5, 3)):
        width = 32 << (stage - 1)
        for letter in "abcdef"[:blocks]:
            name, bottom = f"res{stage}{letter}", blob
            stride = 2 if stage > 2 and letter == "a" else 1
            if letter == "a":
                blob = f"{name}_branch1"
                text += conv_bn(blob, bottom, 4 * width, 1, stride, stored)
            for i, outputs, kernel in (("2a", width, 1), ("2b", width, 3), ("2c", 4 * width, 1)):
                unit = f"{name}_branch{i}"
                text += conv_bn(unit, bottom, outputs, kernel, stride if i == "2a" else 1, stored)
                text += relu(f"{unit}_relu", unit) if i != "2c" else ""
                bottom = unit
            text += layer(name, "Eltwise", [blob, bottom], name, *block("eltwise_param", "operation: SUM"))
            text += relu(f"{name}_relu", name)
            blob = name
    return text + pool("pool5", blob, 7, 1, "AVE") + dense("fc1000", "pool5", 1000, XAVIER)


def accuracies(prefix: str) -> str:
    """GoogLeNet's top-1 and top-5 scores of one classifier."""
    return "".join(accuracy(f"{prefix}/top-{k}", f"{prefix}/classifier", k) for k in (1, 5))


def scores(blob: str, *more: str) -> str:
    """What follows the scores in train_val: accuracy and loss; more: further accuracy layers."""
    return accuracy("accuracy", blob) + "".join(more) + loss("loss", "loss", blob, "1")


def files_of(net: str, title: str, readers: dict[str, str], body: str, end: str, shape: Sequence[int], score: str,
             deploy_body: str = "") -> dict[str, str]:
    """The files of one net, path below models/ -> text: one with labels for each of readers, and deploy.

    readers: file stem -> text of its data layers; end: accuracy and loss; score: the blob that deploy's softmax reads;
    deploy_body: the layers of deploy where they differ from body.
    """
    readme = (MODELS / net / "README.md").read_text(encoding="utf-8")

    def head(stem: str) -> str:
        section = readme.partition(f"## {stem}\n")[2] or readme.partition("\n")[2]
        facts = "".join(f"# {line}\n" for line in section.strip().split("\n\n")[0].splitlines())
        return f'{facts}# Written by tools/make_zoo.py: change it there.\nname: "{title}"\n'

    files = {f"{net}/{stem}.prototxt": head(stem) + text + body + end for stem, text in readers.items()}
    dims = " ".join(f"dim: {dim}" for dim in shape)
    source = layer("data", "Input", [], "data", *block("input_param", f"shape {{ {dims} }}"))
    layers = source + (deploy_body or body) + layer("prob", "Softmax", score, "prob")
    files[f"{net}/deploy.prototxt"] = head("deploy") + layers
    return files


def texts() -> dict[str, str]:
    """Every file of the zoo, path below models/ -> text."""
    small = (1, 3, 32, 32)
    images227, images224 = (10, 3, 227, 227), (10, 3, 224, 224)
    fc8 = scores("fc8", accuracy("accuracy/top-5", "fc8", 5))
    original = {"train_val": imagenet(64, 227, IMAGENET_MEAN)}
    side = accuracies("loss3")
    return {
        **files_of("lenet", "LeNet", {"train_val": mnist("data/mnist", 64), "quickstart": mnist("run/quickstart", 32)},
                   lenet(), scores("ip2"), (64, 1, 28, 28), "ip2"),
        **files_of("cifar10_quick", "CIFAR10_quick", {"train_val": cifar()}, cifar10(False), scores("ip2"), small,
                   "ip2"),
        **files_of("cifar10_full", "CIFAR10_full", {"train_val": cifar()}, cifar10(True), scores("ip1"), small, "ip1"),
        **files_of("caffenet", "CaffeNet", original, alexnet(False, "1"), fc8, images227, "fc8"),
        **files_of("alexnet", "AlexNet", original, alexnet(True, "0.1"), fc8, images227, "fc8"),
        **files_of("vgg16", "VGG_ILSVRC_16_layers", {"train_val": imagenet(32, 224, VGG_MEAN)}, vgg16(), fc8, images224,
                   "fc8"),
        **files_of("googlenet", "GoogleNet", {"train_val": imagenet(32, 224, BGR_MEAN)}, googlenet(True),
                   loss("loss3/loss3", "loss3/loss3", "loss3/classifier", "1") + side, images224, "loss3/classifier",
                   googlenet(False)),
        **files_of("resnet50", "ResNet-50", {"train_val": imagenet(32, 224, BGR_MEAN)}, resnet50(False),
                   scores("fc1000", accuracy("accuracy/top-5", "fc1000", 5)), (1, 3, 224, 224), "fc1000",
                   resnet50(True)),
    }


def main() -> None:
    """Write every text."""
    for path, text in texts().items():
        (MODELS / path).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
