"""The arena: aligned slots in backward order, buckets that tile it, runs of equal multipliers, views in shape."""
import pytest

from caffempi.ops import Param, Spec
from caffempi.plan.params import ALIGN, ParamArena


def params(sizes, mults=None):
    out = [Param(f"l{i}", 0, Spec((n,)), net_index=i) for i, n in enumerate(sizes)]
    for p, m in zip(out, mults or [], strict=False):
        p.lr_mult, p.decay_mult = m
    return out


@pytest.mark.parametrize("sizes", [[], [1], [3, 17, 16, 1000], [5] * 40, [100_000, 3, 200_000, 70_000]])
def test_slots_and_buckets_tile_the_arena(sizes):
    ps = params(sizes)
    arena = ParamArena(ps, ps[::-1], "float32", first_bucket=256, bucket=4096)
    assert sorted(map(id, arena.params)) == sorted(map(id, ps)) and arena.net_order == ps
    assert [lo for lo, _ in arena.buckets] == [0, *(hi for _, hi in arena.buckets)][:len(arena.buckets)]
    assert arena.data.size == (arena.buckets[-1][1] if arena.buckets else 0) == arena.grad.size
    for p in ps:
        lo, hi = arena.slots[p]
        assert hi - lo == p.spec.count and lo * 4 % ALIGN == 0
        blo, bhi = arena.buckets[arena.bucket_of[p]]
        assert blo <= lo and hi <= bhi
    for flat in (arena.data, arena.grad):
        assert flat.size == 0 or flat.ctypes.data % ALIGN == 0


def test_the_first_bucket_is_small_and_a_large_param_has_its_own():
    ps = params([50, 50, 5000, 50])
    arena = ParamArena(ps, ps, "float32", first_bucket=256, bucket=1024)
    assert [arena.bucket_of[p] for p in ps] == [0, 1, 2, 3]


def test_runs_join_equal_multipliers_within_a_bucket():
    ps = params([10, 10, 10, 10], [(1, 1), (2, 0), (1, 1), (2, 0)])
    arena = ParamArena(ps, ps, "float32")
    assert [r[2:] for r in arena.runs] == [(1, 1), (2, 0)]
    assert all(any(lo <= arena.slots[p][0] and arena.slots[p][1] <= hi and (p.lr_mult, p.decay_mult) == m
                   for lo, hi, *m_ in arena.runs for m in [tuple(m_)]) for p in ps)


def test_statistics_have_an_arena_of_their_own_and_no_gradient():
    ps = params([4, 6])
    ps[1].stat = True
    arena = ParamArena(ps, ps[:1], "float64")
    assert arena.net_order == ps[:1] and arena.view(ps[1]).base is not None
    arena.view(ps[1])[...] = 3
    assert arena.stat.sum() == 18 and not arena.data.any()


def test_history_and_views_share_the_slots():
    ps = params([6, 2])
    ps[0].spec = Spec((2, 3))
    arena = ParamArena(ps, ps, "float32")
    arena.make_history(2)
    view = arena.view(ps[0], arena.hist[1])
    assert view.shape == (2, 3)
    view[...] = 1
    assert arena.hist[1].sum() == 6 and arena.hist[0].sum() == 0
