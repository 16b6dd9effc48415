"""Text of single layers in prototxt: what tools/make_zoo.py builds its nets of.

Every function returns the text of whole `layer { }` messages, one field a line, with the layer's name as its top
where a layer is not in place. Values that must appear as they are written (0.2, 5e-05) are strings.
"""

from __future__ import annotations

from collections.abc import Sequence

LR_ONLY = ("param { lr_mult: 1 }", "param { lr_mult: 2 }")
NO_BIAS_DECAY = ("param { lr_mult: 1 decay_mult: 1 }", "param { lr_mult: 2 decay_mult: 0 }")
XAVIER, MSRA = 'type: "xavier"', 'type: "msra"'
Names = str | Sequence[str]


def block(name: str, *lines: str) -> list[str]:
    """A message field with one line for each of its own fields."""
    return [f"{name} {{", *(f"  {line}" for line in lines), "}"]


def layer(name: str, kind: str, bottom: Names, top: Names, *body: str) -> str:
    """One layer; body holds the lines after the tops."""
    ends = {"bottom": [bottom] if isinstance(bottom, str) else bottom, "top": [top] if isinstance(top, str) else top}
    wires = [f'{end}: "{blob}"' for end, blobs in ends.items() for blob in blobs]
    return "\n".join(block("layer", f'name: "{name}"', f'type: "{kind}"', *wires, *body)) + "\n"


def gaussian(std: str) -> str:
    """The filler of zero-mean normal weights."""
    return f'type: "gaussian" std: {std}'


def fillers(weight: str, bias: str | None) -> list[str]:
    """The filler lines; bias None: the layer has no bias."""
    lines = [f"weight_filler {{ {weight} }}"]
    return lines if bias is None else [*lines, f'bias_filler {{ type: "constant" value: {bias} }}']


def conv(name: str, bottom: str, outputs: int, kernel: int, weight: str, *, stride: int = 1, pad: int = 0,
         group: int = 1, bias: str | None = "0", params: Sequence[str] = NO_BIAS_DECAY) -> str:
    """A convolution; bias: the value its biases start from."""
    fields = [f"num_output: {outputs}", f"kernel_size: {kernel}"]
    fields += [f"{key}: {value}" for key, value, default in (("stride", stride, 1), ("pad", pad, 0),
                                                             ("group", group, 1)) if value != default]
    fields += ["bias_term: false"] if bias is None else []
    return layer(name, "Convolution", bottom, name, *params,
                 *block("convolution_param", *fields, *fillers(weight, bias)))


def dense(name: str, bottom: str, outputs: int, weight: str, bias: str = "0",
          params: Sequence[str] = NO_BIAS_DECAY) -> str:
    """An inner product."""
    return layer(name, "InnerProduct", bottom, name, *params,
                 *block("inner_product_param", f"num_output: {outputs}", *fillers(weight, bias)))


def relu(name: str, blob: str) -> str:
    """A ReLU in place."""
    return layer(name, "ReLU", blob, blob)


def dropout(name: str, blob: str, ratio: str) -> str:
    """Dropout in place."""
    return layer(name, "Dropout", blob, blob, *block("dropout_param", f"dropout_ratio: {ratio}"))


def pool(name: str, bottom: str, kernel: int, stride: int, method: str = "MAX", pad: int = 0) -> str:
    """A pooling layer; shapes round up, as Caffe's do."""
    fields = [f"pool: {method}", f"kernel_size: {kernel}", f"stride: {stride}"] + ([f"pad: {pad}"] if pad else [])
    return layer(name, "Pooling", bottom, name, *block("pooling_param", *fields))


def lrn(name: str, bottom: str, size: int, alpha: str, *more: str) -> str:
    """Local response normalisation with beta 0.75."""
    return layer(name, "LRN", bottom, name,
                 *block("lrn_param", f"local_size: {size}", f"alpha: {alpha}", "beta: 0.75", *more))


def accuracy(name: str, scores: str, top_k: int = 1) -> str:
    """The share of labels among the top_k scores, in the TEST phase."""
    body = ["include { phase: TEST }"] + (block("accuracy_param", f"top_k: {top_k}") if top_k > 1 else [])
    return layer(name, "Accuracy", [scores, "label"], name, *body)


def loss(name: str, top: str, scores: str, weight: str) -> str:
    """Softmax and its log loss, weighted."""
    return layer(name, "SoftmaxWithLoss", [scores, "label"], top, f"loss_weight: {weight}")


def data(name: str, sources: tuple[str, str], batches: tuple[int, int], transform: Sequence[str],
         crop: int = 0) -> str:
    """The LMDB readers of both phases (TRAIN, TEST); with a crop, training images are also mirrored at random."""
    text = ""
    for phase, source, batch in zip(("TRAIN", "TEST"), sources, batches, strict=True):
        mirror = [f"crop_size: {crop}", f"mirror: {str(phase == 'TRAIN').lower()}"] if crop else []
        text += layer(name, "Data", [], ["data", "label"], f"include {{ phase: {phase} }}",
                      *block("transform_param", *transform, *mirror),
                      *block("data_param", f'source: "{source}"', f"batch_size: {batch}", "backend: LMDB"))
    return text
