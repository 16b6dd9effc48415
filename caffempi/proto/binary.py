"""Nets as binaries: fields of any fork's numbers, told apart, become the fields of our schema.

BVLC's numbers are read as they are. Where forks collide, `fork_numbers` says what decides. A field that cannot be told, or
that no fork listed there has, is dropped, and a note says so. Weights pass through untouched.
"""
from __future__ import annotations

import mmap
import os
from collections import Counter
from collections.abc import Iterator
from typing import cast

from google.protobuf.descriptor import Descriptor
from google.protobuf.message import DecodeError

from caffempi.errors import WeightsError
from caffempi.proto.caffe_pb2 import LossParameter, NetParameter
from caffempi.proto.fork_numbers import FORK_NUMBERS
from caffempi.proto.upgrade import upgrade_net

MAX_BYTES = (1 << 31) - 1  # the largest message that protobuf reads
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_BLOBS = "BlobProto"
_LAYER, _NAME_OF_TYPE = 100, 2
_MOST_FIELDS = 200_000  # far above any net; keeps a file of millions of two-byte fields from costing minutes
# Values of LossParameter.normalization in Intel Caffe and R-FCN, which put PRE_FIXED before NONE.
_SWAPPED = {3: LossParameter.PRE_FIXED, 4: LossParameter.NONE}


def read_net_binary(path: str | os.PathLike[str]) -> tuple[NetParameter, list[str]]:
    """A net from its binary (a .caffemodel too), upgraded to today's notation, and notes on what was changed.

    Raises WeightsError for a file that cannot be read, is no such binary, is cut off, or has more than 2 GB; NetError where
    an old notation cannot be upgraded.
    """
    where = os.fspath(path)
    try:
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > MAX_BYTES:
                raise WeightsError("more than 2 GB; a net's binary with its weights can be read as weights only", where=where)
            if size == 0:
                raise WeightsError("is empty", where=where)
            # Not closed here: an error's traceback may still hold views of it. It goes with the last of them.
            return parse_net_binary(memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)))
    except WeightsError as e:
        raise e.at(where=where) from None
    except (OSError, ValueError) as e:
        raise WeightsError(f"cannot be read: {getattr(e, 'strerror', None) or e}", where=where) from None


def parse_net_binary(data: memoryview) -> tuple[NetParameter, list[str]]:
    """A net from the bytes of its binary; see `read_net_binary`."""
    reader = _Renumber(guess_fork(data))
    net = NetParameter()
    try:
        net.ParseFromString(b"".join(reader.message(data, cast(Descriptor, NetParameter.DESCRIPTOR), "")))
    except DecodeError:
        raise WeightsError("this is no binary of a net, or it is damaged") from None
    if not net.IsInitialized():
        raise WeightsError("this binary of a net lacks fields that must be there; it is damaged")
    if not net.layer and not net.layers:
        raise WeightsError("this is no binary of a net: it has no layers")
    notes = [f"numbers were read as those of {reader.fork}"] if reader.used else []
    notes += [f"{count} field(s) number {number} of {message} dropped: "
              + ("several forks have it, and nothing shows which" if known else "it is of no fork that is known here")
              for (message, number, known), count in sorted(reader.dropped.items())]
    return net, notes + upgrade_net(net)


def guess_fork(data: memoryview) -> str:
    """The fork that wrote a net's binary, by the fields that only one has: a name as `fork_numbers` uses it, or BVLC."""
    votes: Counter[str] = Counter()
    fields = _Wire().fields
    for number, wire, value in fields(data):
        if (number, wire) in ((9, _BYTES), (10, _BYTES)):
            votes["Intel"] += 1
        elif number in range(12, 21) and wire != _BYTES:
            votes["NVCaffe"] += 1
        elif number == _LAYER and isinstance(value, memoryview):
            found = list(fields(value))
            type_ = next((bytes(v) for n, w, v in found if n == _NAME_OF_TYPE and isinstance(v, memoryview)), b"")
            keys = {(n, w) for n, w, _ in found}
            if any(wire == _VARINT and 145 <= number <= 150 for number, wire in keys):
                votes["NVCaffe"] += 1
            if keys & {(149, _BYTES), (158, _BYTES)} and type_ not in _NOT_INTEL:
                votes["Intel"] += 1
            for (n, w), fork in _SIGNS.items():
                votes[fork] += (n, w) in keys
            votes[_TYPES_OF.get(type_, "BVLC")] += type_ in _TYPES_OF
    return votes.most_common(1)[0][0] if votes.total() else "BVLC"


