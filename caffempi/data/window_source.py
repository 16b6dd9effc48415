"""WindowData's batches: windows drawn from a window file, cut out, stretched, and put with zeros around them.

With crop size S and context_pad P, a window is enlarged about its centre by S / (S - 2 P) before it is stretched to S x S, so
that P pixels on each side of the result are its surroundings; what lies outside the image stays 0. Arithmetic is Caffe's, in
float32, halves rounded away from zero. Draws depend on (seed, position in the stream) alone.
"""
from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from caffempi.data.batches import Batch, Pool
from caffempi.data.datum import decode_image
from caffempi.data.draws import below, record_words
from caffempi.data.fields import only, resolve
from caffempi.data.transform import read_mean
from caffempi.data.window_file import Windows
from caffempi.errors import DataError
from caffempi.proto import caffe_pb2

_F = np.float32


class Cut(NamedTuple):
    """The part of an image that is taken, columns x1..x2 and rows y1..y2; its size and place in the result."""

    x1: int
    y1: int
    x2: int
    y2: int
    width: int
    height: int
    left: int
    top: int


def place_window(box: tuple[int, int, int, int], rows: int, columns: int, size: int, pad: int, square: bool,
                 mirrored: bool) -> Cut:
    """Where a window x1, y1, x2, y2 of an image of that size is cut, and where it goes. Raises DataError where none of the
    window lies in the image."""
    x1, y1, x2, y2 = box
    width = height = size
    left = top = 0
    if pad or square:
        scale = _F(size) / _F(size - 2 * pad)
        half_h, half_w = _F(y2 - y1 + 1) / _F(2), _F(x2 - x1 + 1) / _F(2)
        center_x, center_y = _F(x1) + half_w, _F(y1) + half_h
        if square:
            half_h = half_w = max(half_h, half_w)
        x1, x2 = _round(center_x - half_w * scale), _round(center_x + half_w * scale)
        y1, y2 = _round(center_y - half_h * scale), _round(center_y + half_h * scale)
        scale_x, scale_y = _F(size) / _F(max(1, x2 - x1 + 1)), _F(size) / _F(max(1, y2 - y1 + 1))
        pads = max(0, -x1), max(0, -y1), max(0, x2 - columns + 1), max(0, y2 - rows + 1)
        x1, y1, x2, y2 = x1 + pads[0], y1 + pads[1], x2 - pads[2], y2 - pads[3]
        top, left = _round(_F(pads[1]) * scale_y), _round(_F(pads[2 if mirrored else 0]) * scale_x)
        width = min(_round(_F(x2 - x1 + 1) * scale_x), size - left)
        height = min(_round(_F(y2 - y1 + 1) * scale_y), size - top)
    if not (0 <= x1 <= x2 < columns and 0 <= y1 <= y2 < rows):
        raise DataError(f"its window {' '.join(map(str, box))} does not lie in the image of {columns} x {rows} pixels")
    return Cut(x1, y1, x2, y2, width, height, left, top)


