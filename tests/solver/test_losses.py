"""Losses are read late where that is asked for, in order, and what is not finite is told with its own iteration."""
import pytest

from caffempi.solver.losses import Losses


def test_the_newest_are_left_alone_until_they_are_wanted():
    asked, losses = [], Losses(2, 1)
    for k in range(4):
        losses.add(k, lambda k=k: asked.append(k) or float(k))
        losses.settle(1)
        assert asked == list(range(k))
    assert losses.mean() == 1.5
    assert list(losses.read()) == [2, 3] and losses.mean() == 2.5 and losses.bad is None


def test_an_iteration_is_the_mean_of_its_passes():
    losses = Losses(3, 2)
    for k in range(5):
        losses.add(k // 2, lambda k=k: k)
    assert list(losses.read()) == [0.5, 2.5] and losses.mean() == 1.5
    losses.add(2, lambda: 6)
    assert list(losses.read()) == [0.5, 2.5, 5]


def test_the_first_that_is_not_finite_is_kept():
    losses = Losses(5, 1)
    for k, loss in enumerate([1.0, float("inf"), 2.0, float("nan")]):
        losses.add(k, lambda loss=loss: loss)
    losses.settle(2)
    assert losses.bad == (1, float("inf"))
    losses.settle()
    assert losses.bad == (1, float("inf"))


def test_nothing_yet():
    assert Losses(4, 1).mean() == 0 and list(Losses(4, 1).read()) == []
    with pytest.raises(ZeroDivisionError):
        losses = Losses(1, 1)
        losses.add(0, lambda: 1 / 0)
        losses.settle()
