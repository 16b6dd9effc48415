"""`caffempi check` from the command line."""
import pytest


@pytest.mark.parametrize("file, what", [("tiny.prototxt", "net"), ("fed.prototxt", "net"), ("solver.prototxt", "solver")])
def test_what_is_sound_is_said_to_be(cli, file, what):
    assert cli("check", file) == (0, [f"{file}: a {what} with 0 error(s) and 0 warning(s)"], [])


def test_problems_are_lines_and_exit_code_1(cli, folder):
    (folder / "n").write_text('layer { name: "a" type: "ReLUU" bottom: "b" top: "a" }\nlayer { name: "c" typo: 1 type: "Tanh" top: "c" }\n')
    code, out, err = cli("check", "n")
    assert (code, err) == (1, [])
    assert [line.split(": ")[:2] for line in out[:-1]] == [["n:1", "error"], ["n:2", "error"], ["n:2:19", "error"]]
    assert out[-1] == "n: a net with 3 error(s) and 0 warning(s)"


def test_warnings_alone_are_exit_code_0(cli, folder):
    (folder / "n").write_text('layer { name: "d" type: "Input" top: "d" input_param { shape { dim: 1 } } }\n'
                              'layer { name: "d" type: "ReLU" bottom: "d" top: "e" }\n')
    code, out, _ = cli("check", "n")
    assert code == 0 and out[0].startswith("n:2: warning: ") and len(out) == 2


@pytest.mark.parametrize("flags, code", [([], 0), (["-stage", "s"], 1), (["-level", "2"], 1), (["-phase", "TEST"], 0),
                                         (["-stage", "s", "-phase", "TEST"], 0), (["-stage", "s", "--phase=TRAIN"], 1)])
def test_the_state_of_the_net_can_be_given(cli, folder, flags, code):
    (folder / "tiny.prototxt").write_text((folder / "tiny.prototxt").read_text() + '''
layer { name: "o" type: "Oddd" bottom: "ip" top: "o" include { stage: "s" phase: TRAIN } include { min_level: 1 } }''')
    assert cli("check", "tiny.prototxt", *flags)[0] == code


def test_a_shape_can_be_given(cli, folder):
    assert cli("check", "tiny.prototxt", "--shape", "data=4,3,2,2")[0] == 1
    assert cli("check", "solver.prototxt", "--shape", "data=4,3,9,9")[0] == 0
