"""`caffempi check` from the command line."""
import random
import re

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


@pytest.mark.parametrize("flags", [["-phase", "TEST"], ["-level", "1"], ["-stage", "s"]])
def test_a_solver_says_its_states_itself(cli, flags):
    code, out, err = cli("check", "solver.prototxt", *flags)
    assert (code, out, len(err)) == (2, [], 1) and "which says itself in which states" in err[0]


@pytest.mark.parametrize("seed", range(60))
def test_whatever_the_text_the_answer_is_lines_and_no_traceback(cli, folder, seed):
    """Nets and solvers with words dropped, doubled, exchanged or spoilt."""
    rng = random.Random(seed)
    words = re.findall(r'"[^"]*"|[\w.+-]+|\s+|.', (folder / rng.choice(["fed.prototxt", "solver.prototxt"])).read_text())
    for _ in range(rng.choice([1, 2, 4])):
        k = rng.randrange(len(words))
        words[k] = rng.choice(["", words[k] * 2, rng.choice(words), words[k][:1] + words[k][2:], "-1", "1e30", "nan", "{", "}"])
    (folder / "f").write_text("".join(words))
    code, out, err = cli("check", "f")
    assert code in (0, 1) and err == []
    assert (": error: " in "\n".join(out)) is (code == 1)
