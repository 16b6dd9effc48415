"""Nets and solvers as prototxt: reading with places, upgrading on the way, and writing.

    net, places = read_net("train_val.prototxt")
    places.at("layer", 3, "convolution_param", "kernel_size")    ->  "train_val.prototxt:41"
"""
from __future__ import annotations

import os

from google.protobuf import text_format
from google.protobuf.message import Message

from caffempi.errors import TextError
from caffempi.proto.caffe_pb2 import NetParameter, SolverParameter
from caffempi.proto.parse import parse
from caffempi.proto.places import Places
from caffempi.proto.upgrade import upgrade_net, upgrade_solver

__all__ = ["MAX_BYTES", "Places", "parse", "read_net", "read_solver", "read_text", "write"]

MAX_BYTES = 64 << 20  # the largest text that is read, unless the caller says otherwise


def read_net(path: str | os.PathLike[str], *, allow_unknown: bool = False, errors: list[TextError] | None = None,
             max_bytes: int = MAX_BYTES) -> tuple[NetParameter, Places]:
    """A net from its file, upgraded to the current notation (places.notes says from what).

    errors: collects what `parse` can read on after. Raises TextError for a file that cannot be read or is no legal
    text, NetError where an old notation cannot be upgraded.
    """
    name = os.fspath(path)
    net = NetParameter()
    places = parse(read_text(name, max_bytes), net, name, allow_unknown=allow_unknown, errors=errors)
    places.notes += upgrade_net(net, places)
    places.name_layers(layer.name for layer in net.layer)
    return net, places


def read_solver(path: str | os.PathLike[str], *, allow_unknown: bool = False, errors: list[TextError] | None = None,
                max_bytes: int = MAX_BYTES) -> tuple[SolverParameter, Places]:
    """A solver from its file, it and any nets written inside it upgraded to the current notation.

    errors: collects what `parse` can read on after. Raises TextError for a file that cannot be read or is no legal
    text, SolverError and NetError where an old notation cannot be upgraded.
    """
    name = os.fspath(path)
    solver = SolverParameter()
    places = parse(read_text(name, max_bytes), solver, name, allow_unknown=allow_unknown, errors=errors)
    places.notes += upgrade_solver(solver, places)
    return solver, places


def read_text(path: str, max_bytes: int = MAX_BYTES) -> str:
    """The text of a file, with bytes that are not UTF-8 kept as surrogates (they may stand in comments).

    Raises TextError where there is no such file, or it is a folder, too large, or not text.
    """
    try:
        with open(path, "rb") as file:
            data = file.read(max_bytes + 1)
    except IsADirectoryError:
        raise TextError("this is a folder, not a prototxt file", where=path) from None
    except FileNotFoundError:
        raise TextError("there is no such file", where=path) from None
    except (OSError, ValueError) as err:
        raise TextError(f"cannot be read: {getattr(err, 'strerror', None) or err}", where=path) from None
    if len(data) > max_bytes:
        raise TextError(f"more than {max_bytes} bytes, too large for a prototxt file", where=path)
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise TextError("this is UTF-16 text", where=path, fix="save the file as UTF-8")
    if b"\0" in data:
        raise TextError("this is a binary file, not prototxt", where=path)
    return data.decode("utf-8-sig", "surrogateescape")


def write(message: Message) -> str:
    """The text of a message, fields in the order of their numbers; reading it gives an equal message."""
    return text_format.MessageToString(message, as_utf8=True)