_NOT_INTEL = (b"DataAugmentation", b"GenerateAugmentationParameters", b"LpqLoss", b"OPData", b"BiasChannel")
_SIGNS = {(45, _BYTES): "SegNet", (10000, _BYTES): "R-FCN", (10001, _BYTES): "R-FCN", (6801, _BYTES): "NVCaffe"}
_TYPES_OF = {b"SegData": "TSN", b"Interp": "DeepLab", b"SegAccuracy": "DeepLab", b"ImageSegData": "DeepLab",
             b"Correlation": "FlowNet", b"FlowWarp": "FlowNet", b"OPData": "OpenPose", b"Insanity": "caffe-windows",
             b"InnerDistance": "caffe-windows", b"LabelSpecificAdd": "caffe-windows", b"PriorBox": "SSD",
             b"DenseImageData": "SegNet", b"ROIPooling": "R-FCN"}


class _Renumber:
    """Copies messages, each field under its number in our schema. dropped: what could not be told, with counts."""

    def __init__(self, fork: str) -> None:
        self.fork, self.used = fork, False
        self.dropped: Counter[tuple[str, int, bool]] = Counter()
        self._fields = _Wire().fields

    def message(self, data: memoryview, descriptor: Descriptor, layer_type: str) -> Iterator[bytes | memoryview]:
        """The pieces of the message under our numbers."""
        name = descriptor.name
        if name == "LayerParameter":
            layer_type = next((bytes(v).decode("utf-8", "replace") for n, _, v in self._fields(data)
                               if n == _NAME_OF_TYPE and isinstance(v, memoryview)), "")
        for number, wire, value in self._fields(data):
            choices = FORK_NUMBERS.get((name, number, wire))
            if choices:
                choice = next((c for c in choices if c.fits(layer_type, self.fork)), None)
                if choice is None:
                    self.dropped[name, number, True] += 1
                    continue
                self.used |= bool(choice.forks)
                field = descriptor.fields_by_name[choice.field]
            elif number in descriptor.fields_by_number:
                field = descriptor.fields_by_number[number]
            else:
                self.dropped[name, number, False] += 1
                continue
            if field.enum_type and isinstance(value, int) and value not in field.enum_type.values_by_number:
                self.dropped[name, number, True] += 1
                continue
            if (name == "LossParameter" and field.name == "normalization" and isinstance(value, int)
                    and self.fork in ("Intel", "R-FCN")):
                value = _SWAPPED.get(value, value)
            yield _varint(field.number << 3 | wire)
            if isinstance(value, int):
                yield _varint(value)
            elif wire != _BYTES:
                yield value
            elif field.message_type and field.message_type.name != _BLOBS:
                inner = b"".join(self.message(value, field.message_type, layer_type))
                yield _varint(len(inner))
                yield inner
            else:
                yield _varint(len(value))
                yield value


class _Wire:
    """Takes messages apart, and counts the fields of all of them."""

    def __init__(self) -> None:
        self._left = _MOST_FIELDS

    def fields(self, data: memoryview) -> Iterator[tuple[int, int, int | memoryview]]:
        """(number, wire type, value) of each field of a message: a number for a varint, else its bytes."""
        at, end = 0, len(data)
        while at < end:
            self._left -= 1
            if self._left < 0:
                raise WeightsError(f"more than {_MOST_FIELDS} fields: damaged, or made to waste time")
            key, at = _read_varint(data, at)
            number, wire = key >> 3, key & 7
            value: int | memoryview
            if number == 0 or number >= 1 << 29 or wire not in (_VARINT, _FIXED64, _BYTES, _FIXED32):
                raise WeightsError("this is no binary of a net, or it is damaged")
            if wire == _VARINT:
                value, at = _read_varint(data, at)
            else:
                length = {_FIXED64: 8, _FIXED32: 4}.get(wire, 0)
                if wire == _BYTES:
                    length, at = _read_varint(data, at)
                if length > end - at:
                    raise WeightsError("this is no binary of a net, or it is cut off")
                value = data[at:at + length]
                at += length
            yield number, wire, value


def _read_varint(data: memoryview, at: int) -> tuple[int, int]:
    if at < len(data) and data[at] < 0x80:
        return data[at], at + 1
    value = 0
    for shift, byte in zip(range(0, 70, 7), data[at:at + 10], strict=False):
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value & (1 << 64) - 1, at + shift // 7 + 1
    raise WeightsError("this is no binary of a net, or it is cut off")


def _varint(value: int) -> bytes:
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)
