"""A file appears whole or not at all."""
from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

import pytest

from caffempi.errors import SnapshotError
from caffempi.weights import atomic_write


def test_a_file_is_written_replaced_and_leaves_no_trace(tmp_path: Path) -> None:
    for content in (b"one", b"three"):
        atomic_write(tmp_path / "f", lambda out, content=content: out.write(content))  # type: ignore[misc]
        assert (tmp_path / "f").read_bytes() == content
    assert os.listdir(tmp_path) == ["f"]
    (tmp_path / "plain").write_bytes(b"")
    assert stat.S_IMODE((tmp_path / "f").stat().st_mode) == stat.S_IMODE((tmp_path / "plain").stat().st_mode)


def test_the_old_file_is_there_until_the_new_one_is_whole(tmp_path: Path) -> None:
    (tmp_path / "f").write_bytes(b"old")

    def writer(out: BinaryIO) -> None:
        out.write(b"new")
        out.flush()
        assert (tmp_path / "f").read_bytes() == b"old"
        assert len(os.listdir(tmp_path)) == 2
    atomic_write(tmp_path / "f", writer)
    assert (tmp_path / "f").read_bytes() == b"new"


@pytest.mark.parametrize(("code", "fix"), [
    (errno.ENOSPC, "free some space"), (errno.EACCES, "make the folder writable"), (errno.EROFS, "read-only"),
    (errno.EDQUOT, "quota"), (errno.EFBIG, "ulimit"), (errno.EIO, "")])
def test_a_failing_disk_leaves_the_old_file_and_names_path_space_and_fix(tmp_path: Path, code: int, fix: str) -> None:
    (tmp_path / "f").write_bytes(b"old")

    def writer(out: BinaryIO) -> None:
        out.write(b"half of it")
        raise OSError(code, os.strerror(code))
    with pytest.raises(SnapshotError) as caught:
        atomic_write(tmp_path / "f", writer)
    text = str(caught.value)
    assert str(tmp_path / "f") in text and os.strerror(code) in text and "MB free" in text and fix in text
    assert os.listdir(tmp_path) == ["f"] and (tmp_path / "f").read_bytes() == b"old"


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError, SnapshotError])
def test_other_failures_pass_through_and_clean_up(tmp_path: Path, error: type[BaseException]) -> None:
    def writer(out: BinaryIO) -> None:
        raise error("x")
    with pytest.raises(error):
        atomic_write(tmp_path / "f", writer)
    assert os.listdir(tmp_path) == []


def test_paths_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "folder").mkdir()
    for path, why in (("no/f", "create the folder"), ("file/f", "a part of the path is a file"),
                      ("folder", "a folder has that name"), ("x" * 300, "name too long")):
        with pytest.raises(SnapshotError, match=rf"(?i){why}"):
            atomic_write(tmp_path / path, lambda out: None)
    assert sorted(os.listdir(tmp_path)) == ["file", "folder"]


def test_a_link_is_followed_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real" / "f")
    atomic_write(tmp_path / "link", lambda out: out.write(b"x"))  # type: ignore[arg-type,func-returns-value]
    assert (tmp_path / "link").is_symlink() and (tmp_path / "real" / "f").read_bytes() == b"x"
