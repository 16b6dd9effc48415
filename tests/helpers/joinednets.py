"""Small random nets of joins: concatenations and slices along both axes, splits that the text states, blobs with many readers,
batches of one, losses and cut gradients in the middle."""
from __future__ import annotations

import random

FILL = 'weight_filler { type: "xavier" } bias_filler { type: "gaussian" std: 0.3 }'
AFFINE = 'scale_param { bias_term: true filler { type: "gaussian" std: 1 } }'
IN_PLACE = {"ReLU": "", "Sigmoid": "", "ELU": "", "PReLU": "", "Dropout": "", "Power": "power_param { scale: 0.7 shift: 0.2 }",
            "Scale": AFFINE, "BatchNorm": ""}
APART = {"TanH": "", "AbsVal": "", "Power": "power_param { power: 2 scale: 0.5 }", "Scale": AFFINE,
         "Pooling": "pooling_param { pool: AVE kernel_size: 3 pad: 1 }"}
KINDS = ["conv", "apart", "in place", "in place", "concat", "concat", "concat", "slice", "slice", "sum", "product", "split", "flatten", "ladder"]


def joined_net(seed: int) -> str:
    """The text of a net with one input `data` and losses that need no labels."""
    return "\n".join(_Net(random.Random(seed)).lines) + "\n"


class _Net:
    """shapes: of the blobs so far. read: those that have a reader."""

    def __init__(self, r: random.Random) -> None:
        self.r, self.lines, self.count = r, ["force_backward: true"] if r.random() < 0.3 else [], 0
        batch, channels, side = r.choice([1, 1, 2]), r.choice([4, 16, 16, 32]), r.choice([2, 4])
        self.shapes, self.read = {"data": (batch, channels, side, side)}, set[str]()
        dims = " ".join(f"dim: {n}" for n in self.shapes["data"])
        self.lines.append(f'layer {{ name: "data" type: "Input" top: "data" input_param {{ shape {{ {dims} }} }} }}')
        for _ in range(r.randint(4, 12)):
            self.step(r.choice(KINDS))
        for blob in [b for b in self.shapes if b not in self.read or (b != "data" and r.random() < 0.1)]:
            self.loss(blob)

    def add(self, type_: str, bottoms: list[str], shapes: list[tuple[int, ...]], body: str = "", tops: list[str] | None = None) -> list[str]:
        self.count += 1
        name, r = f"{type_.lower()}{self.count}", self.r
        tops = tops or [f"{name}.{k}" for k in range(len(shapes))]
        if r.random() < 0.05:
            body += " loss_weight: 0.5" * len(tops)
        if r.random() < 0.07:
            body += "".join(f" propagate_down: {r.choice(['true', 'false'])}" for _ in bottoms)
        ends = " ".join([f'bottom: "{b}"' for b in bottoms] + [f'top: "{t}"' for t in tops])
        self.lines.append(f'layer {{ name: "{name}" type: "{type_}" {ends} {body} }}')
        self.read = (self.read | {*bottoms}) - {*tops}
        self.shapes.update(zip(tops, shapes, strict=True))
        return tops

    def pick(self, like: tuple[int | None, ...] = ()) -> str | None:
        """A blob of that shape (None: any length of that axis), rather a late one."""
        fits = [b for b, s in self.shapes.items() if not like or (len(s) == len(like) and all(m in (n, None) for n, m in zip(s, like, strict=True)))]
        return self.r.choice(fits[-4:] if self.r.random() < 0.7 else fits) if fits else None

    def step(self, kind: str) -> None:
        r = self.r
        blob = self.pick((None,) * 4 if kind in ("conv", "flatten", "ladder", "apart") else ())
        if blob is None or (shape := self.shapes[blob])[0] * shape[1] > 200:
            return
        axis = r.choice([0, 1, 1])
        if kind == "conv":
            self.conv(blob)
        elif kind == "apart":
            type_ = r.choice(list(APART))
            self.add(type_, [blob], [shape], APART[type_])
        elif kind == "in place" and blob not in self.read | {"data"}:
            type_ = r.choice(list(IN_PLACE))
            self.add(type_, [blob], [shape], IN_PLACE[type_], [blob])
        elif kind == "concat":
            found = [self.pick((*shape[:axis], None, *shape[axis + 1:])) for _ in range(r.randint(0, 3))]
            self.concat([blob, *(b for b in found if b is not None)], r.choice([axis, axis - len(shape)]))
        elif kind == "slice" and shape[axis] > 1:
            unit = next(u for u in (16, 8, 1) if shape[axis] % u == 0 and shape[axis] > u)
            places = range(unit, shape[axis], unit)
            points = sorted(r.sample(places, r.randint(0, min(3, len(places)))))
            cuts = zip([0, *points], [*points, shape[axis]], strict=True)
            self.add("Slice", [blob], [(*shape[:axis], hi - lo, *shape[axis + 1:]) for lo, hi in cuts],
                     f"slice_param {{ axis: {axis} " + " ".join(f"slice_point: {p}" for p in points) + " }")
        elif kind in ("sum", "product"):
            others = [self.pick(shape) or blob for _ in range(r.randint(1, 2))]
            self.add("Eltwise", [blob, *others], [shape], f"eltwise_param {{ operation: {'SUM' if kind == 'sum' else 'PROD'} }}")
        elif kind == "split":
            self.add("Split", [blob], [shape] * r.randint(1, 3))
        elif kind == "flatten":
            self.add("Flatten", [blob], [(shape[0], shape[1] * shape[2] * shape[3])])
        elif kind == "ladder":
            self.concat([*([blob] if r.random() < 0.3 else []), *(self.conv(blob) for _ in range(r.randint(2, 3)))], 1)

    def concat(self, bottoms: list[str], axis: int) -> None:
        self.r.shuffle(bottoms)
        shape = list(self.shapes[bottoms[0]])
        shape[axis] = sum(self.shapes[b][axis] for b in bottoms)
        self.add("Concat", bottoms, [tuple(shape)], f"concat_param {{ axis: {axis} }}")

    def conv(self, blob: str) -> str:
        (n, _, *side), count, kernel = self.shapes[blob], self.r.choice([16, 16, 32, 24]), self.r.choice([1, 3])
        frozen = "param { lr_mult: 0 }" if self.r.random() < 0.2 else ""
        return self.add("Convolution", [blob], [(n, count, *side)], f"{frozen} convolution_param {{ num_output: {count} "
                        f"kernel_size: {kernel} pad: {kernel // 2} {FILL} }}")[0]

    def loss(self, blob: str) -> None:
        if self.r.random() < 0.5:
            (blob,) = self.add("InnerProduct", [blob], [(self.shapes[blob][0], 5)], f"inner_product_param {{ num_output: 5 {FILL} }}")
        how = self.r.choice(["SUMSQ", "SUM", "MEAN"])
        self.lines.append(f'layer {{ name: "loss{len(self.lines)}" type: "Reduction" bottom: "{blob}" top: "loss{len(self.lines)}" '
                          f"loss_weight: {self.r.choice([0.1, -0.2])} reduction_param {{ operation: {how} }} }}")
        self.read.add(blob)
