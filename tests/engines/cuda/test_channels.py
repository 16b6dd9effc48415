"""Arrays as channels, and the parts that their sums are made in."""
import pytest

from caffempi.engines.cuda.channels import ELEMENTS, ROWS, Channels
from caffempi.engines.cuda.rule import Form


@pytest.mark.parametrize(("shape", "last", "want"), [
    ((2, 3, 4, 5), False, (2, 3, 20)), ((2, 3, 4, 5), True, (40, 3, 1)), ((7,), False, (1, 1, 7)), ((7, 3), True, (7, 3, 1)),
    ((0,), False, (0, 1, 1)), ((2, 3, 0), False, (0, 3, 1)), ((2, 3, 4), True, (2, 3, 4))])
def test_arrays_as_channels(shape, last, want):
    assert Channels.of(shape, Form(last=last)) == want


def test_few_channels_are_cut_into_parts_and_many_are_not():
    assert Channels(32, 64, 112 * 112).parts == 16
    assert Channels(32 * 56 * 56, 64, 1).parts == 512
    assert Channels(1, 3, 2 * ELEMENTS).parts == 2 and Channels(2 * ROWS - 1, 3, 1).parts == 1
    assert Channels(32, 2048, 49).parts == 1
    assert Channels(0, 3, 1).parts == 1 and Channels(0, 0, 1).blocks == 1
