"""Small random nets for property tests: chains with in-place layers, branches, shared and frozen params, cut gradients."""
from __future__ import annotations

import random


def random_net(seed: int, pixels: int = 8, smooth: bool = False) -> str:
    """The text of a net with inputs `data` (3 x C x pixels x pixels) and `label`, one loss or two.

    smooth: only layers whose gradient is the exact derivative everywhere, nothing cut or drawn at random.
    """
    r = random.Random(seed)
    channels = r.choice([2, 3, 4])
    lines = ['name: "random"', "force_backward: true" if r.random() < 0.25 else "",
             f'layer {{ name: "data" type: "Input" top: "data" input_param {{ shape {{ dim: 3 dim: {channels} dim: {pixels} '
             f'dim: {pixels} }} }} }}', 'layer { name: "label" type: "Input" top: "label" input_param { shape { dim: 3 } } }']
    net = _Net(r, lines, channels, smooth)
    blob = "data"
    for _ in range(r.randint(3, 7)):
        blob = net.step(blob)
    net.loss(blob)
    if r.random() < 0.3:
        net.loss(blob, cut=not smooth and r.random() < 0.5)
    return "\n".join(lines) + "\n"


class _Net:
    def __init__(self, r: random.Random, lines: list[str], channels: int, smooth: bool) -> None:
        self.r, self.lines, self.channels, self.smooth, self.count, self.shared = r, lines, channels, smooth, 0, ""

    def add(self, type_: str, bottoms: list[str], body: str = "", top: str | None = None) -> str:
        self.count += 1
        name = f"{type_.lower()}{self.count}"
        top = top or name
        reads = " ".join(f'bottom: "{b}"' for b in bottoms)
        self.lines.append(f'layer {{ name: "{name}" type: "{type_}" {reads} top: "{top}" {body} }}')
        return top

    def step(self, blob: str) -> str:
        """One more layer or block on the blob."""
        kinds = ["conv", "conv", "shared", "pool", "act", "act", "branch", "branch", "lrn"]
        kind = self.r.choice(kinds if self.smooth else [*kinds, "bn", "dropout"])
        if kind == "conv":
            return self.in_place(self.conv(blob, self.r.choice([2, 3, 4])))
        if kind == "shared":                                   # two uses of one param, as many channels out as in
            self.shared = f"w{self.channels}"
            name = f'param {{ name: "{self.shared}" }}'
            return self.conv(self.conv(blob, self.channels, name, 1), self.channels, name, 1)
        if kind == "pool":
            how = "AVE" if self.smooth else self.r.choice(["MAX", "AVE"])
            return self.add("Pooling", [blob], f"pooling_param {{ pool: {how} kernel_size: 3 stride: 1 pad: 1 }}")
        if kind == "act":
            return self.add(self.r.choice(["Sigmoid", "TanH"] if self.smooth else ["ReLU", "Sigmoid", "TanH", "ELU", "PReLU"]), [blob])
        if kind == "bn":
            use = self.r.choice(["", "use_global_stats: true"])
            top = self.add("BatchNorm", [blob], f"batch_norm_param {{ {use} }}")
            place = top if self.r.random() < 0.5 else None
            return self.add("Scale", [top], "scale_param { bias_term: true filler { type: 'gaussian' std: 1 } }", place)
        if kind == "branch":
            left, right = self.in_place(self.conv(blob, self.channels)), self.in_place(self.conv(blob, self.channels))
            if self.r.random() < 0.6:
                how = self.r.choice(["SUM", "SUM", "PROD"] if self.smooth else ["SUM", "SUM", "PROD", "MAX"])
                return self.add("Eltwise", [left, right], f"eltwise_param {{ operation: {how} }}")
            self.channels *= 2
            return self.add("Concat", [left, right])
        if kind == "lrn":
            region = self.r.choice(["ACROSS_CHANNELS", "WITHIN_CHANNEL"])
            return self.add("LRN", [blob], f"lrn_param {{ local_size: 3 alpha: 0.3 norm_region: {region} }}")
        return self.add("Dropout", [blob], "dropout_param { dropout_ratio: 0.4 }")

    def conv(self, blob: str, channels: int, param: str = "", kernel: int = 0) -> str:
        kernel = kernel or self.r.choice([1, 3])
        mults = self.r.choice(["", "param { lr_mult: 0 } param { lr_mult: 1 }", "param { lr_mult: 2 } param { lr_mult: 0 }"])
        cut = "propagate_down: false" if blob != "data" and not self.smooth and self.r.random() < 0.1 else ""
        self.channels = channels
        return self.add("Convolution", [blob], f"{param or mults} {cut} convolution_param {{ num_output: {channels} "
                        f"kernel_size: {kernel} pad: {kernel // 2} bias_term: {'false' if param else 'true'} "
                        "weight_filler { type: 'msra' } bias_filler { type: 'gaussian' std: 0.3 } }")

    def in_place(self, blob: str) -> str:
        """Perhaps an in-place layer on a blob that was just made."""
        kind = self.r.choice(["", "Sigmoid", "TanH"] if self.smooth else ["", "", "ReLU", "ELU", "Sigmoid", "PReLU"])
        return self.add(kind, [blob], top=blob) if kind else blob

    def loss(self, blob: str, cut: bool = False) -> None:
        skip = "propagate_down: false" if cut else ""
        scores = self.add("InnerProduct", [blob], f"{skip} inner_product_param {{ num_output: 5 "
                          "weight_filler { type: 'xavier' } }")
        weight = self.r.choice(["", "loss_weight: 0.7"])
        self.add("SoftmaxWithLoss", [scores, "label"], weight)
