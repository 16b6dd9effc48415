"""Sizes of arrays in their layouts."""
import pytest

from caffempi.engines.base import PLAIN, Layout
from caffempi.ops import Spec
from caffempi.plan.buffers import Buffer, size_of


@pytest.mark.parametrize("spec, layout, want", [
    (Spec((2, 3)), None, 24), (Spec((2, 3), "float64"), PLAIN, 48), (Spec(()), None, 4), (Spec((0, 7)), None, 0),
    (Spec((2, 3)), Layout("blocked", 64, "k"), 64), (Spec((5,), "uint8"), None, 5)])
def test_a_layout_says_its_size_or_the_plain_array_counts(spec, layout, want):
    assert size_of(spec, layout) == want


def test_buffers_are_themselves_alone():
    assert Buffer(1, 4, "act") != Buffer(1, 4, "act") and Buffer(1, 4, "act").offset is None
