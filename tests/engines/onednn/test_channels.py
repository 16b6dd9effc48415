"""Vectors beside blobs and sums by channel, in the layouts in which blobs lie."""
import numpy as np
import pytest

from caffempi.engines.base import PLAIN, Layout, Operands
from caffempi.engines.onednn.channels import ChannelSums, grid_of, vector_of
from tests.engines.onednn.test_pooling import near_layouts
from tests.helpers.enginecheck import moved, spec_of


def test_grids(engine, rand):
    x = rand(2, 19, 5, 3)
    assert grid_of(PLAIN, x.shape) == (2, 19, 15, 1)
    assert grid_of(Layout("elsewhere", 9, "key"), x.shape) is None
    grids = {layout.tag: grid_of(layout, x.shape) for layout in near_layouts(engine, x)}
    assert grids["acdb"] == (2, 1, 15, 19)
    assert all(g is None or g[0] * g[1] * g[2] * g[3] >= x.size for g in grids.values())


def test_a_vector_is_padded_as_its_blob(engine):
    lib = engine.library
    for desc in lib.blocked((2, 19, 5, 3)):
        assert vector_of(lib, desc).nbytes == 4 * desc.padded[1]
    assert vector_of(lib, lib.channels_last((2, 19, 5, 3))).nbytes == 76


@pytest.mark.parametrize("images", [1, 3, 50])
def test_sums(engine, rand, images):
    a, b = rand(images, 19, 4, 5), rand(images, 19, 4, 5)
    axes = (0, 2, 3)
    for layout in near_layouts(engine, a):
        grid = grid_of(layout, a.shape)
        ins = tuple(moved(engine, v, spec_of(v), PLAIN, layout) for v in (a, b))
        for kernel, want in ((ChannelSums(19, grid), a.sum(axes)), (ChannelSums(19, grid, 0, 1), (a * b).sum(axes)),
                             (ChannelSums(19, grid, 0, 1, True), (a * np.minimum(b, 0)).sum(axes))):
            for out in (np.zeros(19, np.float32), np.zeros(1, np.float32)):
                kernel.bind(Operands(ins, (out,), scratch=engine.alloc(kernel.scratch)))()
                assert np.allclose(out, want if out.size > 1 else want.sum(), atol=1e-4)
