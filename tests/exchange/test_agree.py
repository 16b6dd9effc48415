"""What ranks say that differ."""
from __future__ import annotations

import pytest

from caffempi.errors import ExchangeError
from caffempi.exchange.agree import check, layout, ranks_text
from tests.exchange.arenas import arena

FIX = "; start all ranks with the same files, flags and versions"
CASES = [
    ([{"net": "a", "dtype": "f"}, {"net": "b", "dtype": "f"}], "net: rank 0 has a, rank 1 has b"),
    ([{"net": "a"}, {"net": "b"}, {"net": "a"}], "net: ranks 0, 2 have a, rank 1 has b"),
    ([{"net": "a"}, {"net": "b"}, {"net": "b"}], "net: rank 0 has a, ranks 1, 2 have b"),
    ([{"net": "a", "version": "1"}, {"net": "a"}], "version: rank 0 has 1, rank 1 has none"),
    ([{"net": "a"}, {"net": "a", "version": ""}], 'version: rank 0 has none, rank 1 has ""'),
    ([{"net": "a", "x": "1"}, {"net": "b", "x": "2"}], "net: rank 0 has a, rank 1 has b"),
    ([{"net": "0" * 64}, {"net": "1" * 64}], f"net: rank 0 has {'0' * 24}..., rank 1 has {'1' * 24}..."),
    ([{"net": "s" * 50 + "a"}, {"net": "s" * 50 + "b"}], f"net: rank 0 has ...{'s' * 8}a, rank 1 has ...{'s' * 8}b"),
]


@pytest.mark.parametrize(("digests", "text"), CASES)
def test_the_first_item_that_differs_is_named_with_ranks_and_values(digests, text):
    with pytest.raises(ExchangeError) as caught:
        check(digests)
    assert str(caught.value) == f"the ranks do not have the same {text}{FIX}"


def test_equal_digests_pass_in_any_order_of_names():
    check([{"a": "1", "b": "2"}, {"b": "2", "a": "1"}])
    check([{}])


def test_hosts_are_named_where_there_are_several():
    assert ranks_text([1], ["h0", "h0"]) == "rank 1"
    assert ranks_text([0, 1], ["h0", "h1"]) == "ranks 0 (h0), 1 (h1)"
    assert ranks_text(list(range(10))) == "ranks 0, 1, 2, 3, 4, 5, 6, 7 and 2 more"


def test_the_layout_tells_arenas_apart():
    kinds = [arena([3]), arena([17]), arena([3], "float64"), arena([3], stats=2), arena([3], histories=1), arena([]),
             arena([20, 3]), arena([20, 3], first=1)]
    assert len({layout(a) for a in kinds}) == len(kinds)
    assert layout(arena([3])) == layout(arena([3]))
