"""A net or a solver? The fields tell, in texts with faults too."""
import pytest

from caffempi.cli.which import is_solver
from caffempi.errors import TextError
from tests.cli.conftest import SOLVER, TINY


@pytest.mark.parametrize("text, solver", [
    (TINY, False), (SOLVER, True), ("", False), ('name: "x"', False), ('net: "x"', True), ("base_lr: 1", True),
    ('base_lr: 1 lr_pilicy: "x"', True), ('layer { nme: "a" } layre { name: "b" }', False),
    ('train_net_param { layer { name: "a" } } max_iter: 3', True), ('layers { type: RELU }', False),
    ('base_lr: 1 net: "x', True), ('layer { name: "a"', False), ('input: "data" input_dim: 1', False),
    ('nett: "x" base_lrr: 1 max_iter: 4', True),
])
def test_told_apart(folder, text, solver):
    (folder / "f").write_text(text)
    assert is_solver("f") is solver


def test_a_file_that_is_not_there(folder):
    with pytest.raises(TextError, match="nowhere: there is no such file"):
        is_solver("nowhere")