class WindowBatches:
    """A Maker of (B, 3, S, S) float32 and labels (B,) float64; see `layers.data.WindowData` for what is drawn.

    prefix: put before each path; base: folder that relative paths start from. Raises DataError for settings that cannot be
    obeyed.
    """

    def __init__(self, windows: Windows, p: caffe_pb2.WindowDataParameter, t: caffe_pb2.TransformationParameter, *, batch: int,
                 seed: int, threads: int, base: str | None) -> None:
        only(t, ("scale", "mirror", "crop_size", "mean_file", "mean_value"), "transform_param", "remove it")
        self.batch, self.threads, self._windows, self._seed, self._base = batch, threads, windows, seed, base
        self._size, self._mirror, self._scale = t.crop_size, t.mirror, _F(t.scale)
        self._pad, self._square, self._prefix = p.context_pad, p.crop_mode == "square", p.root_folder
        self._files: dict[int, bytes] | None = {} if p.cache_images else None
        self._pool = Pool(threads + 2)
        if self._size < 1:
            raise DataError("must be at least 1", field="transform_param.crop_size", value=t.crop_size)
        if 2 * self._pad >= self._size:
            raise DataError(f"leaves nothing of the crop_size {self._size}", field="window_data_param.context_pad",
                            value=self._pad)
        if p.crop_mode not in ("warp", "square"):
            raise DataError('must be "warp" or "square"', field="window_data_param.crop_mode", value=p.crop_mode)
        if not 0 <= p.fg_fraction <= 1:
            raise DataError("must be between 0 and 1", field="window_data_param.fg_fraction", value=p.fg_fraction)
        objects = int(_F(batch) * _F(p.fg_fraction))
        self._background = batch - objects
        for wanted, have, what, field in ((objects, windows.foreground, "objects", "fg_threshold"),
                                          (self._background, windows.background, "background", "bg_threshold")):
            if wanted and not len(have):
                raise DataError(f"no window of the file counts as {what}, but {wanted} a batch are wanted",
                                field=f"window_data_param.{field}", value=getattr(p, field))
        self._mean = self._mean_of(t)

    def shapes(self, start: int) -> list[tuple[int, ...]]:
        """The same for all batches."""
        return [(self.batch, 3, self._size, self._size), (self.batch,)]

    def make(self, start: int) -> Batch:
        """Draws, cuts and stretches one batch. Raises DataError, naming the image."""
        data = self._pool.take(self.shapes(start)[0])
        data.fill(0)
        labels = np.empty(self.batch)
        positions = np.arange(start, start + self.batch, dtype=np.int64)
        words = record_words(self._seed, "window", np.zeros_like(positions), positions)
        for i in range(self.batch):
            among = self._windows.background if i < self._background else self._windows.foreground
            image, label, *box = (int(v) for v in among[below(words[0, i], len(among))])
            labels[i] = label
            mirrored = bool(self._mirror and words[1, i] & np.uint64(1))
            try:
                self._cut(self._image(image), (box[0], box[1], box[2], box[3]), mirrored, data[i])
            except DataError as e:
                raise DataError(f"image {image} ({self._path(image)}): {e.why}", fix=e.fix).at(
                    field="window_data_param.source") from None
        return [data, labels]

    def recycle(self, batch: Batch) -> None:
        """Keeps the data array for a later batch."""
        self._pool.give(batch[0])

    def close(self) -> None:
        """Nothing is held open."""

    def _mean_of(self, t: caffe_pb2.TransformationParameter) -> np.ndarray | None:
        """What is subtracted at each place of the result, (3, S, S) or (3, 1, 1)."""
        if t.mean_file and t.mean_value:
            raise DataError("stands beside mean_value", field="transform_param.mean_file", value=t.mean_file,
                            fix="keep one of the two")
        if t.mean_value:
            if len(t.mean_value) not in (1, 3):
                raise DataError(f"is given {len(t.mean_value)} times", field="transform_param.mean_value", fix="give 1 or 3")
            return np.broadcast_to(np.array(t.mean_value, np.float32).reshape(-1, 1, 1), (3, 1, 1))
        if not t.mean_file:
            return None
        mean = read_mean(resolve(t.mean_file, self._base))
        at = (mean.shape[2] - self._size) // 2
        if mean.shape[0] != 3 or at < 0 or mean.shape[1] < at + self._size:
            raise DataError(f"the mean image {' x '.join(map(str, mean.shape))} does not cover a crop of 3 x {self._size} x "
                            f"{self._size}", field="transform_param.mean_file", value=t.mean_file)
        return mean[:, at:at + self._size, at:at + self._size]

    def _path(self, image: int) -> str:
        return resolve(self._prefix + self._windows.paths[image], self._base)

    def _image(self, image: int) -> np.ndarray:
        """(3, rows, columns) uint8, blue first."""
        data = self._files.get(image) if self._files is not None else None
        if data is None:
            try:
                with open(self._path(image), "rb") as file:
                    data = file.read()
            except OSError as e:
                raise DataError(f"it cannot be read: {e.strerror or e}") from None
            if self._files is not None:
                self._files[image] = data
        return decode_image(data, "color")

    def _cut(self, image: np.ndarray, box: tuple[int, int, int, int], mirrored: bool, out: np.ndarray) -> None:
        cut = place_window(box, image.shape[1], image.shape[2], self._size, self._pad, self._square, mirrored)
        if cut.width < 1 or cut.height < 1:
            return                                             # less than half a pixel of the result
        import cv2

        part = image.transpose(1, 2, 0)[cut.y1:cut.y2 + 1, cut.x1:cut.x2 + 1]
        warped = cv2.resize(part, (cut.width, cut.height), interpolation=cv2.INTER_LINEAR).transpose(2, 0, 1)
        there = (slice(None), slice(cut.top, cut.top + cut.height), slice(cut.left, cut.left + cut.width))
        target = out[there]
        np.copyto(target, warped[:, :, ::-1] if mirrored else warped)
        if self._mean is not None:
            target -= self._mean[there] if self._mean.shape[1] == self._size else self._mean
        if self._scale != 1:
            target *= self._scale


def _round(x: np.float32) -> int:
    """The nearest whole number, halves away from zero."""
    return int(math.copysign(math.floor(abs(float(x)) + 0.5), float(x)))
