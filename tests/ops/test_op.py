"""Every op of the table keeps the contract: a name, an honest gradient kind, legal in-place pairs, a docstring."""
import pytest

from caffempi.errors import EngineError
from caffempi.ops import OPS, get_op
from caffempi.ops.graph import Spec
from caffempi.ops.op import Op, nbytes

NAMES = OPS.names()


@pytest.mark.parametrize("name", NAMES)
def test_contract(name):
    rule = get_op(name)
    assert rule.name == name and type(rule).__doc__
    assert rule.grad in ("exact", "declared", "none", "refuse")
    assert rule.effects <= {"rng", "state", "host", "dynamic"}
    assert all(i >= 0 and o >= 0 for i, o in rule.inplace)
    assert type(rule).forward is not Op.forward
    if rule.grad == "exact":
        assert type(rule).backward is not Op.backward, "an exact gradient needs a rule"


def test_unknown_op_is_an_engine_error():
    with pytest.raises(EngineError, match='unknown op "rellu"; did you mean relu'):
        get_op("rellu")


def test_bytes_of_specs():
    assert nbytes([Spec((2, 3)), Spec((5,), "float64")]) == 24 + 40
