"""What an engine says to other processes whose device is the CPU."""
import pytest

from caffempi.engines.choose import make_engine
from caffempi.engines.peers import Peering
from caffempi.errors import EngineError


def test_an_engine_of_the_cpu_has_nothing_to_meet_with():
    engine = make_engine("numpy")
    assert engine.peering() == Peering("", "", "")
    for call in (engine.ticket, lambda: engine.join(b"", 0, 2)):
        with pytest.raises(EngineError, match="numpy joins no group"):
            call()
