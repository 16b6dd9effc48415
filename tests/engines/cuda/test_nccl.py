"""NCCL through the stand-in: who can take part, means in the right order of streams, and faults in one line."""
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from caffempi.engines.choose import make_engine
from caffempi.engines.cuda import nccl
from caffempi.engines.peers import Peering
from caffempi.errors import EngineError
from tests.helpers.cuda.hostrun import needs_compiler
from tests.helpers.cuda.standin import install


class Others:
    """Ranks that bring the given rows; `late`: looks until they are there."""

    def __init__(self, rows, late=2):
        self.rows, self.late, self.met = rows, late, []

    def meet(self, ticket, rank, size):
        self.met.append((ticket, rank, size))

    def gather(self, own):
        looks = iter(range(self.late + 1))
        return lambda: np.stack([own, *[r[:own.size] for r in self.rows]]) if next(looks) == self.late else None


@pytest.fixture
def world():
    return Others([np.arange(70, dtype=np.float32) * f for f in (10, 100)])


def test_a_gpu_with_nccl_says_where_it_is_and_which_version(monkeypatch, world):
    install(monkeypatch, nccl=world).pci_bus_id = "0000:3B:00.0"
    assert make_engine("cuda").peering() == Peering("0000:3B:00.0", "NCCL 2.27.7", "")


def test_reasons_against_nccl(monkeypatch, world):
    device = install(monkeypatch, nccl=world)
    engine = make_engine("cuda")
    device.nccl.missing = True
    assert "NCCL cannot be loaded (module 'cupy.cuda.nccl' has no attribute" in engine.peering().why_not
    assert 'pip install "caffempi[cuda12]"' in engine.peering().why_not
    monkeypatch.setitem(sys.modules, "cupy.cuda.nccl", None)
    assert "NCCL cannot be loaded (import of cupy.cuda.nccl" in engine.peering().why_not
    monkeypatch.setenv("CAFFEMPI_NCCL", "0")
    assert engine.peering() == Peering("0000:01:00.0", "", "CAFFEMPI_NCCL=0 turns NCCL off")


def test_a_ticket_reaches_nccl_as_it_was_made(monkeypatch, world):
    install(monkeypatch, nccl=world)
    engine = make_engine("cuda")
    ticket = engine.ticket()
    assert len(ticket) == 128
    engine.join(ticket, 2, 3)
    assert world.met == [(np.arange(-64, 64).astype(np.int8).tobytes(), 2, 3)]


def test_faults_are_one_line_that_names_what_tells_more(monkeypatch, world):
    device = install(monkeypatch, nccl=world)
    engine = make_engine("cuda")
    device.nccl.refuses = True
    with pytest.raises(EngineError, match=r"^NCCL joins no group: NCCL_ERROR_SYSTEM_ERROR.*NCCL_DEBUG=WARN.*CAFFEMPI_NCCL=0"):
        engine.join(engine.ticket(), 0, 3)
    device.nccl.get_unique_id = lambda: 1 / 0
    with pytest.raises(EngineError, match="^NCCL makes no group: division by zero; NCCL_DEBUG"):
        engine.ticket()


@needs_compiler
@pytest.mark.parametrize("seed", range(4))
def test_means_lie_between_what_makes_the_gradients_and_what_reads_the_means(monkeypatch, world, seed):
    device = install(monkeypatch, seed, nccl=world)
    engine = make_engine("cuda")
    peers, compute = engine.join(engine.ticket(), 0, 3), engine.stream("compute")
    whole = engine.alloc(4 * 70).view("float32")
    copy = engine.alloc(4 * 70).view("float32")
    for k in range(5):                                          # nothing here waits
        whole.set(np.full(70, k, np.float32), stream=compute)
        for lo, hi in ((0, 33), (33, 70)):
            ready = engine.event()
            ready.record()
            there = peers.mean(whole[lo:hi], ready)
            there.wait()
        copy.data.copy_from_device_async(whole.data, whole.nbytes, compute)
        assert device.streams and not there.done()
        whole.set(np.full(70, np.nan, np.float32), stream=compute)
    got = copy.get(stream=compute)
    rows = [np.concatenate([r[:33], r[:37]]) for r in world.rows]
    np.testing.assert_array_equal(got, (np.float32(4) + rows[0] + rows[1]) / np.float32(3))
    peers.check()
    peers.close()
    peers.close()


def test_a_mean_that_is_given_up_ends_and_further_ones_are_refused(monkeypatch):
    world = Others([], late=10**9)                              # never
    install(monkeypatch, nccl=world)
    engine = make_engine("cuda")
    peers, array, ready = engine.join(engine.ticket(), 0, 2), engine.alloc(8).view("float32"), engine.event()
    peers.mean(array[:0], ready)
    peers.abort()
    engine.stream("exchange").synchronize()
    with pytest.raises(EngineError, match="^NCCL sums nothing: NCCL_ERROR_INVALID_ARGUMENT"):
        peers.mean(array[:0], ready)
    with pytest.raises(EngineError, match="^NCCL fails: NCCL_ERROR_REMOTE: remote process exited"):
        peers.check()


def test_nccls_numbers_are_those_of_its_header():
    package = pytest.importorskip("nvidia.nccl")
    header = (Path(package.__path__[0]) / "include" / "nccl.h").read_text()
    for name, number in (("ncclFloat32", nccl._FLOAT32), ("ncclSum", nccl._SUM)):
        assert re.search(rf"{name}\s*= {number},", header)
