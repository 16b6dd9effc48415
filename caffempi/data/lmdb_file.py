"""The file format of LMDB (data version 1), as far as reading the main database in key order needs it.

A file is pages of one size. Pages 0 and 1 hold meta blocks, of which the one with the later transaction is valid; it
names the root page of the B+ tree. A page starts with a header of 16 bytes (number, flags, bounds), followed by 16-bit
places of its nodes. A branch node names a child page; a leaf node holds a key and either the value or, if that is
large, the first of its overflow pages, where the value follows the header.

Why not through liblmdb: it trusts the file, so that a truncated or damaged one ends the process with a signal;
py-lmdb's cursors read every value that they pass, so that each of N ranks would read all N shards; and it allows a file
to be open only once in a process, which a train and a test net would share. Writing is left to it.
"""
from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from typing import NamedTuple

from caffempi.errors import DataError

_HEADER = struct.Struct("<QHHHH")              # page number, unused, flags, end of the node places, start of nodes
_META = struct.Struct("<IIQQ")                 # magic, version, address, map size
_TREE = struct.Struct("<IHHQQQQQ")             # page size (in the first), flags, depth, three counts, entries, root
_TAIL = struct.Struct("<QQ")                   # last page, transaction
_NODE = struct.Struct("<HHHH")                 # low and high half of a size or page, flags, length of the key
_MAGIC, _VERSION, _NONE = 0xBEEFC0DE, 1, (1 << 64) - 1
_BRANCH, _LEAF, _KINDS = 1, 2, 0x6F             # kinds of pages, and the bits that tell a kind
_BIG, _SUB, _DUPLICATES = 1, 2, 4
_DEEPEST = 32


class Place(NamedTuple):
    """Where a record lies in the file, in bytes: its key (offset, length) and its value (offset, length)."""

    key: int
    key_size: int
    value: int
    size: int


class _Meta(NamedTuple):
    """Page size in bytes, records, root page, transaction."""

    page: int
    entries: int
    root: int
    transaction: int


