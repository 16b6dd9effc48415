"""What devices have under way, in order, and from when its time counts."""
import pytest

from caffempi.errors import EngineError
from caffempi.exchange.stall import Limits
from caffempi.exchange.watch import Watch, Watched


class Work:
    """Something whose state a test sets."""

    def __init__(self, watch):
        self.is_ready = self.is_done = self.fails = False
        self.item = Watched("work", lambda: self.is_ready, lambda: self.is_done, self.check)
        watch.add(self.item)

    def check(self):
        if self.fails:
            raise EngineError("it broke")


def test_the_oldest_counts_from_when_it_is_ready_until_it_is_over():
    watch = Watch(Limits())
    assert watch.first(1.0) is None
    a, b = Work(watch), Work(watch)
    assert watch.first(1.0) is None
    a.is_ready = b.is_ready = True
    assert watch.first(5.0) is a.item and a.item.patience.started == 5.0
    assert watch.first(6.0) is a.item and a.item.patience.started == 5.0
    a.is_done = True
    assert watch.first(7.0) is b.item and b.item.patience.started == 7.0
    b.is_done = True
    assert watch.first(8.0) is None
    assert (a.item.number, b.item.number, watch.count) == (0, 1, 2)


def test_a_failure_is_raised_while_it_is_under_way_only():
    watch = Watch(Limits())
    a = Work(watch)
    a.fails = True
    assert watch.first(1.0) is None
    a.is_ready = True
    with pytest.raises(EngineError, match="it broke"):
        watch.first(2.0)
    a.is_done = True
    assert watch.first(3.0) is None
