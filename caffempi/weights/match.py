"""Which blobs of a file fit a layer of a net: Caffe's rule for copying trained layers."""
from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from caffempi.errors import WeightsError


def shapes_match(file_shape: Sequence[int], net_shape: Sequence[int]) -> bool:
    """Whether a blob of file_shape may be copied into one of net_shape.

    Equal shapes match; a file's 4-D shape (the old num, channels, height, width) also matches one of fewer axes that
    equals it when padded with leading ones: (1, 1, N, K) fits (N, K), (1, 1, 1, N) fits (N,).
    """
    old, new = tuple(file_shape), tuple(net_shape)
    return old == new or (len(old) == 4 and len(new) < 4 and (1,) * (4 - len(new)) + new == old)


def match_blobs(layer: str, found: Sequence[np.ndarray | None], shapes: Sequence[Sequence[int]],
                shared: Collection[int] = (), type: str | None = None) -> list[np.ndarray | None]:
    """The file's blobs of a layer, each in the net's shape, in the net's order.

    layer, type: of the net, for messages. found: what the file holds under that name (`read_weights`). shapes: of the
    layer's blobs in the net. shared: indices of blobs that another layer owns; such a blob may be missing from the
    file and is then None in the result. Raises WeightsError where the numbers of blobs or their shapes differ.
    """
    blobs = list(found) + [None] * (len(shapes) - len(found))
    missing = [k for k, blob in enumerate(blobs) if blob is None and k not in shared]
    if missing or len(found) > len(shapes):
        raise WeightsError(f"the weights file holds {sum(b is not None for b in found)} blobs of this layer, "
                           f"the net wants {len(shapes)}{f' (missing: {missing})' if found and missing else ''}",
                           layer=layer, type=type, fix=_FIX)
    unlike = [f"blob {k} has shape {_words(blob.shape)} in the weights file, {_words(shape)} in the net"
              for k, (blob, shape) in enumerate(zip(blobs, shapes, strict=True))
              if blob is not None and not shapes_match(blob.shape, shape)]
    if unlike:
        raise WeightsError(", ".join(unlike), layer=layer, type=type, fix=_FIX)
    return [blob if blob is None else blob.reshape(tuple(shape)) for blob, shape in zip(blobs, shapes, strict=True)]


_FIX = "give weights of this net, or rename the layer to let it start from its fillers"


def _words(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape)) or "()"
