"""Every source has the methods of its protocol, and behaves alike at the edges."""
from __future__ import annotations

import pytest

from caffempi.data.datum import DatumSource
from caffempi.data.image_source import ImageSource
from caffempi.data.lmdb_source import LmdbSource
from caffempi.data.source import Sample, Source, Store
from tests.data.helpers import GOLDEN


def sources() -> list[Source]:
    store: Store = LmdbSource(str(GOLDEN / "gray_lmdb"))
    images: Source = ImageSource(str(GOLDEN / "list.txt"), prefix="images/", base=str(GOLDEN))
    return [DatumSource(store, ""), images]


@pytest.mark.parametrize("which", [0, 1])
def test_samples_by_number_in_any_order_and_names(which):
    source = sources()[which]
    n = len(source)
    forward, backward = source.read(list(range(n))), source.read(list(range(n))[::-1])
    assert all(isinstance(s, Sample) and s.pixels.ndim == 3 and isinstance(s.label, float) for s in forward)
    for a, b in zip(forward, backward[::-1], strict=True):
        assert (a.pixels == b.pixels).all() and a.label == b.label
    assert len({source.name(i) for i in range(n)}) == n
    assert source.read([]) == []
    source.close()
    source.close()
