"""A run stopped by SIGTERM anywhere and resumed ends with the bits of one that ran through, on one rank and on two."""
import pytest

from tests.helpers.mpirun import ROOT, run
from tests.helpers.task import make_task

PROGRAM = ROOT / "tests" / "e2e" / "programs" / "stop.py"


@pytest.mark.mpi
@pytest.mark.parametrize("ranks", [1, 2])
def test_eight_seeded_points(tmp_path, ranks):
    """The polls lie between passes of iter_size and inside tests; the net has BatchNorm, Dropout and shuffled data."""
    make_task(tmp_path / "task", "test_interval: 2 test_iter: 4 iter_size: 3 clip_gradients: 0.5 average_loss: 3")
    done = run(ranks, [PROGRAM, tmp_path / "task", 11, 8], timeout=240)
    assert done.rc == 0, done.err
    assert [int(line.split()[0]) for line in done.lines()] == list(range(ranks))
    assert all(int(line.split()[1]) == 8 for line in done.lines()), done.out
