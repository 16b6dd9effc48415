"""Where the elements of a strided and blocked tensor lie: arithmetic without the library.

padded: sizes with the lanes that fill up the last block. strides: elements between neighbours along each axis, between
blocks where it is blocked. blocks: (axis, size) of the inner blocks, outermost first; they lie together at the end.
"""
from __future__ import annotations

from collections.abc import Sequence

Terms = tuple[tuple[int, int], ...]


def c_order(shape: Sequence[int]) -> tuple[int, ...]:
    """Strides in elements of an array in C order."""
    strides = [1]
    for n in reversed(shape[1:]):
        strides.insert(0, strides[0] * max(n, 1))
    return tuple(strides)


def axes_of(padded: Sequence[int], strides: Sequence[int], blocks: Sequence[tuple[int, int]]) -> tuple[Terms, ...]:
    """Each axis as its (extent, stride) from outer to inner, without what does not matter: extents of 1, needless cuts.

    Equal for two descriptions of the same sizes exactly where every element lies at the same place.
    """
    outer = list(padded)
    inner: list[list[tuple[int, int]]] = [[] for _ in outer]
    stride = 1
    for axis, size in reversed(blocks):
        inner[axis].insert(0, (size, stride))
        outer[axis] //= size
        stride *= size
    axes = []
    for n, s, cuts in zip(outer, strides, inner, strict=True):
        terms: list[tuple[int, int]] = []
        for extent, step in [(n, s), *cuts]:
            if extent == 1:
                continue
            if terms and terms[-1][1] == extent * step:
                terms[-1] = (terms[-1][0] * extent, step)
            else:
                terms.append((extent, step))
        axes.append(tuple(terms))
    return tuple(axes)


def tag_of(strides: Sequence[int], blocks: Sequence[tuple[int, int]]) -> str:
    """oneDNN's kind of name: axes a, b, ... from outer to inner, capitals where blocked, then the blocks: aBcd16b."""
    blocked = {axis for axis, _ in blocks}
    order = sorted(range(len(strides)), key=lambda i: (-strides[i], i))
    return "".join(chr((65 if i in blocked else 97) + i) for i in order) + "".join(
        f"{size}{chr(97 + axis)}" for axis, size in blocks)
