"""The names of the package: exported ones exist, parts are found without an import of their own, others are not."""
import subprocess
import sys

import pytest

import caffempi
from tests.helpers.mpirun import ROOT, environment


def test_exported_names_exist():
    assert all(getattr(caffempi, name) is not None for name in caffempi.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nets'"):
        _ = caffempi.nets


def test_parts_are_there_after_importing_the_package_alone():
    done = subprocess.run([sys.executable, "-c", "import caffempi; print(caffempi.errors.CaffempiError.__name__, caffempi.solver.__name__)"],
                          capture_output=True, text=True, env=environment(), cwd=ROOT, timeout=60)
    assert done.stdout.split() == ["CaffempiError", "caffempi.solver"], done.stderr


def test_a_training_loads_no_library_that_it_does_not_use():
    """h5py, OpenCV, lmdb, mpi4py and rich take longer to load than a small net to build."""
    done = subprocess.run([sys.executable, "-c", "import sys, caffempi, caffempi.solver.solver; "
                           "print([m for m in ('h5py', 'cv2', 'lmdb', 'mpi4py', 'rich', 'cupy', 'torch') if m in sys.modules])"],
                          capture_output=True, text=True, env=environment(), check=True)
    assert done.stdout.strip() == "[]"


def test_the_package_alone_does_not_load_numpy():
    done = subprocess.run([sys.executable, "-c", "import sys, caffempi; print('numpy' in sys.modules)"], capture_output=True,
                          text=True, env=environment(), check=True)
    assert done.stdout.strip() == "False"
