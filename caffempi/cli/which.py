"""Is a prototxt a net or a solver? Its fields tell."""
from __future__ import annotations

from google.protobuf.message import Message

from caffempi.errors import TextError
from caffempi.proto.caffe_pb2 import NetParameter, SolverParameter
from caffempi.proto.parse import parse
from caffempi.proto.text import read_text
from caffempi.solver.phases import has_phases


def is_solver(path: str) -> bool:
    """Whether the text reads better as a solver (or several) than as a net. Raises TextError for one that cannot be read."""
    text = read_text(path)
    if has_phases(path):
        return True
    return _faults(text, SolverParameter()) < _faults(text, NetParameter())


def _faults(text: str, message: Message) -> tuple[bool, int]:
    """(whether reading broke off, number of faults) of a text read as such a message."""
    errors: list[TextError] = []
    try:
        parse(text, message, "", errors=errors)
    except TextError as e:
        return not message.ListFields(), len(errors) + ("has no field" in e.why)
    return not message.ListFields() and bool(text.strip()), len(errors)
