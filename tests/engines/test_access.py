"""Where arrays are the host's own, nothing is copied but what is asked for as of a moment."""
import numpy as np

from caffempi.engines.numpy.engine import NumpyEngine


def test_views_are_the_arrays_themselves():
    engine, x = NumpyEngine(), np.arange(3, dtype=np.float32)
    assert engine.lend(x) is x and engine.get(x) is x and engine.bridge(x).host is x
    engine.put(x, 4)
    engine.settle()
    bridge = engine.bridge(x)
    bridge.down()
    bridge.up()
    assert (x == 4).all()
    engine.feed([x], lambda arrays: arrays[0].fill(5))
    assert (x == 5).all()


def test_fetched_values_are_those_of_the_moment():
    engine, x = NumpyEngine(), np.zeros(2, np.float32)
    fetched = engine.fetch([x])
    x[...] = 1
    assert fetched.done() and (fetched.get()[0] == 0).all()