class LmdbFile:
    """An open file of that format. Raises DataError where it is none, is truncated or holds no plain records."""

    def __init__(self, path: str) -> None:
        self._fd = -1
        self.path = path
        try:
            self._fd = os.open(path, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
            self._length = os.fstat(self._fd).st_size
        except OSError as e:
            raise DataError(f"database {path} cannot be opened: {e.strerror}") from None
        first = self._meta(0)
        if first is None:
            raise DataError(f"{path} is no LMDB of version {_VERSION}")
        page = first.page
        meta = max(first, self._meta(page) or first, key=lambda m: m.transaction)
        if meta.page != page:
            raise self._damaged(f"it names page sizes of {page} and {meta.page}")
        if meta.entries > self._length // _NODE.size:
            raise self._damaged(f"it says {meta.entries} records in {self._length} bytes")
        self._page, self.entries, self._root = page, meta.entries, meta.root
        self._pages = self._length // page
        self._check_end()

    def read(self, offset: int, size: int) -> bytes:
        """`size` bytes at `offset`, or a DataError. Waits for the disk without holding the interpreter."""
        if offset + size > self._length:
            raise DataError(f"database {self.path} is truncated: it has {self._length} bytes, a record or page ends at "
                            f"{offset + size}", fix="copy it again")
        try:
            data = os.pread(self._fd, size, offset)
            while len(data) < size:   # one call reads 2 GiB at most, and a network file system perhaps less
                more = os.pread(self._fd, size - len(data), offset + len(data))
                if not more:
                    raise self._damaged(f"it became shorter than {offset + size} bytes")
                data += more
        except OSError as e:
            raise DataError(f"database {self.path} cannot be read: {e.strerror}") from None
        return data

    def places(self) -> Iterator[Place]:
        """All records in the order of their keys, page by page as they are asked for."""
        stack = [] if self._root == _NONE else [iter([self._root])]
        pages = 0
        while stack:
            number = next(stack[-1], None)
            if number is None:
                stack.pop()
                continue
            pages += 1
            if len(stack) > _DEEPEST or pages > self._pages:
                raise self._damaged("its pages form a loop")
            data, flags, nodes = self._nodes(number)
            if flags & _LEAF:
                yield from self._leaf(number * self._page, data, nodes)
            else:
                stack.append(iter([self._child(data, node) for node in nodes]))

    def close(self) -> None:
        """Closes the file; idempotent."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)

    def __del__(self) -> None:
        self.close()

    def _check_end(self) -> None:
        """Raises DataError where the last record lies beyond the file's end: a truncated copy is to fail at the start.

        The last page that the meta block names proves nothing, as LMDB need not have written it.
        """
        number, depth = self._root, 0
        while number != _NONE:
            data, flags, nodes = self._nodes(number)
            if not nodes or depth > _DEEPEST:
                raise self._damaged(f"page {number} leads nowhere")
            if flags & _LEAF:
                *_, place = self._leaf(number * self._page, data, nodes)
                self.read(place.value + max(place.size - 1, 0), min(place.size, 1))
                return
            number, depth = self._child(data, nodes[-1]), depth + 1

    def _meta(self, offset: int) -> _Meta | None:
        """The meta block of the page at `offset`; None where there is none of this format."""
        if self._length < offset + _HEADER.size + _META.size + 2 * _TREE.size + _TAIL.size:
            return None
        data = self.read(offset, _HEADER.size + _META.size + 2 * _TREE.size + _TAIL.size)
        magic, version, _, _ = _META.unpack_from(data, 16)
        if magic != _MAGIC or version & 0xFFFF != _VERSION:
            return None
        free, main = _TREE.unpack_from(data, 40), _TREE.unpack_from(data, 40 + _TREE.size)
        if not 512 <= free[0] <= 65536 or free[0] & (free[0] - 1):
            raise self._damaged(f"it names a page size of {free[0]}")
        if main[1] & _DUPLICATES:
            raise DataError(f"database {self.path} holds several values for a key, as no data for Caffe does")
        return _Meta(free[0], main[6], main[7], _TAIL.unpack_from(data, 40 + 2 * _TREE.size)[1])

    def _nodes(self, number: int) -> tuple[bytes, int, tuple[int, ...]]:
        """(bytes, flags, places of the nodes) of a branch or leaf page."""
        data = self.read(number * self._page, self._page)
        itself, _, flags, lower, _ = _HEADER.unpack_from(data)
        if itself != number or flags & _KINDS not in (_BRANCH, _LEAF) or not 16 <= lower <= self._page:
            raise self._damaged(f"page {number} is no page of its tree")
        nodes = struct.unpack_from(f"<{(lower - 16) // 2}H", data, 16)
        if nodes and max(nodes) > self._page - _NODE.size:
            raise self._damaged(f"page {number} has a node beyond its end")
        return data, flags, nodes

    def _child(self, data: bytes, node: int) -> int:
        """The page that a branch node names."""
        low, high, top, _ = _NODE.unpack_from(data, node)
        return low | high << 16 | top << 32

    def _leaf(self, start: int, data: bytes, nodes: tuple[int, ...]) -> Iterator[Place]:
        """The records of a leaf page that lies at byte `start`."""
        for node in nodes:
            low, high, flags, key_size = _NODE.unpack_from(data, node)
            size, key = low | high << 16, node + _NODE.size
            value, end = key + key_size, key + key_size + (8 if flags & _BIG else size)
            if end > self._page or flags & ~_BIG:
                raise self._damaged(f"the record at byte {start + node} is none" if not flags & _SUB else
                                    "it holds databases instead of records")
            if flags & _BIG:
                page = int.from_bytes(data[value:value + 8], "little")
                if page > self._pages:
                    raise self._damaged(f"it names page {page} of {self._pages}")
                yield Place(start + key, key_size, page * self._page + _HEADER.size, size)
            else:
                yield Place(start + key, key_size, start + value, size)

    def _damaged(self, why: str) -> DataError:
        return DataError(f"database {self.path} is damaged: {why}", fix="make or copy it again")
