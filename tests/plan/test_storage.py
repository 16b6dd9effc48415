"""Memory that grows only, first values told apart, and params' versions that see every way of changing them."""
import numpy as np

from caffempi.engines.numpy.engine import NumpyEngine
from caffempi.ops import Param, Spec
from caffempi.plan.params import ParamArena
from caffempi.plan.storage import ParamState, Storage


def test_buffers_keep_their_address_until_they_grow():
    s = Storage(NumpyEngine())
    s.reserve({"x": 100, "y": 0})
    a = s.get("x")
    s.reserve({"x": 50})
    assert s.get("x") is a and s.generation == 0
    s.reserve({"x": 200})
    assert s.generation == 1
    b = s.get("x")
    assert b.size == 200 and b is not a and not b.any() and s.generation == 1 and s.nbytes == 200
    assert s.get("y").size == 1 and s.generation == 1


def test_what_nobody_has_asked_for_has_no_memory_and_grows_unseen():
    s = Storage(NumpyEngine())
    s.reserve({"x": 100})
    s.reserve({"x": 200})
    assert s.nbytes == 0 and s.generation == 0 and s.get("x").size == 200


def test_bytes_are_new_once():
    s = Storage(NumpyEngine())
    assert s.is_new("x", 8) and not s.is_new("x", 8) and not s.is_new("x", 4) and s.is_new("x", 16)


def state(lenders=None):
    p = Param("l", 0, Spec((2, 2)))
    return p, ParamState(ParamArena([p], [p], "float32"), lenders)


def test_versions_move_on_touch_and_are_unknown_while_a_view_lives():
    p, s = state()
    first = s.version(p)
    assert s.version(p) == first is not None
    s.touch()
    assert s.version(p) != first
    view = s.expose(p)
    view[...] = 3
    assert s.version(p) is None and (s.array(p) == 3).all()
    del view
    after = s.version(p)
    assert after is not None and after != first


def test_views_of_views_count_too():
    p, s = state()
    part = s.expose(p).reshape(-1)[1:3]
    assert s.version(p) is None or part.base is not None
    part[...] = 1
    assert s.array(p).sum() == 2


def test_lent_params_are_the_lenders():
    p, owner = state()
    q, guest = state()
    guest = ParamState(guest.arena, {q: (owner, p)})
    guest.expose(q)[...] = 5
    assert (owner.array(p) == 5).all() and np.shares_memory(guest.array(q), owner.array(p))
    v = guest.version(q)
    owner.touch([p])
    assert guest.version(q) != v


def test_statistics_show_a_zero_gradient():
    p, s = state()
    assert s.zero_grad(p).shape == (2, 2) and not s.zero_grad(p).any() and s.zero_grad(p) is s.zero_grad(p)
