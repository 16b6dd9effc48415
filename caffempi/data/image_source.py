"""Image lists: text files of lines "path label", with the images decoded and resized by OpenCV as Caffe does it."""
from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from caffempi.data.datum import Force, decode_image
from caffempi.data.fields import read_lines, resolve
from caffempi.data.source import Sample
from caffempi.errors import DataError


def read_list(path: str) -> tuple[list[str], np.ndarray]:
    """(names, labels float64) of a list; the last space splits, so names may hold spaces; blank lines are left out.

    Raises DataError for a file that cannot be read or has no lines, and for a line without a numeric label.
    """
    names, labels = [], []
    for number, line in enumerate(read_lines(path, "image list"), 1):
        if not line:
            continue
        name, _, text = line.rpartition(" ")
        try:
            label = float(text)
        except ValueError:
            label = math.nan
        if not name or not math.isfinite(label):
            raise DataError(f'line {number} of {path} has no label: "{line[:120]}"',
                            fix='write "path label", the label a number')
        names.append(name.rstrip())
        labels.append(label)
    if not names:
        raise DataError(f"image list {path} has no lines")
    return names, np.array(labels)


class ImageSource:
    """The images of a list. prefix: put before each name as it stands; base: folder that relative paths start from;
    size: (height, width) to resize to, or None; color: 3 channels (blue first), else 1.
    """

    def __init__(self, path: str, *, prefix: str = "", base: str | None = None, size: tuple[int, int] | None = None,
                 color: bool = True) -> None:
        self._list, self._prefix, self._base, self._size = path, prefix, base, size
        self._force: Force = "color" if color else "gray"
        self._names, self._labels = read_list(path)

    def __len__(self) -> int:
        return len(self._names)

    def read(self, ordinals: Sequence[int]) -> list[Sample]:
        """Those images and labels. Raises DataError that names the line and the file."""
        return [Sample(self._image(i), float(self._labels[i])) for i in ordinals]

    def name(self, ordinal: int) -> str:
        """Number and file of the image, such as: image 3 (img 3.png)."""
        return f"image {ordinal} ({self._path(ordinal)})"

    def close(self) -> None:
        """Nothing is held open."""

    def _path(self, ordinal: int) -> str:
        return resolve(self._prefix + self._names[ordinal], self._base)

    def _image(self, ordinal: int) -> np.ndarray:
        """(C, H, W) uint8. The file is read here and not by OpenCV, which prints a warning where one is missing."""
        try:
            with open(self._path(ordinal), "rb") as file:
                pixels = decode_image(file.read(), self._force)
        except OSError as e:
            slash = self._prefix and not self._prefix.endswith("/")
            hint = 'root_folder is put before each path as it stands: end it with "/"' if slash else None
            raise DataError(f"{self.name(ordinal)} of list {self._list} cannot be read: {e.strerror or e}",
                            fix=hint) from None
        except DataError as e:
            raise DataError(f"{self.name(ordinal)} of list {self._list}: {e.why}", fix=e.fix) from None
        if self._size is None:
            return pixels
        import cv2

        resized = cv2.resize(pixels.transpose(1, 2, 0), self._size[::-1])
        return resized[None] if resized.ndim == 2 else resized.transpose(2, 0, 1)
