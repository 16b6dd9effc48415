"""How arrays lie, and units of bytes."""
import pytest

from caffempi.engines.cuda.lying import dims, item, order, unit_of
from caffempi.engines.cuda.rule import Form
from caffempi.ops import Spec


def test_axes_in_memory():
    last = Form(last=True)
    assert dims((2, 3, 4, 5), Form()) == (2, 3, 4, 5)
    assert dims((2, 3, 4, 5), last) == (2, 4, 5, 3)
    assert dims((2, 3, 4), last) == (2, 3, 4) and order(4, last) == (0, 2, 3, 1)


def test_bytes_of_an_element():
    assert item(Spec((2,)), Form("float16")) == 2
    assert item(Spec((2,), "int64"), Form("float16")) == 8


@pytest.mark.parametrize(("nbytes", "unit"), [((64, 32), 16), ((64, 24), 8), ((4,), 4), ((6, 4), 2), ((16, 0), 16), ((0,), 16)])
def test_units(nbytes, unit):
    assert unit_of(*nbytes) == unit
