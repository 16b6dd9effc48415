"""All faults of a solver at once, and of its nets."""
import pytest

from caffempi.cli.check_solver import check_solver_file
from caffempi.cli.problems import Problems
from tests.cli.conftest import SOLVER


def check(folder, text):
    (folder / "s").write_text(text)
    problems = Problems()
    check_solver_file("s", {}, problems)
    return problems


def test_a_sound_solver_has_none(folder):
    assert check(folder, SOLVER).lines() == []


def test_one_fault_does_not_hide_the_next(folder):
    found = check(folder, '''net: "tiny.prototxt"
base_lr: 0.1
lr_policy: "step"
momentum: 1.5
iter_size: 0
test_iter: 0
gama: 0.1
power: 2
type: "SGDD"
snapshot_format: HDF6
''')
    lines = found.lines()
    for place, words in [("s: error", "max_iter: is missing"), ("s:1: error", "gamma: lr_policy"), ("s:4: error", "momentum = 1.5"),
                         ("s:5: error", "iter_size = 0"), ("s:6: error", "test_iter[0] = 0"),
                         ("s:7:1: error", 'has no field "gama"; did you mean gamma?'), ("s:8: warning", "does not use it"),
                         ("s:9: error", "unknown solver type"), ("s:10:", 'there is no value "HDF6"')]:
        assert [line for line in lines if line.startswith(place) and words in line], (place, words, lines)


@pytest.mark.parametrize("text, words", [
    (SOLVER.replace('"fed.prototxt"', '"nowhere"'), "s:1: error: field net = nowhere: there is no such file"),
    (SOLVER.replace('net: "fed.prototxt"\n', ""), "error: the solver names no net to train"),
    (SOLVER + 'train_net: "tiny.prototxt"\n', "s:11: error: field train_net: net and train_net are both given"),
    (SOLVER + "test_iter: 4\ntest_state { }\n", "error: field test_state: 1 states for 2 test nets"),
    (SOLVER.replace("test_interval: 4\n", ""), "there are test nets, but no test_interval"),
    (SOLVER.replace("base_lr: 0.01", ""), "field base_lr: is missing"),
    (SOLVER + 'base_lr: {', "s:11:"),
    (SOLVER.replace('"fixed"', '"fix"'), "unknown lr_policy"),
    (SOLVER.replace('net: "fed.prototxt"', '''net_param { layer { name: "d" type: "Input" top: "d"
 input_param { shape { dim: 2 } } } layer { name: "r" type: "RelU" bottom: "d" top: "d" } }'''), "s:2: error: layer \"r\""),
    (SOLVER.replace('net: "fed.prototxt"', '''net_param { layer { name: "d" type: "Input" top: "d"
 input_param { shape { dim: 2 } } } }'''), "the net to train has no loss"),
])
def test_faults(folder, text, words):
    found = check(folder, text)
    assert [line for line in found.lines() if words in line], found.lines()
    assert found.errors >= 1


@pytest.mark.parametrize("text, words", [
    (SOLVER + "gamma: 0.1\n", 's:11: warning: field gamma: lr_policy "fixed" does not use it'),
    (SOLVER.replace("test_iter: 3\n", ""), "there is no test_iter, so nothing is tested"),
    (SOLVER + "snapshot: 100\n", "field snapshot = 100: is above max_iter 4"),
    (SOLVER.replace('"fixed"', '"multistep" gamma: 0.1 stepvalue: 2 stepvalue: 9'), "field stepvalue = 9: the training ends before"),
    (SOLVER + "momentum2: 0.9\n", 'field momentum2: a solver of type "SGD" does not use it'),
    (SOLVER + "max_iter: 5\n", "s:11:1: warning: field max_iter is given twice"),
])
def test_warnings(folder, text, words):
    found = check(folder, text)
    assert [line for line in found.lines() if words in line], found.lines()
    assert found.errors == 0


def test_nets_are_checked_in_the_states_of_the_solver(folder):
    (folder / "fed.prototxt").write_text((folder / "fed.prototxt").read_text() +
                                         'layer { name: "odd" type: "Oddd" bottom: "ip" top: "odd" include { stage: "s" } }\n')
    assert check(folder, SOLVER).errors == 0
    found = check(folder, SOLVER + 'train_state { stage: "s" }\n')
    assert found.errors == 1 and found.lines()[0].startswith("fed.prototxt:") and found.lines()[0].endswith("(in TRAIN)")


def test_of_several_phases_each_is_checked(folder):
    assert check(folder, "params_pair { solver_params { " + SOLVER + " } } params_pair { }").lines() == []
    (folder / "lossless.prototxt").write_text('layer { name: "d" type: "Input" top: "x" input_param { shape { dim: 1 } } }')
    other = 'net: "lossless.prototxt" base_lr: 1 lr_policy: "fixed" max_iter: 1'
    text = f"params_pair {{ solver_params {{ {SOLVER} }} }} params_pair {{ solver_params {{ {other} }} }}"
    assert "has no loss" in str(check(folder, text).lines())
    assert "momentum" in str(check(folder, "params_pair { solver_params { " + SOLVER + " momentum: 2 } }").lines())


@pytest.mark.parametrize("policy", ['"plateau" gamma: 0.1 plateau_winsize: 5', '"multifixed" stagelr: 0.1 stageiter: 9'])
def test_fields_of_other_policies_are_said_to_be_unused(folder, policy):
    found = "\n".join(check(folder, SOLVER.replace('"fixed"', policy) + "stepvalue: 3").lines())
    assert "stepvalue" in found and "plateau_winsize" not in found and "stagelr" not in found
