"""The table of forks' numbers: it reads as meant, names fields that exist, of a wire type that they can have."""
from __future__ import annotations

import pytest
from google.protobuf.descriptor import FieldDescriptor

from caffempi.proto import caffe_pb2
from caffempi.proto.fork_numbers import FORK_NUMBERS
from caffempi.proto.forks import FORK_TYPES
from caffempi.proto.parse import is_repeated

BVLC_TYPES = {"Scale", "Bias", "RNN", "LSTM", "Split"}


def wires(field: FieldDescriptor) -> set[int]:
    """The wire types that a field may have: a list of numbers may be packed."""
    if field.message_type or field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
        return {2}
    one = 5 if field.type == FieldDescriptor.TYPE_FLOAT else 0
    return {one, 2} if is_repeated(field) else {one}


@pytest.mark.parametrize(("message", "number", "wire"), FORK_NUMBERS)
def test_every_choice_is_a_field_that_the_wire_type_fits(message: str, number: int, wire: int) -> None:
    fields = getattr(caffe_pb2, message).DESCRIPTOR.fields_by_name
    choices = FORK_NUMBERS[message, number, wire]
    for k, choice in enumerate(choices):
        assert wire in wires(fields[choice.field]), choice
        assert choice.types <= FORK_TYPES.keys() | BVLC_TYPES and not (choice.types and choice.forks)
        assert k == len(choices) - 1 or choice.types or choice.forks, "what always fits comes last"


def test_every_number_of_bvlc_is_still_one_of_the_choices() -> None:
    """A line for a number that BVLC has too (with that wire type) ends with BVLC's field, for all else."""
    checked = 0
    for (message, number, wire), choices in FORK_NUMBERS.items():
        field = getattr(caffe_pb2, message).DESCRIPTOR.fields_by_number.get(number)
        if field and wire in wires(field) and number < 2000 and message == "LayerParameter" and number < 149:
            checked += 1
            assert choices[-1].field == field.name
    assert checked > 8


@pytest.mark.parametrize(("key", "layer_type", "fork", "field"), [
    (("LayerParameter", 145, 0), "Convolution", "BVLC", "forward_type"),
    (("LayerParameter", 145, 2), "Parameter", "BVLC", "parameter_param"),
    (("LayerParameter", 148, 2), "Clip", "BVLC", "clip_param"),
    (("LayerParameter", 148, 2), "SmoothL1Loss", "Intel", "smooth_l1_loss_param"),
    (("LayerParameter", 151, 2), "LSTM", "NVCaffe", "recurrent_param"),
    (("TransformationParameter", 8, 5), "Data", "BVLC", "scale_factors"),
    (("TransformationParameter", 11, 0), "Data", "SSD", "crop_h"),
    (("ConvolutionParameter", 19, 0), "Convolution", "Intel", "relu"),
])
def test_some_choices(key: tuple[str, int, int], layer_type: str, fork: str, field: str) -> None:
    assert next(c.field for c in FORK_NUMBERS[key] if c.fits(layer_type, fork)) == field
