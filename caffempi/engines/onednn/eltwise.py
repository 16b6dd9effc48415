"""ReLU, sigmoid, tanh and ELU with their gradients (ops/relu.py, ops/activations.py) on oneDNN, in whatever layout a blob lies.

What maps zeros to zero runs over the whole buffer as one long row, so that the layout does not matter: all gradients (dy is
zero in the lanes that fill up blocks), and all functions but the sigmoid. The gradient of ReLU takes the library's form
that looks at the sign of the input: dx = dy where s > 0, else slope * dy, the op's own rule for s being the output as well.
The others read the output, but for ELU with a negative alpha.
"""
from __future__ import annotations

from functools import partial
from typing import Any

from caffempi.engines.base import Call, Near, Offer
from caffempi.engines.onednn.binding import Library
from caffempi.engines.onednn.codes import BY_OUTPUT, DIFF_DST, DIFF_SRC, DST, ELU, LOGISTIC, RELU, SRC, TANH, TRAINING
from caffempi.engines.onednn.layouts import Offers, Prepared, Slot, descs_near, row_of, row_offer
from caffempi.engines.onednn.primitives import MemoryDesc

_ALGORITHMS = {"relu": RELU, "sigmoid": LOGISTIC, "tanh": TANH, "elu": ELU}


def why_not(call: Call, attrs: Any) -> str | None:
    """Every one can be asked for."""
    return None


def _alpha(attrs: Any) -> float:
    return float(getattr(attrs, "slope", getattr(attrs, "alpha", 0.0)))


def forward(lib: Library, call: Call, near: Near, offers: Offers, attrs: Any) -> None:
    """y = f(x). ins: x; may overwrite it."""
    plain, algorithm = lib.plain(call.ins[0].shape), _ALGORITHMS[call.op]

    def way(md: MemoryDesc) -> Offer:
        at = md if algorithm == LOGISTIC and md.blocks else row_of(lib, md)
        desc = lib.describe("eltwise_forward", TRAINING, algorithm, at, at, _alpha(attrs), 0.0)
        return row_offer(Prepared(desc, (Slot(SRC, "ins", 0), Slot(DST, "outs", 0))), md, plain, 1, ((0, 0),), desc.scratch)
    offers.attempt([partial(way, md) for md in descs_near(plain, near.ins[0], near.outs[0])])


def backward(lib: Library, call: Call, near: Near, offers: Offers, attrs: Any) -> None:
    """dx = dy f'. ins: s (y, or x), dy; may overwrite dy."""
    plain, algorithm = lib.plain(call.outs[0].shape), _ALGORITHMS[call.op.removesuffix("_dx")]
    alpha = _alpha(attrs)
    by_input = algorithm == RELU or alpha < 0
    used = algorithm if by_input else BY_OUTPUT[algorithm]

    def way(md: MemoryDesc) -> Offer:
        row = row_of(lib, md)
        forward = lib.describe("eltwise_forward", TRAINING, used, row, row, alpha, 0.0, hint=True)
        desc = lib.describe("eltwise_backward", used, row, row, row, alpha, 0.0, forward)
        slots = Slot(SRC if by_input else DST, "ins", 0), Slot(DIFF_DST, "ins", 1), Slot(DIFF_SRC, "outs", 0)
        return row_offer(Prepared(desc, slots), md, plain, 2, ((1, 0),), desc.scratch)
    offers.attempt([partial(way, md) for md in descs_near(plain, *near.ins, near.outs[0])])
