"""Window files of R-CNN: images, and in each of them windows with a class and an overlap with the object.

    # 0                                    image's number, counted from 0
    path/of/image.jpg
    3                                      channels
    375                                    rows
    500                                    columns
    2                                      number of windows, which follow
    15 0.83 13 40 120 260                  class, overlap, x1, y1, x2, y2 (pixels from 0, both ends included)
    0 0.1 0 0 50 60
"""
from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple, TextIO

import numpy as np

from caffempi.errors import DataError


class Windows(NamedTuple):
    """paths of the images; foreground, background: int64 (n, 6), the image's index, class, x1, y1, x2, y2."""

    paths: list[str]
    foreground: np.ndarray
    background: np.ndarray


def read_windows(path: str, fg_threshold: float, bg_threshold: float) -> Windows:
    """Foreground: windows whose overlap is fg_threshold or more; background: of the others those below bg_threshold, whose
    class becomes 0. Thresholds and overlaps are compared in float32.

    Raises DataError, naming the line, for a file that cannot be read or is no window file.
    """
    paths: list[str] = []
    foreground, background = [], []
    low, high = np.float32(bg_threshold), np.float32(fg_threshold)
    try:
        with open(path, encoding="utf-8-sig", errors="surrogateescape") as file:
            for name, windows in _images(file, path):
                overlap, inside = windows[:, 1].astype(np.float32), windows[:, [0, 0, 2, 3, 4, 5]].astype(np.int64)
                inside[:, 0] = len(paths)
                is_fg = overlap >= high
                if (inside[is_fg, 1] <= 0).any():
                    raise DataError(f"image {len(paths)} ({name}) of {path} has a foreground window without a class above 0")
                inside[~is_fg, 1] = 0
                foreground.append(inside[is_fg])
                background.append(inside[~is_fg & (overlap < low)])
                paths.append(name)
    except OSError as e:
        raise DataError(f"window file {path} cannot be read: {e.strerror or e}") from None
    if not paths:
        raise DataError(f"window file {path} names no images")
    return Windows(paths, np.concatenate(foreground), np.concatenate(background))


def _images(file: TextIO, path: str) -> Iterator[tuple[str, np.ndarray]]:
    """(path, windows (n, 6) float64) of each image."""
    number = 0

    def bad(why: str) -> DataError:
        return DataError(f"line {number} of window file {path}: {why}")

    def line() -> str | None:
        nonlocal number
        for text in file:
            number += 1
            if text.strip():
                return text.strip()
        return None

    def whole(what: str, low: int) -> int:
        text = line()
        try:
            value = int(text or "")
        except ValueError:
            value = low - 1
        if not low <= value < 2**31:
            raise bad(f"{what} is missing" if text is None else f'"{text[:80]}" is no {what}')
        return value
    index = 0
    while (head := line()) is not None:
        if head.split() != ["#", str(index)]:
            raise bad(f'"{head[:80]}" should be "# {index}", the start of the next image')
        name = line()
        if name is None:
            raise bad("an image has no path")
        for what in ("number of channels", "number of rows", "number of columns"):
            whole(what, 1)
        count = whole("number of windows", 0)
        rows = [text for text in islice(file, count) if text.strip()]
        try:
            windows = np.loadtxt(rows, ndmin=2) if rows else np.zeros((0, 6))
        except ValueError:
            windows = np.zeros((0, 0))
        if windows.shape != (count, 6) or not (np.abs(windows) < 2**31).all():
            raise bad(f"image {index} should be followed by {count} windows of 6 numbers each")
        number += count
        yield name, windows
        index += 1
