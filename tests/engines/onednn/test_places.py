"""Layout arithmetic against offsets computed element by element."""
import itertools

import pytest

from caffempi.engines.onednn.places import axes_of, c_order, tag_of


def offset(axes, index):
    """The place of an element by the terms of its axes."""
    at = 0
    for terms, i in zip(axes, index, strict=True):
        for extent, stride in reversed(terms):
            at += i % extent * stride
            i //= extent
    return at


def test_c_order():
    assert c_order((2, 3, 4)) == (12, 4, 1)
    assert c_order((5,)) == (1,)


def test_blocked_elements_lie_where_the_terms_say():
    n, c, h, w, b = 2, 16, 3, 2, 8
    axes = axes_of((n, c, h, w), (c * h * w, h * w * b, w * b, b), [(1, b)])
    for i, j, k, m in itertools.product(range(n), range(c), range(h), range(w)):
        assert offset(axes, (i, j, k, m)) == ((i * (c // b) + j // b) * h * w + k * w + m) * b + j % b


@pytest.mark.parametrize(("shape", "same"), [((4, 1, 5, 6), True), ((4, 7, 1, 1), True), ((4, 7, 1, 2), False)])
def test_channels_last_is_plain_where_nothing_lies_between(shape, same):
    _n, c, h, w = shape
    plain, last = axes_of(shape, c_order(shape), ()), axes_of(shape, (c * h * w, 1, w * c, c), ())
    assert (plain == last) is same


def test_blocks_that_follow_each_other_are_no_blocks():
    assert axes_of((3, 16, 1, 1), (16, 8, 8, 8), [(1, 8)]) == axes_of((3, 16, 1, 1), c_order((3, 16, 1, 1)), ())


def test_names():
    assert tag_of((100, 50, 10, 1), ()) == "abcd"
    assert tag_of((100, 1, 50, 10), ()) == "acdb"
    assert tag_of((1000, 500, 80, 8), [(1, 8)]) == "aBcd8b"
