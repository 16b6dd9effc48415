"""Convolutions without cuDNN held to their definitions: groups, dilation, one to three axes, depthwise, many images at a time."""
import pytest

from caffempi.engines.base import Call
from caffempi.engines.cuda.kernels import plan_job
from caffempi.engines.cuda.rule import RULES, Form, Multiply
from caffempi.engines.cuda.rules import conv
from caffempi.ops import Spec
from caffempi.ops.conv import ConvAttrs
from caffempi.ops.relu import ReluAttrs
from tests.helpers.cuda.cases import Case, chain, record
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.kernelcheck import check


def attrs(kernel, stride=None, pad=None, dilation=None, group=1, axis=1):
    ones = (1,) * len(kernel)
    return ConvAttrs(kernel, stride or ones, pad or (0,) * len(kernel), dilation or ones, group, axis)


def case(x, m, a, bias=True, slack=40):
    c = a.split(x)[1]
    return Case("conv", a, [x, (m, c // a.group, *a.kernel), *[(m,)] * bias], slack=slack)


SQUARE = attrs((3, 3), (2, 1), (1, 0))
CASES = [
    case((2, 3, 7, 6), 4, SQUARE), case((3, 4, 6, 5), 6, attrs((2, 3), None, (1, 2), (2, 1), 2), False),
    case((1, 6, 5, 5), 9, attrs((3, 3), group=3)), case((2, 5, 4, 4), 3, attrs((1, 1)), False), case((0, 3, 4, 4), 2, SQUARE),
    case((2, 4, 3, 4), 4, attrs((1, 1), group=2)), case((2, 3, 9), 4, attrs((4,), (2,), (1,))), case((4, 5), 3, attrs(())),
    case((1, 2, 4, 3, 5), 3, attrs((2, 2, 3), (1, 1, 2), (0, 1, 1))), case((2, 2, 3, 5, 4), 2, attrs((2, 2), axis=2)),
    case((2, 3, 7, 6), 3, attrs((3, 3), None, (1, 1), group=3)), case((2, 2, 5, 6), 4, attrs((2, 3), (2, 1), (1, 1), (1, 2), 2)),
    case((2, 2, 8), 2, attrs((3,), group=2), False), case((1, 2, 5, 5), 2, attrs((4, 4), (2, 2), (3, 3), group=2)),
    case((0, 3, 4, 4), 3, attrs((2, 2), group=3)), case((5, 2, 33, 31), 2, attrs((1, 2), group=2), False, slack=400),
    *(Case("im2col", a, [x]) for x, a in [((2, 3, 5, 6), SQUARE), ((0, 2, 4, 4), SQUARE), ((2, 3, 4, 5), attrs((2,), axis=2)),
                                          ((1, 2, 5, 4, 3), attrs((2, 2, 2), None, (1, 0, 1), (1, 2, 1)))]),
    Case("conv_dx", attrs((3, 2), (2, 2), (1, 0)), [(4, 3, 3, 2), (2, 4, 3, 4)], slack=40),
]
CASES += [chain(("conv", "relu"), (a, ReluAttrs()), ([x, (m, x[1] // a.group, *a.kernel), *[(m,)] * bias], []), slack=40)
          for x, m, a, bias in [((2, 3, 5, 4), 2, SQUARE, 1), ((1, 2, 4, 4), 3, attrs((1, 1)), 0),
                                ((1, 2, 4, 4), 2, attrs((2, 2), group=2), 1)]]


@needs_compiler
@pytest.mark.parametrize("case", CASES, ids=str)
def test_equals_the_definition(case):
    check(case)


@needs_compiler
@pytest.mark.parametrize("room", [1, 2000, 10000])
def test_a_few_images_at_a_time(monkeypatch, room):
    monkeypatch.setattr(conv, "ROOM", room)
    check(CASES[0])
    check(case((5, 4, 5, 5), 4, attrs((3, 3), group=2)))


def test_products_are_few():
    for images, groups, want in ((8, 2, 2), (2, 8, 2), (1, 1, 1)):
        (r, *_) = record(case((images, groups, 4, 4), groups * 2, attrs((3, 3), group=groups)))
        if groups > 1:                                         # depthwise: no product at all
            assert not [w for w in plan_job(r.call, Form()).work if isinstance(w, Multiply)]
        (r, *_) = record(case((images, groups * 2, 4, 4), groups, attrs((3, 3), group=groups)))
        assert len([w for w in plan_job(r.call, Form()).work if isinstance(w, Multiply)]) == want


def test_more_axes_are_refused():
    a = attrs((1,) * 4)
    x, w = Spec((1, 2, 3, 3, 3, 3)), Spec((2, 2, 1, 1, 1, 1))
    assert "3 spatial axes" in RULES.get("conv").why_not(Call("conv", a, (x, w), (x,)))
