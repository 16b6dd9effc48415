"""`caffempi test` from the command line, on one rank and on several."""
import re

import pytest

from caffempi.net import TEST, Net
from tests.cli.conftest import FED
from tests.helpers import mpirun


@pytest.fixture
def weights(folder):
    net = Net("fed.prototxt", TEST, seed=5)
    net.save("w.caffemodel")
    net.close()
    return "w.caffemodel"


def test_prints_batches_then_means_as_caffe(cli, weights):
    code, out, err = cli("test", "-model", "fed.prototxt", "-weights", weights, "-iterations", "3", "--engine=numpy")
    assert code == 0
    assert [line.split(" = ")[0] for line in out] == [
        "Batch 0, accuracy", "Batch 0, loss", "Batch 1, accuracy", "Batch 1, loss", "Batch 2, accuracy", "Batch 2, loss", *(
            ["Loss: " + out[6][6:]]), "accuracy", "loss"]
    assert re.fullmatch(r"loss = (\S+) \(\* 1 = \1 loss\)", out[-1])
    losses = [float(line.split(" = ")[1]) for line in out[1:6:2]]
    assert float(out[6].split()[1]) == pytest.approx(sum(losses) / 3, rel=1e-5)
    assert any("Running for 3 iterations." in line for line in err)


def test_fifty_batches_by_default(cli, weights):
    assert cli("test", "fed.prototxt", "-weights", weights)[1][-4].startswith("Batch 49, ")


@pytest.mark.parametrize("argv, code, words", [
    (["-weights", "nowhere"], 1, "nowhere"), (["-weights", "bad"], 1, "bad"), ([], 2, "test needs a weights"),
    (["-weights", "other.caffemodel"], 1, 'layer "ip"'),
])
def test_mistakes_are_one_line(cli, folder, argv, code, words):
    (folder / "bad").write_bytes(b"\x0a\xff\xff")
    (folder / "other").write_text(FED.replace("num_output: 5", "num_output: 6"))
    Net("other", TEST).save("other.caffemodel")
    got, out, err = cli("test", "fed.prototxt", *argv)
    assert (got, out, len(err)) == (code, [], 1) and words in err[0] and err[0].startswith("caffempi: ")


@pytest.mark.mpi
def test_several_ranks_print_what_one_prints(cli, folder, weights):
    model, w = folder / "fed.prototxt", folder / weights
    one = cli("test", model, "-weights", w, "-iterations", "5", "--engine=numpy")[1]
    ran = mpirun.run(2, ["-m", "caffempi", "test", "-model", model, "-weights", w, "-iterations", "5", "--engine=numpy"])
    assert ran.rc == 0, ran.err
    assert ran.out.splitlines() == one


@pytest.mark.mpi
def test_of_several_ranks_one_tells_what_is_wrong(folder):
    ran = mpirun.run(2, ["-m", "caffempi", "test", "-model", folder / "fed.prototxt", "-weights", "nowhere"])
    assert ran.rc == 1
    (line,) = [line for line in ran.err.splitlines() if "caffempi: " in line]
    assert "nowhere" in line and "Traceback" not in ran.err
