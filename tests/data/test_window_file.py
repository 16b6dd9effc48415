"""Window files: what counts as object and as background, and files that are none."""
import numpy as np
import pytest

from caffempi.data.window_file import read_windows
from caffempi.errors import DataError

GOOD = "# 0\na b.jpg\n3\n10\n20\n3\n5 0.5 0 1 2 3\n2 0.4999 4 5 6 7\n7 0.2 1 1 2 2\n\n" \
    "# 1\nc.jpg\n3\n10\n20\n0\n# 2\nd.jpg\n1\n4\n4\n1\n4 1.0 0 0 3 3\n"


def read(tmp_path, text, fg=0.5, bg=0.5):
    path = tmp_path / "w.txt"
    path.write_text(text)
    return read_windows(str(path), fg, bg)


def test_objects_background_and_the_rest(tmp_path):
    w = read(tmp_path, GOOD, 0.5, 0.3)
    assert w.paths == ["a b.jpg", "c.jpg", "d.jpg"]
    np.testing.assert_array_equal(w.foreground, [[0, 5, 0, 1, 2, 3], [2, 4, 0, 0, 3, 3]])
    np.testing.assert_array_equal(w.background, [[0, 0, 1, 1, 2, 2]])
    assert len(read(tmp_path, GOOD).background) == 2


def test_thresholds_are_compared_in_single_precision(tmp_path):
    text = "# 0\na.jpg\n3\n1\n1\n1\n1 0.7 0 0 0 0\n"
    assert len(read(tmp_path, text, float(np.float32(0.7)), 0.1).foreground) == 1


@pytest.mark.parametrize("text, said", [
    ("", "names no images"), ("# 1\na\n3\n1\n1\n0\n", 'line 1 .*should be "# 0"'), ("hello", 'should be "# 0"'),
    ("# 0\n", "an image has no path"), ("# 0\na\n", "number of channels is missing"), ("# 0\na\n3\nx\n", '"x" is no number of rows'),
    ("# 0\na\n3\n1\n-4\n", "no number of columns"), ("# 0\na\n3\n1\n1\n99999999999999999999\n", "no number of windows"),
    ("# 0\na\n3\n1\n1\n2\n1 1 0 0 0 0\n", "followed by 2 windows"), ("# 0\na\n3\n1\n1\n1\n1 1 0 0 0\n", "followed by 1 windows"),
    ("# 0\na\n3\n1\n1\n1\n1 1 0 0 0 q\n", "6 numbers"), ("# 0\na\n3\n1\n1\n1\n1 1 0 0 0 1e30\n", "6 numbers"),
    ("# 0\na\n3\n1\n1\n1\n1 nan 0 0 0 1\n", "6 numbers"),
    ("# 0\na\n3\n1\n1\n1\n0 0.9 0 0 0 0\n", "without a class above 0"), ("# 0\na\n3\n1\n1\n2000000000\n1 1 0 0 0 0\n", "2000000000 windows")])
def test_files_that_are_none(tmp_path, text, said):
    with pytest.raises(DataError, match=said):
        read(tmp_path, text)


def test_a_missing_file(tmp_path):
    with pytest.raises(DataError, match="cannot be read: No such file"):
        read_windows(str(tmp_path / "none"), 0.5, 0.5)
    (tmp_path / "b").write_bytes(bytes(range(256)))
    with pytest.raises(DataError):
        read_windows(str(tmp_path / "b"), 0.5, 0.5)
