"""transform_param: crop, mirror, mean and scale, from pixels (C, H, W) to float32.

    out = (x - mean) * scale, in float32

Crop: a square of crop_size, at a random place in TRAIN, in the centre (floor((H - crop) / 2)) in TEST. Mirror: left and
right change sides with probability 1/2, in TRAIN and in TEST. Mean: an image of the records' own size (mean_file, taken
at the place in the uncropped record), or mean_value, one or one a channel. Random numbers: see draws.py.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from caffempi.data.draws import below, record_words
from caffempi.data.fields import only, resolve
from caffempi.errors import DataError, WeightsError
from caffempi.ops.transform import transform
from caffempi.proto import caffe_pb2
from caffempi.weights.blob import read_blob

_STACK = 1 << 14   # values: smaller records are worth stacking, since calls would cost more than the arithmetic


class Transform:
    """The transform of one layer. phase: caffe_pb2.TRAIN or TEST; base: folder that a relative mean_file starts from.

    crop: 0 for none; scale: float32; mean: what is subtracted, as an image (C, H, W) or as values (1 or C, 1, 1), or None.
    Raises DataError where settings contradict each other or the mean file cannot be used.
    """

    def __init__(self, param: caffe_pb2.TransformationParameter, phase: int, seed: int,
                 base: str | None = None) -> None:
        only(param, ("scale", "mirror", "crop_size", "mean_file", "mean_value", "force_color", "force_gray"),
             "transform_param", "remove it")
        if param.mean_file and param.mean_value:
            raise DataError("stands beside mean_value", field="transform_param.mean_file", value=param.mean_file,
                            fix="keep one of the two")
        self.crop, self._mirror = param.crop_size, param.mirror
        self._random_crop = bool(self.crop) and phase == caffe_pb2.TRAIN
        self.scale, self._seed = np.float32(param.scale), seed
        self._values = np.array(param.mean_value, np.float32).reshape(-1, 1, 1)
        self._file = param.mean_file
        self._image = read_mean(resolve(param.mean_file, base)) if param.mean_file else None
        self.mean = self._image if self._image is not None else self._values if len(self._values) else None

    def shape(self, pixels: tuple[int, ...]) -> tuple[int, int, int]:
        """What a record of shape (C, H, W) becomes. Raises DataError where crop or mean do not fit it."""
        c, h, w = pixels
        if self.crop > h or self.crop > w:
            raise DataError(f"has {h} x {w} pixels, less than the crop", field="transform_param.crop_size",
                            value=self.crop, fix="use a smaller crop or larger images")
        if len(self._values) not in (0, 1, c):
            raise DataError(f"has {c} channels, but there are {len(self._values)} mean values",
                            field="transform_param.mean_value", fix=f"give 1 or {c}")
        if self._image is not None and self._image.shape != pixels:
            raise DataError(f"has shape {c} x {h} x {w}, but the mean image "
                            f"{' x '.join(map(str, self._image.shape))}", field="transform_param.mean_file",
                            value=self._file, fix="compute the mean of this very data")
        return (c, self.crop, self.crop) if self.crop else (c, h, w)

    def apply(self, images: Sequence[np.ndarray], epochs: np.ndarray, ordinals: np.ndarray, out: np.ndarray,
              name: Callable[[int], str]) -> None:
        """Writes the transformed images into out (n, C, h, w) float32.

        epochs, ordinals (n,): what the random numbers are keyed by; name(ordinal): what an error calls the record.
        """
        shapes = self._check_all(images, ordinals, out.shape[1:], name)
        if not (self._random_crop or self._mirror) and len(shapes) == 1 and images[0].size <= _STACK:
            stack = np.concatenate(images).reshape(len(images), *images[0].shape)
            self._write(stack, out, *self._centre(images[0].shape))
            return
        for image, row, (y, x, mirrored) in zip(images, out, self._places(images, epochs, ordinals).tolist(), strict=True):
            self._write(image, row[:, :, ::-1] if mirrored else row, y, x)

    def cut(self, images: Sequence[np.ndarray], epochs: np.ndarray, ordinals: np.ndarray, pixels: np.ndarray,
            places: np.ndarray, name: Callable[[int], str]) -> None:
        """Leaves the rest to the op `transform`: writes the windows of uint8 images into pixels (n, C, h, w) uint8, and into
        places (n, 3) int32 where they lay (row and column) and whether they are to be mirrored. Arguments as of `apply`."""
        self._check_all(images, ordinals, pixels.shape[1:], name)
        places[...] = self._places(images, epochs, ordinals)
        h, w = pixels.shape[-2:]
        for image, window, (y, x, _) in zip(images, pixels, places.tolist(), strict=True):
            np.copyto(window, image[:, y:y + h, x:x + w])

    def _places(self, images: Sequence[np.ndarray], epochs: np.ndarray, ordinals: np.ndarray) -> np.ndarray:
        """(n, 3): row and column of each image's window, and 1 where it is mirrored."""
        places = np.zeros((len(images), 3), np.int64)
        if self.crop:
            places[:, :2] = [self._centre(image.shape) for image in images]
        if self._random_crop or self._mirror:
            words = record_words(self._seed, "transform", epochs, ordinals)
            if self._random_crop:
                room = np.array([image.shape[1:] for image in images]) - self.crop + 1
                places[:, 0], places[:, 1] = below(words[0], room[:, 0]), below(words[1], room[:, 1])
            if self._mirror:
                places[:, 2] = words[2] & np.uint64(1)
        return places

    def _check_all(self, images: Sequence[np.ndarray], ordinals: np.ndarray, expected: tuple[int, ...],
                   name: Callable[[int], str]) -> set[tuple[int, ...]]:
        """The shapes of the images, all of which fit."""
        shapes = {image.shape for image in images}
        for shape in shapes:
            self._check(shape, images, ordinals, expected, name)
        return shapes

    def _check(self, shape: tuple[int, ...], images: Sequence[np.ndarray], ordinals: np.ndarray,
               expected: tuple[int, ...], name: Callable[[int], str]) -> None:
        """Names the first record of that shape, if it is unfit."""
        try:
            got = self.shape(shape)
            if got != expected:
                raise DataError(f"gives {' x '.join(map(str, got))}, but the batch's first record "
                                f"{' x '.join(map(str, expected))}",
                                fix="make all records alike (crop_size, resizing, force_color) or use batch_size: 1")
        except DataError as e:
            culprit = next(int(ordinals[i]) for i, image in enumerate(images) if image.shape == shape)
            e.why = f"{name(culprit)} {e.why}"
            raise

    def _centre(self, shape: tuple[int, ...]) -> tuple[int, int]:
        return ((shape[1] - self.crop) // 2, (shape[2] - self.crop) // 2) if self.crop else (0, 0)

    def _write(self, pixels: np.ndarray, out: np.ndarray, y: int, x: int) -> None:
        """(pixels - mean) * scale of the window at (y, x) into out; one record (C, H, W) or a stack of them."""
        h, w = out.shape[-2:]
        transform(pixels[..., y:y + h, x:x + w], self.mean, float(self.scale), (y, x), out)


def read_mean(path: str) -> np.ndarray:
    """The mean image (C, H, W), float32, of a .binaryproto file. Raises DataError where there is none in it."""
    try:
        blob = read_blob(path)
    except WeightsError as e:
        raise DataError(f"the mean file cannot be used: {e.why}", field="transform_param.mean_file", value=path,
                        fix=e.fix) from None
    if blob.ndim < 3 or blob.shape[:-3] != (1,) * (blob.ndim - 3) or not blob.size:
        raise DataError(f"the mean file holds a blob of shape {list(blob.shape)}; wanted is one image",
                        field="transform_param.mean_file", value=path)
    return np.array(blob, np.float32).reshape(blob.shape[-3:])
