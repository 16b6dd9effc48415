"""The nets that are timed: one text for everybody, without data layers and phases, written to a file.

NAME is a folder of models/ or a prototxt. Data layers become Input layers (see `caffempi.cli.inputs`), so that all sides
compute on random numbers that are already there and nobody reads a file.
"""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from google.protobuf import text_format

from caffempi.cli import inputs
from caffempi.errors import UsageError
from caffempi.net.load import net_state
from caffempi.proto import caffe_pb2
from caffempi.proto.phase import filter_net
from caffempi.proto.text import read_net

MODELS = Path(__file__).resolve().parents[2] / "models"
BATCH = {"lenet": 64, "cifar10_full": 100, "caffenet": 16, "alexnet": 16, "googlenet": 16, "resnet50": 8, "vgg16": 4}
"""Records of a training iteration, where no other number is wanted."""
IMAGE = {"lenet": (1, 28, 28), "cifar10_full": (3, 32, 32)}
"""Of nets whose text does not tell the shape of an image."""
_LEARNS = ("Convolution", "InnerProduct")


@dataclass(frozen=True)
class Task:
    """A net ready to run. name; path: its text; batch: records; train: whether it is trained or only run forward."""

    name: str
    path: str
    batch: int
    train: bool


def write(name: str, folder: Path, *, train: bool = True, batch: int | None = None, depth: int | None = None) -> Task:
    """Writes the text of a net to a file in the folder. depth: cut it behind so many layers that learn (see `cut`).

    Raises UsageError: no such net; TextError, NetError, DataError as the readers do.
    """
    message = without_data(source(name, train), train, IMAGE.get(name), batch or (BATCH.get(name) if train else None))
    if depth is not None:
        message = cut(message, depth)
    size = int(next(lp for lp in message.layer if lp.type == "Input").input_param.shape[0].dim[0])
    label = Path(name).stem
    path = folder / f"{label}-{'train' if train else 'deploy'}-{size}-{depth or 'whole'}.prototxt"
    path.write_text(text_format.MessageToString(message))
    return Task(label, str(path), size, train)


def source(name: str, train: bool) -> Path:
    """The prototxt of a name. Raises UsageError."""
    path = MODELS / name / ("train_val.prototxt" if train else "deploy.prototxt")
    if not path.is_file():
        path = Path(name)
    if not path.is_file():
        known = ", ".join(sorted(p.name for p in MODELS.iterdir() if p.is_dir()))
        raise UsageError(f'there is no net "{name}"', fix=f"name a prototxt, or one of models/: {known}")
    return path


def without_data(path: Path, train: bool, image: Sequence[int] | None, batch: int | None) -> caffe_pb2.NetParameter:
    """The net in its phase with Input layers for its data, of that batch, and no rules of phases.

    image: channels, height and width; None: what the text says.
    """
    phase = caffe_pb2.TRAIN if train else caffe_pb2.TEST
    message, places = read_net(path)
    shapes: dict[str, tuple[int, ...]] = {}
    if image is not None and train:
        tops = next((lp.top for lp in filter_net(message, net_state(message, phase))[0].layer if not lp.bottom), ())
        shapes = {top: (1, *image) if k == 0 else (1,) for k, top in enumerate(tops)}
    prepared = inputs.replace_data(message, places, phase, 0, (), shapes)
    for error in [*prepared.faults, *(e for _, e in prepared.unknown)]:
        raise error
    found, _ = filter_net(message, net_state(message, phase))
    for lp in found.layer:
        del lp.include[:], lp.exclude[:]
        for shape in lp.input_param.shape if lp.type == "Input" else ():
            shape.dim[0] = batch or shape.dim[0]
    found.ClearField("state")
    return found


def learning(message: caffe_pb2.NetParameter) -> int:
    """How many convolutions and inner products a net has."""
    return sum(lp.type in _LEARNS for lp in message.layer)


def cut(message: caffe_pb2.NetParameter, depth: int) -> caffe_pb2.NetParameter:
    """The first `depth` convolutions and inner products with what they need, what follows each without learning, and a
    classifier of ten classes behind them."""
    kept: list[caffe_pb2.LayerParameter] = []
    for lp in message.layer:
        depth -= lp.type in _LEARNS
        if depth < 0:
            break
        if "Loss" not in lp.type and lp.type != "Accuracy":
            kept.append(lp)
    inputs_of = [lp for lp in kept if lp.type == "Input"]
    label = [top for lp in inputs_of for top in lp.top][-1]
    end = kept[-1].top[0]
    wanted, chain = {end}, []
    for lp in reversed(kept):
        if wanted & set(lp.top) or lp.type == "Input":
            wanted |= set(lp.bottom)
            chain.append(lp)
    short = caffe_pb2.NetParameter(name=message.name, layer=chain[::-1])
    last = short.layer.add(name="bench_scores", type="InnerProduct", bottom=[end], top=["bench_scores"])
    last.inner_product_param.num_output = 10
    last.inner_product_param.weight_filler.type = "xavier"
    short.layer.add(name="bench_loss", type="SoftmaxWithLoss", bottom=["bench_scores", label], top=["bench_loss"])
    return short
